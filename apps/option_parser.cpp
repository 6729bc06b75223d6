// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "option_parser.hpp"

#include "help.hpp"
#include "suggestion.hpp"

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace sporos::apps {

namespace {

[[noreturn]] void refuse_extra(const CLI::App& app, const std::string& extra, const std::string& form) {
  const std::string option = extra.substr(0, extra.find('='));
  if (!option.starts_with('-')) {
    throw std::invalid_argument(fmt::format("unexpected {}: expected {}", io::in_quotes(extra), form));
  }
  std::vector<std::string> names;
  for (const auto* known : app.get_options()) names.push_back("--" + known->get_lnames().front());
  std::string suggestion = suggestion_for(option, names);
  if (suggestion.starts_with(": expected")) suggestion = ": `" + app.get_name() + " --help` lists the options";
  throw std::invalid_argument("unknown option " + io::in_quotes(option) + suggestion);
}

// An option without its value, or with more than one.
[[noreturn]] void refuse_count(const CLI::App& app, const std::string& message) {
  for (const auto* option : app.get_options()) {
    if (option->count() > 1 && option->get_expected_max() == 1) {
      throw std::invalid_argument(
          fmt::format("{} is given {} times, expected once", option->get_name(), option->count()));
    }
  }
  throw std::invalid_argument(message.substr(0, message.find(':')) + " is given without a value");
}

}  // namespace

void add(CLI::App& app, const std::string& group, const std::string& name, const std::string& value,
         const std::string& help, OptionText& text) {
  app.add_option_function<std::string>((name == "output" ? "-o,--" : "--") + name,
                                       [&text](const std::string& given) { text = given; }, help)
      ->type_name(value)
      ->group(group);
}

void add_no_progress(CLI::App& app, bool& shows_progress) {
  app.add_flag_function(
         "--no-progress", [&shows_progress](std::int64_t) { shows_progress = false; }, "show no progress on a terminal")
      ->group("Run");
}

void parse_options(CLI::App& app, std::span<const std::string> arguments, const std::string& form) {
  app.allow_extras();  // which are refused in our own words
  constexpr std::size_t help_column = 36;
  app.get_formatter()->column_width(help_column);
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp&) {
    throw Help{app.help()};
  } catch (const CLI::ArgumentMismatch& error) {
    refuse_count(app, error.what());
  } catch (const CLI::ParseError& error) {
    throw std::invalid_argument(error.what());
  }
  if (!app.remaining().empty()) refuse_extra(app, app.remaining().front(), form);
}

}  // namespace sporos::apps
