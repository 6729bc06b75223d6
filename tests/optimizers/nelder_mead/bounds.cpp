// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/optimizers/nelder_mead/nelder_mead.hpp>
#include <sporos/optimizers/nelder_mead/pointwise_objective.hpp>

#include <harness/backends.hpp>
#include <harness/refusal.hpp>

#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace bounds_tests {

using namespace sporos;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Σ (i + 1) (x_i − i)².
struct Squares {
  KOKKOS_FUNCTION double operator()(const double* x, std::int64_t n) const {
    double sum = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      const double off = x[i] - static_cast<double>(i);
      sum += static_cast<double>(i + 1) * off * off;
    }
    return sum;
  }
};

template <class Space>
std::vector<NelderMeadResult> minimize_squares(const std::vector<SimplexStart>& starts,
                                               const std::vector<Bounds>& bounds) {
  PointwiseObjective<Space, Squares> objective{Squares()};
  NelderMeadOptions options;
  options.size_tolerance = options.value_tolerance = 1e-10;
  options.restarts = 3;
  options.bounds = bounds;
  return nelder_mead(objective, starts, options);
}

template <class Space>
struct NelderMeadWithBounds : testing::Test {};
TYPED_TEST_SUITE(NelderMeadWithBounds, test::Backends, test::BackendName);

// The minimum of coordinate i is at i, projected onto the bounds.
TYPED_TEST(NelderMeadWithBounds, EndsAtTheBoundsThatHoldTheMinimumBack) {
  const Bounds all = {{0.5, -infinity, -infinity, 0, 5}, {infinity, 0.25, infinity, 2.5, 7}};
  const Bounds none = {{-5, -infinity, 0, -10}, {5, 100, infinity, 10}};
  const std::vector<SimplexStart> starts = {{{1, -1, 1, 1, 6}, std::vector<double>(5, 0.5)},
                                            {{0.5, 0.25, 1, 2.5, 7}, std::vector<double>(5, 1)},  // starts at bounds
                                            {{1, 1, 1, 1}, std::vector<double>(4, 0.5)}};
  const auto found = minimize_squares<TypeParam>(starts, {all, all, none});
  const std::vector<double> held_back = {0.5, 0.25, 2, 2.5, 5}, least = {0, 1, 2, 3};
  for (std::size_t s = 0; s < 3; ++s) {
    for (std::size_t i = 0; i < starts[s].point.size(); ++i) {
      EXPECT_NEAR(found[s].point[i], s < 2 ? held_back[i] : least[i], 1e-5) << s << " " << i;
    }
    EXPECT_NEAR(found[s].value, Squares()(found[s].point.data(), found[s].point.size()), 1e-12);
  }
}

TYPED_TEST(NelderMeadWithBounds, GoesOnWithTheSameBits) {
  PointwiseObjective<TypeParam, Squares> objective{Squares()};
  NelderMeadOptions options;
  options.bounds = {{{0.5, 0.5}, {2, infinity}}};
  const std::vector<SimplexStart> starts = {{{1, 3}}};
  const auto whole = nelder_mead(objective, starts, options);
  const auto part = nelder_mead(objective, starts, options, [](const auto&) { return Continuation::stop; });
  const auto rest = nelder_mead(objective, std::vector{part[0].state}, options);
  EXPECT_EQ(part[0].stopped_by, StoppedBy::callback);
  EXPECT_EQ(rest[0].point, whole[0].point);
  EXPECT_EQ(rest[0].evaluations, whole[0].evaluations);
}

// Minimizes Rosenbrock's function with x_0 ≤ 1/2 on the host, which never evaluates a point outside the bounds.
TEST(HostObjective, IsAskedForPointsWithinTheBoundsOnly) {
  const Bounds bounds = {{-1.5, -infinity}, {0.5, infinity}};
  std::int64_t outside = 0, calls = 0;
  HostObjective objective([&](std::span<const double> x) {
    ++calls;
    outside += x[0] < bounds.lower[0] || x[0] > bounds.upper[0];
    return 100 * std::pow(x[1] - x[0] * x[0], 2) + std::pow(1 - x[0], 2);
  });
  NelderMeadOptions options;
  options.bounds = {bounds};
  options.restarts = 5;
  const auto found = nelder_mead(objective, std::vector{SimplexStart{{-1.2, 1}, {1, 1}}}, options)[0];
  EXPECT_EQ(outside, 0);
  EXPECT_EQ(calls, found.evaluations);
  EXPECT_NEAR(found.point[0], 0.5, 1e-6);
  EXPECT_NEAR(found.point[1], 0.25, 1e-4);
  EXPECT_NEAR(found.value, 0.25, 1e-7);
}

TEST(BoundedCoordinate, IsTheInverseOfTheFreeOne) {
  const struct {
    double lower, upper;
    std::vector<double> values;
  } cases[] = {{-1, 3, {-1, -0.999, 0, 1, 2.5, 3}},
               {0, infinity, {0, 1e-12, 1e-3, 1, 1e6}},
               {-infinity, 2, {2, 1.5, -40}},
               {-infinity, infinity, {-7, 0, 1e9}}};
  for (const auto& [lower, upper, values] : cases) {
    for (const double x : values) {
      const double back = bounded_coordinate(lower, upper, free_coordinate(lower, upper, x));
      EXPECT_NEAR(back, x, 1e-14 * std::max(1.0, std::abs(x)) * (std::isfinite(lower - upper) ? 10 : 1)) << lower;
    }
    for (double y = -50; y < 50; y += 0.37) {
      const double x = bounded_coordinate(lower, upper, y);
      EXPECT_TRUE(x >= lower && x <= upper) << y;
    }
  }
}

TEST(NelderMeadWithBounds, RefusesWhatAreNoBounds) {
  const auto with = [](std::vector<double> point, std::vector<Bounds> bounds) {
    return test::refusal([&] { minimize_squares<Kokkos::DefaultHostExecutionSpace>({{point}}, bounds); });
  };
  EXPECT_EQ(with({1, 1}, {{{0, 0}, {2, 2}}}), "none");
  EXPECT_EQ(with({1, 1}, {{{0}, {2, 2}}}), "dimension of the lower bounds is 1, expected that of the problem, 2");
  EXPECT_EQ(with({1, 1}, {{{0, 2}, {2, 2}}}),
            "lower bound of coordinate 1 is 2, expected a number below the upper bound, 2");
  EXPECT_EQ(with({1, 1}, {{{0, nan}, {2, 2}}}),
            "lower bound of coordinate 1 is nan, expected a number below the upper bound, 2");
  EXPECT_EQ(with({1, 3}, {{{0, 0}, {2, 2}}}), "coordinate 1 of start 0 is 3, expected a number from 0 to 2");
  EXPECT_EQ(with({1, 1}, std::vector<Bounds>(3)), "number of bounds is 3, expected 1 or the number of starts, 1");
}

}  // namespace bounds_tests
