// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/processes.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <vector>

/// Sums over parts, combined over a binary tree whose shape depends only on the number of parts. Every inner node joins
/// two adjacent nodes of 2^k parts that begin at a multiple of 2^(k+1); the remaining nodes are joined from the right.
/// A process with some adjacent parts combines them to a few nodes of the tree. The whole sum is bitwise identical
/// however the parts are distributed.
namespace sporos::models {

/// Largest number of parts of a tree.
inline constexpr std::int64_t max_parts = 64;

/// Order of additions, for kernels: after sum i, the last two pending sums are replaced by their total, joins[i] times.
struct SumOrder {
  static constexpr int most_left = 10;  ///< largest number of pending sums at any time
  std::int64_t count;                   ///< number of sums
  signed char joins[max_parts];         ///< number of additions after each sum
};

/// A tree of parts, or some of its nodes, from left to right.
class SumTree {
 public:
  /// Adds a node. Its parts come after those of the previous nodes, not necessarily immediately.
  void add(const PartRange& node) {
    m_order.joins[m_order.count++] = 0;
    m_nodes.push_back(node);
    while (m_nodes.size() > 1 && are_siblings(m_nodes[m_nodes.size() - 2], m_nodes.back())) join();
  }

  /// Joins the remaining nodes to a single one. Call after all parts have been added.
  void complete() {
    while (m_nodes.size() > 1) join();
  }

  /// The maximal nodes so far, from left to right.
  const std::vector<PartRange>& nodes() const { return m_nodes; }

  /// The order of additions that combines the added nodes to those in nodes().
  const SumOrder& order() const { return m_order; }

 private:
  static bool are_siblings(const PartRange& left, const PartRange& right) {
    return left.count() == right.count() && left.end == right.first && right.end % (2 * right.count()) == 0;
  }
  void join() {
    const std::int64_t end = m_nodes.back().end;
    m_nodes.pop_back();
    m_nodes.back().end = end;
    ++m_order.joins[m_order.count - 1];
  }

  std::vector<PartRange> m_nodes;
  SumOrder m_order{0, {}};
};

/// The tree of some adjacent parts.
inline SumTree tree_of(const PartRange& parts) {
  SumTree tree;
  for (std::int64_t part = parts.first; part < parts.end; ++part) tree.add({part, part + 1});
  return tree;
}

/// Pending sums of `width` adjacent columns, for kernels.
template <int width>
struct SumStack {
  double sums[SumOrder::most_left][width];  ///< pending sums, from left to right

  /// Adds up `order.count` leaves of `size` columns each. Consecutive leaves are `distance` elements apart.
  KOKKOS_INLINE_FUNCTION void add_up(const SumOrder& order, const double* leaves, std::int64_t distance,
                                     std::int64_t size) {
    int left = 0;
    for (std::int64_t i = 0; i < order.count; ++i) {
      const double* const leaf = leaves + i * distance;
      int joins = order.joins[i];
      if (joins == 0) {
        for (std::int64_t k = 0; k < size; ++k) sums[left][k] = leaf[k];
        ++left;
        continue;
      }
      for (std::int64_t k = 0; k < size; ++k) sums[left - 1][k] += leaf[k];
      for (; joins > 1; --joins, --left) {
        for (std::int64_t k = 0; k < size; ++k) sums[left - 2][k] += sums[left - 1][k];
      }
    }
  }
};

}  // namespace sporos::models
