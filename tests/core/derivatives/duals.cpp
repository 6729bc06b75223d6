// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks first and second derivatives of all operations and functions of duals against Boost's autodiff.
#include <sporos/core/derivatives/functions.hpp>
#include <sporos/core/math/digamma.hpp>

#include <gtest/gtest.h>
#include <boost/math/differentiation/autodiff.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>

#include <algorithm>
#include <cmath>

namespace sporos::test {
namespace duals_tests {

namespace bd = boost::math::differentiation;

// Direction 0 is that of x, direction 1 is that of y, in first and in second derivatives.
using Inner = Dual<2>;
using Outer = Dual<2, Inner>;

Outer variable(double value, int direction) {
  Outer x(value);
  x.value.slope[direction] = 1;
  x.slope[direction] = Inner(1.0);
  return x;
}

double scale_of(double expected) { return std::max(1.0, std::abs(expected)); }

// Checks `f` in plain numbers, duals and duals of duals against `reference` in Boost's number type.
template <class Function, class Reference>
void expect_derivatives(const Function& f, const Reference& reference, double x, double y, double tolerance = 1e-14) {
  const auto [bx, by] = bd::make_ftuple<double, 2, 2>(x, y);
  const auto expected = reference(bx, by);
  const Outer found = f(variable(x, 0), variable(y, 1));
  const Dual<2> first = f(Dual<2>(x, {1.0, 0.0}), Dual<2>(y, {0.0, 1.0}));
  EXPECT_EQ(first.value, f(x, y)) << "at " << x << ", " << y;  // the same bits
  EXPECT_EQ(found.value.value, f(x, y));
  const int orders[2][2] = {{1, 0}, {0, 1}};
  for (int i = 0; i < 2; ++i) {
    const double slope = expected.derivative(orders[i][0], orders[i][1]);
    EXPECT_NEAR(first.slope[i], slope, tolerance * scale_of(slope)) << "by " << i << " at " << x << ", " << y;
    EXPECT_EQ(found.value.slope[i], first.slope[i]);
    EXPECT_EQ(found.slope[i].value, first.slope[i]);
    for (int j = 0; j < 2; ++j) {
      const double second = expected.derivative(orders[i][0] + orders[j][0], orders[i][1] + orders[j][1]);
      EXPECT_NEAR(found.slope[i].slope[j], second, 10 * tolerance * scale_of(second))
          << "by " << i << " and " << j << " at " << x << ", " << y;
    }
  }
}

template <class Function, class Reference>
void expect_derivatives_everywhere(const Function& f, const Reference& reference, double tolerance = 1e-14) {
  for (const double x : {0.25, 1.0, 1.75, 3.5}) {
    for (const double y : {0.3, 0.9, 2.0}) expect_derivatives(f, reference, x, y, tolerance);
  }
}

TEST(Duals, DifferentiateArithmetic) {
  const auto f = [](const auto& x, const auto& y) {
    auto z = x * y - 2.0 * x / y + (3.0 - y) * (x + 1.0) / 7.0 - (-x);
    z += x;
    z *= y;
    z -= 0.5;
    z /= x + y;
    return z - 1.0 / (y * 4.0) + (+y);
  };
  expect_derivatives_everywhere(f, f);
}

TEST(Duals, DifferentiateFunctions) {
  const auto f = [](const auto& x, const auto& y) {
    using namespace sporos::math;
    return exp(-x) * log(y) + sqrt(x * y) + sin(x) * cos(y) + abs(0.0 - y) - expm1(0.1 * x) * log1p(y);
  };
  const auto reference = [](const auto& x, const auto& y) {
    using namespace bd;
    using std::sin, std::cos, std::exp, std::log, std::sqrt;
    return exp(-x) * log(y) + sqrt(x * y) + sin(x) * cos(y) + y - (exp(0.1 * x) - 1) * log(1 + y);
  };
  expect_derivatives_everywhere(f, reference);
}

TEST(Duals, DifferentiatePowers) {
  const auto f = [](const auto& x, const auto& y) {
    using namespace sporos::math;
    return pow(x, y) + pow(x, 2.5) + pow(1.5, y);
  };
  const auto reference = [](const auto& x, const auto& y) { return pow(x, y) + pow(x, 2.5) + exp(std::log(1.5) * y); };
  expect_derivatives_everywhere(f, reference, 1e-13);
  EXPECT_EQ(math::pow(Dual<1>(0.0, {1.0}), 2.0).slope[0], 0.0);
  EXPECT_EQ(math::pow(Dual<1>(0.0, {1.0}), 1.0).slope[0], 1.0);
}

TEST(Duals, DifferentiateTheNormalDistribution) {
  const auto f = [](const auto& x, const auto& y) { return math::normal_cdf(x - y); };
  const auto reference = [](const auto& x, const auto& y) { return 0.5 * erfc((y - x) / std::sqrt(2.0)); };
  expect_derivatives_everywhere(f, reference, 1e-13);
  const boost::math::normal normal;
  for (const double p : {1e-9, 0.1, 0.5, 0.99}) {
    const double quantile = boost::math::quantile(normal, p), slope = 1 / boost::math::pdf(normal, quantile);
    EXPECT_NEAR(math::normal_quantile(Dual<1>(p, {1.0})).slope[0], slope, 1e-13 * slope);
  }
}

TEST(Duals, CompareByTheirValues) {
  const Dual<1> low(1.0, {5.0}), high(2.0, {-5.0});
  EXPECT_TRUE(low < high && low <= high && high > low && high >= low && low != high && low < 2 && 2.0 > low);
  EXPECT_TRUE(low == Dual<1>(1.0, {7.0}));
  EXPECT_EQ(math::min(low, high).slope[0], 5.0);
  EXPECT_EQ(math::max(low, high).slope[0], -5.0);
  EXPECT_EQ(math::max(low, 3.0).slope[0], 0.0);
  EXPECT_EQ(value_of(Dual<1, Dual<1>>(3.0)), 3.0);
}

TEST(Trigamma, IsThatOfBoost) {
  for (double x = 1e-6; x < 1e6; x *= 1.37) {
    const double expected = boost::math::trigamma(x);
    EXPECT_NEAR(math::trigamma(x), expected, 2e-15 * expected) << x;
  }
}

TEST(Digamma, IsThatOfBoost) {
  for (double x = 1e-6; x < 1e6; x *= 1.37) {
    const double expected = boost::math::digamma(x);
    EXPECT_NEAR(math::digamma(x), expected, 2e-15 * scale_of(expected)) << x;
  }
}

}  // namespace duals_tests
}  // namespace sporos::test
