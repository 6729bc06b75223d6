// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/for_each_index.hpp>
#include <sporos/core/execution/for_each_team.hpp>
#include <sporos/core/execution/lane.hpp>
#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/core/linear_algebra/vector_operations.hpp>
#include <sporos/optimizers/checks.hpp>
#include <sporos/optimizers/quasi_newton/correction_pairs_kernels.hpp>
#include <sporos/optimizers/quasi_newton/options.hpp>
#include <sporos/optimizers/quasi_newton/pair_verdict.hpp>
#include <sporos/optimizers/quasi_newton/result.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sporos {

/// The last M correction pairs (s, y) of a quasi-Newton method, on the device, and the matrix H that they define, which
/// approximates the inverse Hessian. H starts as (sᵀy / yᵀy) I of the newest pair. Every pair, starting with the
/// oldest, updates H ← (I − ρ s yᵀ) H (I − ρ y sᵀ) + ρ s sᵀ with ρ = 1 / yᵀs (He et al. (2024), A preliminary study on
/// accelerating simulation optimization with GPU implementation, algorithm 4; Byrd, Hansen, Nocedal, Singer 2016,
/// (2.6)). Without pairs H = I.
///
/// H g is computed by the two-loop recursion (Nocedal 1980), applied to coefficients: the products of the pairs with
/// each other are stored. So it takes the products of g with all pairs, products of m × m matrices with vectors, and
/// one combination. These are three kernels that read each pair twice, as does the recursion on vectors with its 4m
/// kernels and 2m waits. (It is the compact representation of Byrd, Nocedal, Schnabel 1994, theorem 2.2.)
template <class ExecutionSpace>
class CorrectionPairs {
 public:
  /// Starts without pairs, for vectors with `dimension` entries, at least 1.
  /// @throws std::invalid_argument if an option is out of range.
  CorrectionPairs(std::int64_t dimension, const CorrectionPairOptions& options);

  /// Stores a copy of the pair, or skips it. Returns whether it was stored. This call blocks.
  bool add(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& s, const ConstVector<ExecutionSpace>& y);

  /// Sets out = H g; out and g must be different vectors. Does not block.
  void multiply(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& g,
                const Vector<ExecutionSpace>& out) const;

  /// H in the form for the threads of one team on a host. Valid until pairs change.
  impl::TeamMultiplier in_threads() const { return {m_pairs, m_products, m_chunk, m_chunks, m_parts}; }

  /// Drops all pairs.
  void clear() { m_pairs.oldest = m_pairs.count = 0; }

  /// Number m of stored pairs.
  std::int64_t size() const { return m_pairs.count; }

  /// Counts of stored, damped and skipped pairs since construction, except those of `restore`.
  const CorrectionPairCounts& counts() const { return m_counts; }

  /// Returns the stored pairs, damped if they were, from the oldest to the newest. This call blocks.
  std::vector<CorrectionPair> to_host() const;

  /// Replaces all pairs by those of an earlier `to_host`; H is the same to the last bit.
  /// @throws std::invalid_argument if there are more pairs than the memory holds, or a dimension is wrong.
  void restore(const ExecutionSpace& space, const std::vector<CorrectionPair>& pairs);

 private:
  static constexpr std::int64_t shortest_chunk = 2048, max_chunks = 256;

  void store(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& s, const ConstVector<ExecutionSpace>& y,
             const impl::PairVerdict& verdict);
  void solve(const ExecutionSpace& space, const double* vector, bool extends) const;

  CorrectionPairOptions m_options;
  std::int64_t m_dimension, m_chunk, m_chunks;
  Vector<ExecutionSpace> m_vectors, m_small;  // memory of the members that follow
  impl::StoredPairs m_pairs;
  impl::PairProducts m_products;
  impl::PairCoefficients m_coefficients;
  double* m_parts;
  CorrectionPairCounts m_counts;
};

namespace impl {

/// Throws std::invalid_argument if there are more pairs than the memory holds, or a dimension is wrong.
inline void check(const std::vector<CorrectionPair>& pairs, std::int64_t memory, std::int64_t dimension) {
  const auto count = static_cast<std::int64_t>(pairs.size());
  check_parameter(count <= memory, "number of correction pairs", count,
                  "at most the memory, " + std::to_string(memory));
  for (const CorrectionPair& pair : pairs) {
    check_dimension("correction pair", static_cast<std::int64_t>(pair.s.size()), dimension);
    check_dimension("correction pair", static_cast<std::int64_t>(pair.y.size()), dimension);
  }
}

/// Copies the pairs to the host, from the oldest to the newest. This call blocks.
template <class ExecutionSpace>
std::vector<CorrectionPair> pairs_to_host(const StoredPairs& pairs) {
  const auto copied = [&](const double* vector) {
    using View = Kokkos::View<const double*, typename ExecutionSpace::memory_space, Kokkos::MemoryUnmanaged>;
    return to_host<ExecutionSpace>(View(vector, static_cast<std::size_t>(pairs.dimension)));
  };
  std::vector<CorrectionPair> found;
  for (std::int64_t age = 0; age < pairs.count; ++age) {
    found.push_back({copied(pairs.s(pairs.slot(age))), copied(pairs.y(pairs.slot(age)))});
  }
  return found;
}

template <class ExecutionSpace>
PairNumbers numbers_of(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& s,
                       const ConstVector<ExecutionSpace>& y) {
  return {dot(space, s, s), dot(space, s, y), dot(space, y, y)};
}

// Time on a host per number of the pairs, most of which are in the second-level cache.
inline constexpr double nanoseconds_of_pair_element = 0.15;

// Policy of one team: of several warps on a device, of one thread on a host, where barriers outweigh such sums.
template <class ExecutionSpace>
Kokkos::TeamPolicy<SmallWorkSpace<ExecutionSpace>> one_team(const ExecutionSpace& space) {
  constexpr int warps = 16;
  if constexpr (runs_on_host<ExecutionSpace>) {
    return {small_work_space(space), 1, 1};
  } else {
    return {space, 1, warps, warp_lanes};
  }
}

// Copies a pair into the slot of the newest one.
template <class ExecutionSpace>
void set_newest(const ExecutionSpace& space, const StoredPairs& pairs, const ConstVector<ExecutionSpace>& s,
                const ConstVector<ExecutionSpace>& y, const PairVerdict& verdict) {
  double *const new_s = pairs.s(pairs.newest()), *const new_y = pairs.y(pairs.newest());
  for_each_index(
      "sporos::quasi_newton::set_pair", space, pairs.dimension, 2 * nanoseconds_of_element,
      KOKKOS_LAMBDA(std::int64_t i) {
        new_s[i] = s(i);
        new_y[i] = verdict.y(s(i), y(i));
      });
}

}  // namespace impl

