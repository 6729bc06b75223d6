// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/options/option_parser.hpp>

#include <sporos/runtime/options/help.hpp>
#include <sporos/runtime/options/suggestion.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace sporos::runtime {

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

// Shows what stands behind the command's name, too.
class HelpFormatter final : public CLI::Formatter {
 public:
  explicit HelpFormatter(const std::string& form) : m_form(form) {
    constexpr std::size_t help_column = 36;
    column_width(help_column);
  }

  // The words of `m_form`, the first of which the command's name has in its own way: "sporos simulate mmck".
  std::string make_usage(const CLI::App* app, std::string) const override {
    const auto named = std::count(app->get_name().begin(), app->get_name().end(), ' ') + 1;
    std::string_view rest = m_form;
    for (std::ptrdiff_t word = 0; word < named; ++word) rest.remove_prefix(rest.find(' ') + 1);
    return fmt::format("Usage: {} {}\n\n", app->get_name(), rest);
  }

 private:
  std::string m_form;
};

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

// The files that the arguments name, as file_entries tells.
NamedFiles named_files(const CLI::App& app, const std::vector<PositionalFile>& positionals) {
  const std::string command = app.get_name().substr(std::string_view("sporos ").size());
  NamedFiles files;
  const auto take = [&](const std::string& argument, const std::string& path) {
    if (const auto use = file_use(command, argument)) files.push_back({argument, path, *use});
  };
  for (const auto& [name, path] : positionals) take(name, path);
  for (const auto* option : app.get_options()) {
    for (const auto& path : option->results()) take("--" + option->get_lnames().front(), path);
  }
  return files;
}

NamedFiles parsed(CLI::App& app, std::span<const std::string> arguments,
                  const std::vector<PositionalFile>& positionals) {
  app.allow_extras();  // which are refused in our own words
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp&) {
    throw Help{app.help()};
  } catch (const CLI::ArgumentMismatch& error) {
    refuse_count(app, error.what());
  } catch (const CLI::ParseError& error) {
    throw std::invalid_argument(error.what());
  }
  return named_files(app, positionals);
}

}  // namespace

void add(CLI::App& app, const std::string& group, const std::string& name, const std::string& value,
         const std::string& help, OptionText& text) {
  if (value.empty()) {
    app.add_flag_function(
           "--" + name, [&text](std::int64_t) { text = "on"; }, help)
        ->group(group);
    return;
  }
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

NamedFiles parse_options(CLI::App& app, std::span<const std::string> arguments, const std::string& form,
                         const std::vector<PositionalFile>& positionals) {
  app.formatter(std::make_shared<HelpFormatter>(form));
  const NamedFiles files = parsed(app, arguments, positionals);
  if (!app.remaining().empty()) refuse_extra(app, app.remaining().front(), form);
  check_files(files);
  return files;
}

NamedFiles parse_some_options(CLI::App& app, std::span<const std::string> arguments) {
  const NamedFiles files = parsed(app, arguments, {});
  check_files(files);
  return files;
}

}  // namespace sporos::runtime
