// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/stopping.hpp>

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace sporos {

/// Correction pair, on the host: a step s and the corresponding change y of the gradient.
struct CorrectionPair {
  std::vector<double> s;  ///< Difference of points.
  std::vector<double> y;  ///< Product of the Hessian and s, or difference of the gradients.
};

/// Counts of correction pairs.
struct CorrectionPairCounts {
  std::int64_t stored = 0;   ///< Number of stored pairs, including those replaced by newer ones.
  std::int64_t damped = 0;   ///< Number of stored pairs that were damped.
  std::int64_t skipped = 0;  ///< Number of skipped pairs, including those with infinite or NaN entries.
};

/// Counts of the work done, including that before a resumption.
struct QuasiNewtonCounts {
  CorrectionPairCounts pairs = {};    ///< Correction pairs.
  std::int64_t limited_steps = 0;     ///< Number of steps that a safeguard has shortened (see SqnOptions).
  std::int64_t gradients = 0;         ///< Number of gradients for iterations, line searches and differences.
  std::int64_t hessian_products = 0;  ///< Number of Hessian products for pairs and safeguards.
};

namespace impl {

/// Adds the pairs since then to `before`.
inline QuasiNewtonCounts added(QuasiNewtonCounts before, const CorrectionPairCounts& since) {
  before.pairs.stored += since.stored;
  before.pairs.damped += since.damped;
  before.pairs.skipped += since.skipped;
  return before;
}

}  // namespace impl

/// Progress of an optimization; a point of its trajectory.
struct QuasiNewtonProgress {
  std::int64_t iteration = 0;     ///< Number of completed iterations.
  double objective = 0;           ///< f̂(x).
  double gradient_norm = 0;       ///< ‖∇f̂(x)‖ over the same sample.
  double step = 0;                ///< Step size α of the last step; 0 before the first.
  double seconds = 0;             ///< Seconds since the start or the resumption.
  QuasiNewtonCounts counts = {};  ///< Counts of the work done.
};

/// Callback that receives every point of the trajectory as it is recorded.
using QuasiNewtonCallback = std::function<Continuation(const QuasiNewtonProgress&)>;

/// State from which a run resumes with the same bits as an uninterrupted run, given the same problem and options. Plain
/// host data. A state with only a solution is a warm start.
struct QuasiNewtonState {
  std::vector<double> solution;       ///< Point x.
  std::int64_t iteration = 0;         ///< Number of completed iterations.
  double step = 0;                    ///< Step size α of the last step.
  std::vector<CorrectionPair> pairs;  ///< Correction pairs from the oldest to the newest.
  QuasiNewtonCounts counts = {};      ///< Counts of the work done.

  std::vector<double> sum;      ///< For sqn: sum of the iterates since the last pair was due; empty if there are none.
  std::vector<double> average;  ///< For sqn: mean of the L iterates before those; empty before the first L.
  bool is_watched = false;      ///< For sqn: whether the safeguard checks the next step.
};

/// Result of an optimization.
struct QuasiNewtonResult {
  /// The last x. If `stopped_by` is not_finite, the last x known to be finite. lbfgs checks every iterate; sqn checks
  /// those where a pair is due and those of the trajectory.
  std::vector<double> solution;
  /// Points of the run: the start, each due point, and the end.
  std::vector<QuasiNewtonProgress> trajectory;
  StoppedBy stopped_by = StoppedBy::iterations;  ///< Reason why the run ended.
  std::int64_t iterations = 0;                   ///< Number of iterations, including those before a resumption.
  QuasiNewtonCounts counts = {};                 ///< Counts of the work done.
  QuasiNewtonState state;                        ///< State from which the run can resume.
};

namespace impl {

/// Returns the result of a run that ends in `state`.
inline QuasiNewtonResult ended(QuasiNewtonResult result, QuasiNewtonState state) {
  result.solution = state.solution;
  result.iterations = state.iteration;
  result.counts = state.counts;
  result.state = std::move(state);
  return result;
}

}  // namespace impl

}  // namespace sporos
