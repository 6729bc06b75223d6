// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/frank_wolfe/vertex.hpp>
#include <sporos/optimizers/stopping.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace sporos {

/// f(x) − f*, estimated by solving problems of independent samples (see estimate_gap).
struct SuboptimalityEstimate {
  double estimate = 0;    ///< its expectation is at least f(x) − f*
  double upper = 0;       ///< above f(x) − f* with the confidence of the whole estimate
  double solver_gap = 0;  ///< what of the estimate is due to problems that were not solved exactly
};

/// The duality gap g(x) = max over s in the region of ∇f(x)ᵀ(x − s), estimated on independent replications, and the
/// suboptimality f(x) − f*, which for a convex f is at most g(x), on the same ones.
struct GapEstimate {
  double estimate = 0;          ///< mean of the batches' duality gaps; its expectation is at least the gap
  double lower = 0;             ///< below g(x) with probability `confidence`
  double upper = 0;             ///< above g(x), and so above f(x) − f*, with probability `confidence`
  double confidence = 0;        ///< of each bound by itself
  std::int64_t batches = 0;     ///< independent batches
  std::int64_t batch_size = 0;  ///< replications in each
  std::optional<SuboptimalityEstimate> suboptimality = {};  ///< where the options' iterations are not 0

  /// Above f(x) − f* with probability `confidence`: the bound of the suboptimality where it is estimated, else that of
  /// the gap. Which of them is settled by the options, not by the data, so that the confidence is that of one bound.
  double bound() const { return suboptimality ? suboptimality->upper : upper; }
};

/// Where an optimization stands; a point of its trajectory.
struct FrankWolfeProgress {
  std::int64_t epoch = 0;      ///< epochs done
  std::int64_t iteration = 0;  ///< iterations done, over all epochs
  double objective = 0;        ///< f̂(x)
  double gap = 0;  ///< max over s of ∇f̂(x)ᵀ(x − s), on the same sample; infinite where there was no time for it
  double step = 0;                                  ///< length of the last step, 0 before the first
  double seconds = 0;                               ///< since the start, or since the resumption
  std::optional<GapEstimate> independent_gap = {};  ///< where one was due
};

/// Is shown every point of the trajectory as it comes.
using FrankWolfeCallback = std::function<Continuation(const FrankWolfeProgress&)>;

/// A vertex of the active set, on the host, and its share of x.
struct ActiveVertex {
  std::vector<VertexEntry> entries;  ///< nonzero coordinates in the order of their indices
  double weight = 0;                 ///< in (0, 1]; those of an active set sum to 1
};

/// All that it takes to go on after a stop with the bits of a run that was not stopped, given the same problem, region
/// and options. Plain host data.
///
/// The first five members say it all for the vanilla variant with the open-loop rules and without momentum.
struct FrankWolfeState {
  std::vector<double> solution;    ///< x
  std::int64_t epoch = 0;          ///< index, from 0, of the epoch under way
  std::int64_t iteration = 0;      ///< iterations of that epoch that are done
  std::uint64_t replications = 0;  ///< that all epochs before it used: the index of its first one
  std::int64_t window = 1;         ///< iterations that the next screening is for (see screening.hpp)

  std::vector<double> averaged_gradient;  ///< with momentum, after the first iteration; else empty
  double smoothness = 0;                  ///< adaptive: the estimate of L, 0 where there is none yet
  std::vector<ActiveVertex> active_set;   ///< away-step and pairwise; else empty
};

/// What an optimization found.
struct FrankWolfeResult {
  /// The last x; where `stopped_by` is not_finite, the last one at which everything was finite.
  std::vector<double> solution;
  /// Points of the run: at its start, at the start of every epoch that is due, on the sample that is about to be used
  /// and of which x knows nothing yet, and at the end: there on the sample that a next epoch would use, or, in the
  /// middle of an epoch, on the epoch's own.
  std::vector<FrankWolfeProgress> trajectory;
  StoppedBy stopped_by = StoppedBy::iterations;  ///< why it ended
  std::int64_t iterations = 0;                   ///< done over all epochs, those before a resumption included
  std::optional<GapEstimate> gap = {};           ///< the independent estimate at `solution`, where options ask for it
  FrankWolfeState state;                         ///< to go on from
};

}  // namespace sporos
