// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/sampled_problem.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sporos {

/// Options of a probe of neighbours.
struct NeighbourProbeOptions {
  std::int64_t replications = 1000;     ///< of all neighbours together, at most; up to twice as many confirm some
  std::int64_t least_replications = 8;  ///< at a point; where there are fewer, points are left out
  std::size_t confirmed = 4;            ///< neighbours that seem best, which other replications confirm, at most
  double confidence = 0.95;             ///< with which no neighbour is said to be better that is not
  std::uint64_t seed = 1;  ///< names the random numbers, of which no run with this seed has seen those used
};

/// A neighbour that is better.
struct BetterNeighbour {
  std::size_t coordinate;  ///< that is changed
  double step;             ///< by which
  double improvement;      ///< by how much the objective is lower there, estimated
  double half_width;       ///< of the interval of that, simultaneous for all that were confirmed
};

/// The result of a probe.
struct NeighbourProbe {
  std::int64_t neighbours = 0;          ///< that were looked at
  std::int64_t replications = 0;        ///< at each of them
  std::int64_t confirmed_by = 0;        ///< others, at those that seemed best; 0 if none seemed better
  std::vector<BetterNeighbour> better;  ///< of different coordinates, the largest improvement first
};

/// Looks for points near x that are better, by steps along the first `coordinates` coordinates up and down: a tenth and
/// two fifths of max(1, |x|), but no more than that part of a finite range; of whole coordinates 1, and a fifth of |x|
/// if that is more. All points have the same replications. Of those that seem better, the best along each coordinate, a
/// few are compared with x again, by others. A neighbour is better if the paired difference of the objective is above 0
/// by Student's one-sided bound, with Bonferroni's correction for those compared again, and if by its estimate no
/// constraint on means is exceeded there, or none by more than at x. So with probability `confidence` nothing is found
/// at a local minimum; at a point that is far from one, much is found by few replications.
///
/// Neighbours outside the region are left out; where replications are too few for all, first the longer steps are.
/// There are none where they are too few for the shorter ones, too, and where x is infeasible. @throws
/// std::invalid_argument for a point of another dimension.
NeighbourProbe probe_neighbours(SampledProblem& problem, const std::vector<double>& x, std::size_t coordinates,
                                const NeighbourProbeOptions& options);

}  // namespace sporos
