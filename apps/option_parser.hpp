// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <span>
#include <string>

namespace CLI {
class App;
}

namespace sporos::apps {

/// The value of an option as the user wrote it; nothing where it is not given.
using OptionText = std::optional<std::string>;

/// Adds the option `--name VALUE` to `app`, in `group` of its help; what the user gives goes to `text`.
void add(CLI::App& app, const std::string& group, const std::string& name, const std::string& value,
         const std::string& help, OptionText& text);

/// Adds the flag --no-progress to `app`, which makes `shows_progress` false.
void add_no_progress(CLI::App& app, bool& shows_progress);

/// Reads the options of `app`, whose name is the command as its help shows it; `form` is what is expected of it. Throws
/// Help where that is asked for, std::invalid_argument for what is no option, one without its value, one given twice.
void parse_options(CLI::App& app, std::span<const std::string> arguments, const std::string& form);

}  // namespace sporos::apps
