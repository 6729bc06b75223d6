// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/named_files.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace sporos::runtime {

/// The value of an option as the user wrote it; nothing where it is not given.
using OptionText = std::optional<std::string>;

/// Adds the option `--name VALUE` to `app`, in `group` of its help; what the user gives goes to `text`. Where `value`
/// is empty, it has none, and `text` is "on".
void add(CLI::App& app, const std::string& group, const std::string& name, const std::string& value,
         const std::string& help, OptionText& text);

/// Adds the flag --no-progress to `app`, which makes `shows_progress` false.
void add_no_progress(CLI::App& app, bool& shows_progress);

/// A positional argument that names a file.
struct PositionalFile {
  std::string name;  ///< as the help calls it
  std::string path;  ///< as the user wrote it
};

/// Reads the options of `app`, whose name is the command as its help shows it; `form` is what is expected of it. The
/// files that they and `positionals` name, which are looked at first of all: check_files. Throws Help where that is
/// asked for, std::invalid_argument for what is no option, one without its value, one given twice.
NamedFiles parse_options(CLI::App& app, std::span<const std::string> arguments, const std::string& form,
                         const std::vector<PositionalFile>& positionals = {});

/// The same where `app` has but some of the options: what is none of them may be one of the others.
NamedFiles parse_some_options(CLI::App& app, std::span<const std::string> arguments);

}  // namespace sporos::runtime
