// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "watched_experiment.hpp"

#include <sporos/runtime/backend/backend.hpp>
#include <sporos/runtime/backend/processes.hpp>
#include <sporos/runtime/options/common_options.hpp>
#include <sporos/runtime/results/output.hpp>
#include <sporos/runtime/simulation/tasks.hpp>

#include <sporos/core/io/experiment_json.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/replication/estimates.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <utility>

namespace sporos::apps {

namespace {

// Returns a message if the run missed the requested precision of means; empty otherwise.
std::string missed_precision(const ExperimentResult& result, const Plan& plan) {
  struct Miss {
    double excess = 0;  // half-width divided by the requested one
    std::size_t point = 0;
    const ResponseEstimate* response = nullptr;
  } worst;
  std::size_t misses = 0;
  for (std::size_t p = 0; p < result.points.size(); ++p) {
    if (result.points[p].stopped_by == StopReason::precision || result.points[p].failure) continue;
    ++misses;
    for (const auto& response : result.points[p].responses) {
      const double excess = sporos::impl::excess(response, plan.precision);
      if (worst.response == nullptr || excess > worst.excess) worst = {excess, p, &response};
    }
  }
  if (misses == 0) return "";
  const PointResult& point = result.points[worst.point];
  std::string where;
  if (result.points.size() > 1) {
    where = fmt::format(" at {} of {} design points, the worst being point {}", misses, result.points.size(),
                        worst.point + 1);
  }
  return fmt::format(
      "precision not reached{}: '{}' has half-width {:.3g}, {:.3g} times the requested one, after {} ({})", where,
      worst.response->name, worst.response->half_width, worst.excess,
      plural(point.replications, "replication", "replications"), name_of(point.stopped_by));
}

// Returns a message if quantiles missed the requested precision; empty otherwise.
std::string missed_precision(const ResponseQuantiles& quantiles, const QuantilePrecision& precision,
                             const ExperimentResult& result) {
  const WidestQuantile widest = quantiles.widest(precision);
  if (widest.excess <= 1) return "";
  const QuantileReport report = quantiles.report();
  const PointResult& point = result.points[widest.point];
  const QuantileEstimate& estimate = report.estimates[widest.point][widest.response][widest.place];
  const std::string where = result.points.size() > 1 ? fmt::format(" at point {}", widest.point + 1) : "";
  return fmt::format(
      "precision not reached: quantile {} of '{}'{} is {:.6g} to {:.6g}, {:.3g} times as wide as requested, after {} "
      "({})",
      report.probabilities[widest.place], point.responses[widest.response].name, where, estimate.lower, estimate.upper,
      widest.excess, plural(point.replications, "replication", "replications"), name_of(point.stopped_by));
}

std::int64_t replications_of(const ExperimentState& state) {
  std::int64_t replications = 0;
  for (const auto& point : state.points) replications += point.summary.replications;
  return replications;
}

// Returns the result so far of an experiment whose launch takes too long. The experiment does not continue after that.
std::optional<ExperimentResult> early_result(EarlyEnd& early_end, int signal) {
  constexpr std::chrono::milliseconds between_launches{100};
  std::unique_lock lock(early_end.mutex, between_launches);
  if (!lock || !early_end.result) return std::nullopt;
  auto result = early_end.result(signal != 0 ? StopReason::interrupted : StopReason::time_limit);
  if (result) lock.release();  // the mutex stays locked
  return result;
}

// Reads the plan and the design points that the options request.
Experiment experiment_of(const ModelOptions& options) {
  const Plan plan = plan_of(options);
  const ReadingLimit limit(plan.time_limit);
  return experiment_from(options, plan);
}

}  // namespace

Watcher watcher_of(ProgressLine& line, const Interruption& interruption) {
  return [&](const Progress& progress) {
    line.show(progress);
    return interruption.signal() == 0;
  };
}

WatchedExperiment::WatchedExperiment(const ModelOptions& options, const Backend& backend, const MergedParts* merged)
    : m_request(options, experiment_of(options), merged),
      m_settings(execution_settings(options.table, backend)),
      m_destination(options.table.text("output")) {
  check_checkpoint(options.table);
  for (const auto& point : m_request.design()) m_exact.emplace_back(m_request.model().response_names(point).size());
}

std::string WatchedExperiment::restore(const io::Json& state, const std::string& what) {
  m_start = io::experiment_state_of_json(state, what);
  m_request.forget_observations();
  return plural(replications_of(*m_start), "replication", "replications");
}

void WatchedExperiment::compute(const Backend& backend, const RunControl& control) {
  Checkpoints checkpoints;
  checkpoints.start = std::move(m_start);
  if (options().has("checkpoint")) checkpoints.every = checkpoint_interval(options());
  const auto& kept = control.kept;
  const std::int64_t run_length = m_request.plan().source.replications_of_run();
  if (kept) {
    checkpoints.save = [&kept, run_length](const ExperimentState& state) {
      kept->save(io::json_of(state, run_length));
    };
  }
  if (processes().count() == 1) checkpoints.early_end = &m_early_end;
  control.interruption.rescue_by([this, write = control.write](int signal) { return rescued(signal, write); });
  if (m_request.has_timeline()) m_timeline = m_request.timeline(backend, 0);
  const std::string& model = m_request.model().name;
  auto rounds = m_request.begin(checkpoints);
  do {
    const auto& start = rounds.checkpoints().start;
    ProgressLine line(model, rounds.plan(), start ? replications_of(*start) : 0, control.shows_progress);
    m_result = run_simulation(backend, model,
                              {{m_request.design(), rounds.plan(), m_request.responses()},
                               watcher_of(line, control.interruption),
                               rounds.observer(),
                               rounds.checkpoints(),
                               rounds.recorder()});
  } while (rounds.needs_another(m_result));
  if (m_request.part()) return;
  take_exact_means(control);
  take_animations(backend, control);
}

// Draws the animations of the page. If it takes too long, another thread writes the results without them.
void WatchedExperiment::take_animations(const Backend& backend, const RunControl& control) {
  const auto points = m_request.animated_points(m_result);
  if (points.empty()) return;
  m_animations = control.interruption.completed(control.write, [&] {
    std::vector<PointAnimation> animations;
    for (const std::size_t point : points) animations.push_back({point, m_request.timeline(backend, point).animation});
    return animations;
  });
}

// Computes the exact means. If they take too long, another thread writes the results without them.
void WatchedExperiment::take_exact_means(const RunControl& control) {
  m_exact = control.interruption.completed(control.write, [&] {
    std::vector<std::vector<std::optional<double>>> exact;
    for (const auto& point : m_request.design()) exact.push_back(m_request.model().exact_means(point));
    return exact;
  });
}

std::optional<std::string> WatchedExperiment::make_results() {
  const auto& part = m_request.part();
  if (!part || has_ended()) return std::nullopt;
  return fmt::format("ended before part {} of {} was complete: no part is written", part->number, part->count);
}

bool WatchedExperiment::has_ended() const {
  return std::all_of(m_result.state.points.begin(), m_result.state.points.end(),
                     [](const PointState& point) { return point.stopped_by.has_value(); });
}

io::Json WatchedExperiment::state() const {
  return io::json_of(m_result.state, m_request.plan().source.replications_of_run());
}

void WatchedExperiment::write(const Machine& machine, double) {
  if (m_request.part()) {
    return m_destination.write(m_request.part_text(m_result, arguments_of(m_request.model(), options())));
  }
  m_destination.write(text_of(m_request.write({m_result, machine, m_exact, m_timeline, m_animations}), options()));
}

Ending WatchedExperiment::ending(int signal) const {
  std::int64_t replications = 0;
  bool is_interrupted = false;
  for (const auto& point : m_result.points) {
    replications += point.replications;
    is_interrupted = is_interrupted || point.stopped_by == StopReason::interrupted;
  }
  if (is_interrupted) {
    return Ending::interrupted_after(signal, plural(replications, "replication", "replications"));
  }
  const Plan& plan = m_request.plan();
  std::string missed = plan.precision.is_set() ? missed_precision(m_result, plan) : "";
  const auto& quantiles = m_request.recording().quantiles;
  if (m_request.quantile_precision().is_set() && quantiles) {
    missed = missed_precision(*quantiles, m_request.quantile_precision(), m_result);
  }
  return {missed.empty() ? 0 : 2, missed};
}

// Called by another thread if a launch takes too long.
std::optional<int> WatchedExperiment::rescued(int signal, const std::function<int(int)>& write) {
  auto result = early_result(m_early_end, signal);
  auto& file = m_request.recording().file;
  if (!result && file) file->discard();
  if (!result) return std::nullopt;
  m_result = std::move(*result);
  return write(signal);
}

}  // namespace sporos::apps
