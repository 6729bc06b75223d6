// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <string_view>

namespace sporos::io {

/// Returns `text` as a picture or a page can show it, with '?' in place of control characters and U+FFFD in place of
/// invalid UTF-8.
inline std::string printable(std::string_view text) {
  using Plain = nlohmann::json;
  const std::string replaced = Plain(text).dump(-1, ' ', false, Plain::error_handler_t::replace);
  auto shown = Plain::parse(replaced).get<std::string>();
  std::ranges::replace_if(
      shown, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }, '?');
  return shown;
}

}  // namespace sporos::io
