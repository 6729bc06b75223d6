// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/for_each_index.hpp>
#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/core/math/bits.hpp>
#include <sporos/optimizers/frank_wolfe/regions/box.hpp>
#include <sporos/optimizers/frank_wolfe/regions/checks.hpp>
#include <sporos/optimizers/frank_wolfe/smallest_of.hpp>
#include <sporos/optimizers/frank_wolfe/vertex.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

namespace sporos {

/// The set {low ≤ x ≤ high, Σx = total}, a simplex cut by a box. At a vertex all coordinates but one are at a bound.
template <class ExecutionSpace>
class BoundedSimplex {
 public:
  /// Takes finite bounds, one of each for every coordinate.
  /// @throws std::invalid_argument if a bound is not finite, the bounds do not match, or, beyond rounding, the low
  /// bounds sum to more than the total or the high bounds to less.
  BoundedSimplex(const std::vector<double>& low, const std::vector<double>& high, double total);

  /// Dimension of the space that contains the region.
  std::int64_t dimension() const { return m_low.extent_int(0); }

  /// Puts every coordinate at its low bound, then raises coordinates to their high bounds in increasing order of g_i
  /// until the total is met; among ties the lowest index comes first. Takes about 64 reductions, without sorting. The
  /// next call overwrites the result.
  Vertex<ExecutionSpace> minimize(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& g) const;

  /// The larger of two violations: that of the bounds, as in Box, and that of the sum, relative to the magnitude of the
  /// total (to 1 if that is smaller).
  double violation(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& x) const;

 private:
  ConstVector<ExecutionSpace> m_low, m_high;
  double m_total;
  double m_left;  // part of the total above the low bounds
  Vector<ExecutionSpace> m_vertex;
};

namespace impl {

/// Rounding error allowed between sums of bounds and their total, relative to their magnitudes.
inline constexpr double sum_tolerance = 1e-12;

inline void check_sum_of_bounds(std::string_view name, const std::vector<double>& bounds, double total, double sign,
                                std::string_view expected) {
  double sum = 0, size = std::abs(total);
  for (const double bound : bounds) {
    sum += bound;
    size += std::abs(bound);
  }
  if (sign * (sum - total) <= sum_tolerance * size) return;
  refuse_parameter(std::string("sum of the ").append(name), number_text(sum),
                   std::string(expected).append(" the total, ").append(number_text(total)));
}

/// Room above the low bounds of all coordinates whose g_i is at most that of `key` (see ordered_bits).
template <class ExecutionSpace>
double room_up_to(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& g,
                  const ConstVector<ExecutionSpace>& low, const ConstVector<ExecutionSpace>& high, std::uint64_t key) {
  double room = 0;
  const auto add = KOKKOS_LAMBDA(std::int64_t i, double& sum) {
    if (math::impl::ordered_bits(g(i)) <= key) sum += high(i) - low(i);
  };
  over_indices(space, g.extent_int(0), [&](const auto& policy) {
    Kokkos::parallel_reduce("sporos::bounded_simplex::room", policy, add, room);
  });
  return room;
}

/// Distributes `left` over the coordinates whose g_i has this key, in index order. Coordinates with a lower key are set
/// to their high bounds, those with a higher key to their low bounds. A rest within `rounding` of 0, or of a
/// coordinate's room, counts as equal to it.
template <class ExecutionSpace>
void fill_in_order(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& g,
                   const ConstVector<ExecutionSpace>& low, const ConstVector<ExecutionSpace>& high, std::uint64_t key,
                   double left, double rounding, const Vector<ExecutionSpace>& vertex) {
  const auto give = KOKKOS_LAMBDA(std::int64_t i, double& given, bool is_final) {
    const std::uint64_t own = math::impl::ordered_bits(g(i));
    const double room = high(i) - low(i), rest = left - given;
    if (is_final) {
      vertex(i) = own > key || (own == key && !(rest > rounding)) ? low(i)
                  : own < key || rest >= room - rounding          ? high(i)
                                                                  : low(i) + rest;
    }
    if (own == key) given += room;
  };
  over_indices(space, g.extent_int(0),
               [&](const auto& policy) { Kokkos::parallel_scan("sporos::bounded_simplex::fill", policy, give); });
}

}  // namespace impl

template <class ExecutionSpace>
BoundedSimplex<ExecutionSpace>::BoundedSimplex(const std::vector<double>& low, const std::vector<double>& high,
                                               double total)
    : m_total(total), m_left(total - std::accumulate(low.begin(), low.end(), 0.0)) {
  impl::check_bounds(low, high);
  impl::check_parameter(std::isfinite(total), "total", total, "a finite number");
  impl::check_sum_of_bounds("lower bounds", low, total, 1, "at most");
  impl::check_sum_of_bounds("upper bounds", high, total, -1, "at least");
  m_low = to_device<ExecutionSpace>(low);
  m_high = to_device<ExecutionSpace>(high);
  m_vertex = Vector<ExecutionSpace>(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::bounded_simplex::vertex"),
                                    low.size());
}

template <class ExecutionSpace>
Vertex<ExecutionSpace> BoundedSimplex<ExecutionSpace>::minimize(const ExecutionSpace& space,
                                                                const ConstVector<ExecutionSpace>& g) const {
  const auto room_up_to = [&](std::uint64_t key) { return impl::room_up_to(space, g, m_low, m_high, key); };
  const double rounding = impl::sum_tolerance * std::max(1.0, std::abs(m_total));
  // Find the smallest key up to which there is enough room; coordinates below it are at their high bounds.
  std::uint64_t below = 0, key = std::numeric_limits<std::uint64_t>::max();
  while (key - below > 1) {
    const std::uint64_t middle = below + (key - below) / 2;
    (room_up_to(middle) >= m_left - rounding ? key : below) = middle;
  }
  impl::fill_in_order(space, g, m_low, m_high, key, m_left - room_up_to(below), rounding, m_vertex);
  return {{}, m_vertex};
}

template <class ExecutionSpace>
double BoundedSimplex<ExecutionSpace>::violation(const ExecutionSpace& space,
                                                 const ConstVector<ExecutionSpace>& x) const {
  const double sum = impl::sum_of(space, dimension(), impl::PerCost<ExecutionSpace>{x, {}});
  return std::max(impl::worst_bound(space, x, m_low, m_high),
                  std::abs(sum - m_total) / std::max(1.0, std::abs(m_total)));
}

}  // namespace sporos
