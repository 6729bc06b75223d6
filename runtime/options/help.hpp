// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace sporos::runtime {

/// Thrown where the user asks for help: `text` is the answer.
struct Help {
  std::string text;
};

}  // namespace sporos::runtime
