// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks estimators for series against kim-convergence 0.1.0 (N-Skart, MSER-5), against NumPy 2.4 and SciPy (batch
// means, overlapping batch means, spectral estimate), all on three series, and by hand.
#include <sporos/core/statistics/batch_means.hpp>
#include <sporos/core/statistics/blocked_series.hpp>
#include <sporos/core/statistics/regenerative_mean.hpp>
#include <sporos/core/statistics/skart.hpp>
#include <sporos/core/statistics/spectral_mean.hpp>
#include <sporos/core/statistics/warm_up.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace series_tests {

using namespace sporos;

// The sequence x ← coefficient · x + e, where e is u − 1/2 or u⁶ for uniforms u of a congruential generator.
struct Recursion {
  int length;
  double coefficient, start;
  bool is_skewed;

  std::vector<double> values() const {
    std::vector<double> list;
    std::uint64_t state = 12345;
    double x = start;
    for (int i = 0; i < length; ++i) {
      state = (state * 1103515245 + 12345) % 2147483648;
      const double u = static_cast<double>(state) / 2147483648.0;
      x = coefficient * x + (is_skewed ? u * u * u * u * u * u : u - 0.5);
      list.push_back(x);
    }
    return list;
  }
};

struct Known {
  Recursion series;
  std::int64_t warm_up;  // by MSER-5
  double batch_mean, batch_half_width, overlapping_half_width, spectral_half_width;
  double skart_mean, skart_below, skart_dof;  // skart_below is the distance from the mean down to the lower end
  std::int64_t skart_size, skart_batches;
};

const Known known[] = {{{20000, 0.9, 0, false},
                        0,
                        0.00162668866481848,
                        0.04130797409772395,
                        0.04304984601453415,
                        0.0611885195004433,
                        0.003592809721379658,
                        0.04417218457129802,
                        34,
                        19,
                        1024},
                       {{20000, 0.9, 20, false},
                        30,
                        0.010626688664818484,
                        0.0447761846661814,
                        0.04300713676418562,
                        0.04296657721176106,
                        0.003592809721379658,
                        0.04417218457129802,
                        34,
                        19,
                        1024},
                       {{50000, 0.95, 0, true},
                        20,
                        2.8514919926542746,
                        0.04290458639375712,
                        0.04602061310227882,
                        0.05011488894168231,
                        2.854445957090311,
                        0.04430316086699904,
                        53,
                        48,
                        1024}};

TEST(Series, AreAsOthersHaveThem) {
  constexpr double rounding = 1e-9;
  for (const Known& one : known) {
    const auto values = one.series.values();
    const auto cut = mser(averages_of(values, 5));
    ASSERT_TRUE(cut.has_value());
    EXPECT_EQ(5 * *cut, one.warm_up);
    EXPECT_NEAR(batch_means(values, 25, 0.95).mean, one.batch_mean, rounding);
    EXPECT_NEAR(batch_means(values, 25, 0.95).half_width, one.batch_half_width, rounding);
    EXPECT_NEAR(overlapping_batch_means(values, 25, 0.95).half_width, one.overlapping_half_width, rounding);
    EXPECT_EQ(overlapping_batch_means(values, 25, 0.95).degrees_of_freedom, 36);
    EXPECT_NEAR(spectral_mean(values, 0.95).half_width(), one.spectral_half_width, rounding);
    const SeriesInterval skart = n_skart(values, 0.95);
    EXPECT_NEAR(skart.mean, one.skart_mean, rounding);
    EXPECT_NEAR(skart.mean - skart.low, one.skart_below, rounding);
    EXPECT_EQ(skart.batch_size, one.skart_size);
    EXPECT_EQ(skart.batches, one.skart_batches);
    EXPECT_EQ(skart.degrees_of_freedom, one.skart_dof);
    EXPECT_EQ(skart.cut + skart.used, one.series.length);
  }
}

TEST(Series, HaveNoIntervalWhereThereIsNone) {
  const auto reason = [](const SeriesInterval& interval) {
    EXPECT_TRUE(std::isinf(interval.half_width()));
    return interval.reason;
  };
  const std::vector<double> constant(4000, 3.0);
  EXPECT_EQ(reason(n_skart(constant, 0.95)), series_reason::constant);
  EXPECT_EQ(reason(spectral_mean(constant, 0.95)), series_reason::constant);
  EXPECT_EQ(reason(n_skart(Recursion{1279, 0.5, 0, false}.values(), 0.95)), series_reason::too_short);
  EXPECT_EQ(reason(n_skart(Recursion{2000, 0.99, 0, false}.values(), 0.95)), series_reason::dependent);
  EXPECT_EQ(reason(spectral_mean(std::vector<double>(199, 1.0), 0.95)), series_reason::too_short);
}

