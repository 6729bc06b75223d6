// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/option_table.hpp>

#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sporos::runtime {

/// An argument after a command's words and before its options.
struct Positional {
  std::string name;                  ///< name in the help
  std::optional<FileUse> file = {};  ///< use of the file that it names, if it names one
  /// Words of the message if it is missing: "case is", as in "no case is given". Empty if it is optional.
  std::string missing = {};
};

/// How a command is called. Its help is generated from this.
struct Usage {
  std::string command;                     ///< words of the command: "simulate mmck"
  std::string form;                        ///< general form of a call, for messages
  std::string title;                       ///< text above the options in the help
  std::string footer;                      ///< text below the options in the help
  std::vector<Positional> positionals;     ///< positional arguments, in order
  std::vector<OptionEntry> options;        ///< options, in the order of the help
  std::vector<std::string> examples = {};  ///< working calls, without the program's name
};

/// The flag --no-progress.
OptionEntry no_progress_option();

/// Whether progress is shown on a terminal: --no-progress is not given.
inline bool shows_progress(const OptionTable& options) { return !options.has("no-progress"); }

/// Thrown for an option that the command does not have and that is similar to none of its options.
class UnknownOption : public std::invalid_argument {
 public:
  /// Takes an option, such as "--over", and where the command's options are listed: "`sporos fit --help-all` lists the
  /// options".
  UnknownOption(const std::string& option, const std::string& listed);

  std::string option;  ///< the option, with its dashes
  std::string listed;  ///< where the command's options are listed
};

/// Arguments that the user has given.
struct Arguments {
  std::vector<std::string> positionals;  ///< positional arguments that are given
  OptionTable options;
  NamedFiles files;  ///< files that all arguments name
};

/// Reads the arguments after the command's words. Checks the files that they name, as check_files does. Throws Help if
/// help is requested. Throws std::invalid_argument for an unknown option, an option without its value or given twice,
/// and a missing positional argument. Values of options are not checked.
Arguments parsed(const Usage& usage, std::span<const std::string> arguments);

/// Reads the arguments if `usage` has only some of the command's options. Ignores arguments that are not among these,
/// because they may belong to the others.
Arguments parsed_in_part(const Usage& usage, std::span<const std::string> arguments);

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

/// Returns the end of a message about an unknown name: ": did you mean 'NAME'?" if one of `names` is similar to it, and
/// otherwise ": expected one of ...".
std::string suggestion_for(std::string_view name, const std::vector<std::string>& names);

}  // namespace sporos::runtime
