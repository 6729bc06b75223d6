// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/core/random/stream.hpp>
#include <sporos/core/statistics/confidence.hpp>
#include <sporos/core/statistics/moments.hpp>
#include <sporos/optimizers/frank_wolfe/options.hpp>
#include <sporos/optimizers/frank_wolfe/region.hpp>
#include <sporos/optimizers/frank_wolfe/result.hpp>
#include <sporos/optimizers/frank_wolfe/sample_minimizer.hpp>
#include <sporos/optimizers/frank_wolfe/vertex_operations.hpp>
#include <sporos/optimizers/stochastic_problem.hpp>
#include <sporos/optimizers/stopping.hpp>

#include <cmath>
#include <cstdint>
#include <optional>

namespace sporos {

/// Seed for the gap estimate after iteration `iteration` of a run with seed `seed`. Its random numbers differ from
/// those of the run and from those of every other iteration.
inline std::uint64_t gap_seed(std::uint64_t seed, std::int64_t iteration) {
  constexpr std::uint64_t salt = 0x6761702073656564u;  // "gap seed": far from the indices of design points
  return design_point_seed(design_point_seed(seed, salt), static_cast<std::uint64_t>(iteration));
}

namespace impl {

/// Estimates f(x) − f* from B batches of n replications. Batch b has replications bn to bn + n − 1 under `seed`.
template <StochasticProblem Problem, OptimizationRegion<typename Problem::execution_space> Region>
class ReplicationsEstimate {
 public:
  using Space = typename Problem::execution_space;  ///< Execution space of the vectors.

  ReplicationsEstimate(Problem& problem, Region& region, const ConstVector<Space>& x, const GapOptions& options,
                       std::uint64_t seed, const StopRequest& is_enough)
      : m_problem(problem),
        m_x(x),
        m_options(options),
        m_seed(seed),
        m_minimizer(problem, region, x, options.iterations, is_enough) {}

  /// With multiple replications, adds the batch that the problem has drawn.
  void add_batch() {
    if (m_options.procedure == ReplicationsProcedure::multiple) add(m_minimizer());
  }

  /// Returns the estimate from all batches.
  SuboptimalityEstimate estimate() {
    const std::int64_t batches = m_options.batches;
    const double two_sided = 2 * m_options.confidence - 1;
    if (m_options.procedure == ReplicationsProcedure::multiple) {
      const Moments apart = m_gaps.total();
      return of(apart.mean, half_width(apart, two_sided));
    }
    const std::int64_t parts = m_options.procedure == ReplicationsProcedure::two ? 2 : 1;
    double squares = 0;
    for (std::int64_t part = 0; part < parts; ++part) squares += solve(part * batches / parts, batches / parts);
    const std::int64_t freedom = batches - parts;
    const double deviation = std::sqrt(squares / static_cast<double>(freedom) / static_cast<double>(batches));
    return of(m_gaps.total().mean, student_t(two_sided, freedom + 1) * deviation);
  }

 private:
  void draw(std::int64_t first, std::int64_t batches) {
    const std::int64_t n = m_options.batch_size;
    m_problem.draw({m_seed, static_cast<std::uint64_t>(first * n), batches * n});
  }
  void add(const SampleGap& found) {
    m_gaps.add(found.value);
    m_solver_gaps.add(found.solver_gap);
  }
  SuboptimalityEstimate of(double mean, double half_width) const {
    return {mean, mean + half_width, m_solver_gaps.total().mean};
  }
  // Solves the joint problem of these batches; returns the sum over batches of squared deviations of f̂(x) − f̂(y).
  double solve(std::int64_t first, std::int64_t batches) {
    draw(first, batches);
    add(m_minimizer());
    MomentsTree differences;
    for (std::int64_t batch = first; batch < first + batches; ++batch) {
      draw(batch, 1);
      differences.add(m_problem.objective(m_x) - m_problem.objective(m_minimizer.solution()));
    }
    return differences.total().squared_deviation;
  }

