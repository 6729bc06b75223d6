// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums over parts have the same bits for every division of the parts between processes.
#include <sporos/models/classification/sum_tree.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sum_tree_tests {

using namespace sporos;
using models::max_parts, models::SumOrder, models::SumStack, models::SumTree, models::tree_of;

// Sums of two columns over some parts.
std::vector<double> some_sums(std::int64_t parts) {
  std::vector<double> sums;
  for (std::int64_t i = 0; i < 2 * parts; ++i) sums.push_back(std::exp(std::sin(static_cast<double>(i * i + 1))));
  return sums;
}

// Pending sums after adding leaves of two columns each.
std::vector<double> added_up(const SumTree& tree, const double* leaves) {
  SumStack<2> stack;
  stack.add_up(tree.order(), leaves, 2, 2);
  std::vector<double> left;
  for (std::size_t node = 0; node < tree.nodes().size(); ++node) {
    left.insert(left.end(), stack.sums[node], stack.sums[node] + 2);
  }
  return left;
}

// Sum by the definition of the tree: the number of parts of the left subtree is the largest possible power of two.
double defined_sum(std::span<const double> sums) {
  if (sums.size() == 1) return sums[0];
  const std::size_t left = std::bit_floor(sums.size() - 1);
  return defined_sum(sums.first(left)) + defined_sum(sums.subspan(left));
}

std::vector<double> defined_sums(const std::vector<double>& sums) {
  std::vector<double> columns[2];
  for (std::size_t i = 0; i < sums.size(); ++i) columns[i % 2].push_back(sums[i]);
  return {defined_sum(columns[0]), defined_sum(columns[1])};
}

class Several final : public OneProcess {
 public:
  explicit Several(int count) : m_count(count) {}
  int count() const override { return m_count; }

 private:
  int m_count;
};

// Each process sums its parts to nodes, and the nodes of all processes are added up.
std::vector<double> sum_by(int processes, const std::vector<double>& sums) {
  const Several several(processes);
  const auto parts = static_cast<std::int64_t>(sums.size()) / 2;
  std::vector<double> nodes;
  SumTree whole;
  for (int rank = 0; rank < processes; ++rank) {
    const PartRange own = parts_of_process(several, rank, parts);
    const SumTree tree = tree_of(own);
    const auto found = added_up(tree, sums.data() + 2 * own.first);
    nodes.insert(nodes.end(), found.begin(), found.end());
    for (const PartRange& node : tree.nodes()) whole.add(node);
  }
  whole.complete();
  return added_up(whole, nodes.data());
}

TEST(SumTree, HasTheSameBitsForAnyNumberOfProcesses) {
  for (std::int64_t parts = 1; parts <= max_parts; ++parts) {
    const auto sums = some_sums(parts);
    const auto expected = defined_sums(sums);
    for (const int processes : {1, 2, 3, 4, 7, 16, 100}) {
      EXPECT_EQ(sum_by(processes, sums), expected) << parts << " parts, " << processes << " processes";
    }
  }
}

TEST(SumTree, HasFewNodesWhereverItBegins) {
  std::size_t most = 0;
  for (std::int64_t first = 0; first < max_parts; ++first) {
    for (std::int64_t end = first; end <= max_parts; ++end) {
      const SumTree tree = tree_of({first, end});
      most = std::max(most, tree.nodes().size());
      std::int64_t next = first;
      for (const PartRange& node : tree.nodes()) {
        EXPECT_EQ(node.first, next);
        EXPECT_TRUE(std::has_single_bit(static_cast<std::uint64_t>(node.count())) && node.first % node.count() == 0);
        next = node.end;
      }
      EXPECT_EQ(next, end);
    }
  }
  EXPECT_EQ(most, static_cast<std::size_t>(SumOrder::most_left));
}

// Control for the comparison of bits. If each process adds its parts from the left, and the sums of all processes are
// then added, the bits depend on the number of processes.
TEST(SumTree, IsNeededForThat) {
  const auto sums = some_sums(max_parts);
  const auto from_the_left = [&](int processes) {
    const Several several(processes);
    std::vector<double> of_columns;
    for (std::size_t column = 0; column < 2; ++column) {
      double whole = 0;
      for (int rank = 0; rank < processes; ++rank) {
        const PartRange own = parts_of_process(several, rank, max_parts);
        double sum = 0;
        for (std::int64_t i = own.first; i < own.end; ++i) sum += sums[2 * static_cast<std::size_t>(i) + column];
        whole += sum;
      }
      of_columns.push_back(whole);
    }
    return of_columns;
  };
  EXPECT_NE(from_the_left(1), from_the_left(2));
  EXPECT_NE(from_the_left(1), from_the_left(3));
  EXPECT_NE(from_the_left(2), from_the_left(7));
}

}  // namespace sum_tree_tests
