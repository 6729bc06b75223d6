// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands.hpp"

#include "run.hpp"
#include "watched_experiment.hpp"

#include <sporos/runtime/backend/program.hpp>
#include <sporos/runtime/options/common_options.hpp>
#include <sporos/runtime/page/report_file.hpp>
#include <sporos/runtime/results/output.hpp>
#include <sporos/runtime/simulation/experiment_part.hpp>
#include <sporos/runtime/simulation/options.hpp>

#include <sporos/core/io/text_file.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace sporos::apps {

namespace {

constexpr auto merge_footer =
    "PART is a file that `simulate --part` has written. Give all parts of one run, in any order.\n"
    "The result is that of a single run, except for the seconds and the machine. Files that the\n"
    "options of the run name, such as a case, are read again.";

// Returns the usage of a call with this number of parts.
Usage usage_with_parts(std::size_t parts) {
  return {"merge",
          called_with("merge PART... [OPTION...]"),
          "Combines the parts of an experiment that several runs computed to the result of a single run.",
          merge_footer,
          std::vector<Positional>(std::max<std::size_t>(parts, 1), {"PART", FileUse::reads, "part is"}),
          entries_of({execution_options("threads of the backend; changes no bit of the result"),
                      {format_option(), table_option(), output_option(), report_option(), no_progress_option()}}),
          {}};
}

}  // namespace

int simulate_command(std::span<const std::string> arguments, Backend& backend) {
  if (auto* const own = own_command("simulate", arguments)) return own(arguments.subspan(1), backend);
  WatchedExperiment run(parsed_question(simulate_question, arguments), backend);
  return carry_out(run, run.options(), run.settings(), backend);
}

Usage merge_usage() { return usage_with_parts(1); }

int merge_command(std::span<const std::string> arguments, Backend& backend) {
  const auto is_option = [](const std::string& argument) { return argument.starts_with('-'); };
  const auto parts = static_cast<std::size_t>(std::ranges::find_if(arguments, is_option) - arguments.begin());
  const Arguments given = parsed(usage_with_parts(parts), arguments);
  std::vector<NamedText> texts;
  for (const std::string& path : given.positionals) {
    constexpr std::size_t max_mebibytes = 4096;
    texts.push_back({path, io::read_text_file(path, max_mebibytes)});
  }
  const MergedParts merged(texts);
  std::vector<std::string> words = merged.arguments();
  for (const OptionEntry& entry : given.options.entries()) {
    const OptionText value = given.options.given(entry);
    if (value) words.push_back("--" + entry.name + (entry.value.empty() ? "" : "=" + *value));
  }
  WatchedExperiment run(parsed_question(simulate_question, words), backend, &merged);
  return carry_out(run, run.options(), run.settings(), backend);
}

}  // namespace sporos::apps
