// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/execution/launch_stop.hpp>
#include <sporos/core/execution/tool_region.hpp>
#include <sporos/core/random/decision_engine.hpp>
#include <sporos/core/random/philox.hpp>
#include <sporos/core/random/stream.hpp>
#include <sporos/optimizers/checks.hpp>
#include <sporos/optimizers/search/replication_numbers.hpp>
#include <sporos/optimizers/search/run_searches.hpp>
#include <sporos/optimizers/search/runs_side_by_side.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <deque>
#include <stdexcept>
#include <string>
#include <utility>

namespace sporos {

namespace {

// Requires integers, because a solver over integers moves by steps of 1 from its start up to its bounds.
void check_whole(const SampledProblem& problem, const std::vector<double>& start) {
  for (std::size_t i = 0; i < start.size(); ++i) {
    const auto& [low, high, is_integer] = problem.bounds()[i];
    if (!is_integer) continue;
    const auto check = [&](const char* what, double value) {
      impl::check_parameter(std::isinf(value) || std::nearbyint(value) == value, what + problem.coordinate_name(i),
                            value, "a whole number, because the coordinate takes only whole numbers");
    };
    check("lower bound of ", low);
    check("upper bound of ", high);
    check("start of ", start[i]);
  }
}

void check_search(const SampledProblem& problem, const std::vector<double>& start, std::int64_t budget) {
  impl::check_dimension("start", static_cast<std::int64_t>(start.size()),
                        static_cast<std::int64_t>(problem.dimension()));
  for (std::size_t i = 0; i < start.size(); ++i) {
    const auto& [low, high, is_integer] = problem.bounds()[i];
    impl::check_parameter(start[i] >= low && start[i] <= high, "coordinate " + std::to_string(i) + " of the start",
                          start[i], "a number from " + impl::number_text(low) + " to " + impl::number_text(high));
  }
  if (problem.region().violation(start) > 0)
    throw std::invalid_argument("the start violates the constraint, expected a feasible point");
  impl::check_parameter(budget >= 1, "budget", budget, "at least 1 replication");
}

}  // namespace

EndOfSearch end_of_search(std::span<const DecisionRange> bounds, const std::vector<double>& start,
                          const std::vector<double>& x) {
  EndOfSearch end{x == start, {}, {}};
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    const auto& [low, high, is_integer] = bounds[i];
    const double width = std::isfinite(high - low) ? high - low : std::max(1.0, std::abs(x[i]));
    const double near = is_integer ? 0 : 1e-3 * width;
    if (x[i] <= low + near) end.at_low.push_back(i);
    if (x[i] >= high - near) end.at_high.push_back(i);
  }
  return end;
}

std::vector<SearchResult> run_searches(SampledProblem& problem, const Solver& solver, const std::vector<double>& start,
                                       std::int64_t budget, const std::vector<std::uint64_t>& seeds,
                                       const std::function<bool()>& is_enough) {
  check_search(problem, start, budget);
  std::deque<SearchRun> runs;
  for (const std::uint64_t seed : seeds) runs.emplace_back(problem, start, budget, seed);
  return run_searches(problem, solver, runs, is_enough);
}

std::vector<SearchResult> run_searches(SampledProblem& problem, const Solver& solver, std::deque<SearchRun>& runs,
                                       const std::function<bool()>& is_enough) {
  for (const SearchRun& run : runs) check_whole(run.problem(), run.start());
  impl::RunsSideBySide side_by_side(solver, runs);
  std::vector<Sample> samples;
  while (side_by_side.is_at_work() && !is_enough()) {
    const ToolRegion region("sporos::search::round");
    side_by_side.take_wanted(samples);
    std::vector<SampleMoments> moments;
    try {
      moments = problem.simulate(samples);
    } catch (const LaunchStopped&) {
      break;
    }
    side_by_side.give([&](std::size_t i, const SampledProblem& of_run) {
      SampleMean mean = of_run.estimate(samples[i].x, std::move(moments[i]), samples[i].direction);
      if (mean.is_undefined()) problem.note_undefined(samples[i], mean.moments);
      return mean;
    });
  }
  std::vector<SearchResult> results;
  for (SearchRun& run : runs) {
    const std::vector<double> x = run.recommended();
    results.push_back({x, run.budget() - run.left(), run.take_recommendations(), run.candidates(),
                       end_of_search(run.bounds(), run.start(), x), run.starts(), run.tried_points()});
  }
  return results;
}

std::vector<std::uint64_t> seeds_of_runs(std::uint64_t seed, std::int64_t runs) {
  const Stream stream = decision_stream(RandomDecision::runs, seed);
  std::vector<std::uint64_t> seeds{seed};
  for (std::int64_t run = 1; run < runs; ++run) {
    // Keep the order in which earlier versions took the halves of the block's first draw.
    seeds.push_back(std::rotl(Philox4x32::block(stream, static_cast<std::uint64_t>(run))[0], 32));
  }
  return seeds;
}

std::vector<Sample> unseen_samples(const std::vector<std::vector<double>>& points, std::int64_t count,
                                   std::uint64_t seed, std::int64_t skipped, bool has_values) {
  std::vector<Sample> samples;
  for (const std::vector<double>& x : points)
    samples.push_back({x, seed, impl::unseen_replications + skipped, count, false, has_values});
  return samples;
}

std::vector<SampleMean> unseen_means(SampledProblem& problem, const std::vector<std::vector<double>>& points,
                                     std::int64_t count, std::uint64_t seed, std::int64_t skipped) {
  return problem.evaluate(unseen_samples(points, count, seed, skipped, true));
}

}  // namespace sporos
