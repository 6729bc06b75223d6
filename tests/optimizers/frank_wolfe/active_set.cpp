// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/optimizers/frank_wolfe/active_set.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>
#include <vector>

namespace active_set_tests {

using namespace sporos;

const std::vector<VertexEntry> a = {{0, 1.0}}, b = {{1, 1.0}, {2, -1.0}}, c = {};

std::vector<double> weights(const ActiveSet& set) {
  std::vector<double> found;
  for (const ActiveVertex& vertex : set.vertices()) found.push_back(vertex.weight);
  return found;
}

TEST(ActiveSet, MovesTowardAVertex) {
  ActiveSet set({{a, 0.5}, {b, 0.5}});
  set.move_toward(c, 0.5);
  EXPECT_EQ(weights(set), (std::vector<double>{0.25, 0.25, 0.5}));
  set.move_toward(b, 0.5);
  EXPECT_EQ(weights(set), (std::vector<double>{0.125, 0.625, 0.25})) << "equal vertices are one";
  set.move_toward(a, 1);
  ASSERT_EQ(set.vertices().size(), 1u);
  EXPECT_EQ(set.vertices()[0].entries, a);
  EXPECT_EQ(set.vertices()[0].weight, 1);
}

TEST(ActiveSet, MovesAwayAndDrops) {
  ActiveSet set({{a, 0.5}, {b, 0.25}, {c, 0.25}});
  EXPECT_EQ(set.longest_away(0), 1);
  set.move_away(0, 0.5);
  EXPECT_EQ(weights(set), (std::vector<double>{0.25, 0.375, 0.375}));
  set.move_away(0, set.longest_away(0));
  EXPECT_EQ(set.vertices().size(), 2u);
  EXPECT_EQ(set.vertices()[0].entries, b);
  EXPECT_NEAR(set.vertices()[0].weight, 0.5, 1e-15);
  EXPECT_EQ(ActiveSet({{a, 1.0}}).longest_away(0), std::numeric_limits<double>::infinity());
}

TEST(ActiveSet, MovesPairwiseAndDrops) {
  ActiveSet set({{a, 0.5}, {b, 0.5}});
  set.move_pairwise(c, 0, 0.25);
  EXPECT_EQ(weights(set), (std::vector<double>{0.25, 0.5, 0.25}));
  set.move_pairwise(b, 0, 0.25);
  EXPECT_EQ(weights(set), (std::vector<double>{0.75, 0.25}));
  set.move_pairwise(b, 0, 0.75);
  EXPECT_EQ(weights(set), (std::vector<double>{0.75, 0.25})) << "to where it comes from";
}

TEST(ActiveSet, FindsTheVertexToLeave) {
  const ActiveSet set({{c, 0.25}, {a, 0.25}, {b, 0.5}});
  const auto away = [&](const std::vector<double>& g) {
    return set.away(Kokkos::DefaultHostExecutionSpace(), to_device<Kokkos::DefaultHostExecutionSpace>(g));
  };
  EXPECT_EQ(away({-1, -1, 1}), 0u);
  EXPECT_EQ(away({3, 1, -1}), 1u);
  EXPECT_EQ(away({1, 1, -1}), 2u);
  EXPECT_EQ(away({2, 1, -1}), 1u) << "the first of equal ones";
}

TEST(ActiveSet, RefusesWeightsThatAreNone) {
  EXPECT_THROW(ActiveSet({{a, 0.5}}), std::invalid_argument);
  EXPECT_THROW(ActiveSet({{a, 1.5}, {b, -0.5}}), std::invalid_argument);
  EXPECT_THROW(ActiveSet({}), std::invalid_argument);
}

}  // namespace active_set_tests
