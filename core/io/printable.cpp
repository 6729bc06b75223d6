// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/io/json.hpp>
#include <sporos/core/io/printable.hpp>

#include <algorithm>

namespace sporos::io {

std::string printable(std::string_view text) {
  const std::string replaced = Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
  auto shown = Json::parse(replaced).get<std::string>();
  std::ranges::replace_if(
      shown, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }, '?');
  return shown;
}

}  // namespace sporos::io
