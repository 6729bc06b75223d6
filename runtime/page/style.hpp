// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace sporos::runtime {

/// Returns the style sheet of reports. It supports phones, paper and the reader's light or dark color scheme, also in
/// pictures.
std::string page_style();

}  // namespace sporos::runtime
