// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/team_policy.hpp>
#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/optimizers/checks.hpp>
#include <sporos/optimizers/quasi_newton/correction_pairs_kernels.hpp>
#include <sporos/optimizers/quasi_newton/options.hpp>
#include <sporos/optimizers/quasi_newton/result.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace sporos {

/// The last M correction pairs (s, y) of a quasi-Newton method, on the device, and the matrix H that stands for the
/// inverse Hessian: from (sᵀy / yᵀy) I of the newest pair, every pair from the oldest on updates
/// H ← (I − ρ s yᵀ) H (I − ρ y sᵀ) + ρ s sᵀ with ρ = 1 / yᵀs (He et al. 2024, algorithm 4; Byrd, Hansen, Nocedal,
/// Singer 2016, (2.6)). Without pairs H = I.
///
/// H g is formed by the two-loop recursion (Nocedal 1980), run on coefficients: the products of the pairs with each
/// other are kept, so that it takes the products of g with all pairs, products of m × m matrices with vectors, and one
/// combination: three kernels that read each pair twice, as the recursion on vectors does with 4m kernels and 2m waits.
/// (It is the compact representation of Byrd, Nocedal, Schnabel 1994, theorem 2.2.)
template <class ExecutionSpace>
class CorrectionPairs {
 public:
  /// None yet, of vectors with `dimension` entries, at least 1. @throws std::invalid_argument for bad options.
  CorrectionPairs(std::int64_t dimension, const CorrectionPairOptions& options);

  /// Stores a copy of the pair, or skips it; waits. Returns whether it is stored.
  bool add(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& s, const ConstVector<ExecutionSpace>& y);

  /// out = H g, another vector than g. Does not wait.
  void multiply(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& g,
                const Vector<ExecutionSpace>& out) const;

  /// Forgets all pairs.
  void clear() { m_pairs.oldest = m_pairs.count = 0; }

  /// Number m of pairs that are kept.
  std::int64_t size() const { return m_pairs.count; }

  /// What became of all pairs since the construction, but for those of `restore`.
  const CorrectionPairCounts& counts() const { return m_counts; }

  /// The pairs that are kept, damped where they were, from the oldest to the newest; waits.
  std::vector<CorrectionPair> to_host() const;

  /// Forgets all pairs and stores those of an earlier `to_host`: H is the same to the last bit.
  /// @throws std::invalid_argument for more pairs than are kept, or another dimension.
  void restore(const ExecutionSpace& space, const std::vector<CorrectionPair>& pairs);

 private:
  static constexpr std::int64_t shortest_chunk = 2048, most_chunks = 256;

  void store(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& s, double share_of_y,
             const ConstVector<ExecutionSpace>& y, double share_of_s);
  void multiply_pairs(const ExecutionSpace& space, const double* vector) const;

  CorrectionPairOptions m_options;
  impl::StoredPairs<ExecutionSpace> m_pairs;
  impl::PairProducts<ExecutionSpace> m_products;
  std::int64_t m_dimension, m_chunk, m_chunks;
  impl::ChunkProducts<ExecutionSpace> m_parts;
  Vector<ExecutionSpace> m_with_s, m_with_y;
  impl::PairCoefficients<ExecutionSpace> m_coefficients;
  CorrectionPairCounts m_counts;
};

namespace impl {

/// sᵀs, sᵀy and yᵀy.
struct PairNumbers {
  double ss = 0, sy = 0, yy = 0;
};

template <class ExecutionSpace>
PairNumbers numbers_of(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& s,
                       const ConstVector<ExecutionSpace>& y) {
  return {dot(space, s, s), dot(space, s, y), dot(space, y, y)};
}

// s and (share_of_y y + share_of_s s), into a column each.
template <class ExecutionSpace>
void set_pair(const ExecutionSpace& space, const StoredPairs<ExecutionSpace>& pairs, std::int64_t slot,
              const ConstVector<ExecutionSpace>& s, double share_of_y, const ConstVector<ExecutionSpace>& y,
              double share_of_s) {
  Kokkos::parallel_for(
      "sporos::quasi_newton::set_pair",
      Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(space, 0, s.extent_int(0)),
      KOKKOS_LAMBDA(std::int64_t i) {
        pairs.s(i, slot) = s(i);
        pairs.y(i, slot) = share_of_s == 0 ? y(i) : share_of_y * y(i) + share_of_s * s(i);
      });
}

}  // namespace impl

template <class ExecutionSpace>
CorrectionPairs<ExecutionSpace>::CorrectionPairs(std::int64_t dimension, const CorrectionPairOptions& options)
    : m_options(options),
      m_dimension(dimension),
      m_chunk(std::max(shortest_chunk, (dimension + most_chunks - 1) / most_chunks)),
      m_chunks((dimension + m_chunk - 1) / m_chunk) {
  check(options);
  using Columns = impl::Columns<ExecutionSpace>;
  const auto d = static_cast<std::size_t>(dimension), memory = static_cast<std::size_t>(options.memory);
  m_pairs.s = Columns("sporos::quasi_newton::s", d, memory);
  m_pairs.y = Columns("sporos::quasi_newton::y", d, memory);
  m_products.sy = Vector<ExecutionSpace>("sporos::quasi_newton::sy", memory);
  m_products.yy = Columns("sporos::quasi_newton::yy", memory, memory);
  m_products.inverse = Columns("sporos::quasi_newton::inverse", memory, memory);
  m_products.transposed = Columns("sporos::quasi_newton::transposed", memory, memory);
  m_parts = decltype(m_parts)("sporos::quasi_newton::parts", static_cast<std::size_t>(m_chunks), 2 * memory);
  m_with_s = Vector<ExecutionSpace>("sporos::quasi_newton::with_s", memory);
  m_with_y = Vector<ExecutionSpace>("sporos::quasi_newton::with_y", memory);
  m_coefficients.alpha = Vector<ExecutionSpace>("sporos::quasi_newton::alpha", memory);
  m_coefficients.delta = Vector<ExecutionSpace>("sporos::quasi_newton::delta", memory);
}

