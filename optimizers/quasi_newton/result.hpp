// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/stopping.hpp>

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace sporos {

/// A step s and the change y of the gradient that goes with it, on the host.
struct CorrectionPair {
  std::vector<double> s;  ///< a difference of points
  std::vector<double> y;  ///< the Hessian times s, or the difference of the gradients
};

/// What became of the pairs.
struct CorrectionPairCounts {
  std::int64_t stored = 0;   ///< all that were, those that newer ones have replaced included
  std::int64_t damped = 0;   ///< of these
  std::int64_t skipped = 0;  ///< as were those with infinite or NaN entries
};

/// What was done so far, before a resumption included.
struct QuasiNewtonCounts {
  CorrectionPairCounts pairs = {};    ///< correction pairs
  std::int64_t limited_steps = 0;     ///< that a safeguard has shortened (see SqnOptions)
  std::int64_t gradients = 0;         ///< of iterations, line searches, and differences
  std::int64_t hessian_products = 0;  ///< of pairs and safeguards
};

namespace impl {

/// `before`, and the pairs since.
inline QuasiNewtonCounts added(QuasiNewtonCounts before, const CorrectionPairCounts& since) {
  before.pairs.stored += since.stored;
  before.pairs.damped += since.damped;
  before.pairs.skipped += since.skipped;
  return before;
}

}  // namespace impl

/// Where an optimization stands; a point of its trajectory.
struct QuasiNewtonProgress {
  std::int64_t iteration = 0;     ///< iterations done
  double objective = 0;           ///< f̂(x)
  double gradient_norm = 0;       ///< ‖∇f̂(x)‖, over the same sample
  double step = 0;                ///< the last one's α, 0 before the first
  double seconds = 0;             ///< since the start, or since the resumption
  QuasiNewtonCounts counts = {};  ///< what was done
};

/// Is shown every point of the trajectory as it comes.
using QuasiNewtonCallback = std::function<Continuation(const QuasiNewtonProgress&)>;

/// All that it takes to go on after a stop with the bits of a run that was not stopped, given the same problem and
/// options. Plain host data; a warm start is one with nothing but a solution.
struct QuasiNewtonState {
  std::vector<double> solution;       ///< x
  std::int64_t iteration = 0;         ///< iterations done
  double step = 0;                    ///< the last one's α
  std::vector<CorrectionPair> pairs;  ///< from the oldest to the newest
  QuasiNewtonCounts counts = {};      ///< what was done

  std::vector<double> sum;      ///< sqn: of the iterates since the last pair was due; empty where there are none
  std::vector<double> average;  ///< sqn: of the L iterates before them; empty before the first L
  bool is_watched = false;      ///< sqn: whether the next step is looked at by the safeguard
};

/// What an optimization found.
struct QuasiNewtonResult {
  /// The last x; where `stopped_by` is not_finite, the last one that was seen to be good: lbfgs looks at every iterate,
  /// sqn at those where a pair is due and at those of the trajectory.
  std::vector<double> solution;
  /// Points of the run: at its start, where one is due, and at the end.
  std::vector<QuasiNewtonProgress> trajectory;
  StoppedBy stopped_by = StoppedBy::iterations;  ///< why it ended
  std::int64_t iterations = 0;                   ///< done, those before a resumption included
  QuasiNewtonCounts counts = {};                 ///< what was done
  QuasiNewtonState state;                        ///< to go on from
};

namespace impl {

/// The result of a run that ends in `state`.
inline QuasiNewtonResult ended(QuasiNewtonResult result, QuasiNewtonState state) {
  result.solution = state.solution;
  result.iterations = state.iteration;
  result.counts = state.counts;
  result.state = std::move(state);
  return result;
}

}  // namespace impl

}  // namespace sporos
