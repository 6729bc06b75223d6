// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands.hpp"

#include "failure.hpp"
#include "interruption.hpp"
#include "progress_line.hpp"
#include "run.hpp"
#include "watched_experiment.hpp"

#include <sporos/runtime/backend/backend.hpp>
#include <sporos/runtime/backend/processes.hpp>
#include <sporos/runtime/files/output_files.hpp>
#include <sporos/runtime/options/common_options.hpp>
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/results/output.hpp>
#include <sporos/runtime/simulation/design_points.hpp>
#include <sporos/runtime/simulation/options.hpp>
#include <sporos/runtime/simulation/questions.hpp>
#include <sporos/runtime/simulation/report.hpp>
#include <sporos/runtime/simulation/tasks.hpp>

#include <sporos/core/execution/processes.hpp>
#include <sporos/core/io/format.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>

namespace sporos::apps {

namespace {

std::vector<Sampling> samplings_from(const OptionTable& options) {
  if (!options.has("samplings")) throw std::invalid_argument("--samplings is not given: expected a list of samplings");
  std::vector<Sampling> samplings;
  for (const std::string_view name : split(*options.text("samplings"), ',')) {
    samplings.push_back(parse_choice<Sampling>(name));
  }
  return samplings;
}

// Runs the experiment under each sampling. The samplings share the time limit: each one gets an equal part of the time
// that is left.
std::vector<ComparedSampling> compared_experiments(const Experiment& experiment, const ModelOptions& options,
                                                   const std::vector<Sampling>& samplings, const Backend& backend,
                                                   Interruption& interruption) {
  const std::string& model = experiment.model.name;
  const auto start = Clock::now();
  const bool has_random = std::ranges::find(samplings, Sampling::random) != samplings.end();
  auto left = static_cast<double>(samplings.size() + (has_random ? 0 : 1));
  const auto run = [&](Plan plan, const Observer& observer) {
    constexpr double min_time = 1e-9;  // a time limit must be positive
    plan.time_limit = std::max((plan.time_limit - greatest(processes(), seconds_since(start))) / left--, min_time);
    ProgressLine line(model, plan, 0, shows_progress(options.table));
    return run_simulation(backend, model, {{experiment.design, plan}, watcher_of(line, interruption), observer})
        .points.front();
  };
  const auto check = [&](const Plan& plan) { check_simulation(backend, model, {experiment.design, plan}); };
  constexpr double time_of_launches = 0.3;  // most launches have ended by then, and their results count
  const LaunchLimit limit(interruption, time_of_launches);
  return compare_samplings(run, experiment.plan, samplings, experiment.model.ratios(experiment.design.front()), check);
}

// Returns the exit status. If a signal ended the comparison, prints "interrupted after 200 replications, whose results
// are written".
int conclude(const std::vector<ComparedSampling>& compared, std::size_t samplings, int signal) {
  std::int64_t replications = 0;
  bool is_interrupted = compared.size() < samplings;
  for (const ComparedSampling& one : compared) {
    replications += one.result.replications;
    is_interrupted = is_interrupted || one.result.stopped_by == StopReason::interrupted;
  }
  if (signal == 0 || !is_interrupted) return 0;
  complain(Ending::interrupted_after(signal, plural(replications, "replication", "replications")).message);
  return exit_status_of(signal);
}

}  // namespace

int compare_samplings_command(std::span<const std::string> arguments, Backend& backend) {
  const ModelOptions options = parsed_question(compare_samplings_question, arguments);
  const auto samplings = samplings_from(options.table);
  check_table(options.table, {"means", "samplings"});
  const Plan plan = plan_from(options.table, options.base_plan(), true);
  std::optional<ReadingLimit> reading(std::in_place, plan.time_limit);
  const Experiment experiment = experiment_from(options, plan);
  reading.reset();
  if (experiment.design.size() > 1) {
    throw std::invalid_argument(
        fmt::format("there are {} design points, expected one value of each parameter", experiment.design.size()));
  }
  const auto settings = execution_settings(options.table, backend);
  const Destination destination(options.table.text("output"));
  start_backend(backend, settings);
  const auto start = Clock::now();
  Interruption interruption(experiment.plan.time_limit);
  const auto compared = compared_experiments(experiment, options, samplings, backend, interruption);
  if (compared.empty()) return conclude_too_early(interruption, "there were 2 observations under random sampling");
  const ParameterValues& point = experiment.design.front();
  std::vector<std::string> notes = experiment.notes;
  for (const ComparedSampling& one : compared) {
    for (std::string& note : bias_notes(one.source.sampling)) notes.push_back(std::move(note));
    for (const std::string& note : interval_notes({&one.result, 1}, experiment.plan.confidence)) {
      notes.push_back(fmt::format("{} sampling: {}", name_of(one.source.sampling), note));
    }
  }
  for (const Sampling sampling : samplings) {
    if (std::ranges::none_of(compared, [&](const auto& one) { return one.source.sampling == sampling; }))
      notes.push_back(fmt::format("{} sampling is left out: the run ended early", name_of(sampling)));
  }
  ComparisonReport report{experiment.model,
                          point,
                          experiment.plan,
                          compared,
                          std::vector<std::optional<double>>(compared.front().responses.size()),
                          seconds_since(start),
                          machine_of(backend),
                          notes};
  const auto write = [&](int signal) {
    destination.write(text_of(document_of(report), options.table));
    return conclude(compared, samplings.size(), signal);
  };
  report.exact = interruption.completed(write, [&] { return experiment.model.exact_means(point); });
  interruption.begin_writing();
  return write(interruption.signal());
}

}  // namespace sporos::apps
