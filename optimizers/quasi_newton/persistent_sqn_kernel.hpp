// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/linear_algebra/persistent_teams.hpp>
#include <sporos/core/math/bits.hpp>
#include <sporos/core/random/sample_range.hpp>
#include <sporos/optimizers/quasi_newton/correction_pairs_kernels.hpp>
#include <sporos/optimizers/quasi_newton/options.hpp>
#include <sporos/optimizers/quasi_newton/pair_verdict.hpp>
#include <sporos/optimizers/quasi_newton/result.hpp>
#include <sporos/optimizers/quasi_newton/sqn_samples.hpp>
#include <sporos/optimizers/quasi_newton/sqn_standing.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

namespace sporos::impl {

/// State of a run that host and kernel exchange.
struct PersistentSqnState {
  SqnStanding now, good;        // current state; state to restore after a point that is not finite
  CorrectionPairCounts counts;  // pairs since the start
  std::int64_t oldest = 0;      // slot of the oldest pair
  std::int64_t count = 0;       // number of pairs whose mutual products are known
  std::int64_t unknown = 0;     // number of newer pairs whose products are not known
  std::uint32_t round = 0;      // round of the exchange
  bool has_average = false;     // whether there is a mean of iterates
  bool is_finite = true;        // whether the last checked point is finite
};

/// State in device memory, with the word of an ExchangeBuffer, which any team may set.
struct PersistentSqnMemory {
  PersistentSqnState state;
  std::uint64_t timed_out = 0;
};

/// Vectors of a run (see QuasiNewtonState, IterateMeans and SqnSteps).
struct SqnVectors {
  static constexpr std::int64_t count = 10;
  double *x, *sum, *average, *s, *y, *gradient, *direction, *product, *good_x, *good_sum;
};

/// Persistent kernel that runs iterations up to the last, as SqnSteps does, with pairs from Hessian products.
template <class Problem>
struct PersistentSqnKernel {
  Problem problem;
  SqnOptions options;
  TeamPartition partition;
  ExchangeBuffer buffer;
  SqnVectors vectors;
  double *pairs, *products;  // 2 M vectors; PairProducts for each team
  PersistentSqnState* state;
  std::int64_t last = 0;
  int scratch_bytes = 0;

  /// Count of numbers that teams exchange at once.
  static std::int64_t exchanged(const SqnOptions& options) {
    const std::int64_t by_problem = Problem::exchanged(std::max(options.batch_size, options.hessian_batch_size));
    return std::max({by_problem, 2 * options.pairs.memory, std::int64_t{3}});
  }
  /// Scratch memory per team, in bytes.
  static std::int64_t scratch(const SqnOptions& options, const TeamPartition& partition, const ExchangeBuffer& buffer) {
    const std::int64_t by_problem =
        Problem::scratch(std::max(options.batch_size, options.hessian_batch_size), partition.share);
    return static_cast<std::int64_t>(sizeof(double)) * (buffer.scratch() + 2 * options.pairs.memory + by_problem);
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member) const;
};

/// Work of one team.
template <class Problem, class Member>
class PersistentSqnTeam {
 public:
  KOKKOS_FUNCTION PersistentSqnTeam(const PersistentSqnKernel<Problem>& kernel, const Member& member, double* scratch)
      : m_kernel(kernel),
        m_options(kernel.options),
        m_in(kernel.vectors),
        m_state(*kernel.state),
        m_team(member, kernel.partition, kernel.buffer, scratch, m_state.round) {
    const std::int64_t memory = m_options.pairs.memory, dimension = kernel.partition.dimension;
    m_pairs = {kernel.pairs, kernel.pairs + memory * dimension, dimension, dimension, memory, m_state.oldest,
               m_state.count};
    m_products = {kernel.products + member.league_rank() * PairProducts::size(memory), memory};
    m_alpha = scratch + kernel.buffer.scratch();
    m_scratch = m_alpha + 2 * memory;
  }

  KOKKOS_FUNCTION void run() {
    for (; m_state.unknown > 0; --m_state.unknown) {
      m_pairs.add();
      learn_newest();
    }
    std::int64_t next_pair = (m_state.now.iteration / m_options.pair_interval + 1) * m_options.pair_interval;
    while (m_state.is_finite && m_state.now.iteration < m_kernel.last && !m_team.has_timed_out()) {
      iterate();
      if (m_state.now.iteration < next_pair) continue;
      end_interval();
      next_pair += m_options.pair_interval;
    }
    m_state.oldest = m_pairs.oldest;
    m_state.count = m_pairs.count;
    m_state.round = m_team.round();
    if (!m_team.is_first() || m_team.has_timed_out()) return;
    Kokkos::single(Kokkos::PerTeam(m_team.member()), [&]() { *m_kernel.state = m_state; });
  }

 private:
  // Calls `one` for each coordinate that the team owns.
  template <class Do>
  KOKKOS_FUNCTION void for_own(const Do& one) const {
    const std::int64_t begin = m_team.begin();
    m_team.for_each(m_team.count(), [&](std::int64_t k) { one(begin + k); });
  }

  // Computes the products of all pairs with a vector; they become numbers of the team.
  KOKKOS_FUNCTION PairCoefficients multiply_pairs(const double* vector) {
    const std::int64_t m = m_pairs.count;
    m_team.sum_own(2 * m, [&](std::int64_t c, std::int64_t j) {
      return (c < m ? m_pairs.s(c) : m_pairs.y(c - m))[j] * vector[j];
    });
    m_team.all_reduce(2 * m);
    return {m_team.numbers(), m_team.numbers() + m, m_alpha, m_alpha + m_pairs.memory};
  }