template <class ExecutionSpace>
bool CorrectionPairs<ExecutionSpace>::add(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& s,
                                          const ConstVector<ExecutionSpace>& y) {
  const impl::PairNumbers numbers = impl::numbers_of(space, s, y);
  const double largest = std::sqrt(numbers.ss) * std::sqrt(numbers.yy);  // that sᵀy can be
  const bool is_damped = m_options.damp_below > 0 && numbers.sy < m_options.damp_below * largest;
  const bool is_good = std::isfinite(largest) && largest > 0 && std::isfinite(numbers.sy) &&
                       (is_damped || numbers.sy > m_options.skip_up_to * largest);
  if (!is_good) {
    ++m_counts.skipped;
    return false;
  }
  double theta = 1;
  if (is_damped) theta = (1 - m_options.damp_below) * largest / (largest - numbers.sy);
  store(space, s, theta, y, (1 - theta) * std::sqrt(numbers.yy / numbers.ss));
  ++m_counts.stored;
  m_counts.damped += is_damped;
  return true;
}

template <class ExecutionSpace>
void CorrectionPairs<ExecutionSpace>::store(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& s,
                                            double share_of_y, const ConstVector<ExecutionSpace>& y,
                                            double share_of_s) {
  if (m_pairs.count == m_options.memory) {
    m_pairs.oldest = m_pairs.slot(1 % m_options.memory);
  } else {
    ++m_pairs.count;
  }
  const std::int64_t newest = m_pairs.newest();
  impl::set_pair(space, m_pairs, newest, s, share_of_y, y, share_of_s);
  multiply_pairs(space, Kokkos::subview(m_pairs.y, Kokkos::ALL, newest).data());
  Kokkos::parallel_for("sporos::quasi_newton::products", team_policy(space, 1),
                       impl::ProductWriter<ExecutionSpace>{m_pairs, m_products, m_parts, m_chunks, m_with_s});
}

template <class ExecutionSpace>
void CorrectionPairs<ExecutionSpace>::multiply_pairs(const ExecutionSpace& space, const double* vector) const {
  const impl::PairDots<ExecutionSpace> dots{m_pairs, vector, m_dimension, m_chunk, m_parts};
  if constexpr (runs_on_host<ExecutionSpace>) {
    Kokkos::parallel_for(
        "sporos::quasi_newton::dots",
        Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(space, 0, m_chunks * m_pairs.count), dots);
  } else {
    Kokkos::parallel_for("sporos::quasi_newton::dots", team_policy(space, m_chunks * 2 * m_pairs.count), dots);
  }
}

template <class ExecutionSpace>
void CorrectionPairs<ExecutionSpace>::multiply(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& g,
                                               const Vector<ExecutionSpace>& out) const {
  if (m_pairs.count == 0) return Kokkos::deep_copy(space, out, g);
  multiply_pairs(space, g.data());
  Kokkos::parallel_for("sporos::quasi_newton::two_loops", team_policy(space, 1),
                       impl::TwoLoopRecursion<ExecutionSpace>{m_pairs, m_products, m_parts, m_chunks, m_with_s,
                                                              m_with_y, m_coefficients});
  using Combiner = impl::PairCombiner<ExecutionSpace>;
  Kokkos::parallel_for("sporos::quasi_newton::combination",
                       Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(
                           space, 0, (m_dimension + Combiner::width - 1) / Combiner::width),
                       Combiner{m_pairs, m_products, m_coefficients, g, out});
}

template <class ExecutionSpace>
std::vector<CorrectionPair> CorrectionPairs<ExecutionSpace>::to_host() const {
  std::vector<CorrectionPair> pairs;
  const auto coordinates = std::make_pair(std::int64_t{0}, m_dimension);
  for (std::int64_t age = 0; age < m_pairs.count; ++age) {
    const std::int64_t slot = m_pairs.slot(age);
    pairs.push_back({sporos::to_host<ExecutionSpace>(Kokkos::subview(m_pairs.s, coordinates, slot)),
                     sporos::to_host<ExecutionSpace>(Kokkos::subview(m_pairs.y, coordinates, slot))});
  }
  return pairs;
}

template <class ExecutionSpace>
void CorrectionPairs<ExecutionSpace>::restore(const ExecutionSpace& space, const std::vector<CorrectionPair>& pairs) {
  const auto count = static_cast<std::int64_t>(pairs.size());
  impl::check_parameter(count <= m_options.memory, "number of correction pairs", count, "at most the memory");
  clear();
  for (const CorrectionPair& pair : pairs) {
    impl::check_dimension("correction pair", static_cast<std::int64_t>(pair.s.size()), m_dimension);
    impl::check_dimension("correction pair", static_cast<std::int64_t>(pair.y.size()), m_dimension);
    const auto s = to_device<ExecutionSpace>(pair.s), y = to_device<ExecutionSpace>(pair.y);
    store(space, s, 1, y, 0);
    space.fence();
  }
}

}  // namespace sporos
