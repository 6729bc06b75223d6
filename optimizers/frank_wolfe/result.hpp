// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/frank_wolfe/vertex.hpp>
#include <sporos/optimizers/stopping.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace sporos {

/// Estimate of f(x) − f*, obtained by solving the problems of independent samples (see estimate_gap).
struct SuboptimalityEstimate {
  double estimate = 0;    ///< Estimate whose expectation is at least f(x) − f*.
  double upper = 0;       ///< Upper confidence bound of f(x) − f*, at the confidence of the whole estimate.
  double solver_gap = 0;  ///< Part of the estimate that is due to problems not solved exactly.
};

/// The duality gap g(x) = max over s in the region of ∇f(x)ᵀ(x − s) and the suboptimality f(x) − f*, both estimated on
/// the same independent replications. For convex f the suboptimality is at most g(x).
struct GapEstimate {
  double estimate = 0;          ///< Mean of the batches' duality gaps; its expectation is at least g(x).
  double lower = 0;             ///< Lower bound of g(x) with probability `confidence`.
  double upper = 0;             ///< Upper bound of g(x), and so of f(x) − f*, with probability `confidence`.
  double confidence = 0;        ///< Confidence of each bound separately.
  std::int64_t batches = 0;     ///< Number of independent batches.
  std::int64_t batch_size = 0;  ///< Number of replications per batch.
  std::optional<SuboptimalityEstimate> suboptimality = {};  ///< Suboptimality; empty if GapOptions::iterations is 0.

  /// Upper bound of f(x) − f* with probability `confidence`: the bound of the suboptimality if it is estimated, else
  /// that of the gap. The options determine which one, not the data, so the confidence is that of a single bound.
  double bound() const { return suboptimality ? suboptimality->upper : upper; }
};

/// Progress of an optimization; a point of its trajectory.
struct FrankWolfeProgress {
  std::int64_t epoch = 0;      ///< Number of completed epochs.
  std::int64_t iteration = 0;  ///< Number of completed iterations over all epochs.
  double objective = 0;        ///< f̂(x).
  double gap = 0;  ///< max over s of ∇f̂(x)ᵀ(x − s) on the same sample; infinite if time did not suffice to compute it.
  double step = 0;                                  ///< Length of the last step; 0 before the first.
  double seconds = 0;                               ///< Seconds since the start or the resumption.
  std::optional<GapEstimate> independent_gap = {};  ///< Gap on independent replications, if one was due.
};

/// Callback that receives every point of the trajectory as it is recorded.
using FrankWolfeCallback = std::function<Continuation(const FrankWolfeProgress&)>;

/// A vertex of the active set, on the host, with its weight in x.
struct ActiveVertex {
  std::vector<VertexEntry> entries;  ///< Nonzero coordinates in increasing order of index.
  double weight = 0;                 ///< Weight in (0, 1]; the weights of an active set sum to 1.
};

/// State from which a run resumes with the same bits as an uninterrupted run, given the same problem, region and
/// options. Plain host data.
///
/// The first five members suffice for the vanilla variant with the open-loop rules and without momentum.
struct FrankWolfeState {
  std::vector<double> solution;  ///< Point x.
  std::int64_t epoch = 0;        ///< Index of the current epoch, from 0.
  std::int64_t iteration = 0;    ///< Number of completed iterations of that epoch.
  /// Number of replications that earlier epochs used, which is the index of this epoch's first one.
  std::uint64_t replications = 0;
  std::int64_t window = 1;  ///< Number of iterations that the next screening covers (see screening.hpp).

  std::vector<double> averaged_gradient;  ///< Averaged gradient with momentum after the first iteration; else empty.
  double smoothness = 0;                  ///< Estimate of L for the adaptive rule; 0 if there is none yet.
  std::vector<ActiveVertex> active_set;   ///< Active set for away-step and pairwise; else empty.
};

/// Result of an optimization.
struct FrankWolfeResult {
  /// The last x. If `stopped_by` is not_finite, the last x at which everything was finite.
  std::vector<double> solution;
  /// Points of the run: the start, the start of every epoch that is due, and the end. At the start of an epoch the
  /// values are on the sample that the epoch is about to use, so x does not depend on that sample. At the end they are
  /// on the sample that the next epoch would use or, in the middle of an epoch, on its own.
  std::vector<FrankWolfeProgress> trajectory;
  StoppedBy stopped_by = StoppedBy::iterations;  ///< Reason why the run ended.
  std::int64_t iterations = 0;          ///< Number of iterations over all epochs, including those before a resumption.
  std::optional<GapEstimate> gap = {};  ///< Independent estimate at `solution`, if the options request one.
  FrankWolfeState state;                ///< State from which the run can resume.
};

}  // namespace sporos
