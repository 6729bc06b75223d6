// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/options/usage.hpp>

#include <sporos/runtime/backend/program.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>  // which App calls

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

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

constexpr std::size_t page_width = 100;
constexpr std::size_t meaning_column = 34;  // column in which the meanings of options begin
constexpr std::size_t max_parameters = 5;   // limit for the short help
constexpr std::ptrdiff_t max_lines = 60;

// Wraps a line to `width` columns and indents each resulting line by `blanks`.
std::string wrapped_line(std::string_view line, std::size_t blanks, std::size_t width) {
  const std::string indent(blanks, ' ');
  std::string lines;
  while (blanks + line.size() > width) {
    std::size_t end = line.rfind(' ', width - blanks);
    if (end == std::string_view::npos || end == 0) end = std::min(line.find(' '), line.size());
    lines += indent + std::string(line.substr(0, end)) + '\n';
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return lines + indent + std::string(line) + '\n';
}

// Wraps each line of the text to `width` columns and indents it by `blanks`.
std::string wrapped(std::string_view text, std::size_t blanks, std::size_t width = page_width) {
  std::string lines;
  for (;;) {
    const std::size_t end = text.find('\n');
    lines += wrapped_line(text.substr(0, end), blanks, width);
    if (end == std::string_view::npos) return lines;
    text.remove_prefix(end + 1);
  }
}

// Returns the first of the clauses between semicolons, and the one that states the default.
std::string short_meaning(const std::string& meaning) {
  std::string text = meaning.substr(0, meaning.find("; "));
  const auto place = meaning.find("; default: ");
  if (place != std::string::npos) text += meaning.substr(place, meaning.find("; ", place + 1) - place);
  return text;
}

// Form in which an option's meaning is shown.
enum class Meaning {
  in_one_line,  // complete, in a form that programs can also read
  wrapped,      // complete
  shortened
};

std::string line_of(const OptionEntry& entry, Meaning shown) {
  const std::string name = fmt::format("  {}--{}{}{}", entry.name == "output" ? "-o," : "", entry.name,
                                       entry.value.empty() ? "" : " ", entry.value);
  const std::size_t width = shown == Meaning::in_one_line ? std::string::npos : page_width;
  const std::string text = shown == Meaning::shortened ? short_meaning(entry.help) : entry.help;
  const std::string meaning = wrapped(text, meaning_column, width);
  const std::string in_one_line = fmt::format("{}  {}\n", name, text);
  if (name.size() + 2 <= meaning_column) return name + meaning.substr(name.size());
  return in_one_line.size() <= width ? in_one_line : name + '\n' + meaning;
}

bool is_parameter(const OptionEntry& entry) { return entry.group.starts_with("Parameters"); }

// Options that most users need.
constexpr std::string_view common =
    " replications precision relative-precision time-limit seed confidence quantiles probability design largest "
    "smallest require cost point-cost event uncertain replication point trace samplings strata chain-steps "
    "response rmse method over minimize maximize plus subject-to solver budget procedure delta returns prices demands "
    "gap-tolerance test-share penalty model weights report format output ";

// Returns the options of the short help: the first of the parameters, and the common options.
std::vector<OptionEntry> common_of(const std::vector<OptionEntry>& options) {
  std::vector<OptionEntry> shown;
  std::size_t parameters = 0;
  for (const OptionEntry& entry : options) {
    // Every command with a model takes estimated inputs; for one that analyses them, they are common.
    const bool is_common =
        common.find(' ' + entry.name + ' ') != std::string_view::npos || entry.group == "Estimated inputs";
    if (is_common || (is_parameter(entry) && ++parameters <= max_parameters)) shown.push_back(entry);
  }
  return shown;
}

std::string options_text(const std::vector<OptionEntry>& options, Meaning shown) {
  std::vector<std::pair<std::string, std::string>> groups;  // in the order of each group's first option
  for (const OptionEntry& entry : options) {
    auto group = std::ranges::find(groups, entry.group, &std::pair<std::string, std::string>::first);
    if (group == groups.end()) group = groups.insert(groups.end(), {entry.group, ""});
    group->second += line_of(entry, shown);
  }
  std::string text;
  for (const auto& [heading, lines] : groups) text += '\n' + wrapped(heading + ':', 0) + lines;
  return text;
}

// Returns the part of the form that follows the command's words: " [OPTION...]".
std::string form_after_command(const Usage& usage) {
  std::string_view rest = usage.form;
  for (const char letter : called_with(usage.command)) {
    if (letter == ' ') rest.remove_prefix(std::min(rest.find(' ') + 1, rest.size()));
  }
  const auto place = rest.find(' ');
  return place == std::string_view::npos ? "" : std::string(rest.substr(place));
}

// Returns the number of insertions and deletions of letters that turn one word into the other.
std::size_t edit_distance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t above = row[j + 1];
      row[j + 1] = from[i] == to[j] ? diagonal : std::min(row[j], above) + 1;
      diagonal = above;
    }
  }
  return row.back();
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

std::string help_text(const Usage& usage, bool is_whole) {
  std::string head =
      wrapped("Usage: " + called_with(usage.command) + form_after_command(usage), 0) + wrapped(usage.title, 0);
  if (!usage.examples.empty()) head += "\nExamples:\n";
  for (const std::string& example : usage.examples) head += "  " + called_with(example) + '\n';
  const std::string footer = usage.footer.empty() ? "" : '\n' + wrapped(usage.footer, 0);
  if (is_whole) return head + options_text(usage.options, Meaning::in_one_line) + footer;
  const std::string page = head + options_text(usage.options, Meaning::wrapped) + footer;
  if (std::ranges::count(page, '\n') <= max_lines) return page;
  return head + options_text(common_of(usage.options), Meaning::shortened) +
         fmt::format("\n`{} --help-all` lists all {} options.\n", called_with(usage.command), usage.options.size());
}

std::string suggestion_for(std::string_view name, const std::vector<std::string>& names) {
  constexpr std::size_t longest_word = 64;
  if (!names.empty() && name.size() <= longest_word) {
    const auto distance = [&](const std::string& other) { return edit_distance(name, other); };
    const auto nearest = std::min_element(names.begin(), names.end(),
                                          [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
    if (distance(*nearest) <= std::max<std::size_t>(2, nearest->size() / 3)) {
      return fmt::format(": did you mean '{}'?", *nearest);
    }
  }
  return fmt::format(": expected one of {}", fmt::join(names, ", "));
}

}  // namespace sporos::runtime
