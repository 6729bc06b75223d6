// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/json.hpp>

#include <string>

namespace sporos::runtime {

/// Formats JSON as reports are written: indented by two blanks, with a final newline.
inline std::string json_text(const io::Json& json) {
  return json.dump(2, ' ', false, io::Json::error_handler_t::replace) + '\n';
}

}  // namespace sporos::runtime
