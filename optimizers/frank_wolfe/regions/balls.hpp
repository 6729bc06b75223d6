// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/core/linear_algebra/vector_operations.hpp>
#include <sporos/optimizers/frank_wolfe/regions/checks.hpp>
#include <sporos/optimizers/frank_wolfe/smallest_of.hpp>
#include <sporos/optimizers/frank_wolfe/vertex.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace sporos {

/// The ball {‖x‖₁ ≤ r}, with vertices ± r e_i.
template <class ExecutionSpace>
class L1Ball {
 public:
  /// Takes the radius r ≥ 0. Throws std::invalid_argument if an argument is out of range.
  L1Ball(std::int64_t dimension, double radius) : m_dimension(dimension), m_radius(radius) {
    impl::check_dimension(dimension);
    check_non_negative("radius", radius);
  }

  /// Dimension of the space that contains the region.
  std::int64_t dimension() const { return m_dimension; }

  /// Returns −r e_i if g_i ≥ 0, else r e_i, for the largest |g_i|; among ties the lowest index.
  Vertex<ExecutionSpace> minimize(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& g) const;

  /// Returns ‖x‖₁ / r − 1, or 0 inside the ball.
  double violation(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& x) const {
    return impl::beyond(sum_of_magnitudes(space, x), m_radius);
  }

 private:
  std::int64_t m_dimension;
  double m_radius;
};

/// The ball {‖x‖₂ ≤ r}, all of whose surface points are vertices.
template <class ExecutionSpace>
class L2Ball {
 public:
  /// Takes the radius r ≥ 0. Throws std::invalid_argument if an argument is out of range.
  L2Ball(std::int64_t dimension, double radius) : m_radius(radius) {
    impl::check_dimension(dimension);
    check_non_negative("radius", radius);
    m_vertex = Vector<ExecutionSpace>(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::l2_ball::vertex"),
                                      static_cast<std::size_t>(dimension));
  }

  /// Dimension of the space that contains the region.
  std::int64_t dimension() const { return m_vertex.extent_int(0); }

  /// Returns −r g / ‖g‖₂, or −r e₀ if g = 0. The next call overwrites the result.
  Vertex<ExecutionSpace> minimize(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& g) const;

  /// Returns ‖x‖₂ / r − 1, or 0 inside the ball.
  double violation(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& x) const {
    return impl::beyond(norm(space, x), m_radius);
  }

 private:
  double m_radius;
  Vector<ExecutionSpace> m_vertex;
};

/// The convex hull of vectors with K coordinates of ±τ and all others 0: {‖x‖₁ ≤ Kτ, ‖x‖_∞ ≤ τ}.
template <class ExecutionSpace>
class KSparse {
 public:
  /// Takes K from 1 to the dimension and τ ≥ 0. Throws std::invalid_argument if an argument is out of range.
  KSparse(std::int64_t dimension, std::int64_t k, double magnitude) : m_dimension(dimension), m_k(k), m_tau(magnitude) {
    impl::check_dimension(dimension);
    if (k < 1 || k > dimension) {
      impl::refuse_parameter("number of nonzero coordinates", std::to_string(k),
                             std::string("a number from 1 to the dimension, ").append(std::to_string(dimension)));
    }
    check_non_negative("magnitude", magnitude);
  }

  /// Dimension of the space that contains the region.
  std::int64_t dimension() const { return m_dimension; }

  /// Returns −τ if g_i ≥ 0, else τ, in the coordinates of the K largest |g_i|; among ties those of lowest index.
  /// Selects them on the host.
  Vertex<ExecutionSpace> minimize(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& g) const;

  /// Returns the larger of ‖x‖₁ / (Kτ) − 1 and ‖x‖_∞ / τ − 1, or 0 inside the region.
  double violation(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& x) const {
    return std::max(impl::beyond(sum_of_magnitudes(space, x), static_cast<double>(m_k) * m_tau),
                    impl::beyond(largest_magnitude(space, x), m_tau));
  }

 private:
  std::int64_t m_dimension, m_k;
  double m_tau;
};

template <class ExecutionSpace>
Vertex<ExecutionSpace> L1Ball<ExecutionSpace>::minimize(const ExecutionSpace& space,
                                                        const ConstVector<ExecutionSpace>& g) const {
  const Located found = impl::smallest_of(space, m_dimension, impl::MinusMagnitude<ExecutionSpace>{g});
  if (found.index >= m_dimension || m_radius == 0) return {};
  return {{{found.index, value_at<ExecutionSpace>(space, g, found.index) >= 0 ? -m_radius : m_radius}}, {}};
}

template <class ExecutionSpace>
Vertex<ExecutionSpace> L2Ball<ExecutionSpace>::minimize(const ExecutionSpace& space,
                                                        const ConstVector<ExecutionSpace>& g) const {
  const double length = norm(space, g);
  if (length == 0) return {m_radius == 0 ? std::vector<VertexEntry>() : std::vector<VertexEntry>{{0, -m_radius}}, {}};
  set_scaled(space, m_vertex, -m_radius / length, g);
  return {{}, m_vertex};
}

template <class ExecutionSpace>
Vertex<ExecutionSpace> KSparse<ExecutionSpace>::minimize(const ExecutionSpace& space,
                                                         const ConstVector<ExecutionSpace>& g) const {
  if (m_tau == 0) return {};
  const std::vector<double> values = to_host<ExecutionSpace>(space, g);
  std::vector<std::int64_t> order(values.size());
  std::iota(order.begin(), order.end(), std::int64_t{0});
  const auto value = [&](std::int64_t i) { return values[static_cast<std::size_t>(i)]; };
  const auto magnitude = [&](std::int64_t i) { return std::isnan(value(i)) ? -1.0 : std::abs(value(i)); };
  std::nth_element(order.begin(), order.begin() + m_k - 1, order.end(), [&](std::int64_t a, std::int64_t b) {
    const double of_a = magnitude(a), of_b = magnitude(b);
    return of_a > of_b || (of_a == of_b && a < b);
  });
  order.resize(static_cast<std::size_t>(m_k));
  std::sort(order.begin(), order.end());
  Vertex<ExecutionSpace> vertex;
  for (const std::int64_t i : order) vertex.entries.push_back({i, value(i) >= 0 ? -m_tau : m_tau});
  return vertex;
}

}  // namespace sporos