// (3 − 3)² + (3 − 3)² over 2² would be the smallest marginal error, but the last five values are no candidates.
TEST(WarmUp, IsWhereTheMarginalErrorIsLeast) {
  EXPECT_EQ(mser(std::vector<double>{90, 50, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 3, 3}), 2);
  EXPECT_EQ(mser(std::vector<double>{1, 2, 1, 2, 1, 2, 1, 2, 1, 2}), 0);
  // The minimum comes too late.
  EXPECT_EQ(mser(std::vector<double>{9, 9, 9, 9, 9, 9, 9, 9, 1, 2, 1, 2, 1, 2}), std::nullopt);
  EXPECT_EQ(mser(std::vector<double>(9, 1.0)), std::nullopt);
  EXPECT_EQ(averages_of(std::vector<double>{1, 3, 5, 7, 9}, 2), (std::vector<double>{2, 6}));
}

// With n = 6 and m = 2, the batches {1, 3}, {3, 1}, {1, 3}, … all have mean 2, so (n m)/((n − m + 1)(n − m)) Σ is 0.
TEST(OverlappingBatchMeans, ByHand) {
  EXPECT_EQ(overlapping_batch_means(std::vector<double>{1, 3, 1, 3, 1, 3}, 3, 0.95).half_width, 0);
  // With m = 1, all values are batches, and the variance is that of independent values.
  const std::vector<double> values{1, 4, 2, 8};
  const auto single = overlapping_batch_means(values, 4, 0.95);
  const double variance_of_mean = (2.75 * 2.75 + 0.25 * 0.25 + 1.75 * 1.75 + 4.25 * 4.25) / 3 / 4;
  EXPECT_NEAR(single.half_width / 2.6589123472, std::sqrt(variance_of_mean),
              1e-9);  // t with 4.5 degrees of freedom, by SciPy
  EXPECT_EQ(single.degrees_of_freedom, 4.5);
}

// Cycles of lengths 1 and 3 with totals 2 and 4 alternate: ratio 1.5, deviations 0.5 and −0.5, mean length 2.
TEST(RegenerativeMean, ByHand) {
  CycleSums sums;
  for (int i = 0; i < 50; ++i) {
    sums.add(1, 2);
    sums.add(3, 4);
  }
  const SeriesInterval interval = regenerative_mean(sums, 0.95);
  EXPECT_EQ(interval.mean, 1.5);
  EXPECT_EQ(interval.used, 200);
  EXPECT_EQ(interval.batches, 100);
  constexpr double t = 1.9842169515;  // 99 degrees of freedom
  EXPECT_NEAR(interval.half_width(), t * std::sqrt(25.0 / 99 / 100) / 2, 1e-9);
  EXPECT_EQ(regenerative_mean({29, 29, 29, 29, 29, 29}, 0.95).reason, series_reason::too_short);
  EXPECT_EQ(regenerative_mean({30, 30, 30, 30, 30, 30}, 0.95).reason, series_reason::constant);
}

TEST(BlockedSeries, JoinsNeighbours) {
  BlockedSeries series(4);
  for (const double value : {1.0, 3.0, 5.0}) series.add(value, 1);
  EXPECT_EQ(series.block_size(), 1);
  series.add(7, 1);
  EXPECT_EQ(series.block_size(), 2);
  EXPECT_EQ(std::vector(series.blocks().begin(), series.blocks().end()), (std::vector<double>{2, 6}));
  series.add(9, 2);
  series.add(11, 1);
  EXPECT_EQ(series.observations(), 7);
  EXPECT_EQ(series.blocks().size(), 3U);
  series.add(13, 1);
  EXPECT_EQ(std::vector(series.blocks().begin(), series.blocks().end()), (std::vector<double>{4, 10.5}));
  EXPECT_THROW(series.add(1, 3), std::invalid_argument);
  EXPECT_THROW(series.add(1, 8), std::invalid_argument);
  EXPECT_THROW(BlockedSeries(3), std::invalid_argument);
}

}  // namespace series_tests
