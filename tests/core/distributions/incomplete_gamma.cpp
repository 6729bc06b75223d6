// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks ln Γ, P, Q and their inverses against Boost.Math in long double.
#include "uniforms.hpp"

#include <sporos/core/math/incomplete_gamma.hpp>

#include <gtest/gtest.h>
#include <boost/math/special_functions/gamma.hpp>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace sporos::test {
namespace incomplete_gamma_tests {

double relative_error(double got, long double expected) {
  return static_cast<double>(std::abs((got - expected) / expected));
}

struct Worst {
  double error = 0.0, a = 0.0, x = 0.0;
  void add(double new_error, double new_a, double new_x) {
    if (!(new_error <= error)) *this = {new_error, new_a, new_x};
  }
};
std::ostream& operator<<(std::ostream& out, const Worst& worst) {
  out.precision(17);
  return out << worst.error << " at (" << worst.a << ", " << worst.x << ")";
}

/// Shapes from `low` to `high`, equally spaced in their logarithms.
std::vector<double> shapes(double low, double high, int count) {
  std::vector<double> a(count);
  for (int i = 0; i < count; ++i) a[i] = low * std::pow(high / low, i / (count - 1.0));
  return a;
}

struct ShapeRange {
  double low, high;
  double tolerance;          ///< relative tolerance of P and Q
  double inverse_tolerance;  ///< relative tolerance of the inverse
};
std::ostream& operator<<(std::ostream& out, const ShapeRange& range) {
  return out << "shapes " << range.low << " to " << range.high;
}
class IncompleteGamma : public ::testing::TestWithParam<ShapeRange> {};

TEST(LogGamma, AgreesWithBoost) {
  std::mt19937_64 engine(20240501);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  Worst worst;
  for (int i = 0; i < 20000; ++i) {
    const double beside_one = 1.0 + std::ldexp(uniform(engine) - 0.5, -(i % 45));
    for (const double x :
         {std::exp(60.0 * uniform(engine) - 30.0), 12.0 * uniform(engine), beside_one, beside_one + 1.0}) {
      const long double expected = boost::math::lgamma(static_cast<long double>(x));
      if (expected != 0.0L) worst.add(relative_error(math::log_gamma(x), expected), 0.0, x);
    }
  }
  EXPECT_LT(worst.error, 1.5e-15) << worst;
}

TEST(LogGamma, EndsOfTheDomain) {
  EXPECT_EQ(math::log_gamma(1.0), 0.0);
  EXPECT_EQ(math::log_gamma(2.0), 0.0);
  EXPECT_EQ(math::log_gamma(0.0), std::numeric_limits<double>::infinity());
  EXPECT_EQ(math::log_gamma(std::numeric_limits<double>::infinity()), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(math::log_gamma(-0.5)));
}

TEST_P(IncompleteGamma, AgreesWithBoost) {
  Worst worst;
  for (const double a : shapes(GetParam().low, GetParam().high, 60)) {
    for (int i = -48; i <= 48; ++i) {
      const double x = a < 1.0 ? std::exp(0.5 * i - 20.0 * (i < 0)) : a * std::exp(i / (6.0 * std::sqrt(a)));
      const long double p = boost::math::gamma_p(static_cast<long double>(a), static_cast<long double>(x));
      const long double q = boost::math::gamma_q(static_cast<long double>(a), static_cast<long double>(x));
      if (p > 1e-200L) worst.add(relative_error(math::gamma_p(a, x), p), a, x);
      if (q > 1e-200L) worst.add(relative_error(math::gamma_q(a, x), q), a, x);
    }
  }
  EXPECT_LT(worst.error, GetParam().tolerance) << worst;
}

TEST_P(IncompleteGamma, InverseAgreesWithBoost) {
  Worst worst;
  for (const double a : shapes(GetParam().low, GetParam().high, 40)) {
    for (const double p : uniforms(40)) {
      const double x = math::gamma_p_inverse(a, p);
      if (x < 1e-300) continue;
      // One step of Newton's method in long double from x estimates the distance to the root.
      const auto long_a = static_cast<long double>(a), long_x = static_cast<long double>(x);
      const long double miss =
          p < 0.5 ? boost::math::gamma_p(long_a, long_x) - p : (1.0L - p) - boost::math::gamma_q(long_a, long_x);
      const long double error = miss / (boost::math::gamma_p_derivative(long_a, long_x) * long_x);
      worst.add(static_cast<double>(std::abs(error)), a, p);
    }
  }
  EXPECT_LT(worst.error, GetParam().inverse_tolerance) << worst;
}

INSTANTIATE_TEST_SUITE_P(Shapes, IncompleteGamma,
                         ::testing::Values(ShapeRange{1e-6, 1e-2, 2e-14, 5e-13}, ShapeRange{1e-2, 1.0, 2e-14, 1e-13},
                                           ShapeRange{1.0, 12.0, 4e-14, 1e-14}, ShapeRange{12.0, 1e3, 1e-13, 1e-14},
                                           ShapeRange{1e3, 1e7, 1e-13, 2e-15}));

TEST(GammaInverse, UpperTailFinerThanOneMinusP) {
  for (const double a : {0.01, 0.5, 1.0, 3.0, 30.0, 1e5}) {
    for (const double q : {1e-20, 1e-100, 1e-250}) {
      const double x = math::gamma_q_inverse(a, q);
      EXPECT_LT(relative_error(math::gamma_q(a, x), q), 1e-10) << a << " " << q;
    }
  }
}

TEST(GammaInverse, EndsOfTheDomain) {
  EXPECT_EQ(math::gamma_p_inverse(2.0, 0.0), 0.0);
  EXPECT_EQ(math::gamma_p_inverse(2.0, 1.0), std::numeric_limits<double>::infinity());
  EXPECT_EQ(math::gamma_q_inverse(2.0, 1.0), 0.0);
  EXPECT_EQ(math::gamma_q_inverse(2.0, 0.0), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(math::gamma_p_inverse(-1.0, 0.5)));
  EXPECT_TRUE(std::isnan(math::gamma_p_inverse(1.0, -0.5)));
  EXPECT_TRUE(std::isnan(math::gamma_p(0.0, 1.0)));
  EXPECT_TRUE(std::isnan(math::gamma_p(1.0, -1.0)));
  EXPECT_EQ(math::gamma_p(3.0, 0.0), 0.0);
  EXPECT_EQ(math::gamma_q(3.0, std::numeric_limits<double>::infinity()), 0.0);
}

}  // namespace incomplete_gamma_tests
}  // namespace sporos::test
