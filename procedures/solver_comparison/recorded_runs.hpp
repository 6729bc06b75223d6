// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/sampled_problem.hpp>
#include <sporos/optimizers/search/search.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

/// Macro-replications of a solver on a problem, and what replications that none of them has seen say of the points that
/// they recommended.
namespace sporos {

/// How points are looked at after a search: by the same replications at all points.
struct PostReplications {
  std::int64_t count = 200;  ///< at each point, at least `groups`
  std::int64_t groups = 10;  ///< of equal size, whose means a bootstrap draws from; the last ones are left out of
                             ///< `count` where that is no multiple
  std::uint64_t seed = 1;    ///< of the searches: their own replications are others
};

/// What post-replications say of a point. The objective is that of the problem, which is minimized.
struct EvaluatedPoint {
  std::vector<double> x;            ///< the point
  double objective = 0;             ///< by all of them
  std::vector<double> of_groups;    ///< by each group
  std::vector<double> exceeded_by;  ///< by what each constraint on means is exceeded
  std::vector<double> errors;       ///< standard errors of these
};

/// A point that a run recommended from a number of replications on.
struct RecordedStep {
  std::int64_t replications;  ///< that the run had used
  std::size_t point;          ///< its place among RecordedRuns::points
};

/// One run of a solver.
struct RecordedRun {
  std::uint64_t seed = 0;           ///< of its random numbers
  std::int64_t replications = 0;    ///< that it used
  std::vector<RecordedStep> steps;  ///< in order; the first is the start, by 0 replications
};

/// All runs of a solver on a problem.
struct RecordedRuns {
  std::vector<RecordedRun> runs;       ///< one for each seed
  std::vector<EvaluatedPoint> points;  ///< different ones
};

/// How runs are recorded.
struct RecordingOptions {
  std::int64_t budget = 0;     ///< replications of a run
  std::int64_t looks = 60;     ///< of a run that recommends more points than so many, those are kept that hold at so
                               ///< many numbers of replications, which grow by a factor from a thousandth of the budget
  PostReplications post = {};  ///< afterwards
};

/// What post-replications say of `points`.
std::vector<EvaluatedPoint> evaluated_points(SampledProblem& problem, const std::vector<std::vector<double>>& points,
                                             const PostReplications& post);

/// Runs `solver` from `start` once for each of `seeds`, side by side, and looks at what they recommended. `is_enough`
/// is asked before each round and before post-replications; where it says so, the result has no runs. A run that used
/// no replication, as its budget is below the first step, has the start alone. Throws as run_searches does.
RecordedRuns recorded_runs(SampledProblem& problem, const Solver& solver, const std::vector<double>& start,
                           std::span<const std::uint64_t> seeds, const RecordingOptions& options,
                           const std::function<bool()>& is_enough);

}  // namespace sporos
