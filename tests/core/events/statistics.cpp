// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the statistics for model bodies on paths whose integrals, counts and quantiles are known.
#include <sporos/core/events/histogram.hpp>
#include <sporos/core/events/octave_histogram.hpp>
#include <sporos/core/events/resource.hpp>
#include <sporos/core/events/tally.hpp>
#include <sporos/core/events/time_average.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace sporos::test {
namespace statistics_tests {

TEST(TimeAverage, IntegratesSteps) {
  TimeAverage number(1, 2);  // 1 from time 2, 3 from time 4, 0 from time 5
  EXPECT_EQ(number.average(2), 1);
  number.set(4, 3);
  number.add(5, -3);
  EXPECT_EQ(number.value(), 0);
  EXPECT_EQ(number.maximum(), 3);
  EXPECT_EQ(number.area(7), 1 * 2 + 3 * 1 + 0 * 2);
  EXPECT_EQ(number.average(7), 1.0);
  number.add(7, 2);
  number.restart(8);
  EXPECT_EQ(number.maximum(), 2);
  EXPECT_EQ(number.area(10), 4);
  EXPECT_EQ(number.average(10), 2);
}

TEST(Resource, IsSeizedUpToItsUnits) {
  Resource beds(3);
  EXPECT_TRUE(beds.try_seize(0, 2));
  EXPECT_FALSE(beds.try_seize(1, 2));
  EXPECT_TRUE(beds.try_seize(1));
  EXPECT_EQ(beds.free(), 0);
  beds.set_units(2, 1);  // two of the three units are removed when they are released
  EXPECT_EQ(beds.free(), 0);
  beds.release(3, 2);
  EXPECT_FALSE(beds.try_seize(3));
  beds.release(4);
  EXPECT_TRUE(beds.try_seize(4));
  EXPECT_EQ(beds.average_used(5), (2.0 * 1 + 3 * 2 + 1 * 1 + 1 * 1) / 5);
  EXPECT_EQ(beds.utilization(5), 10.0 / (3 * 2 + 1 * 3));
  beds.restart(5);
  EXPECT_EQ(beds.utilization(6), 1);
  EXPECT_EQ(Resource(0).utilization(1), 0);
}

TEST(Tally, CountsNumbers) {
  Tally waits;
  EXPECT_EQ(waits.mean(), 0);
  for (const double wait : {-2.0, 5.0, 0.0}) waits.add(wait);
  EXPECT_EQ(waits.count(), 3);
  EXPECT_EQ(waits.sum(), 3);
  EXPECT_EQ(waits.mean(), 1);
  EXPECT_EQ(waits.minimum(), -2);
  EXPECT_EQ(waits.maximum(), 5);
}

TEST(Histogram, CountsInBins) {
  Histogram<4> waits(1, 3);
  for (const double x : {0.99, 1.0, 1.49, 1.5, 2.99}) waits.add(x);
  waits.add(3, 0.5);
  waits.add(std::numeric_limits<double>::quiet_NaN(), 0.25);
  EXPECT_EQ(waits.below(), 1);
  EXPECT_EQ(waits.weight(0), 2);
  EXPECT_EQ(waits.weight(1), 1);
  EXPECT_EQ(waits.weight(2), 0);
  EXPECT_EQ(waits.weight(3), 1);
  EXPECT_EQ(waits.above(), 0.75);
  EXPECT_EQ(waits.total(), 5.75);
  EXPECT_EQ(waits.edge(0), 1);
  EXPECT_EQ(waits.edge(4), 3);
}

TEST(OctaveHistogram, HasQuantiles) {
  OctaveHistogram<-1, 3> waits;  // [1/2, 4)
  waits.clear();
  EXPECT_EQ(waits.quantile(0.5), 0);
  for (const double x : {0.0, 0.0, 0.25, 0.5, 0.5625, 1.0, 2.0, 3.9}) waits.add(x);
  EXPECT_EQ(waits.quantile(0.25), 0);
  EXPECT_EQ(waits.quantile(0.375), 0.5);  // 0.375 is the share of the values below 1/2
  EXPECT_EQ(waits.quantile(0.3125), 0.25);
  EXPECT_EQ(waits.quantile(0.5), 0.5625);  // the first bin is [1/2, 9/16)
  EXPECT_EQ(waits.quantile(0.75), 1.125);
  EXPECT_NEAR(waits.quantile(1 - 1e-12), 4, 1e-9);
  waits.add(4);
  EXPECT_EQ(waits.quantile(0.99), std::numeric_limits<double>::infinity());
}

TEST(Histogram, HasQuantiles) {
  Histogram<10> uniform(0, 1);
  EXPECT_EQ(uniform.quantile(0.5), 1);
  for (int i = 0; i < 1000; ++i) uniform.add((i + 0.5) / 1000);
  for (const double p : {0.05, 0.1, 0.25, 0.5, 0.99}) EXPECT_NEAR(uniform.quantile(p), p, 1e-12);
  Histogram<2> narrow(0.4, 0.6);
  for (int i = 0; i < 1000; ++i) narrow.add((i + 0.5) / 1000);
  EXPECT_EQ(narrow.quantile(0.2), 0.4);
  EXPECT_EQ(narrow.quantile(0.7), 0.6);
  EXPECT_NEAR(narrow.quantile(0.5), 0.5, 1e-12);
}

}  // namespace statistics_tests
}  // namespace sporos::test
