// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/options/help.hpp>

#include <sporos/runtime/backend/program.hpp>
#include <sporos/runtime/options/usage.hpp>

#include <sporos/core/io/format.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace sporos::runtime {

namespace {

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

std::string text_of(const std::vector<OptionEntry>& options, Meaning shown) {
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

}  // namespace

std::string help_text(const Usage& usage, bool is_whole) {
  std::string head =
      wrapped("Usage: " + called_with(usage.command) + form_after_command(usage), 0) + wrapped(usage.title, 0);
  if (!usage.examples.empty()) head += "\nExamples:\n";
  for (const std::string& example : usage.examples) head += "  " + called_with(example) + '\n';
  const std::string footer = usage.footer.empty() ? "" : '\n' + wrapped(usage.footer, 0);
  if (is_whole) return head + text_of(usage.options, Meaning::in_one_line) + footer;
  const std::string page = head + text_of(usage.options, Meaning::wrapped) + footer;
  if (std::ranges::count(page, '\n') <= max_lines) return page;
  return head + text_of(common_of(usage.options), Meaning::shortened) +
         fmt::format("\n`{} --help-all` lists all {} options.\n", called_with(usage.command), usage.options.size());
}

}  // namespace sporos::runtime
