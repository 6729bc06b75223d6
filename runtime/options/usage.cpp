// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/options/usage.hpp>

#include <sporos/runtime/backend/program.hpp>
#include <sporos/runtime/options/help.hpp>
#include <sporos/runtime/options/suggestion.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>  // which App calls

#include <algorithm>
#include <cstddef>
#include <stdexcept>

namespace sporos::runtime {

namespace {

[[noreturn]] void refuse_extra(const CLI::App& app, const std::string& extra, const std::string& form) {
  const std::string option = extra.substr(0, extra.find('='));
  if (!option.starts_with('-')) {
    throw std::invalid_argument(fmt::format("unexpected {}: expected {}", io::in_quotes(extra), form));
  }
  std::vector<std::string> names;
  for (const auto* known : app.get_options()) names.push_back("--" + known->get_lnames().front());
  const std::string suggestion = suggestion_for(option, names);
  if (suggestion.starts_with(": expected")) {
    throw UnknownOption(option, "`" + app.get_name() + " --help-all` lists the options");
  }
  throw std::invalid_argument("unknown option " + io::in_quotes(option) + suggestion);
}

// Throws for an option without its value, or with more than one.
[[noreturn]] void refuse_count(const CLI::App& app, const std::string& message) {
  for (const auto* option : app.get_options()) {
    if (option->count() > 1 && option->get_expected_max() == 1) {
      throw std::invalid_argument(
          fmt::format("{} is given {} times, expected once", option->get_name(), option->count()));
    }
  }
  throw std::invalid_argument(message.substr(0, message.find(':')) + " is given without a value");
}

void parse(CLI::App& app, std::span<const std::string> arguments) {
  app.allow_extras();  // refuse_extra reports them in our own words
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::ArgumentMismatch& error) {
    refuse_count(app, error.what());
  } catch (const CLI::ParseError& error) {
    throw std::invalid_argument(error.what());
  }
}

CLI::Option* added(CLI::App& app, const OptionEntry& entry, OptionTable& table) {
  OptionText& text = table.text(entry.name);
  const std::string flag = (entry.name == "output" ? "-o,--" : "--") + entry.name;
  if (entry.value.empty()) {
    return app.add_flag_function(
        flag, [&text](std::int64_t) { text = "on"; }, entry.help);
  }
  if (entry.occurrence == Occurrence::repeated) {
    return app.add_option(flag, table.list(entry.name), entry.help)
        ->expected(1)
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }
  auto* const option = app.add_option_function<std::string>(
      flag, [&text](const std::string& given) { text = given; }, entry.help);
  return entry.occurrence == Occurrence::value_may_be_missing ? option->expected(0, 1) : option;
}

void add(CLI::App& app, OptionTable& table) {
  for (const auto& entry : table.entries()) {
    auto* const option = added(app, entry, table)->group(entry.group);
    if (!entry.value.empty()) option->type_name(entry.value);
  }
}

NamedFiles files_of(const Usage& usage, const Arguments& given) {
  NamedFiles files;
  for (std::size_t i = 0; i < given.positionals.size(); ++i) {
    const Positional& positional = usage.positionals[i];
    if (positional.file) files.push_back({positional.name, given.positionals[i], *positional.file});
  }
  for (const OptionEntry& entry : usage.options) {
    if (!entry.file) continue;
    const auto take = [&](const std::string& path) { files.push_back({"--" + entry.name, path, *entry.file}); };
    if (entry.occurrence == Occurrence::repeated) {
      for (const auto& path : given.options.list(entry.name)) take(path);
    } else if (given.options.has(entry.name)) {
      take(*given.options.text(entry.name));
    }
  }
  return files;
}

Arguments parsed(const Usage& usage, std::span<const std::string> arguments, bool is_whole) {
  Arguments given{{}, OptionTable(usage.options), {}};
  for (const std::string& argument : arguments.first(std::min(usage.positionals.size(), arguments.size()))) {
    if (argument.starts_with('-')) break;
    given.positionals.push_back(argument);
  }
  const auto help = std::ranges::find_if(arguments, asks_for_help);
  if (help != arguments.end()) throw Help{help_text(usage, asks_for_all_help(*help))};
  CLI::App app(usage.title, called_with(usage.command));
  app.set_help_flag();  // no flag: help is answered above
  add(app, given.options);
  parse(app, arguments.subspan(given.positionals.size()));
  if (is_whole && !app.remaining().empty()) refuse_extra(app, app.remaining().front(), usage.form);
  given.files = files_of(usage, given);
  check_files(given.files);
  for (std::size_t i = given.positionals.size(); i < usage.positionals.size(); ++i) {
    const std::string& missing = usage.positionals[i].missing;
    if (!missing.empty()) throw std::invalid_argument(fmt::format("no {} given: expected {}", missing, usage.form));
  }
  return given;
}

}  // namespace

UnknownOption::UnknownOption(const std::string& unknown, const std::string& own)
    : std::invalid_argument(fmt::format("unknown option {}: {}", io::in_quotes(unknown), own)),
      option(unknown),
      listed(own) {}

OptionEntry no_progress_option() {
  return {"Run", "no-progress", "", "show no progress on a terminal", {}, Decides::run};
}

Arguments parsed(const Usage& usage, std::span<const std::string> arguments) { return parsed(usage, arguments, true); }

Arguments parsed_in_part(const Usage& usage, std::span<const std::string> arguments) {
  return parsed(usage, arguments, false);
}

}  // namespace sporos::runtime
