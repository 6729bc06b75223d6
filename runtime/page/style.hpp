// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace sporos::runtime {

/// The style sheet of reports: phones, paper, and dark where the reader's system is, pictures included.
std::string page_style();

}  // namespace sporos::runtime
