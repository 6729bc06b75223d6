// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/procedures/solver_comparison/recorded_runs.hpp>
#include <sporos/procedures/solver_comparison/step_curve.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

/// Progress of runs: the part of the initial gap to the optimum that is left, over the part of the budget that is used.
namespace sporos {

/// What the objective is measured by: f(x₀) at the start and f(x*) at the optimum, by groups of post-replications.
struct ProblemScale {
  std::vector<double> start;    ///< f(x₀) by each group
  std::vector<double> optimum;  ///< f(x*) by each group; the same number where it is known without an x*
};

/// Of the start and of a point that is known or taken to be the best.
ProblemScale scale_of(const EvaluatedPoint& start, const EvaluatedPoint& best);

/// The best point of all runs that is not infeasible, in the place of an optimum that is not known; null where all are.
const EvaluatedPoint* best_of(std::span<const RecordedRuns> all, double confidence);

/// Whether a constraint is shown to be exceeded: the lower bounds of all constraints hold with this confidence together
/// (normal, Bonferroni).
bool is_infeasible(const EvaluatedPoint& point, double confidence);

/// Curves of a solver's runs over the share of the budget, from 0 to 1.
struct ProgressCurves {
  std::vector<StepCurve> progress;  ///< (f(x) − f(x*)) / (f(x₀) − f(x*)) of the recommended x, one curve a run
  std::vector<StepCurve> solving;   ///< the same, infinite while x is infeasible
  std::vector<StepCurve> feasible;  ///< 1 while x is not shown to be infeasible, else 0
};

/// Which runs and which groups of post-replications a bootstrap takes.
struct Resample {
  std::vector<std::size_t> runs;    ///< places of runs
  std::vector<std::size_t> groups;  ///< places of groups
};

/// All runs and all groups, once each.
Resample everything(const RecordedRuns& runs);

/// The curves of the runs that `resample` has, the objective being the mean of its groups. The initial gap must not be
/// 0.
ProgressCurves progress_of(const RecordedRuns& runs, std::int64_t budget, const ProblemScale& scale, double confidence,
                           const Resample& resample);

}  // namespace sporos
