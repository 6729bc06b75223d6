// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>

namespace sporos::runtime {

/// Thrown where the user asks for help: `text` is the answer.
struct Help {
  std::string text;
};

/// Whether the user asks for all options by this argument.
inline bool asks_for_all_help(std::string_view argument) { return argument == "--help-all"; }

/// Whether the user asks for help by this argument.
inline bool asks_for_help(std::string_view argument) {
  return argument == "--help" || argument == "-h" || asks_for_all_help(argument);
}

struct Usage;

/// How the command is called, in lines of 100 columns: examples and all options; of a command with more than fit into
/// 60 lines the parameters and the common options alone, unless `is_whole`.
std::string help_text(const Usage& usage, bool is_whole);

}  // namespace sporos::runtime
