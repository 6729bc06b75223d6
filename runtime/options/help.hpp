// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>

namespace sporos::runtime {

/// Thrown where the user asks for help: `text` is the answer.
struct Help {
  std::string text;
};

/// Whether the user asks for it by this argument.
inline bool asks_for_help(std::string_view argument) { return argument == "--help" || argument == "-h"; }

}  // namespace sporos::runtime
