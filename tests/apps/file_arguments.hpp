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
  std::string command;   ///< its words, models and problems included
  std::string argument;  ///< an option with its dashes, or a positional argument as the help calls it
  runtime::FileUse use;

  /// Whether it is one of the commands that begin with these words.
  bool is_of(std::string_view words) const {
    return command.starts_with(words) &&
           (words.empty() || command.size() == words.size() || command[words.size()] == ' ');
  }
  /// The same argument of `simulate`, if it names a file that a model reads, whichever question is asked of the model.
  FileArgument of_simulation() const {
    static const std::regex question("(replay|rare-event|stratify|sensitivity|input-uncertainty|compare-samplings) ");
    const bool is_of_model = argument == "--case" || argument == "--demand" || argument == "--network";
    return is_of_model ? FileArgument{std::regex_replace(command, question, "simulate "), argument, use} : *this;
  }
  bool is_read() const { return use == runtime::FileUse::reads || use == runtime::FileUse::resumes; }
};

/// All of them, as the commands' tables of options have them.
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
