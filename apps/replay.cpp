// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands.hpp"

#include "interruption.hpp"
#include "run.hpp"

#include <sporos/runtime/backend/backend.hpp>
#include <sporos/runtime/files/output_files.hpp>
#include <sporos/runtime/options/common_options.hpp>
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/results/output.hpp>
#include <sporos/runtime/simulation/options.hpp>
#include <sporos/runtime/simulation/questions.hpp>
#include <sporos/runtime/simulation/report.hpp>
#include <sporos/runtime/simulation/tasks.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/replication/failed_replications.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sporos::apps {

namespace {

// Replication and design point to replay.
struct ReplayChoice {
  std::int64_t replication;
  std::size_t point;
};

void check_has_events(const ModelDescription& model) {
  if (!model.event_names.empty()) return;
  const auto with_events = names_of_models([](const ModelDescription& other) { return !other.event_names.empty(); });
  throw std::invalid_argument(fmt::format("--trace is given with {}, which has no calendar, expected one of {}",
                                          model.name, fmt::join(with_events, ", ")));
}

void check_logs_visits(const ModelDescription& model) {
  if (model.logs_visits) return;
  const auto with_visits = names_of_models([](const ModelDescription& other) { return other.logs_visits; });
  throw std::invalid_argument(fmt::format("--log is given with {}, which has no stations, expected {}", model.name,
                                          fmt::join(with_visits, ", ")));
}

ReplayChoice choice_from(const OptionTable& options, std::size_t points) {
  if (!options.has("replication")) throw std::invalid_argument("--replication is not given: expected a number from 0");
  const auto replication = io::parse_number<std::int64_t>("--replication", *options.text("replication"), 0,
                                                          std::numeric_limits<std::int64_t>::max() - 1);
  if (!options.has("point") && points > 1) {
    throw std::invalid_argument(
        fmt::format("there are {} design points: expected --point with a number from 1 to {}", points, points));
  }
  const auto point = io::parse_number<std::size_t>("--point", options.text("point").value_or("1"), 1, points);
  return {replication, point - 1};
}

}  // namespace

// Throws the failure of the replication. If its events or visits are requested, they are written before that.
int replay_command(std::span<const std::string> arguments, Backend& backend) {
  const ModelOptions options = parsed_question(replay_question, arguments);
  if (options.table.has("trace")) check_has_events(*options.model);
  if (options.table.has("log")) check_logs_visits(*options.model);
  check_table(options.table, options.table.has("trace") ? std::vector<std::string>{"events", "responses"}
                                                        : std::vector<std::string>{"responses"});
  const Plan plan = plan_from(options.table, options.base_plan());
  std::optional<ReadingLimit> reading(std::in_place, plan.time_limit);
  const Experiment experiment = experiment_from(options, plan);
  reading.reset();
  const auto [replication, point] = choice_from(options.table, experiment.design.size());
  const auto settings = execution_settings(options.table, backend);
  const Destination destination(options.table.text("output"));
  const auto log = file_of_first(options.table.text("log"));
  start_backend(backend, settings);
  const auto start = Clock::now();
  const std::string& model = experiment.model.name;
  const ChosenReplication chosen{experiment.design, experiment.plan, point, replication};
  Replay replay{
      experiment.model,     experiment.design[point], experiment.plan, replication, replayed(backend, model, chosen),
      seconds_since(start), machine_of(backend),      experiment.notes};
  const auto failed =
      failure_of(replication, replay.responses, experiment.model.stations_with(experiment.design[point]));
  if (failed) replay.failure = *failed;
  if (options.table.has("trace")) replay.trace = backend.run_with(model, TraceTask{chosen});
  if (log) log->write(backend.run_with(model, VisitLogTask{chosen}));
  if (!failed || options.table.has("trace")) destination.write(text_of(document_of(replay), options.table));
  if (failed) throw std::runtime_error(*failed);
  return 0;
}

}  // namespace sporos::apps
