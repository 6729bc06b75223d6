// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/for_each_index.hpp>
#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/optimizers/frank_wolfe/regions/checks.hpp>
#include <sporos/optimizers/frank_wolfe/vertex.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <vector>

namespace sporos {

/// The set {low ≤ x ≤ high}, coordinate by coordinate.
template <class ExecutionSpace>
class Box {
 public:
  /// Takes finite bounds, one of each for every coordinate. Throws std::invalid_argument if they are not valid.
  Box(const std::vector<double>& low, const std::vector<double>& high);

  /// Dimension of the space that contains the region.
  std::int64_t dimension() const { return m_low.extent_int(0); }

  /// Returns the low bound if g_i ≥ 0, else the high bound. The next call overwrites the result.
  Vertex<ExecutionSpace> minimize(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& g) const;

  /// Largest violation of a bound, relative to the larger bound's magnitude (to 1 if that is smaller).
  double violation(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& x) const;

 private:
  ConstVector<ExecutionSpace> m_low, m_high;
  Vector<ExecutionSpace> m_vertex;
};

template <class ExecutionSpace>
Box<ExecutionSpace>::Box(const std::vector<double>& low, const std::vector<double>& high) {
  impl::check_bounds(low, high);
  m_low = to_device<ExecutionSpace>(low);
  m_high = to_device<ExecutionSpace>(high);
  m_vertex = Vector<ExecutionSpace>(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::box::vertex"), low.size());
}

namespace impl {

template <class ExecutionSpace>
void choose_bounds(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& g,
                   const ConstVector<ExecutionSpace>& low, const ConstVector<ExecutionSpace>& high,
                   const Vector<ExecutionSpace>& vertex) {
  for_each_index(
      "sporos::box::minimize", space, g.extent_int(0), nanoseconds_of_element,
      KOKKOS_LAMBDA(std::int64_t i) { vertex(i) = g(i) >= 0 ? low(i) : high(i); });
}

template <class ExecutionSpace>
double worst_bound(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& x,
                   const ConstVector<ExecutionSpace>& low, const ConstVector<ExecutionSpace>& high) {
  double worst = 0;
  const auto raise = KOKKOS_LAMBDA(std::int64_t i, double& most) {
    const double below = low(i) - x(i), above = x(i) - high(i);
    const double by = below > above ? below : above;
    const double negative = -low(i), magnitude = negative > high(i) ? negative : high(i);
    const double share = by / (magnitude > 1 ? magnitude : 1.0);
    if (share > most) most = share;
  };
  over_indices(space, x.extent_int(0), [&](const auto& policy) {
    Kokkos::parallel_reduce("sporos::box::violation", policy, raise, Kokkos::Max<double>(worst));
  });
  return worst > 0 ? worst : 0.0;
}

}  // namespace impl

template <class ExecutionSpace>
Vertex<ExecutionSpace> Box<ExecutionSpace>::minimize(const ExecutionSpace& space,
                                                     const ConstVector<ExecutionSpace>& g) const {
  impl::choose_bounds(space, g, m_low, m_high, m_vertex);
  return {{}, m_vertex};
}

template <class ExecutionSpace>
double Box<ExecutionSpace>::violation(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& x) const {
  return impl::worst_bound(space, x, m_low, m_high);
}

}  // namespace sporos
