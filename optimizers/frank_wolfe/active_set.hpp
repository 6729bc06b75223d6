// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/linear_algebra/least.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/optimizers/frank_wolfe/result.hpp>
#include <sporos/optimizers/frank_wolfe/smallest_of.hpp>
#include <sporos/optimizers/frank_wolfe/vertex_operations.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace sporos {

/// The vertices of which x is a convex combination, with their weights: x = Σ λ_v v. Vertices are distinct and have
/// nonzero weights. Their nonzero coordinates are stored on the host, so dense vertices take much memory.
class ActiveSet {
 public:
  /// Takes vertices with positive weights that sum to 1, up to 1e-9; merges equal vertices.
  /// @throws std::invalid_argument if the weights violate this.
  explicit ActiveSet(const std::vector<ActiveVertex>& vertices);

  /// Vertices in the order in which they were added.
  const std::vector<ActiveVertex>& vertices() const { return m_vertices; }

  /// Index of the vertex v with the largest gᵀv, the first among ties, found in one reduction.
  template <class ExecutionSpace>
  std::size_t away(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& g) const;

  /// Moves x to x + γ (s − x). With γ = 1, only s remains.
  void move_toward(std::vector<VertexEntry> s, double gamma);

  /// Moves x to x + γ (x − a), where a is vertex number `index`. The longest step, γ = λ_a / (1 − λ_a), drops a.
  void move_away(std::size_t index, double gamma);

  /// Moves x to x + γ (s − a). The longest step, γ = λ_a, drops a.
  void move_pairwise(std::vector<VertexEntry> s, std::size_t index, double gamma);

  /// Longest γ of move_away; infinite if a is the only vertex.
  double longest_away(std::size_t index) const {
    if (m_vertices.size() == 1) return std::numeric_limits<double>::infinity();
    const double weight = m_vertices[index].weight;
    return weight / (1 - weight);
  }

 private:
  static constexpr double tolerance = 1e-9;    // tolerance of the sum of weights
  static constexpr double negligible = 1e-15;  // weights up to this value are rounding errors

  void add(std::vector<VertexEntry> s, double weight);
  void drop_weightless() {
    std::erase_if(m_vertices, [](const ActiveVertex& vertex) { return vertex.weight <= negligible; });
  }

  std::vector<ActiveVertex> m_vertices;
};

namespace impl {

// Computes −gᵀv for vertex number v, whose entries are those from first(v) to first(v + 1).
template <class ExecutionSpace>
struct MinusProduct {
  using Memory = typename ExecutionSpace::memory_space;
  ConstVector<ExecutionSpace> g;
  Kokkos::View<const VertexEntry*, Memory> entries;
  Kokkos::View<const std::int64_t*, Memory> first;

  KOKKOS_FUNCTION double operator()(std::int64_t v) const {
    double product = 0;
    for (std::int64_t e = first(v); e < first(v + 1); ++e) product -= g(entries(e).index) * entries(e).value;
    return product;
  }
};

}  // namespace impl

inline ActiveSet::ActiveSet(const std::vector<ActiveVertex>& vertices) {
  double sum = 0;
  for (const ActiveVertex& vertex : vertices) {
    impl::check_parameter(vertex.weight > 0, "weight of an active vertex", vertex.weight, "a number above 0");
    sum += vertex.weight;
    add(vertex.entries, vertex.weight);
  }
  impl::check_parameter(std::abs(sum - 1) <= tolerance, "sum of the active vertices' weights", sum, "1");
}

inline void ActiveSet::add(std::vector<VertexEntry> s, double weight) {
  const auto same = std::find_if(m_vertices.begin(), m_vertices.end(),
                                 [&](const ActiveVertex& vertex) { return vertex.entries == s; });
  if (same != m_vertices.end()) {
    same->weight += weight;
  } else {
    m_vertices.push_back({std::move(s), weight});
  }
}

inline void ActiveSet::move_toward(std::vector<VertexEntry> s, double gamma) {
  for (ActiveVertex& vertex : m_vertices) vertex.weight *= 1 - gamma;
  if (gamma > 0) add(std::move(s), gamma);
  drop_weightless();
}

inline void ActiveSet::move_away(std::size_t index, double gamma) {
  const bool drops = gamma >= longest_away(index);
  for (ActiveVertex& vertex : m_vertices) vertex.weight *= 1 + gamma;
  m_vertices[index].weight = drops ? 0 : m_vertices[index].weight - gamma;
  drop_weightless();
}

inline void ActiveSet::move_pairwise(std::vector<VertexEntry> s, std::size_t index, double gamma) {
  const bool drops = gamma >= m_vertices[index].weight;
  m_vertices[index].weight = drops ? 0 : m_vertices[index].weight - gamma;
  if (gamma > 0) add(std::move(s), gamma);
  drop_weightless();
}

template <class ExecutionSpace>
std::size_t ActiveSet::away(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& g) const {
  std::vector<VertexEntry> entries;
  std::vector<std::int64_t> first = {0};
  for (const ActiveVertex& vertex : m_vertices) {
    entries.insert(entries.end(), vertex.entries.begin(), vertex.entries.end());
    first.push_back(static_cast<std::int64_t>(entries.size()));
  }
  const impl::MinusProduct<ExecutionSpace> product{g, impl::where_kernels_read(space, entries),
                                                   impl::where_kernels_read(space, first)};
  const Located found = impl::smallest_of(space, static_cast<std::int64_t>(m_vertices.size()), product);
  return found.index < static_cast<std::int64_t>(m_vertices.size()) ? static_cast<std::size_t>(found.index) : 0;
}

}  // namespace sporos
