// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands.hpp"

#include "interruption.hpp"
#include "run.hpp"
#include "watched_experiment.hpp"

#include <sporos/runtime/files/destination.hpp>
#include <sporos/runtime/options/execution_options.hpp>
#include <sporos/runtime/simulation/kept_experiment.hpp>
#include <sporos/runtime/simulation/options.hpp>
#include <sporos/runtime/simulation/plan_options.hpp>
#include <sporos/runtime/simulation/point_comparison.hpp>
#include <sporos/runtime/simulation/quantile_rounds.hpp>
#include <sporos/runtime/simulation/questions.hpp>

#include <optional>
#include <utility>

namespace sporos::apps {

namespace {

Plan plan_of(const ModelOptions& options) {
  Plan plan = plan_from(options.table, options.base_plan());
  if (quantile_precision(options.table).is_set() && !options.table.has("replications")) {
    plan.replications = default_quantile_ceiling;
  }
  if (simultaneous_method(options.table) == Simultaneous::max_t) plan.covariances = true;
  return plan;
}

}  // namespace

int simulate_command(std::span<const std::string> arguments, Backend& backend) {
  if (auto* const own = own_command("simulate", arguments)) return own(arguments.subspan(1), backend);
  const ModelOptions options = parsed_question(simulate_question, arguments);
  check_questions(options);
  const Plan plan = plan_of(options);
  std::optional<ReadingLimit> reading(std::in_place, plan.time_limit);
  const Experiment experiment = experiment_from(options, plan);
  reading.reset();
  const auto settings = execution_settings(options.table, backend);
  const Destination destination(options.table.text("output"));
  check_checkpoint(options.table);
  WatchedExperiment run(options, experiment, destination);
  return carry_out(run, options.table, settings, backend);
}

}  // namespace sporos::apps
