// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/sampled_problem.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sporos {

/// Options of a probe of neighbours.
struct NeighbourProbeOptions {
  /// Maximum number of replications over all neighbours; up to twice as many confirm the promising ones.
  std::int64_t replications = 1000;
  /// Smallest number of replications at a point; if the budget gives fewer, neighbours are left out.
  std::int64_t min_replications = 8;
  std::size_t confirmed = 4;  ///< Maximum number of promising neighbours to confirm on separate replications.
  double confidence = 0.95;   ///< Probability that no neighbour is wrongly reported as better.
  std::uint64_t seed = 1;     ///< Seed of the random numbers; no run with this seed uses the same ones.
};

/// A neighbour with a lower objective.
struct BetterNeighbour {
  std::size_t coordinate;  ///< Index of the changed coordinate.
  double step;             ///< Change of the coordinate.
  double improvement;      ///< Estimated decrease of the objective.
  double half_width;       ///< Half-width of the interval of the decrease, simultaneous for all confirmed neighbours.
};

/// Result of a probe.
struct NeighbourProbe {
  std::int64_t neighbours = 0;    ///< Number of neighbours examined.
  std::int64_t replications = 0;  ///< Number of replications at each neighbour.
  /// Number of separate replications at each promising neighbour; 0 if none was promising.
  std::int64_t confirmed_by = 0;
  std::vector<BetterNeighbour> better;  ///< Better neighbours along different coordinates, by decreasing improvement.
};

/// Searches for better points near x by steps up and down along the first `coordinates` coordinates. The steps are a
/// tenth and two fifths of max(1, |x|), or of the range if that is finite and smaller. For integer coordinates they are
/// 1 and, if that is more, a fifth of |x|. All points use the same replications. The best improving neighbour along
/// each coordinate is promising; a few of these are compared with x again, on separate replications.
///
/// A neighbour is better if Student's one-sided bound shows that the paired difference of the objective is above 0,
/// with Bonferroni's correction for the neighbours compared again. By its estimate it must also violate no constraint
/// on means, or none by more than x does. At a local minimum the probe therefore finds nothing with probability
/// `confidence`. Far from a minimum, few replications suffice to find improvements.
///
/// Neighbours outside the region are left out. If there are too few replications for all neighbours, the longer steps
/// are left out first. If there are too few for the shorter steps, too, or x is infeasible, the result is empty.
/// @throws std::invalid_argument if the point has the wrong dimension.
NeighbourProbe probe_neighbours(SampledProblem& problem, const std::vector<double>& x, std::size_t coordinates,
                                const NeighbourProbeOptions& options);

}  // namespace sporos
