// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the region of the resources that the products of a newsvendor share: one resource and several.
#include "harness/backends.hpp"
#include "harness/refusal.hpp"

#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/procedures/newsvendor_region.hpp>

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace sporos::test {
namespace newsvendor_region_tests {

const models::NewsvendorResources money{{10}, {1, 2, 4}};
const models::NewsvendorResources money_and_space{{10, 6}, {1, 2, 4, 3, 0, 1}};

template <class Space>
class NewsvendorRegion : public ::testing::Test {};
TYPED_TEST_SUITE(NewsvendorRegion, Backends, BackendName);

// Whether x lies in the region, to within rounding.
template <class Space, class Region>
bool holds(Region region, const std::vector<double>& x) {
  constexpr double rounding = 1e-14;
  return region.violation(Space(), to_device<Space>(x)) <= rounding;
}

TYPED_TEST(NewsvendorRegion, OfOneResourceIsABudget) {
  ASSERT_TRUE(is_budget(money));
  EXPECT_TRUE(holds<TypeParam>(budget_of<TypeParam>(money), {2, 2, 1}));
  EXPECT_FALSE(holds<TypeParam>(budget_of<TypeParam>(money), {2, 2, 1.1}));
  EXPECT_TRUE(holds<TypeParam>(resources_of(TypeParam(), money), {2, 2, 1}));
  EXPECT_FALSE(holds<TypeParam>(resources_of(TypeParam(), money), {2, 2, 1.1}));
}

TYPED_TEST(NewsvendorRegion, OfSeveralResourcesKeepsToEachOfThem) {
  ASSERT_FALSE(is_budget(money_and_space));
  const auto region_holds = [](const std::vector<double>& x) {
    return holds<TypeParam>(resources_of(TypeParam(), money_and_space), x);
  };
  EXPECT_TRUE(region_holds({2, 4, 0}));
  EXPECT_FALSE(region_holds({2, 4.1, 0}));   // money
  EXPECT_FALSE(region_holds({2.1, 0, 0}));   // space
  EXPECT_FALSE(region_holds({-0.1, 0, 0}));  // negative quantity
}

// 2 x₁ + x₂ = 4, x₁ − x₂ >= −1, x₂ >= 1 and x₃ <= 1: in x₁ and x₂ the region is the segment from (1, 2) to (1.5, 1).
TYPED_TEST(NewsvendorRegion, KeepsToSensesAndSigns) {
  using enum models::ResourceSense;
  const models::NewsvendorResources shared{
      {4, -1, 1, 1}, {2, 1, 0, 1, -1, 0, 0, 1, 0, 0, 0, 1}, {exactly, at_least, at_least, at_most}};
  shared.check(3);
  auto region = resources_of(TypeParam(), shared);
  const auto region_holds = [&](const std::vector<double>& x) { return holds<TypeParam>(region, x); };
  EXPECT_TRUE(region_holds({1, 2, 0}));
  EXPECT_TRUE(region_holds({1.5, 1, 1}));
  EXPECT_FALSE(region_holds({1.5, 1.1, 1}));
  EXPECT_FALSE(region_holds({0.75, 2.5, 1}));
  EXPECT_FALSE(region_holds({1.75, 0.5, 1}));
  // The smallest x₁ is 1, the largest 1.5.
  for (const double sign : {1.0, -1.0}) {
    const auto vertex = region.minimize(TypeParam(), to_device<TypeParam>(std::vector<double>{sign, 0, -1}));
    double first = 0;
    for (const VertexEntry& entry : vertex.entries) first += entry.index == 0 ? entry.value : 0;
    EXPECT_NEAR(first, sign > 0 ? 1 : 1.5, 1e-12);
  }
  const models::NewsvendorResources contradictory{{1, 2}, {1, 1, 1, 1}, {at_most, at_least}};
  EXPECT_EQ(refusal([&] { resources_of(TypeParam(), contradictory); }),
            "no point satisfies all resource limits, expected limits with a feasible point");
}

TEST(NewsvendorResources, ThatGiveBackAreNoBudget) {
  EXPECT_FALSE(is_budget({{10}, {1, 2, 4}, {models::ResourceSense::exactly}}));
  EXPECT_FALSE(is_budget({{-10}, {1, 2, 4}}));
}

TEST(NewsvendorResources, OfWhichAProductNeedsNothingAreNoBudget) { EXPECT_FALSE(is_budget({{10}, {1, 0, 4}})); }

TEST(NewsvendorResources, OfWhichThereAreSeveralMakeNoBudget) {
  EXPECT_THROW(budget_of<Kokkos::DefaultHostExecutionSpace>(money_and_space), std::invalid_argument);
}

}  // namespace newsvendor_region_tests
}  // namespace sporos::test