  KOKKOS_FUNCTION void learn_newest() {
    const PairCoefficients found = multiply_pairs(m_pairs.y(m_pairs.newest()));
    extend<SlotOfThread>(m_team.member(), m_pairs, m_products, found);
  }

  KOKKOS_FUNCTION void iterate() {
    const std::int64_t k = m_state.now.iteration + 1;
    const bool is_first_phase = k <= 2 * m_options.pair_interval;
    m_kernel.problem.gradient(m_team, gradient_sample(m_options, k), m_in.x, m_in.gradient, m_scratch);
    const double* d = m_in.gradient;
    if (!is_first_phase && m_pairs.count > 0) {
      set_direction();
      d = m_in.direction;
    }
    const double step = step_along(k, d, is_first_phase);
    for_own([&](std::int64_t j) {
      m_in.sum[j] += m_in.x[j];
      m_in.x[j] -= step * d[j];
    });
    m_state.now.step = step;
    m_state.now.iteration = k;
    ++m_state.now.counts.gradients;
  }

  KOKKOS_FUNCTION void set_direction() {
    const PairCoefficients found = multiply_pairs(m_in.gradient);
    recur<SlotOfThread>(m_team.member(), m_pairs, m_products, found);
    const double kappa = m_products.scale(m_pairs.newest());
    m_team.sum_terms(
        m_pairs.count,
        [&](std::int64_t age, std::int64_t j) {
          const std::int64_t slot = m_pairs.slot(age);
          return found.delta[slot] * m_pairs.s(slot)[j] - kappa * found.alpha[slot] * m_pairs.y(slot)[j];
        },
        [&](std::int64_t j, double sum) { m_in.direction[j] = kappa * m_in.gradient[j] + sum; });
  }

  KOKKOS_FUNCTION double step_along(std::int64_t k, const double* d, bool is_first_phase) {
    const double by_rule = step_length(m_options, k);
    double step = by_rule;
    if (m_options.limit_steps && (is_first_phase || m_state.now.is_watched)) {
      m_kernel.problem.hessian_product(m_team, gradient_sample(m_options, k), m_in.x, d, m_in.product, m_scratch);
      ++m_state.now.counts.hessian_products;
      const auto found = m_team.template total<2>(
          [&](std::int64_t c, std::int64_t j) { return d[j] * (c == 0 ? m_in.gradient : m_in.product)[j]; });
      step = limited_step(by_rule, found[0], found[1]);
      m_state.now.is_watched = step < by_rule;
    }
    if (math::impl::is_finite(m_options.longest_move)) {
      const auto found = m_team.template total<1>([&](std::int64_t, std::int64_t j) { return d[j] * d[j]; });
      step = bounded_step(step, std::sqrt(found[0]), m_options.longest_move);
    }
    m_state.now.counts.limited_steps += step < by_rule;
    return step;
  }

  KOKKOS_FUNCTION void end_interval() {
    const auto square = m_team.template total<1>([&](std::int64_t, std::int64_t j) { return m_in.x[j] * m_in.x[j]; });
    m_state.is_finite = math::impl::is_finite(square[0]);
    if (!m_state.is_finite) return;
    const auto interval = static_cast<double>(m_options.pair_interval);
    for_own([&](std::int64_t j) {
      const double mean = m_in.sum[j] / interval;
      m_in.s[j] = mean - m_in.average[j];
      m_in.average[j] = mean;
      m_in.good_sum[j] = m_in.sum[j] = 0;
      m_in.good_x[j] = m_in.x[j];
    });
    if (m_state.has_average) add_pair();
    m_state.has_average = true;
    m_state.good = m_state.now;
  }

  KOKKOS_FUNCTION void add_pair() {
    const SampleRange sample = hessian_sample(m_options, m_state.now.iteration / m_options.pair_interval - 1);
    m_kernel.problem.hessian_product(m_team, sample, m_in.average, m_in.s, m_in.y, m_scratch);
    ++m_state.now.counts.hessian_products;
    const auto found = m_team.template total<3>(
        [&](std::int64_t c, std::int64_t j) { return (c < 2 ? m_in.s : m_in.y)[j] * (c < 1 ? m_in.s : m_in.y)[j]; });
    const PairVerdict verdict = judged({found[0], found[1], found[2]}, m_options.pairs);
    verdict.count_in(m_state.counts);
    if (!verdict.is_stored) return;
    m_pairs.add();
    double *const s = m_pairs.s(m_pairs.newest()), *const y = m_pairs.y(m_pairs.newest());
    for_own([&](std::int64_t j) {
      s[j] = m_in.s[j];
      y[j] = verdict.y(m_in.s[j], m_in.y[j]);
    });
    learn_newest();
    m_state.now.is_watched = true;
  }

  using SlotOfThread = std::integral_constant<std::int64_t, 1>;

  const PersistentSqnKernel<Problem>& m_kernel;
  const SqnOptions& m_options;
  const SqnVectors& m_in;
  PersistentSqnState m_state;
  PersistentTeam<Member> m_team;
  StoredPairs m_pairs;
  PairProducts m_products;
  double *m_alpha, *m_scratch;
};

template <class Problem>
template <class Member>
KOKKOS_FUNCTION void PersistentSqnKernel<Problem>::operator()(const Member& member) const {
  auto* const scratch = static_cast<double*>(member.team_scratch(0).get_shmem(scratch_bytes));
  PersistentSqnTeam<Problem, Member>(*this, member, scratch).run();
}

}  // namespace sporos::impl
