// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/procedures/steady_state/steady_state.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace sporos {

namespace {

constexpr std::int64_t first_look = 16'384;

[[noreturn]] void refuse(const std::string& what, const std::string& expected) {
  throw std::invalid_argument(what + ", expected " + expected);
}

void check_precision(const std::string& name, double precision) {
  if (precision >= 0 && std::isfinite(precision)) return;
  refuse(name + " is " + std::to_string(precision), "a positive number");
}

std::vector<SeriesInterval> intervals_of(const SeriesRuns& runs, const SteadyStateGoal& goal) {
  std::vector<SeriesInterval> intervals;
  for (const std::size_t mean : estimated_means(runs, goal))
    intervals.push_back(steady_state_mean(goal.method, runs, mean, goal.confidence));
  return intervals;
}

// Number of observations at which the half-width is expected to be small enough; it falls with the root of the
// observations.
std::int64_t next_look(std::int64_t observations, double excess, std::int64_t most) {
  constexpr double min_growth = 1.02, max_growth = 2;
  const double growth = std::clamp(excess * excess, min_growth, max_growth);
  const double next = std::ceil(growth * static_cast<double>(observations));
  return next < static_cast<double>(most) ? static_cast<std::int64_t>(next) : most;
}

bool nothing_varies(const std::vector<SeriesInterval>& intervals) {
  return std::ranges::all_of(intervals, [](const auto& one) { return one.reason == series_reason::constant; });
}

}  // namespace

void check_goal(const SteadyStateGoal& goal, std::int64_t runs) {
  if (!(goal.confidence > 0 && goal.confidence < 1)) {
    refuse("confidence is " + std::to_string(goal.confidence), "a number between 0 and 1");
  }
  check_precision("precision", goal.half_width);
  check_precision("relative-precision", goal.relative_half_width);
  if (goal.observations < first_look) {
    refuse("observations is " + std::to_string(goal.observations), "at least " + std::to_string(first_look));
  }
  const std::int64_t least = goal.method == SeriesMethod::replications ? 2 : 1;
  constexpr std::int64_t most = 1 << 20;
  const std::string with = " with method " + std::string(name_of(goal.method));
  if (runs > 1 && !takes_several_runs(goal.method)) refuse("runs is " + std::to_string(runs), "1" + with);
  if (runs < least || runs > most) {
    refuse("runs is " + std::to_string(runs), std::to_string(least) + " to " + std::to_string(most) + with);
  }
}

std::vector<std::size_t> estimated_means(const SeriesRuns& runs, const SteadyStateGoal& goal) {
  std::vector<std::size_t> means = goal.means;
  if (means.empty()) {
    means.resize(runs.launcher().names().size());
    std::iota(means.begin(), means.end(), std::size_t{0});
  }
  return means;
}

double excess(const SeriesInterval& interval, const SteadyStateGoal& goal) {
  constexpr double unlimited = std::numeric_limits<double>::infinity();
  if (!interval.reason.empty()) return unlimited;
  double most = 0;
  if (goal.half_width > 0) most = interval.half_width() / goal.half_width;
  if (goal.relative_half_width > 0) {
    const double wanted = goal.relative_half_width * std::abs(interval.mean);
    most = std::max(most, wanted > 0 ? interval.half_width() / wanted : unlimited);
  }
  return most;
}

SteadyStateResult steady_state(SeriesRuns& runs, const SteadyStateGoal& goal,
                               const std::function<std::optional<StopReason>(const SteadyStateProgress&)>& watch,
                               const std::optional<SteadyStateProgress>& start) {
  check_goal(goal, runs.launcher().runs());
  SteadyStateResult result;
  result.means = estimated_means(runs, goal);
  const std::vector<std::string> names = runs.launcher().names();
  for (const std::size_t mean : result.means) result.names.push_back(names.at(mean));
  result.observation = runs.launcher().observation();
  SteadyStateProgress progress =
      start.value_or(SteadyStateProgress{0, goal.is_sequential() ? first_look : goal.observations, 0});
  for (;;) {
    while (progress.observations < progress.next_look && !result.stopped_by) {
      runs.extend();
      progress.observations = runs.observations();
      if (watch) result.stopped_by = watch(progress);
    }
    result.intervals = intervals_of(runs, goal);
    if (result.stopped_by || !goal.is_sequential()) break;
    progress.excess = 0;
    for (const auto& interval : result.intervals) progress.excess = std::max(progress.excess, excess(interval, goal));
    if (progress.excess <= 1) {
      result.stopped_by = StopReason::precision;
      break;
    }
    if (progress.observations >= goal.observations || nothing_varies(result.intervals)) {
      result.stopped_by = StopReason::ceiling;
      break;
    }
    progress.next_look = next_look(progress.observations, progress.excess, goal.observations);
  }
  result.observations = progress.observations;
  return result;
}

}  // namespace sporos
