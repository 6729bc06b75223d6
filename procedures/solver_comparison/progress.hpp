// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/procedures/solver_comparison/recorded_runs.hpp>
#include <sporos/procedures/solver_comparison/step_curve.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// Progress curves of runs: the remaining share of the initial optimality gap, as a function of the used share of the
/// budget.
namespace sporos {

/// Reference values of the objective, by groups of post-replications: f(x₀) at the start and f(x*) at the optimum.
struct ProblemScale {
  std::vector<double> start;    ///< f(x₀) by group
  std::vector<double> optimum;  ///< f(x*) by group; all equal if it is known without an x*
};

/// Scale from the start and a point that is known or assumed to be the best.
ProblemScale scale_of(const EvaluatedPoint& start, const EvaluatedPoint& best);

/// Best point of all runs that is not infeasible, as a substitute for an unknown optimum; null if all are infeasible.
const EvaluatedPoint* best_of(std::span<const RecordedRuns> all, double confidence);

/// Whether a constraint is shown to be violated: its lower bound is above 0. The lower bounds of all constraints hold
/// simultaneously with this confidence (normal, Bonferroni).
bool is_infeasible(const EvaluatedPoint& point, double confidence);

/// Curves of a solver's runs over the share of the budget, from 0 to 1.
struct ProgressCurves {
  std::vector<StepCurve> progress;  ///< (f(x) − f(x*)) / (f(x₀) − f(x*)) of the recommended x, one curve for each run
  std::vector<StepCurve> solving;   ///< `progress`, but infinite while x is infeasible
  std::vector<StepCurve> feasible;  ///< 1 while x is not shown to be infeasible, else 0
};

/// Runs and groups of post-replications that a bootstrap uses.
struct Resample {
  std::vector<std::size_t> runs;    ///< indices of runs
  std::vector<std::size_t> groups;  ///< indices of groups
};

/// All runs and all groups, once each.
Resample everything(const RecordedRuns& runs);

/// Returns the curves of the runs in `resample`; the objective is the mean of its groups. Throws std::invalid_argument
/// if the initial gap is 0.
ProgressCurves progress_of(const RecordedRuns& runs, std::int64_t budget, const ProblemScale& scale, double confidence,
                           const Resample& resample);

}  // namespace sporos