template <class ExecutionSpace>
CorrectionPairs<ExecutionSpace>::CorrectionPairs(std::int64_t dimension, const CorrectionPairOptions& options)
    : m_options(options),
      m_dimension(dimension),
      m_chunk(std::max(shortest_chunk, (dimension + max_chunks - 1) / max_chunks)),
      m_chunks((dimension + m_chunk - 1) / m_chunk) {
  check(options);
  const std::int64_t memory = options.memory;
  const std::int64_t products = impl::PairProducts::size(memory), coefficients = 4 * memory;
  const auto numbers = [](const std::string& label, std::int64_t count) {
    return Vector<ExecutionSpace>(label, static_cast<std::size_t>(count));
  };
  // On a host, vectors begin at cache lines, and threads may read some numbers after the last vector.
  constexpr std::int64_t width = impl::PairCombiner<ExecutionSpace>::width, line = width > 1 ? Pack::lanes : 1;
  const std::int64_t stride = (dimension + line - 1) / line * line;
  m_vectors = numbers("sporos::quasi_newton::pairs", 2 * memory * stride + width);
  m_small = numbers("sporos::quasi_newton::products",
                    products + coefficients + m_chunks * 2 * memory + impl::SlotWidth<ExecutionSpace>::value);
  m_pairs = {m_vectors.data(), m_vectors.data() + memory * stride, dimension, stride, memory};
  m_products = {m_small.data(), memory};
  double* const with_s = m_small.data() + products;
  m_coefficients = {with_s, with_s + memory, with_s + 2 * memory, with_s + 3 * memory};
  m_parts = with_s + coefficients;
}

template <class ExecutionSpace>
bool CorrectionPairs<ExecutionSpace>::add(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& s,
                                          const ConstVector<ExecutionSpace>& y) {
  const impl::PairNumbers numbers = impl::numbers_of(space, s, y);
  const impl::PairVerdict verdict = impl::judged(numbers, m_options);
  verdict.count_in(m_counts);
  if (verdict.is_stored) store(space, s, y, verdict);
  return verdict.is_stored;
}

template <class ExecutionSpace>
void CorrectionPairs<ExecutionSpace>::store(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& s,
                                            const ConstVector<ExecutionSpace>& y, const impl::PairVerdict& verdict) {
  m_pairs.add();
  impl::set_newest(space, m_pairs, s, y, verdict);
  solve(space, m_pairs.y(m_pairs.newest()), true);
}

template <class ExecutionSpace>
void CorrectionPairs<ExecutionSpace>::solve(const ExecutionSpace& space, const double* vector, bool extends) const {
  using Dots = impl::PairDots<ExecutionSpace>;
  const Dots dots{m_pairs, vector, m_chunk, m_parts};
  const auto numbers = static_cast<double>(2 * Dots::together * std::min(m_chunk, m_dimension));
  for_each_team("sporos::quasi_newton::dots", space, {dots.teams(), Dots::threads},
                impl::nanoseconds_of_pair_element * numbers, dots);
  Kokkos::parallel_for(
      "sporos::quasi_newton::solve", impl::one_team(space),
      impl::PairSolver<ExecutionSpace>{m_pairs, m_products, m_parts, m_chunks, m_coefficients, extends});
}

template <class ExecutionSpace>
void CorrectionPairs<ExecutionSpace>::multiply(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& g,
                                               const Vector<ExecutionSpace>& out) const {
  if (m_pairs.count == 0) return copy_elements(space, out, g);
  solve(space, g.data(), false);
  using Combiner = impl::PairCombiner<ExecutionSpace>;
  const std::int64_t tasks = (m_dimension + Combiner::width - 1) / Combiner::width;
  const double of_all = 2 * impl::nanoseconds_of_pair_element * static_cast<double>(m_dimension * m_pairs.count);
  for_each_index("sporos::quasi_newton::combination", space, tasks, of_all / static_cast<double>(tasks),
                 Combiner{m_pairs, m_products, m_coefficients, g.data(), out.data()});
}

template <class ExecutionSpace>
std::vector<CorrectionPair> CorrectionPairs<ExecutionSpace>::to_host() const {
  return impl::pairs_to_host<ExecutionSpace>(m_pairs);
}

template <class ExecutionSpace>
void CorrectionPairs<ExecutionSpace>::restore(const ExecutionSpace& space, const std::vector<CorrectionPair>& pairs) {
  impl::check(pairs, m_options.memory, m_dimension);
  clear();
  for (const CorrectionPair& pair : pairs) {
    const auto s = to_device<ExecutionSpace>(space, pair.s), y = to_device<ExecutionSpace>(space, pair.y);
    store(space, s, y, {});
    space.fence();
  }
}

}  // namespace sporos