  Problem& m_problem;
  ConstVector<Space> m_x;
  const GapOptions& m_options;
  std::uint64_t m_seed;
  SampleMinimizer<Problem, Region> m_minimizer;
  MomentsTree m_gaps, m_solver_gaps;
};

}  // namespace impl

/// Estimates how far x, which must be independent of `seed`, is from the optimum of a convex f. Uses B independent
/// batches of n replications each. The bounds are one-sided, use Student's t, and each has the stated confidence.
///
/// The duality gap g(x) = max over s of ∇f(x)ᵀ(x − s) is at least f(x) − f*. Its bounds:
/// - Upper: G_b = max over s of ĝ_bᵀ(x − s) has E[G_b] ≥ g(x), because a mean of maxima is at least the maximum of the
///   means. The bound is mean(G) + t sd(G) / √B. Its bias is of the order of the gradient's error times the region's
///   diameter, 1 / √n.
/// - Lower: for the vertex s that the first batch finds, E[ĝ_bᵀ(x − s)] ≤ g(x) over the other batches. The bound is
///   their mean less t sd / √(B − 1), or 0 if that is negative or there are only two batches.
///
/// The suboptimality f(x) − f* is estimated from the same batches by solving their problems:
/// - Multiple replications: H_b = f̂_b(x) − min f̂_b has E[H_b] ≥ f(x) − f*, so mean(H) + t sd(H) / √B is a bound for
///   every n (Mak, Morton, Wood: Monte Carlo bounding techniques for determining solution quality in stochastic
///   programs, Oper. Res. Lett. 24, 1999). Its bias is of the order 1 / n if f has one smooth minimum.
/// - Two replications (A2RP) and a single replication (SRP) solve the joint problem of B/2 or B batches, whose bias is
///   smaller (Bayraksan, Morton: Assessing solution quality in stochastic programs, Math. Program. 108, 2006). The
///   deviation is that of f̂_b(x) − f̂_b(y) over the batches, where y is the solution. Their confidence is asymptotic
///   in n: if y happens to be near x, the deviation is too small, which is less likely with two replications.
///
/// A sample's minimum is bounded by the problem itself if it is a SampleBoundedProblem. Otherwise at most `iterations`
/// pairwise steps are taken from x and the final duality gap is added to H_b, so too few iterations cannot make a bound
/// too small.
///
/// Draws from `problem` and leaves a different sample in it. `is_enough` is polled before each batch and iteration. If
/// it returns true before a batch, the result is empty.
/// @throws std::invalid_argument if an option is out of range.
template <StochasticProblem Problem, OptimizationRegion<typename Problem::execution_space> Region>
std::optional<GapEstimate> estimate_gap(Problem& problem, Region& region,
                                        const ConstVector<typename Problem::execution_space>& x,
                                        const GapOptions& options, std::uint64_t seed, const StopRequest& is_enough) {
  using Space = typename Problem::execution_space;
  check(options);
  const double two_sided = 2 * options.confidence - 1;
  const Space& space = problem.execution();
  const Vector<Space> g(Kokkos::view_alloc(space, "sporos::frank_wolfe::gap_gradient"), x.extent(0));
  MomentsTree largest, chosen;
  Vertex<Space> first;
  std::optional<impl::ReplicationsEstimate<Problem, Region>> replications;
  if (options.iterations > 0) replications.emplace(problem, region, x, options, seed, is_enough);
  SampleRange sample{seed, 0, options.batch_size};
  for (std::int64_t batch = 0; batch < options.batches; ++batch, sample = sample.next(options.batch_size)) {
    if (is_enough()) return std::nullopt;
    problem.draw(sample);
    problem.gradient(x, g);
    if (batch > 0) chosen.add(impl::slope_from(space, g, x, first));
    const Vertex<Space> vertex = region.minimize(space, g);
    largest.add(impl::slope_from(space, g, x, vertex));
    if (batch == 0) first.entries = impl::entries_of(space, vertex);
    if (replications) replications->add_batch();
  }
  const Moments over = largest.total(), under = chosen.total();
  const double lower = under.mean - half_width(under, two_sided);
  GapEstimate gap{over.mean,          lower > 0 ? lower : 0.0, over.mean + half_width(over, two_sided),
                  options.confidence, options.batches,         options.batch_size};
  if (replications) gap.suboptimality = replications->estimate();
  return gap;
}

/// Estimates the gap without a stop request.
template <StochasticProblem Problem, OptimizationRegion<typename Problem::execution_space> Region>
GapEstimate estimate_gap(Problem& problem, Region& region, const ConstVector<typename Problem::execution_space>& x,
                         const GapOptions& options, std::uint64_t seed) {
  return *estimate_gap(problem, region, x, options, seed, [] { return false; });
}

}  // namespace sporos
