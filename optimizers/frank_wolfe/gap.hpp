// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/core/random/stream.hpp>
#include <sporos/core/statistics/confidence.hpp>
#include <sporos/core/statistics/moments.hpp>
#include <sporos/optimizers/frank_wolfe/options.hpp>
#include <sporos/optimizers/frank_wolfe/region.hpp>
#include <sporos/optimizers/frank_wolfe/result.hpp>
#include <sporos/optimizers/frank_wolfe/vertex_operations.hpp>
#include <sporos/optimizers/stochastic_problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace sporos {

/// A seed for the estimate of the gap after iteration `iteration` of a run with seed `seed`: other random numbers than
/// those of the run, and others for each iteration.
inline std::uint64_t gap_seed(std::uint64_t seed, std::int64_t iteration) {
  constexpr std::uint64_t salt = 0x6761702073656564u;  // "gap seed": far from the indices of design points
  return design_point_seed(design_point_seed(seed, salt), static_cast<std::uint64_t>(iteration));
}

/// The duality gap g(x) = max over s of ∇f(x)ᵀ(x − s) at an x that owes nothing to `seed`, from B independent batches
/// of n replications each, with bounds of the stated confidence, each one-sided, by Student's t.
///
/// - Upper: G_b = max over s of ĝ_bᵀ(x − s) has E[G_b] ≥ g(x), a mean of maxima being at least the maximum of the
///   means; so mean(G) + t sd(G) / √B is above g(x), and above f(x) − f* for a convex f (Mak, Morton, Wood: Monte Carlo
///   bounding techniques for determining solution quality in stochastic programs, Oper. Res. Lett. 24, 1999). The
///   bias shrinks with n.
/// - Lower: for the vertex s that the first batch finds, E[ĝ_bᵀ(x − s)] ≤ g(x) over the others, less t sd / √(B − 1).
///   0 where that is negative, or with two batches.
///
/// Draws from `problem`, whose sample is another one afterwards. @throws std::invalid_argument for bad options.
template <StochasticProblem Problem, OptimizationRegion<typename Problem::execution_space> Region>
GapEstimate estimate_gap(Problem& problem, Region& region, const ConstVector<typename Problem::execution_space>& x,
                         const GapOptions& options, std::uint64_t seed) {
  using Space = typename Problem::execution_space;
  check(options);
  const double two_sided = 2 * options.confidence - 1;
  const Space& space = problem.execution();
  const Vector<Space> g("sporos::frank_wolfe::gap_gradient", x.extent(0));
  MomentsTree largest, chosen;
  Vertex<Space> first;
  SampleRange sample{seed, 0, options.batch_size};
  for (std::int64_t batch = 0; batch < options.batches; ++batch, sample = sample.next(options.batch_size)) {
    problem.draw(sample);
    problem.gradient(x, g);
    if (batch > 0) chosen.add(impl::slope_from(space, g, x, first));
    const Vertex<Space> vertex = region.minimize(space, g);
    largest.add(impl::slope_from(space, g, x, vertex));
    if (batch == 0) first.entries = impl::entries_of(space, vertex);
  }
  const Moments over = largest.total(), under = chosen.total();
  const double lower = under.mean - half_width(under, two_sided);
  return {over.mean,          lower > 0 ? lower : 0.0, over.mean + half_width(over, two_sided),
          options.confidence, options.batches,         options.batch_size};
}

}  // namespace sporos
