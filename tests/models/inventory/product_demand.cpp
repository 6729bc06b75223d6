// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fast bounds of a demand's distribution function contain it and are tight.
#include <sporos/core/distributions/any_distribution.hpp>
#include <sporos/core/distributions/distribution_choice.hpp>
#include <sporos/models/inventory/product_demand.hpp>

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace sporos::test {
namespace product_demand_tests {

using models::CdfBounds, models::NormalDemand;

TEST(NormalDemand, BoundsHoldTheDistributionFunction) {
  constexpr double widest = 4.1e-7;
  const NormalDemand demand{35, 15};
  double largest_error = 0;
  for (int i = -90000; i <= 90000; ++i) {
    const double x = 35 + 15 * (i * 1e-4);
    const double p = 0.5 * std::erfc((35 - x) / (15 * std::sqrt(2)));
    const CdfBounds bounds = demand.cdf_bounds(x);
    ASSERT_LE(bounds.low, p) << x;
    ASSERT_GE(bounds.high, p) << x;
    ASSERT_LE(bounds.high - bounds.low, widest) << x;
    ASSERT_GE(bounds.low, 0);
    ASSERT_LE(bounds.high, 1);
    if (bounds.low > 0 && bounds.high < 1) {
      largest_error = std::fmax(largest_error, std::fabs((bounds.low + bounds.high) / 2 - p));
    }
  }
  EXPECT_LT(largest_error, 1.5e-7) << "what Abramowitz and Stegun state";
  EXPECT_GT(largest_error, 1e-7) << "control: narrower bounds would not hold";
}

TEST(NormalDemand, BoundsOfTheExtremesAreThoseOfAProbability) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const NormalDemand& demand : {NormalDemand{35, 15}, NormalDemand{0, 1e-300}, NormalDemand{1, 0}}) {
    for (const double x : {-infinity, -1e300, 0.0, 1.0, 1e300, infinity}) {
      const CdfBounds bounds = demand.cdf_bounds(x);
      EXPECT_TRUE(0 <= bounds.low && bounds.low <= bounds.high && bounds.high <= 1) << x;
      const double p = demand.cdf(x);
      if (std::isnan(p)) continue;
      EXPECT_LE(bounds.low, p) << demand.deviation << " " << x;
      EXPECT_GE(bounds.high, p) << demand.deviation << " " << x;
    }
  }
}

// Screening takes a count as constant if it is the same at both bounds, so the bounds must differ from the function by
// more than its rounding errors.
TEST(AnyDemand, BoundsHoldTheDistributionFunctionWithSlack) {
  for (const char* text : {"gamma(2, 1.5)", "poisson(4)", "normal(35, 15)", "empirical(1, 2, 4)"}) {
    const AnyDistributionTable<Kokkos::HostSpace> table(parse_distribution(text));
    const models::AnyDemand demand{table.handle()};
    for (int i = 1; i <= 100; ++i) {
      const double x = 0.7 * i, p = demand.cdf(x);
      const CdfBounds bounds = demand.cdf_bounds(x);
      EXPECT_LE(bounds.low, p * (1 - 0x1p-37)) << text << " at " << x;
      EXPECT_GE(bounds.high, std::fmin(1, p * (1 + 0x1p-37))) << text << " at " << x;
      EXPECT_LE(bounds.high - bounds.low, 0x1p-34) << text << " at " << x;
      EXPECT_LE(bounds.high, 1) << text << " at " << x;
    }
  }
}

}  // namespace product_demand_tests
}  // namespace sporos::test
