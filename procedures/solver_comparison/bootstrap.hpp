// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/procedures/solver_comparison/progress.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// Results of a comparison of solvers, with bootstrap intervals (Eckman, Henderson, Shashaani 2023). The bootstrap
/// draws runs and groups of post-replications with replacement; the groups are the same at all points of a problem.
namespace sporos {

/// An estimate with its interval; ends may be infinite.
struct BootstrapInterval {
  double estimate;  ///< estimate from all runs
  double low;       ///< lower end
  double high;      ///< upper end
};

/// Bias-corrected percentile interval of `estimate` from its bootstrap replicates (Efron: Nonparametric standard errors
/// and confidence intervals, Can. J. Stat. 9, 1981, (4.4)). The share of replicates below the estimate is kept away
/// from 0 and 1 by half a replicate; replicates that equal the estimate count half.
BootstrapInterval bias_corrected(double estimate, std::vector<double> replicates, double confidence);

/// A cell of the comparison: runs of a solver on a problem, for `summaries_of`.
struct ComparedRuns {
  std::size_t solver;         ///< index of the solver
  std::size_t problem;        ///< index of the problem
  const RecordedRuns* runs;   ///< the runs
  std::int64_t budget;        ///< budget of each run
  const ProblemScale* scale;  ///< scale of the problem
};

/// Options of summaries.
struct SummaryOptions {
  double solved_below = 0.1;      ///< progress below which, at a feasible point, a run has solved a problem
  double quantile = 0.5;          ///< quantile of solve times and of progress
  double confidence = 0.95;       ///< confidence of intervals, and of infeasibility
  std::int64_t bootstraps = 200;  ///< number of bootstrap replicates
  std::uint64_t seed = 1;         ///< seed of the bootstrap
  std::size_t reference = 0;      ///< index of the reference solver of difference profiles
  std::vector<double> grid = {};  ///< shares of the budget, ascending, at which curves are evaluated
};

/// A curve on the grid of SummaryOptions.
using BootstrapBand = std::vector<BootstrapInterval>;

/// Summary of a solver on a problem.
struct CellSummary {
  BootstrapBand mean;                ///< mean of the runs' progress
  BootstrapBand quantile;            ///< quantile of the runs' progress
  BootstrapBand solved;              ///< share of runs that have solved the problem: distribution of solve times
  BootstrapBand feasible;            ///< share of runs that recommend a point not shown to be infeasible
  BootstrapInterval area_mean;       ///< mean of the areas under the runs' progress
  BootstrapInterval area_deviation;  ///< their standard deviation; NaN for one run
  /// Quantile of solve times, as share of the budget; infinite if too few runs solve.
  BootstrapInterval solve_time;
  BootstrapInterval end_mean;   ///< mean progress at the end
  std::vector<double> ends;     ///< progress of each run at its end: the terminal distribution
  std::vector<double> lowest;   ///< 0.1-quantile of the runs' progress, on the grid
  std::vector<double> highest;  ///< 0.9-quantile of the runs' progress, on the grid
};

/// Summary of a solver over all problems on which it ran.
struct SolverSummary {
  BootstrapBand solvability;           ///< mean over problems of the share of runs that have solved them
  BootstrapBand quantile_solvability;  ///< share of problems that the quantile of runs has solved
  BootstrapBand difference;            ///< solvability minus that of the reference, on problems that both ran on
  BootstrapBand quantile_difference;   ///< the same difference for quantile_solvability
  std::vector<std::size_t> problems;   ///< indices of the problems on which it ran
};

/// Summaries of all cells and solvers.
struct SolverComparisonSummary {
  std::vector<CellSummary> cells;      ///< summary of each cell
  std::vector<SolverSummary> solvers;  ///< summary of each solver; empty for one without cells
};

/// Summarizes cells of `solvers` solvers.
SolverComparisonSummary summaries_of(std::span<const ComparedRuns> cells, std::size_t solvers,
                                     const SummaryOptions& options);

}  // namespace sporos
