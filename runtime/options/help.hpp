// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>

namespace sporos::runtime {

/// Thrown if the user requests help. `text` is the help.
struct Help {
  std::string text;
};

/// Whether this argument requests the help on all options.
inline bool asks_for_all_help(std::string_view argument) { return argument == "--help-all"; }

/// Whether this argument requests help.
inline bool asks_for_help(std::string_view argument) {
  return argument == "--help" || argument == "-h" || asks_for_all_help(argument);
}

struct Usage;

/// Returns the help of a command, in lines of 100 columns: examples and all options. If that takes more than 60 lines
/// and `is_whole` is false, returns only the first parameters and the common options.
std::string help_text(const Usage& usage, bool is_whole);

}  // namespace sporos::runtime
