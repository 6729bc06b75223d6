// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks distribution functions against Boost.Math and against the variates that they belong to, and their integrals
// against quadrature.
#include "uniforms.hpp"

#include <sporos/core/distributions/cdf.hpp>

#include <gtest/gtest.h>
#include <boost/math/distributions/gamma.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/poisson.hpp>
#include <boost/math/quadrature/gauss.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace sporos::test {
namespace cdf_tests {

constexpr double tolerance = 2e-13;

AnyDistributionTable<Kokkos::HostSpace> table_of(const std::string& text) {
  return AnyDistributionTable<Kokkos::HostSpace>(parse_distribution(text));
}

const std::vector<std::string> texts = {"normal(35, 15)",
                                        "normal(-3, 0.01)",
                                        "normal(2, 0)",
                                        "gamma(2.5, 14)",
                                        "gamma(0.3, 100)",
                                        "gamma(400, 0.1)",
                                        "poisson(0)",
                                        "poisson(2.5)",
                                        "poisson(35)",
                                        "poisson(1234.5)",
                                        "empirical(4,1,2)",
                                        "empirical(7)",
                                        "empirical(-1 -1 0.5 0.5 0.5 3 3)"};

template <class Reference>
void expect_cdf_of(const Reference& reference, const std::string& text) {
  const auto table = table_of(text);
  for (const double u : uniforms(400)) {
    const double x = variate(u, table.handle());
    const auto expected = boost::math::cdf(reference, static_cast<long double>(x));
    EXPECT_NEAR(cdf(x, table.handle()), static_cast<double>(expected), tolerance * static_cast<double>(expected))
        << text << " at " << x;
  }
}

TEST(Cdf, AgreesWithBoost) {
  expect_cdf_of(boost::math::normal_distribution<long double>(35, 15), "normal(35, 15)");
  expect_cdf_of(boost::math::gamma_distribution<long double>(2.5L, 14), "gamma(2.5, 14)");
  expect_cdf_of(boost::math::gamma_distribution<long double>(400, 0.5L), "gamma(400, 0.5)");
  expect_cdf_of(boost::math::gamma_distribution<long double>(0.25L, 100), "gamma(0.25, 100)");
  expect_cdf_of(boost::math::poisson_distribution<long double>(2.5L), "poisson(2.5)");
  expect_cdf_of(boost::math::poisson_distribution<long double>(1234.5L), "poisson(1234.5)");
}

// u <= F(x) is equivalent to variate(u) <= x. Each is checked at points at which the other holds with a margin.
TEST(Cdf, BelongsToTheVariate) {
  constexpr double room = 1e-12;
  for (const auto& text : texts) {
    const auto table = table_of(text);
    for (const double u : uniforms(300)) {
      const double x = variate(u, table.handle()), spare = room * (std::abs(x) + 35) + 1e-300;
      EXPECT_GE(cdf(x + spare, table.handle()), u * (1 - room)) << text << " at " << u;
      EXPECT_LE(cdf(x - spare, table.handle()), u * (1 + room)) << text << " at " << u;
    }
  }
}

TEST(Cdf, EndsOfTheDomain) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const auto& text : texts) {
    const auto table = table_of(text);
    EXPECT_EQ(cdf(-infinity, table.handle()), 0) << text;
    EXPECT_EQ(cdf(1e9, table.handle()), 1) << text;
    EXPECT_EQ(cdf_integral(-1e9, table.handle()), 0) << text;
    EXPECT_TRUE(has_cdf(parse_distribution(text).kind));
  }
  EXPECT_EQ(poisson_cdf(-0.5, 3), 0);
  EXPECT_EQ(gamma_cdf(0, 3, 1), 0);
  EXPECT_FALSE(has_cdf(DistributionKind::uniform));
  EXPECT_TRUE(std::isnan(cdf(0, table_of("uniform(1,2)").handle())));
  EXPECT_TRUE(std::isnan(cdf_integral(0, table_of("uniform(1,2)").handle())));
}

// F is smooth between its breaks, which are the observations, or the whole numbers for counts.
TEST(CdfIntegral, IsTheAreaUnderTheCdf) {
  using Rule = boost::math::quadrature::gauss<double, 30>;
  for (const auto& text : texts) {
    const auto choice = parse_distribution(text);
    const auto table = table_of(text);
    const double low =
        choice.kind == DistributionKind::normal ? choice.mean() - 10 * choice.parameters[1] - 1 : choice.least() - 1;
    const double high = 2 * std::abs(choice.mean()) + 20, start = std::floor(low);
    const double step = choice.kind == DistributionKind::normal && choice.parameters[1] == 0.01 ? 0.01 : 0.25;
    double area = 0;
    for (double x = start; x < high; x += step) {
      // With the small shape, P(X <= t) rises like t^0.3 from 0. The substitution t = s^10 smooths it.
      const bool steep = text == "gamma(0.3, 100)" && x == 0;
      area +=
          steep ? Rule::integrate([&](double s) { return cdf(std::pow(s, 10), table.handle()) * 10 * std::pow(s, 9); },
                                  0.0, std::pow(step, 0.1))
                : Rule::integrate([&](double t) { return cdf(t, table.handle()); }, x, x + step);
      ASSERT_NEAR(cdf_integral(x + step, table.handle()), area, 1e-11 * (1 + std::abs(high))) << text << " at " << x;
    }
    // Far above all values, the integral is x − E X.
    EXPECT_NEAR(cdf_integral(1e6, table.handle()), 1e6 - choice.mean(), 1e-8) << text;
  }
}

}  // namespace cdf_tests
}  // namespace sporos::test
