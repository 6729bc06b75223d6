// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/optimizers/frank_wolfe/regions/checks.hpp>
#include <sporos/optimizers/frank_wolfe/vertex.hpp>
#include <sporos/optimizers/frank_wolfe/vertex_operations.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

namespace sporos {

/// The product X₁ × X₂ × …: blocks of consecutive coordinates, each with its own region of any type in `Regions`.
template <class ExecutionSpace, class... Regions>
class Product {
 public:
  /// Region of one block.
  using Block = std::variant<Regions...>;

  /// Takes at least one block. Throws std::invalid_argument if there is none.
  explicit Product(std::vector<Block> blocks) : m_blocks(std::move(blocks)) {
    for (const Block& block : m_blocks) {
      m_first.push_back(m_dimension);
      m_dimension += std::visit([](const auto& region) { return region.dimension(); }, block);
    }
    impl::check_dimension(m_dimension);
  }

  /// Dimension of the space that contains the region: the sum of the blocks' dimensions.
  std::int64_t dimension() const { return m_dimension; }

  /// Concatenates the blocks' vertices. The next call overwrites the result.
  Vertex<ExecutionSpace> minimize(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& g);

  /// Largest violation over the blocks.
  double violation(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& x) {
    double worst = 0;
    for (std::size_t b = 0; b < m_blocks.size(); ++b) {
      worst =
          std::max(worst, std::visit([&](auto& region) { return region.violation(space, part(x, b)); }, m_blocks[b]));
    }
    return worst;
  }

 private:
  // Returns the coordinates of block b.
  template <class View>
  View part(const View& x, std::size_t b) const {
    const std::int64_t end = b + 1 < m_first.size() ? m_first[b + 1] : m_dimension;
    return Kokkos::subview(x, std::pair(m_first[b], end));
  }

  // Writes the vertex of block b into the dense vertex.
  void place(const ExecutionSpace& space, std::size_t b, const Vertex<ExecutionSpace>& vertex) {
    const Vector<ExecutionSpace> own = part(m_vertex, b);
    impl::set_combination(space, own, 0.0, own, 1.0, vertex);
  }

  std::vector<Block> m_blocks;
  std::vector<std::int64_t> m_first;  // first coordinate of each block
  std::int64_t m_dimension = 0;
  Vector<ExecutionSpace> m_vertex;  // allocated when a block first returns a dense vertex
};

template <class ExecutionSpace, class... Regions>
Vertex<ExecutionSpace> Product<ExecutionSpace, Regions...>::minimize(const ExecutionSpace& space,
                                                                     const ConstVector<ExecutionSpace>& g) {
  std::vector<Vertex<ExecutionSpace>> parts;
  bool is_dense = false;
  for (std::size_t b = 0; b < m_blocks.size(); ++b) {
    parts.push_back(std::visit([&](auto& region) { return region.minimize(space, part(g, b)); }, m_blocks[b]));
    is_dense = is_dense || parts.back().dense.extent(0) > 0;
  }
  Vertex<ExecutionSpace> whole;
  if (is_dense) {
    if (m_vertex.extent(0) == 0) {
      m_vertex = Vector<ExecutionSpace>(Kokkos::view_alloc(space, "sporos::product::vertex"),
                                        static_cast<std::size_t>(m_dimension));
    }
    for (std::size_t b = 0; b < parts.size(); ++b) place(space, b, parts[b]);
    whole.dense = m_vertex;
    return whole;
  }
  for (std::size_t b = 0; b < parts.size(); ++b) {
    for (const VertexEntry& entry : parts[b].entries) {
      whole.entries.push_back({m_first[b] + entry.index, entry.value});
    }
  }
  return whole;
}

}  // namespace sporos
