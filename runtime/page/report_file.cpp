// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/page/report_file.hpp>

#include <sporos/runtime/backend/program.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/gnuplot.hpp>
#include <sporos/version.hpp>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

namespace sporos::runtime {

namespace {

// Quotes a word, if necessary, so that a POSIX shell reads it as one word.
std::string in_shell_quotes(std::string_view word) {
  constexpr std::string_view plain = "-_./:,=+@%^";
  const auto is_plain = [&](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || plain.find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::ranges::all_of(word, is_plain)) return std::string(word);
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + '\'';
}

bool only_writes(const OptionEntry& entry) {
  return (entry.file && *entry.file != FileUse::reads && *entry.file != FileUse::resumes) || entry.name == "format" ||
         entry.name == "no-progress" || entry.name == "every";
}

}  // namespace

OptionEntry report_option() {
  return {"Run",           "report",    "FILE", "write the results to FILE as an HTML page with pictures",
          FileUse::writes, Decides::run};
}

std::string command_text(const std::string& words, std::span<const std::string> positionals,
                         const OptionTable& options) {
  std::string text = called_with(words);
  for (const std::string& positional : positionals) text += ' ' + in_shell_quotes(positional);
  for (const OptionEntry& entry : options.entries()) {
    if (!options.given(entry) || only_writes(entry)) continue;
    const std::string flag = " --" + entry.name;
    if (entry.value.empty()) {
      text += flag;
    } else if (entry.occurrence == Occurrence::repeated) {
      for (const std::string& value : options.list(entry.name)) text += flag + ' ' + in_shell_quotes(value);
    } else {
      const std::string& value = *options.text(entry.name);
      text += flag + (value.starts_with('-') ? '=' : ' ') + in_shell_quotes(value);
    }
  }
  return text;
}

ReportFile::ReportFile(const OptionTable& options, const std::string& words, std::span<const std::string> positionals)
    : m_file(file_of_first(options.text("report"))), m_command(command_text(words, positionals, options)) {
  if (m_file) io::check_gnuplot();
}

void ReportFile::write_page(Document document, const std::string& json, const Machine& machine) const {
  PageFacts facts{{{"version", {SPOROS_VERSION}}}};
  for (const ResultFact& fact : facts_of(json_of(machine))) {
    facts.facts.emplace_back(fact.title, PageText{people_text(fact.value, fact.kind)});
  }
  document.sections.push_back(
      {"How to repeat this run",
       {PageParagraph{"The same command, with this version, repeats the run. Replications are bit-identical on every "
                      "backend and for any number of threads and processes; optimizers and fits agree up to rounding."},
        PageCode{m_command}, std::move(facts), PageCode{json, "Complete result as JSON"}}});
  m_file->write(html_of(document));
}

}  // namespace sporos::runtime
