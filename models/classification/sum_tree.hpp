// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/processes.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

/// Sums over parts, added up over a binary tree whose shape depends on the number of parts alone: every inner node
/// joins 2^k neighbours that begin at a multiple of 2^(k+1), and what is then left is joined from the right. Whoever
/// has some neighbouring parts adds them up to a few nodes of the tree; however the parts are divided, the bits of the
/// whole sum are the same.
namespace sporos::models {

/// The most parts of a tree.
inline constexpr std::int64_t most_parts = 64;

/// In what order sums are added up, for kernels: after each of them, the last two that are left become one, so many
/// times.
struct SumOrder {
  static constexpr int most_left = 10;  ///< sums that are left at any time, at most
  std::int64_t count;                   ///< number of sums
  signed char joins[most_parts];        ///< after each
};

/// A tree, or some of its nodes, from left to right.
class SumTree {
 public:
  /// Adds a node: the parts after those so far, or after others.
  void add(const PartRange& node) {
    m_order.joins[m_order.count++] = 0;
    m_nodes.push_back(node);
    while (m_nodes.size() > 1 && are_siblings(m_nodes[m_nodes.size() - 2], m_nodes.back())) join();
  }

  /// Joins what is left: the nodes are all of the tree.
  void complete() {
    while (m_nodes.size() > 1) join();
  }

  /// The nodes that are left, the largest that there are.
  const std::vector<PartRange>& nodes() const { return m_nodes; }

  /// How the nodes that were added became those.
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

/// The tree of some neighbouring parts.
inline SumTree tree_of(const PartRange& parts) {
  SumTree tree;
  for (std::int64_t part = parts.first; part < parts.end; ++part) tree.add({part, part + 1});
  return tree;
}

/// Sums of `width` neighbouring columns that are being added up, for kernels.
template <int width>
struct SumStack {
  double sums[SumOrder::most_left][width];  ///< what is left, from the left

  /// Adds up `order.count` leaves of `size` columns each, `distance` apart.
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
