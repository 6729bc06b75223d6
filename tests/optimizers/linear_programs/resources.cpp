// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the region {A x ≤ C, x ≥ 0} of Frank–Wolfe.
#include "programs.hpp"

#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/optimizers/frank_wolfe/regions/resources.hpp>

#include <harness/backends.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

namespace resources_tests {

using namespace sporos;
using test::Program;

constexpr double tolerance = 1e-12;

template <class Space>
Resources<Space> region_of(const Program& program) {
  return {Space{}, test::columns_on<Space>(program), program.limits};
}

template <class Space>
double violation(const Resources<Space>& region, const std::vector<double>& x) {
  return region.violation(Space{}, to_device<Space>(x));
}

template <class Space>
class ResourceRegion : public ::testing::Test {
  static_assert(OptimizationRegion<Resources<Space>, Space>);
};
TYPED_TEST_SUITE(ResourceRegion, test::Backends, test::BackendName);

TYPED_TEST(ResourceRegion, FindsTheVertexAgainWithoutPivots) {
  auto region = region_of<TypeParam>({{{1, 0}, {0, 1}, {1, 1}}, {4, 3}, {}});
  EXPECT_EQ(region.dimension(), 3);
  const auto g = to_device<TypeParam>({-1, -3, -3.5});  // 4 of the first and 3 of the second: −13
  const auto vertex = region.minimize(TypeParam{}, g);
  EXPECT_EQ(vertex.dense.extent(0), 0);
  EXPECT_EQ(vertex.entries, (std::vector<VertexEntry>{{0, 4}, {1, 3}}));
  const auto pivots = region.pivots();
  EXPECT_GE(pivots, 2);
  EXPECT_EQ(region.minimize(TypeParam{}, g).entries, vertex.entries);
  EXPECT_EQ(region.pivots(), pivots);
}

// With more resources than products, the oracle solves the dual program, whose basis has one row per product. With a
// basis of one row per resource, this took 14 GB.
TYPED_TEST(ResourceRegion, ManyResourcesOfFewProducts) {
  Program program{
      {std::vector<double>(30'000, 1), std::vector<double>(30'000, 1)}, std::vector<double>(30'000, 10), {}};
  program.columns[0][17] = 2;  // x_0 <= 4 − x_1 / 2
  program.limits[17] = 8;
  program.columns[1][29'000] = 4;  // x_1 <= 2 − x_0 / 4
  program.limits[29'000] = 8;
  auto region = region_of<TypeParam>(program);
  const auto near = [](const Vertex<TypeParam>& vertex, double x_0, double x_1) {
    std::vector<double> x(2);
    for (const VertexEntry& entry : vertex.entries) x[static_cast<std::size_t>(entry.index)] = entry.value;
    EXPECT_NEAR(x[0], x_0, tolerance);
    EXPECT_NEAR(x[1], x_1, tolerance);
  };
  near(region.minimize(TypeParam{}, to_device<TypeParam>({-1, -1})), 24.0 / 7, 8.0 / 7);
  near(region.minimize(TypeParam{}, to_device<TypeParam>({-1, 0.1})), 4, 0);
  near(region.minimize(TypeParam{}, to_device<TypeParam>({1, -1})), 0, 2);
  near(region.minimize(TypeParam{}, to_device<TypeParam>({1, 1})), 0, 0);
}

TYPED_TEST(ResourceRegion, StaysAtZeroWhereNothingFalls) {
  auto region = region_of<TypeParam>({{{1}, {2}}, {4}, {}});
  EXPECT_TRUE(region.minimize(TypeParam{}, to_device<TypeParam>({0, 1})).entries.empty());
}

TYPED_TEST(ResourceRegion, MeasuresViolation) {
  const auto region = region_of<TypeParam>({{{1, 0}, {3, 2}}, {10, 0}, {}});
  EXPECT_EQ(violation(region, {0, 0}), 0);
  EXPECT_EQ(violation(region, {10, 0}), 0);
  EXPECT_NEAR(violation(region, {15, 0}), 0.5, tolerance);
  EXPECT_NEAR(violation(region, {8, 0.5}), 1.0 / 16, tolerance);  // of the second limit: 1 of 2 · 8
  EXPECT_NEAR(violation(region, {-2, 0}), 1, tolerance);
  EXPECT_TRUE(std::isnan(violation(region, {std::nan(""), 0})));
}

TYPED_TEST(ResourceRegion, AllowsNegativeEntriesWhereTheOthersLimitAllProducts) {
  auto region = region_of<TypeParam>({{{1, 1}, {-1, 1}}, {1, 3}, {}});
  const auto vertex = region.minimize(TypeParam{}, to_device<TypeParam>({-2, -1}));
  EXPECT_EQ(vertex.entries, (std::vector<VertexEntry>{{0, 2}, {1, 1}}));
}

// x₁ + x₂ = 2, x₁ ≥ 1/2 and x₂ ≤ 1: phase 1 finds a vertex, from which the oracle continues.
TYPED_TEST(ResourceRegion, TakesLimitsOfAnySignAndEquations) {
  auto region = region_of<TypeParam>({{{1, -1, -1, 0}, {1, -1, 0, 1}}, {2, -2, -0.5, 1}, {}});
  EXPECT_EQ(region.minimize(TypeParam{}, to_device<TypeParam>({1, 0})).entries,
            (std::vector<VertexEntry>{{0, 1}, {1, 1}}));
  EXPECT_EQ(region.minimize(TypeParam{}, to_device<TypeParam>({0, 1})).entries, (std::vector<VertexEntry>{{0, 2}}));
  EXPECT_EQ(violation(region, {1.5, 0.5}), 0);
  EXPECT_NEAR(violation(region, {1, 0.5}), 0.25, tolerance);
  EXPECT_NEAR(violation(region, {0.25, 1.75}), 0.75, tolerance);
}

TYPED_TEST(ResourceRegion, RefusesWhatIsNone) {
  const auto refusal = [](const Program& program) -> std::string {
    try {
      region_of<TypeParam>(program);
    } catch (const std::invalid_argument& problem) {
      return problem.what();
    }
    return "nothing";
  };
  EXPECT_EQ(refusal({{{1, 1}}, {1, -1}, {}}),
            "no point satisfies all resource limits, expected limits with a feasible point");
  EXPECT_EQ(refusal({{{1, -1}}, {1, -2}, {}}),
            "no point satisfies all resource limits, expected limits with a feasible point");
  EXPECT_EQ(refusal({{{1, 1}}, {std::nan(""), 1}, {}}), "limit of resource 1 is nan, expected a finite number");
  EXPECT_EQ(refusal({{{1, 0}, {1, 0}}, {1, 1}, {}}),
            "resource 2 is used by no product, expected a row with at least one entry other than 0");
  EXPECT_EQ(refusal({{{1, 1}, {0, 0}, {0, 0}}, {1, 1}, {}}),
            "product 2 is unbounded, expected limits on all products: it uses no resource");
  EXPECT_EQ(refusal({{{1, 0}, {1, -1}}, {1, 1}, {}}), "nothing");
  EXPECT_EQ(
      refusal({{{1, 1}, {0, -1}}, {1, 1}, {}}),
      "product 2 is unbounded, expected limits on all products: negative entries of A offset its use of resources");
}

}  // namespace resources_tests
