// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/sampled_problem.hpp>
#include <sporos/optimizers/search/search.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

/// Macro-replications of a solver on a problem. The recommended points are evaluated by post-replications, which no
/// solver has seen.
namespace sporos {

/// Options of post-replications, which are the same at all points.
struct PostReplications {
  std::int64_t count = 200;  ///< number at each point, at least `groups`
  /// Number of groups of equal size, whose means the bootstrap draws from. If `count` is not a multiple of it, the last
  /// replications are left out.
  std::int64_t groups = 10;
  std::uint64_t seed = 1;  ///< seed of the searches, whose own replications are different
};

/// Estimates of a point from post-replications. The objective is that of the problem, which is minimized.
struct EvaluatedPoint {
  std::vector<double> x;            ///< the point
  double objective = 0;             ///< objective, by all replications
  std::vector<double> of_groups;    ///< objective, by each group
  std::vector<double> exceeded_by;  ///< excess over each constraint on means
  std::vector<double> errors;       ///< standard errors of the excesses
};

/// A point that a run recommended, and the number of replications after which it did.
struct RecordedStep {
  std::int64_t replications;  ///< replications that the run had used
  std::size_t point;          ///< its index in RecordedRuns::points
};

/// A run of a solver.
struct RecordedRun {
  std::uint64_t seed = 0;           ///< seed of its random numbers
  std::int64_t replications = 0;    ///< replications that it used
  std::vector<RecordedStep> steps;  ///< recommendations in order; the first is the start, at 0 replications
};

/// All runs of a solver on a problem.
struct RecordedRuns {
  std::vector<RecordedRun> runs;       ///< one for each seed
  std::vector<EvaluatedPoint> points;  ///< distinct points that the runs recommended
};

/// Options of recorded runs.
struct RecordingOptions {
  std::int64_t budget = 0;  ///< replications of a run
  /// Maximum number of recommendations kept from a run. If a run has more, those are kept that are current at this many
  /// numbers of replications, which grow by a constant factor from a thousandth of the budget.
  std::int64_t looks = 60;
  PostReplications post = {};  ///< evaluation of the points afterwards
};

/// Evaluates `points` by post-replications.
std::vector<EvaluatedPoint> evaluated_points(SampledProblem& problem, const std::vector<std::vector<double>>& points,
                                             const PostReplications& post);

/// Runs `solver` from `start` once for each of `seeds`, side by side, and evaluates the recommended points. `is_enough`
/// is called before each round and before post-replications; if it returns true, the result has no runs. If the budget
/// is below the first step, a run uses no replications and has only the start. Throws the same exceptions as
/// run_searches.
RecordedRuns recorded_runs(SampledProblem& problem, const Solver& solver, const std::vector<double>& start,
                           std::span<const std::uint64_t> seeds, const RecordingOptions& options,
                           const std::function<bool()>& is_enough);

}  // namespace sporos
