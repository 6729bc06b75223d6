// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../../apps/commands.hpp"

#include <regex>
#include <string>
#include <string_view>
#include <vector>

namespace sporos::test {

/// An argument of a command that names a file.
struct FileArgument {
  std::string command;   ///< words of the command, including the model or problem
  std::string argument;  ///< option with its dashes, or positional argument as the help names it
  runtime::FileUse use;

  /// Whether the command begins with these words.
  bool is_of(std::string_view words) const {
    return command.starts_with(words) &&
           (words.empty() || command.size() == words.size() || command[words.size()] == ' ');
  }
  /// For a file that a model reads, returns the same argument of `simulate`, whichever command runs the model. Returns
  /// other arguments unchanged.
  FileArgument of_simulation() const {
    static const std::regex question(
        "(replay|rare-event|steady-state|stratify|sensitivity|input-uncertainty|compare-samplings) ");
    const bool is_of_model = argument == "--case" || argument == "--demand" || argument == "--network";
    return is_of_model ? FileArgument{std::regex_replace(command, question, "simulate "), argument, use} : *this;
  }
  bool is_read() const { return use == runtime::FileUse::reads || use == runtime::FileUse::resumes; }
};

/// All file arguments in the commands' tables of options.
inline const std::vector<FileArgument>& file_arguments() {
  static const std::vector<FileArgument> all = [] {
    std::vector<FileArgument> list;
    for (const runtime::Usage& usage : apps::usages()) {
      for (const auto& positional : usage.positionals) {
        if (positional.file) list.push_back({usage.command, positional.name, *positional.file});
      }
      for (const auto& option : usage.options) {
        if (option.file) list.push_back({usage.command, "--" + option.name, *option.file});
      }
    }
    return list;
  }();
  return all;
}

}  // namespace sporos::test
