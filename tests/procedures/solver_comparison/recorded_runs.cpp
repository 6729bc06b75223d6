// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks macro-replications of solvers on a problem with a known minimum, and the post-replications of their points.
#include <sporos/procedures/solver_comparison/progress.hpp>
#include <sporos/procedures/solver_comparison/recorded_runs.hpp>

#include <sporos/optimizers/search/run_searches.hpp>
#include <sporos/optimizers/search/stochastic_approximation.hpp>

#include "../../optimizers/search/noisy_problems.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sporos::test {
namespace recorded_runs_tests {

const std::vector<double> start{6, -4}, minimum{1, 1.25};
constexpr std::uint64_t seed = 1;
constexpr double least = 2.0 / 3;  // two variances of a uniform on (−1, 1)

Search descend(SearchRun& run) {
  StochasticApproximationOptions options;
  options.scaling = StepScaling::adam;
  return stochastic_approximation(run, options);
}

RecordedRuns recorded(std::int64_t budget, std::int64_t runs, std::int64_t looks = 60) {
  auto problem = noisy_quadratic(2, true);
  RecordingOptions options{budget, looks, {}};
  options.post.seed = seed;
  return recorded_runs(problem, descend, start, seeds_of_runs(seed, runs), options, [] { return false; });
}

TEST(RecordedRuns, BeginAtTheStartAndComeToTheMinimum) {
  const RecordedRuns runs = recorded(4000, 5);
  ASSERT_EQ(runs.runs.size(), 5U);
  for (const RecordedRun& run : runs.runs) {
    EXPECT_EQ(run.steps.front().replications, 0);
    EXPECT_EQ(runs.points[run.steps.front().point].x, start);
    EXPECT_LE(run.steps.back().replications, 4000);
    EXPECT_LT(distance_from_minimum(runs.points[run.steps.back().point].x), 0.05);
    for (std::size_t i = 1; i < run.steps.size(); ++i)
      EXPECT_GT(run.steps[i].replications, run.steps[i - 1].replications);
  }
  EXPECT_LE(runs.runs.front().steps.size(), 61U);
}

// By the same replications, the difference between the objectives of a point and of the minimum is the squared distance
// plus a sum of mean 0. With 200 replications its standard deviation is 2 |x − a| √(1/3 / 200).
TEST(RecordedRuns, LookAtAllPointsByTheSameReplications) {
  auto problem = noisy_quadratic(2, true);
  PostReplications post;
  post.seed = seed;
  const std::vector<std::vector<double>> points{start, minimum, {1.01, 1.25}};
  const auto seen = evaluated_points(problem, points, post);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double squared = distance_from_minimum(points[i]);
    EXPECT_NEAR(seen[i].objective - seen[1].objective, squared, 5 * 2 * std::sqrt(squared / 600) + 1e-12) << i;
    double sum = 0;
    for (const double group : seen[i].of_groups) sum += group;
    EXPECT_NEAR(sum / static_cast<double>(seen[i].of_groups.size()), seen[i].objective, 1e-12);
  }
  // Each term (u')² with u' uniform on (−1, 1) has variance 4/45.
  EXPECT_NEAR(seen[1].objective, least, 5 * std::sqrt(2 * 4.0 / 45 / 200));
}

// The bits of a run depend only on its seed; fewer looks omit steps but move none.
TEST(RecordedRuns, DoNotDependOnEachOther) {
  const RecordedRuns one = recorded(1000, 1), three = recorded(1000, 3), few = recorded(1000, 1, 5);
  ASSERT_EQ(one.runs[0].steps.size(), three.runs[0].steps.size());
  for (std::size_t i = 0; i < one.runs[0].steps.size(); ++i) {
    const RecordedStep &a = one.runs[0].steps[i], &b = three.runs[0].steps[i];
    EXPECT_EQ(a.replications, b.replications);
    EXPECT_EQ(one.points[a.point].x, three.points[b.point].x);
    EXPECT_EQ(one.points[a.point].objective, three.points[b.point].objective);
  }
  EXPECT_LE(few.runs[0].steps.size(), 6U);
  for (const RecordedStep& step : few.runs[0].steps) {
    const auto& steps = one.runs[0].steps;
    const auto same = std::ranges::find(steps, step.replications, &RecordedStep::replications);
    if (same == steps.end()) continue;
    EXPECT_EQ(one.points[same->point].x, few.points[step.point].x);
  }
}

TEST(RecordedRuns, AreNoneWhereTheyAreToEndBefore) {
  auto problem = noisy_quadratic(2, true);
  const RecordingOptions options{1000, 60, {}};
  EXPECT_TRUE(recorded_runs(problem, descend, start, seeds_of_runs(1, 2), options, [] { return true; }).runs.empty());
}

TEST(RecordedRunsControl, OtherReplicationsAtAPointAreSeen) {
  auto problem = noisy_quadratic(2, true);
  PostReplications post, others;
  post.seed = seed;
  others.seed = seed + 1;
  const auto here = evaluated_points(problem, {start}, post), there = evaluated_points(problem, {minimum}, others);
  const double squared = distance_from_minimum(start);
  EXPECT_GT(std::abs(here[0].objective - there[0].objective - squared), 1e-6);
}

}  // namespace recorded_runs_tests
}  // namespace sporos::test
