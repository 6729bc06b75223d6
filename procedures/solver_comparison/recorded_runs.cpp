// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/math/count.hpp>
#include <sporos/procedures/solver_comparison/recorded_runs.hpp>

#include <sporos/optimizers/search/distinct_points.hpp>
#include <sporos/optimizers/search/run_searches.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace sporos {

namespace {

// Numbers of replications that ascend by a constant factor; the last one is the budget.
std::vector<std::int64_t> looks_of(const RecordingOptions& options) {
  constexpr double first = 1e-3;  // share of the budget
  std::vector<std::int64_t> looks;
  for (std::int64_t k = 1; k <= options.looks; ++k) {
    const double exponent = static_cast<double>(options.looks - k) / static_cast<double>(options.looks - 1);
    const auto look = bounded_count(std::ceil(static_cast<double>(options.budget) * std::pow(first, exponent)));
    if (looks.empty() || look > looks.back()) looks.push_back(look);
  }
  return looks;
}

// Recommendations of a run that are recorded.
std::vector<Recommendation> kept_of(const std::vector<Recommendation>& all, const RecordingOptions& options) {
  if (static_cast<std::int64_t>(all.size()) <= options.looks) return all;
  std::vector<Recommendation> kept;
  for (const std::int64_t look : looks_of(options)) {
    const auto after = std::ranges::upper_bound(all, look, {}, &Recommendation::replications);
    if (after == all.begin()) continue;
    const Recommendation& at_look = *std::prev(after);
    if (kept.empty() || at_look.replications > kept.back().replications) kept.push_back(at_look);
  }
  return kept;
}

RecordedRun recorded(const SearchResult& run, std::uint64_t seed, const std::vector<double>& start,
                     const RecordingOptions& options, DistinctPoints& points) {
  RecordedRun found{seed, run.replications, {{0, points.add(start)}}};
  for (const Recommendation& recommendation : kept_of(run.recommendations, options)) {
    const std::size_t point = points.add(recommendation.x);
    if (point == found.steps.back().point) continue;
    if (recommendation.replications == found.steps.back().replications) found.steps.pop_back();
    found.steps.push_back({recommendation.replications, point});
  }
  return found;
}

// Evaluates the objective of a point by groups of replications and by all; infinite if it has none.
EvaluatedPoint evaluated(SampledProblem& problem, const std::vector<double>& x,
                         const std::vector<SampleMoments>& groups) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  try {
    EvaluatedPoint point{x, 0, {}, {}, {}};
    SampleMoments all = groups.front();
    for (std::size_t group = 0; group < groups.size(); ++group) {
      point.of_groups.push_back(problem.estimate(x, groups[group]).mean);
      if (group > 0 && all.count > 0) all.add(groups[group]);
    }
    const SampleMean mean = problem.estimate(x, std::move(all));
    const auto n = static_cast<double>(mean.count);
    point.objective = mean.mean;
    for (const ConstraintMean& constraint : mean.constraints) {
      point.exceeded_by.push_back(constraint.mean);
      point.errors.push_back(std::sqrt(constraint.squared_deviation / (n - 1) / n));
    }
    return point;
  } catch (const std::runtime_error&) {  // not finite
    return {x, infinity, std::vector<double>(groups.size(), infinity),
            std::vector<double>(problem.constraints_on_means(), infinity),
            std::vector<double>(problem.constraints_on_means(), 0.0)};
  }
}

}  // namespace

std::vector<EvaluatedPoint> evaluated_points(SampledProblem& problem, const std::vector<std::vector<double>>& points,
                                             const PostReplications& post) {
  if (post.groups < 1 || post.count < post.groups)
    throw std::invalid_argument("number of post-replications is " + std::to_string(post.count) +
                                ", expected at least one for each of " + std::to_string(post.groups) + " groups");
  constexpr std::int64_t samples_of_call = 1 << 14;
  const std::int64_t of_group = post.count / post.groups;
  const auto groups = static_cast<std::size_t>(post.groups);
  const auto part = static_cast<std::size_t>(std::max<std::int64_t>(samples_of_call / post.groups, 1));
  std::vector<EvaluatedPoint> found;
  for (std::size_t first = 0; first < points.size(); first += part) {
    const std::vector<std::vector<double>> some(
        points.begin() + static_cast<std::ptrdiff_t>(first),
        points.begin() + static_cast<std::ptrdiff_t>(std::min(first + part, points.size())));
    std::vector<Sample> samples;
    for (std::size_t group = 0; group < groups; ++group) {
      const auto of_points = unseen_samples(some, of_group, post.seed, static_cast<std::int64_t>(group) * of_group);
      samples.insert(samples.end(), of_points.begin(), of_points.end());
    }
    const std::vector<SampleMoments> moments = problem.simulate(samples);
    for (std::size_t i = 0; i < some.size(); ++i) {
      std::vector<SampleMoments> of_point;
      for (std::size_t group = 0; group < groups; ++group) of_point.push_back(moments[group * some.size() + i]);
      found.push_back(evaluated(problem, some[i], of_point));
    }
  }
  return found;
}

RecordedRuns recorded_runs(SampledProblem& problem, const Solver& solver, const std::vector<double>& start,
                           std::span<const std::uint64_t> seeds, const RecordingOptions& options,
                           const std::function<bool()>& is_enough) {
  bool is_ended = false;
  const auto noted = [&] { return is_ended = is_ended || is_enough(); };
  const auto runs = run_searches(problem, solver, start, options.budget, {seeds.begin(), seeds.end()}, noted);
  if (noted()) return {};
  RecordedRuns found;
  DistinctPoints points;
  for (std::size_t i = 0; i < runs.size(); ++i)
    found.runs.push_back(recorded(runs[i], seeds[i], start, options, points));
  found.points = evaluated_points(problem, points.points(), options.post);
  return found;
}

}  // namespace sporos
