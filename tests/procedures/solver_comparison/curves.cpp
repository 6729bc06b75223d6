// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares curves and their functionals with numbers of SimOpt 1.2.4 (simopt/curve.py and curve_utils.py) and with
// values computed by hand.
#include <sporos/procedures/solver_comparison/bootstrap.hpp>
#include <sporos/procedures/solver_comparison/progress.hpp>
#include <sporos/procedures/solver_comparison/step_curve.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <vector>

namespace sporos::test {
namespace curves_tests {

constexpr double infinity = std::numeric_limits<double>::infinity();

const std::vector<StepCurve> three{{{0, 0.2, 0.5, 1}, {1, 0.6, 0.05, 0.02}},
                                   {{0, 0.1, 0.4, 0.7, 1}, {1, 0.8, 0.3, 0.08, 0.08}},
                                   {{0, 0.6, 1}, {1, 0.4, 0.4}}};

void expect_near(const std::vector<double>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-12) << i;
}

TEST(StepCurve, HasSimOptsAreasCrossingTimesAndValues) {
  EXPECT_NEAR(three[0].area(), 0.405, 1e-12);
  EXPECT_NEAR(three[1].area(), 0.454, 1e-12);
  EXPECT_NEAR(three[2].area(), 0.76, 1e-12);
  EXPECT_EQ(three[0].first_below(0.1), 0.5);
  EXPECT_EQ(three[1].first_below(0.1), 0.7);
  EXPECT_EQ(three[2].first_below(0.1), infinity);
  EXPECT_EQ(three[1].first_below(0.08), infinity);  // strictly below
  EXPECT_EQ(three[1].at(0.69), 0.3);
  EXPECT_EQ(three[1].at(0.7), 0.08);
  EXPECT_TRUE(std::isnan(three[1].at(1.1)));
}

TEST(StepCurve, HasSimOptsMeansDifferencesAndDistributionsOfSolveTimes) {
  const StepCurve mean = mean_of(three);
  expect_near(mean.x(), {0, 0.1, 0.2, 0.4, 0.5, 0.6, 0.7, 1});
  expect_near(mean.y(),
              {1.0, 0.9333333333333333, 0.8, 0.6333333333333333, 0.45, 0.25, 0.17666666666666667, 0.16666666666666669});
  const StepCurve difference = difference_of(three[0], three[1]);
  expect_near(difference.x(), {0, 0.1, 0.2, 0.4, 0.5, 0.7, 1});
  expect_near(difference.y(), {0, 0.2, -0.2, 0.3, -0.25, -0.03, -0.06});
  const StepCurve solved = share_of_times(std::vector<double>{0.5, 0.7, infinity});
  expect_near(solved.x(), {0, 0.5, 0.7, 1});
  expect_near(solved.y(), {0, 1.0 / 3, 2.0 / 3, 2.0 / 3});
}

// Quantiles of 0.02, 0.08, 0.4: 0.08 at 0.5, and 0.08 + 0.8 (0.4 − 0.08) at 0.9, like numpy.quantile.
TEST(StepCurve, HasNumPysQuantiles) {
  EXPECT_NEAR(quantile_of(three, 0.5).y().back(), 0.08, 1e-12);
  EXPECT_NEAR(quantile_of(three, 0.9).y().back(), 0.336, 1e-12);
}

TEST(StepCurve, HasQuantilesOfTimesThatMayNeverCome) {
  EXPECT_EQ(quantile_of_times({infinity, 0.7, 0.5}, 0.5), 0.7);
  EXPECT_EQ(quantile_of_times({infinity, 0.7, 0.5}, 0.3), 0.5);
  EXPECT_EQ(quantile_of_times({infinity, 0.7, 0.5}, 0.9), infinity);
  EXPECT_EQ(jump_at(0.7).at(0.69), 0);
  EXPECT_EQ(jump_at(0.7).at(0.7), 1);
  EXPECT_EQ(jump_at(infinity).at(1), 0);
}

TEST(StepCurve, RefusesPlacesThatDoNotAscendAndMissingValues) {
  EXPECT_THROW(StepCurve({0, 0.5, 0.4}, {1, 1, 1}), std::invalid_argument);
  EXPECT_THROW(StepCurve({0, 1}, {1}), std::invalid_argument);
  EXPECT_THROW(StepCurve({}, {}), std::invalid_argument);
}

// Two runs from f = 10 towards f* = 2, with two groups of post-replications and a budget of 100.
RecordedRuns two_runs() {
  RecordedRuns runs;
  runs.points = {{{0}, 10, {9, 11}, {}, {}}, {{1}, 6, {5, 7}, {}, {}}, {{2}, 2.4, {2, 2.8}, {}, {}}};
  runs.runs = {{1, 100, {{0, 0}, {20, 1}, {60, 2}}}, {2, 80, {{0, 0}, {50, 1}}}};
  return runs;
}

const ProblemScale scale{{9, 11}, {1, 3}};

TEST(Progress, IsThePartOfTheInitialGapThatIsLeft) {
  const RecordedRuns runs = two_runs();
  const ProgressCurves curves = progress_of(runs, 100, scale, 0.95, everything(runs));
  ASSERT_EQ(curves.progress.size(), 2U);
  expect_near(curves.progress[0].x(), {0, 0.2, 0.6, 1});
  expect_near(curves.progress[0].y(), {1, 0.5, 0.05, 0.05});
  expect_near(curves.progress[1].x(), {0, 0.5, 1});
  expect_near(curves.progress[1].y(), {1, 0.5, 0.5});
  // With the second group twice and the second run twice, f₀ = 11, f* = 3, f = 7.
  const ProgressCurves again = progress_of(runs, 100, scale, 0.95, {{1, 1}, {1, 1}});
  expect_near(again.progress[1].y(), {1, 0.5, 0.5});
}

TEST(Progress, DoesNotSolveAtInfeasiblePoints) {
  RecordedRuns runs = two_runs();
  for (EvaluatedPoint& point : runs.points) point.exceeded_by = {-1}, point.errors = {0.1};
  runs.points[2].exceeded_by = {0.5};
  const ProgressCurves curves = progress_of(runs, 100, scale, 0.95, everything(runs));
  EXPECT_EQ(curves.solving[0].first_below(0.1), infinity);
  EXPECT_EQ(curves.progress[0].first_below(0.1), 0.6);
  expect_near(curves.feasible[0].y(), {1, 1, 0, 0});
  runs.points[2].exceeded_by = {0.1};  // one standard error above 0 does not show infeasibility
  EXPECT_EQ(progress_of(runs, 100, scale, 0.95, everything(runs)).solving[0].first_below(0.1), 0.6);
}

// Areas computed by hand: 0.2 · 1 + 0.4 · 0.5 + 0.4 · 0.05 and 0.5 · 1 + 0.5 · 0.5.
TEST(Summaries, AreThoseOfTheCurves) {
  const RecordedRuns runs = two_runs();
  const ComparedRuns cell{0, 0, &runs, 100, &scale};
  SummaryOptions options;
  options.grid = {0, 0.25, 0.5, 0.6, 1};
  options.bootstraps = 50;
  const SolverComparisonSummary summary = summaries_of({&cell, 1}, 1, options);
  const CellSummary& own = summary.cells.front();
  EXPECT_NEAR(own.area_mean.estimate, (0.42 + 0.75) / 2, 1e-12);
  EXPECT_NEAR(own.area_deviation.estimate, 0.33 / std::sqrt(2.0), 1e-12);
  EXPECT_NEAR(own.mean[1].estimate, 0.75, 1e-12);
  EXPECT_NEAR(own.mean[4].estimate, 0.275, 1e-12);
  EXPECT_EQ(own.solved[2].estimate, 0);
  EXPECT_EQ(own.solved[3].estimate, 0.5);
  EXPECT_EQ(own.solve_time.estimate, 0.6);
  expect_near(own.ends, {0.05, 0.5});
  const SolverSummary& solver = summary.solvers.front();
  EXPECT_EQ(solver.solvability.back().estimate, 0.5);
  EXPECT_EQ(solver.quantile_solvability.back().estimate, 1);
  EXPECT_EQ(solver.difference.back().estimate, 0);
}

// A second solver does not change the numbers of the first.
TEST(Summaries, OfASolverDoNotDependOnTheOthers) {
  const RecordedRuns runs = two_runs();
  RecordedRuns others = two_runs();
  others.runs[1].steps.push_back({70, 2});
  const std::vector<ComparedRuns> cells{{0, 0, &runs, 100, &scale}, {1, 0, &others, 100, &scale}};
  SummaryOptions options;
  options.grid = {0, 0.5, 1};
  const SolverComparisonSummary separate = summaries_of({cells.data(), 1}, 1, options),
                                both = summaries_of(cells, 2, options);
  for (std::size_t k = 0; k < options.grid.size(); ++k) {
    EXPECT_EQ(separate.cells[0].mean[k].low, both.cells[0].mean[k].low);
    EXPECT_EQ(separate.cells[0].mean[k].high, both.cells[0].mean[k].high);
  }
  EXPECT_EQ(both.solvers[1].difference.back().estimate, 0.5);
}

TEST(BiasCorrected, IsThePercentileIntervalWhereHalfTheReplicatesAreBelow) {
  std::vector<double> replicates;
  for (int i = 0; i < 1000; ++i) replicates.push_back(i);
  const BootstrapInterval interval = bias_corrected(499.5, replicates, 0.9);
  EXPECT_EQ(interval.low, 50);  // Φ(−1.645) · 1000
  EXPECT_NEAR(interval.high, 950, 1);
  // If three quarters of the replicates are below the estimate, the interval moves up by twice Φ⁻¹(0.75).
  const BootstrapInterval moved = bias_corrected(749.5, replicates, 0.9);
  EXPECT_NEAR(moved.low, 1000 * 0.5 * std::erfc(-(2 * 0.6744897502 - 1.6448536270) / std::sqrt(2.0)), 1);
  EXPECT_NEAR(moved.high, 1000 * 0.5 * std::erfc(-(2 * 0.6744897502 + 1.6448536270) / std::sqrt(2.0)), 1);
}

TEST(BiasCorrected, TakesReplicatesThatAreNotFinite) {
  const BootstrapInterval never = bias_corrected(infinity, {0.5, infinity, infinity, infinity}, 0.9);
  EXPECT_EQ(never.high, infinity);
  const double none = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(bias_corrected(none, {none, none}, 0.9).low));
}

}  // namespace curves_tests
}  // namespace sporos::test
