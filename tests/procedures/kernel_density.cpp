// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares kernel density estimates with the densities of the observations (drawn by Boost.Random).
#include "harness/binomial_band.hpp"
#include "harness/long_tests.hpp"

#include <sporos/procedures/kernel_density.hpp>

#include <gtest/gtest.h>

#include <boost/math/distributions/exponential.hpp>
#include <boost/math/distributions/lognormal.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/random/exponential_distribution.hpp>
#include <boost/random/lognormal_distribution.hpp>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/normal_distribution.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>

namespace sporos::test {
namespace kernel_density_tests {

const int experiments = are_tests_long() ? 10'000 : 400;

template <class Law>
auto of(const Law& law) {
  return [law](double x) { return boost::math::pdf(law, x); };
}

// Number of macro-replications in which a band of 95 % contains the density at all points of the grid, and number in
// which a band of a third of that width does.
struct Covered {
  int whole = 0, third = 0;
};

template <class Draw, class Density>
Covered covered(const DensityGrid& grid, Draw draw, const Density& density_at, std::int64_t observations) {
  boost::random::mt19937_64 engine(7);
  Covered count;
  for (int experiment = 0; experiment < experiments; ++experiment) {
    KernelDensity density(grid, observations);
    for (std::int64_t i = 0; i < observations; ++i) density.add(draw(engine));
    bool in_whole = true, in_third = true;
    for (const auto& [point, value, lower, upper] : density.estimates(0.95)) {
      const double exact = density_at(point);
      in_whole = in_whole && lower <= exact && exact <= upper;
      in_third = in_third && value - (value - lower) / 3 <= exact && exact <= value + (upper - value) / 3;
    }
    count.whole += in_whole ? 1 : 0;
    count.third += in_third ? 1 : 0;
  }
  return count;
}

// Bonferroni's bands cover at least as often as stated: the number is below the binomial band's lower end with
// probability 1e-5 at most. The exponential density begins at the end of a grid.
TEST(KernelDensity, BandsHoldTheDensity) {
  const int least = binomial_band(experiments, 0.95).least;
  const auto check = [&](const Covered& count) {
    EXPECT_GE(count.whole, least);
    EXPECT_LT(count.third, least);
  };
  check(covered({-3, 3, 21}, boost::random::normal_distribution<>(), of(boost::math::normal()), 1000));
  check(covered({0, 3, 21}, boost::random::exponential_distribution<>(), of(boost::math::exponential()), 1000));
  check(covered({1, 3, 21}, boost::random::exponential_distribution<>(), of(boost::math::exponential()), 1000));
  check(
      covered({0.3, 3, 21}, boost::random::lognormal_distribution<>(0, 0.5), of(boost::math::lognormal(0, 0.5)), 300));
}

// Squared errors at 3 of the density of exponential observations, on a grid that ends there, as multiples of the
// variance with a whole kernel; summed over 100 macro-replications. Observations beyond 3 become `beyond(y)`.
template <class Beyond>
double squared_errors_at_the_end(Beyond beyond) {
  constexpr int of_errors = 100, observations = 1000;
  constexpr double roughness = 1.25;  // ∫ K² for the kernel of fourth order K = (1 − t²) (15 − 35 t²) 3 / 32
  boost::random::mt19937_64 engine(5);
  boost::random::exponential_distribution<> draw;
  double sum = 0;
  for (int experiment = 0; experiment < of_errors; ++experiment) {
    KernelDensity density({1, 3, 3}, observations);
    for (int i = 0; i < observations; ++i) {
      const double y = draw(engine);
      density.add(y > 3 ? beyond(y) : y);
    }
    const double exact = std::exp(-3.0), error = density.estimates(0.95).back().value - exact;
    sum += error * error * observations * density.bandwidth() / (exact * roughness);
  }
  return sum;
}

// The sum is nearly χ² with 100 degrees of freedom: it exceeds 200 with probability 1e-8. A kernel that is cut off, as
// if no observation were beyond 3, has several times the variance.
TEST(KernelDensity, ObservationsBeyondTheGridCountAtItsEnds) {
  EXPECT_LT(squared_errors_at_the_end([](double y) { return y; }), 200);
  EXPECT_GT(squared_errors_at_the_end([](double) { return -10; }), 200);
}

// If a grid extends beyond the jump of an exponential density, the band does not hold there: it assumes a density that
// is smooth between the ends of the grid.
TEST(KernelDensityControl, AJumpInsideTheGridIsMissed) {
  const auto from_zero = [](double x) { return x < 0 ? 0 : std::exp(-x); };
  const Covered count = covered({-0.5, 3, 8}, boost::random::exponential_distribution<>(), from_zero, 4000);
  EXPECT_LT(count.whole, binomial_band(experiments, 0.95).least);
}

TEST(KernelDensity, OfFewObservationsIsThatOfAll) {
  KernelDensity few({0, 1, 3}, 1'000'000), all({0, 1, 3}, 5);
  for (const double x : {0.1, 0.4, 0.5, 0.6, 0.9}) few.add(x), all.add(x);
  EXPECT_EQ(few.bandwidth(), 0);
  few.finish();
  EXPECT_EQ(few.bandwidth(), all.bandwidth());
  EXPECT_EQ(few.estimates(0.9)[1].value, all.estimates(0.9)[1].value);
}

TEST(KernelDensity, SaysWhereThereIsNone) {
  KernelDensity flat({0, 1, 3}, 10), single({0, 1, 3}, 10);
  for (int i = 0; i < 10; ++i) flat.add(i == 0 ? 0.0 : 1.0);
  EXPECT_EQ(flat.reason(), "half of the first observations hardly differ");
  single.add(0.5);
  single.finish();
  EXPECT_EQ(single.reason(), "there are fewer than 2 observations");
}

TEST(KernelDensity, RefusesWhatMakesNoGrid) {
  EXPECT_THROW(KernelDensity({1, 0, 3}, 10), std::invalid_argument);
  EXPECT_THROW(KernelDensity({0, std::numeric_limits<double>::infinity(), 3}, 10), std::invalid_argument);
  EXPECT_THROW(KernelDensity({0, 1, 1}, 10), std::invalid_argument);
  EXPECT_THROW(KernelDensity({0, 1, 3}, 1), std::invalid_argument);
}

}  // namespace kernel_density_tests
}  // namespace sporos::test
