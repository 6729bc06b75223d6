// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>

namespace sporos::io {

/// Returns `text` as a picture or a page can show it, with '?' in place of control characters and U+FFFD in place of
/// invalid UTF-8.
std::string printable(std::string_view text);

}  // namespace sporos::io
