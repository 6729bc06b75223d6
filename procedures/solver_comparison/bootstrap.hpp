// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/procedures/solver_comparison/progress.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// Results of a comparison of solvers, with bootstrap intervals (Eckman, Henderson, Shashaani 2023): runs are drawn
/// anew with replacement, and groups of post-replications, the same ones at all points of a problem.
namespace sporos {

/// A number with its interval; ends may be infinite.
struct BootstrapInterval {
  double estimate;  ///< by all runs
  double low;       ///< lower end
  double high;      ///< upper end
};

/// The interval of `estimate` by bootstrap replicates of it: percentiles, corrected for bias (Efron: Nonparametric
/// standard errors and confidence intervals, Can. J. Stat. 9, 1981, (4.4)). The share of replicates below the estimate
/// is kept off 0 and 1 by half a replicate; replicates that equal the estimate count half.
BootstrapInterval bias_corrected(double estimate, std::vector<double> replicates, double confidence);

/// Runs of a solver on a problem, for `summaries_of`.
struct ComparedRuns {
  std::size_t solver;         ///< its place
  std::size_t problem;        ///< its place
  const RecordedRuns* runs;   ///< they
  std::int64_t budget;        ///< of each
  const ProblemScale* scale;  ///< of the problem
};

/// How results are summarized.
struct SummaryOptions {
  double solved_below = 0.1;      ///< a run has solved a problem once its progress is below that, at a feasible point
  double quantile = 0.5;          ///< of solve times and of progress
  double confidence = 0.95;       ///< of intervals, and of what is shown to be infeasible
  std::int64_t bootstraps = 200;  ///< replicates
  std::uint64_t seed = 1;         ///< of the bootstrap
  std::size_t reference = 0;      ///< place of the solver that difference profiles are against
  std::vector<double> grid = {};  ///< shares of the budget, ascending, at which curves are given
};

/// A curve on the grid of SummaryOptions.
using BootstrapBand = std::vector<BootstrapInterval>;

/// What is told of a solver on a problem.
struct CellSummary {
  BootstrapBand mean;                ///< of the runs' progress
  BootstrapBand quantile;            ///< of it
  BootstrapBand solved;              ///< share of runs that have solved the problem: distribution of solve times
  BootstrapBand feasible;            ///< share of runs that recommend a point that is not shown to be infeasible
  BootstrapInterval area_mean;       ///< mean of the areas under the runs' progress
  BootstrapInterval area_deviation;  ///< their standard deviation; NaN for one run
  BootstrapInterval solve_time;      ///< quantile of solve times, as share of the budget; infinite where so few solve
  BootstrapInterval end_mean;        ///< mean progress at the end
  std::vector<double> ends;          ///< progress of each run at its end: the terminal distribution
  std::vector<double> lowest;        ///< the 0.1-quantile of the runs' progress, on the grid
  std::vector<double> highest;       ///< the 0.9-quantile
};

/// What is told of a solver over all problems that it ran on.
struct SolverSummary {
  BootstrapBand solvability;           ///< mean over problems of the share of runs that have solved them
  BootstrapBand quantile_solvability;  ///< share of problems that the quantile of runs has solved
  BootstrapBand difference;            ///< solvability less that of the reference, on the problems that both ran on
  BootstrapBand quantile_difference;   ///< the same of quantile_solvability
  std::vector<std::size_t> problems;   ///< that it ran on
};

/// All summaries.
struct SolverComparisonSummary {
  std::vector<CellSummary> cells;      ///< of each cell
  std::vector<SolverSummary> solvers;  ///< by their places; of one without cells all is empty
};

/// Summarizes cells of so many solvers.
SolverComparisonSummary summaries_of(std::span<const ComparedRuns> cells, std::size_t solvers,
                                     const SummaryOptions& options);

}  // namespace sporos
