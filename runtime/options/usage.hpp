// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/named_files.hpp>
#include <sporos/runtime/options/option_table.hpp>

#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace sporos::runtime {

/// An argument that stands behind a command's words, before its options.
struct Positional {
  std::string name;                  ///< as the help calls it
  std::optional<FileUse> file = {};  ///< what is done with the file that it names
  std::string missing = {};          ///< "case is": what a message says is not there; empty where it may be missing
};

/// How a command is called, of which its help is made.
struct Usage {
  std::string command;                     ///< its words: "simulate mmck"
  std::string form;                        ///< what messages expect of it
  std::string title;                       ///< above the help
  std::string footer;                      ///< below it
  std::vector<Positional> positionals;     ///< in their order
  std::vector<OptionEntry> options;        ///< in the order of the help
  std::vector<std::string> examples = {};  ///< calls that work, without the program's name
};

/// The flag --no-progress.
OptionEntry no_progress_option();

/// Whether a person at a terminal is shown how far a run has come: where the flag is not given.
inline bool shows_progress(const OptionTable& options) { return !options.has("no-progress"); }

/// Thrown for an option that the command does not have, and that is like none of its options.
class UnknownOption : public std::invalid_argument {
 public:
  /// Of "--over", with where the command's own options are listed: "`sporos fit --help-all` lists the options".
  UnknownOption(const std::string& option, const std::string& listed);

  std::string option;  ///< with its dashes
  std::string listed;  ///< where the command's own options are listed
};

/// What a user has given.
struct Arguments {
  std::vector<std::string> positionals;  ///< those that are there
  OptionTable options;
  NamedFiles files;  ///< that all of them name
};

/// Reads the arguments behind the command's words. The files that they name are looked at first of all: check_files.
/// Throws Help where that is asked for, std::invalid_argument for what is no option, one without its value, one given
/// twice, and a positional argument that is missing. Values are looked at by whoever needs them.
Arguments parsed(const Usage& usage, std::span<const std::string> arguments);

/// The same where `usage` has but some of the options: what is none of them may be one of the others.
Arguments parsed_in_part(const Usage& usage, std::span<const std::string> arguments);

}  // namespace sporos::runtime
