// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks arrivals: inversion of the expected number against its closed form, counts by inversion and by thinning
// against the rate by chi-square, and mean and variance of Markov-modulated counts against their formula.
#include "drawn_uniforms.hpp"

#include <sporos/core/input_processes/arrivals.hpp>
#include <sporos/core/input_processes/markov_arrivals.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace sporos::test {
namespace arrivals_tests {

using RateTable = ArrivalRateTable<Kokkos::HostSpace>;
using MarkovTable = MarkovArrivalsTable<Kokkos::HostSpace>;
constexpr double infinity = std::numeric_limits<double>::infinity();

// The rate rises from 0 to 6, falls to 2, jumps to 8, is 0 for a while, and rises again.
const std::vector<double> times{0, 1, 3, 3, 4, 4, 5, 6}, rates{0, 6, 2, 8, 8, 0, 0, 4};

TEST(ArrivalRates, AreLinearBetweenTimes) {
  const RateTable table(times, rates, false);
  const ArrivalRate rate = table.handle();
  EXPECT_EQ(rate(0.5), 3);
  EXPECT_EQ(rate(2), 4);
  EXPECT_EQ(rate(3), 8);
  EXPECT_EQ(rate(4.5), 0);
  EXPECT_EQ(rate(5.5), 2);
  EXPECT_EQ(rate(6), 0);
  EXPECT_EQ(rate.expected(1), 3);
  EXPECT_EQ(rate.expected(2), 3 + 5);
  EXPECT_EQ(rate.expected(3), 11);
  EXPECT_EQ(rate.expected(4.7), 19);
  EXPECT_EQ(rate.expected(7), 21);
  EXPECT_EQ(rate.time_of(0.75), 0.5);
  EXPECT_EQ(rate.time_of(8), 2);
  EXPECT_EQ(rate.time_of(15), 3.5);
  EXPECT_EQ(rate.time_of(19.5), 5.5);
  EXPECT_EQ(rate.time_of(21), infinity);
}

TEST(ArrivalRates, BeginAgainWherePeriodic) {
  const RateTable table(times, rates, true);
  const ArrivalRate rate = table.handle();
  EXPECT_EQ(rate(6 * 5 + 0.5), 3);
  EXPECT_EQ(rate(6), 0);
  EXPECT_EQ(rate.expected(6 * 5 + 2), 21 * 5 + 8);
  EXPECT_EQ(rate.time_of(21 * 5 + 8), 6 * 5 + 2);
  double before = 0;
  for (double y = 0; y < 200; y += 0.37) {
    const double t = rate.time_of(y);
    EXPECT_NEAR(rate.expected(t), y, 1e-12 * (1 + y));
    EXPECT_GE(t, before);
    before = t;
  }
}

TEST(ArrivalRates, InvertTheExpectedNumber) {
  const RateTable table(times, rates, true);
  const ArrivalRate rate = table.handle();
  for (const double u : {1e-9, 0.2, 0.7, 1 - 1e-9}) {
    for (const double now : {0.0, 0.4, 3.0, 4.2, 100.0}) {
      const double next = next_arrival(u, rate, now, 2.5);
      EXPECT_NEAR(2.5 * (rate.expected(next) - rate.expected(now)), -std::log(u), 1e-12 * (100 - std::log(u)));
    }
  }
  EXPECT_EQ(next_arrival(0.5, RateTable(times, rates, false).handle(), 6.0), infinity);
}

TEST(ArrivalRates, HaveDerivativesOfTimes) {
  using D = Dual<2>;
  const RateTable table(times, rates, true);
  const ArrivalRate rate = table.handle();
  const double h = 1e-6;
  for (const double u : {0.2, 0.7, 0.99}) {
    const D next = next_arrival(u, rate, D(0.4, {1, 0}), D(2.5, {0, 1}));
    EXPECT_EQ(next.value, next_arrival(u, rate, 0.4, 2.5));
    EXPECT_NEAR(next.slope[0], (next_arrival(u, rate, 0.4 + h, 2.5) - next_arrival(u, rate, 0.4 - h, 2.5)) / (2 * h),
                1e-6);
    EXPECT_NEAR(next.slope[1], (next_arrival(u, rate, 0.4, 2.5 + h) - next_arrival(u, rate, 0.4, 2.5 - h)) / (2 * h),
                1e-6);
  }
}

// Chi-square statistic of the counts in 24 parts of [0, 6) over 500 runs, against `expected` of ArrivalRate. Parts in
// which no arrivals are expected are left out. With 18 to 24 degrees of freedom, the statistic exceeds 75 with a
// probability below 1e-6.
constexpr double max_chi_square = 75;

template <class Next>
double chi_square(const ArrivalRate& rate, const Next& next) {
  constexpr int runs = 500, parts = 24;
  std::array<double, parts> counts{};
  DrawnUniforms inputs(7);
  for (int run = 0; run < runs; ++run) {
    for (double t = next(inputs, 0.0); t < 6; t = next(inputs, t)) ++counts[static_cast<std::size_t>(t * 4)];
  }
  double sum = 0;
  for (std::size_t i = 0; i < parts; ++i) {
    const double from = static_cast<double>(i) / 4;
    const double expected = runs * (rate.expected(from + 0.25) - rate.expected(from));
    if (expected > 0) sum += (counts[i] - expected) * (counts[i] - expected) / expected;
    if (expected == 0 && counts[i] > 0) return infinity;
  }
  return sum;
}

TEST(PoissonArrivals, FollowTheirRateByInversionAndByThinning) {
  const RateTable table(times, rates, false);
  const RateTable slightly(times, std::vector<double>{0, 6, 3, 8, 8, 0, 0, 4}, false);
  const ArrivalRate rate = table.handle();
  const auto inverted = [](const ArrivalRate& by) {
    return [by](DrawnUniforms& inputs, double now) { return next_arrival(inputs(0), by, now); };
  };
  const auto thinned = [](const ArrivalRate& by, double most) {
    return [by, most](DrawnUniforms& inputs, double now) {
      return next_thinned_arrival(inputs, 0, 1, by, most, now, 6.0);
    };
  };
  EXPECT_LT(chi_square(rate, inverted(rate)), max_chi_square);
  EXPECT_LT(chi_square(rate, thinned(rate, 8)), max_chi_square);
  EXPECT_GT(chi_square(rate, inverted(slightly.handle())), max_chi_square);
  EXPECT_GT(chi_square(rate, thinned(rate, 6)), max_chi_square);  // control: a bound below the rate loses arrivals
}

// Mean, variance and fourth central moment of the counts of `runs` runs.
template <class Count>
std::array<double, 3> mean_variance_fourth(int runs, const Count& count) {
  std::vector<double> counts(static_cast<std::size_t>(runs));
  double sum = 0, second = 0, fourth = 0;
  for (double& n : counts) sum += n = count();
  const double mean = sum / runs;
  for (const double n : counts) {
    const double square = (n - mean) * (n - mean);
    second += square / runs;
    fourth += square * square / runs;
  }
  return {mean, second, fourth};
}

// The formula for two phases is from Fischer and Meier-Hellstern (1993), The Markov-modulated Poisson process (MMPP)
// cookbook, section 2. Each band of 4.9 standard errors is left with a probability below 1e-6.
TEST(MarkovArrivals, HaveMeanAndVarianceOfTheirFormula) {
  const double a = 8, b = 1, leave_a = 0.5, leave_b = 0.25, end = 5, sum = leave_a + leave_b;
  SquareMatrix generator(2);
  generator(0, 1) = leave_a;
  generator(1, 0) = leave_b;
  const MarkovTable table(std::array{a, b}, generator);
  const double rate = (a * leave_b + b * leave_a) / sum;
  EXPECT_NEAR(table.rate(), rate, 1e-15);
  const double burst = 2 * leave_a * leave_b * (a - b) * (a - b) / (sum * sum * (a * leave_b + b * leave_a));
  const double variance = rate * end * (1 + burst * (1 + std::expm1(-sum * end) / (sum * end)));

  constexpr int runs = 4000;
  DrawnUniforms inputs(11);
  const MarkovArrivals arrivals = table.handle();
  const auto modulated = [&] {
    int n = 0;
    for (MarkovArrival at = arrivals.next(inputs, 0, 1, arrivals.start(inputs(2))); at.time < end;
         at = arrivals.next(inputs, 0, 1, at)) {
      ++n;
    }
    return n;
  };
  const auto plain = [&] {
    int n = 0;
    for (double t = exponential(inputs(0), rate); t < end; t += exponential(inputs(0), rate)) ++n;
    return n;
  };
  const auto in_first_phase = [&] {
    int n = 0;
    for (MarkovArrival at = arrivals.next(inputs, 0, 1, {0, 0}); at.time < end; at = arrivals.next(inputs, 0, 1, at))
      ++n;
    return n;
  };
  const auto has_mean = [&](const std::array<double, 3>& m) {
    return std::abs(m[0] - rate * end) < 4.9 * std::sqrt(m[1] / runs);
  };
  const auto has_variance = [&](const std::array<double, 3>& m) {
    return std::abs(m[1] - variance) < 4.9 * std::sqrt((m[2] - m[1] * m[1]) / runs);
  };
  const auto found = mean_variance_fourth(runs, modulated);
  EXPECT_TRUE(has_mean(found)) << found[0] << " " << rate * end;
  EXPECT_TRUE(has_variance(found)) << found[1] << " " << variance;
  EXPECT_FALSE(has_variance(mean_variance_fourth(runs, plain)));
  EXPECT_FALSE(has_mean(mean_variance_fourth(runs, in_first_phase)));
}

TEST(MarkovArrivals, KnowTheLongRunOfThreePhases) {
  SquareMatrix generator(3);
  const double rows[3][3] = {{0, 1, 2}, {3, 0, 1}, {0.5, 0.5, 0}};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) generator(i, j) = rows[i][j];
  }
  // The balance equations 3 π₀ = 3 π₁ + π₂/2 and 4 π₁ = π₀ + π₂/2 give π = (7, 4, 18) / 29.
  const MarkovTable table(std::array{1.0, 10.0, 100.0}, generator);
  EXPECT_NEAR(table.rate(), (7 * 1.0 + 4 * 10.0 + 18 * 100.0) / 29, 1e-12);
}

TEST(Renewals, AddGaps) {
  const AnyDistributionTable<Kokkos::HostSpace> gaps(parse_distribution("gamma(2.5, 2)"));
  EXPECT_EQ(next_renewal(0.3, gaps.handle(), 10.0), 10.0 + gamma(0.3, 2.5, 2.0));
  const AnyDistributionTable<Kokkos::HostSpace> sizes(parse_distribution("binomial(10, 0.3)"));
  EXPECT_EQ(batch_size(0.3, sizes.handle()), 2);
}

template <class Action>
std::string refusal(const Action& action) {
  try {
    action();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Arrivals, SayWhatTheyCannotTake) {
  const auto of_rates = [](const std::vector<double>& t, const std::vector<double>& r) {
    return refusal([&] { RateTable(t, r, true); });
  };
  EXPECT_EQ(of_rates({0}, {1}), "number of times is 1, expected at least 2");
  EXPECT_EQ(of_rates({0, 1}, {1}), "number of rates is 1, expected one for each time, 2");
  EXPECT_EQ(of_rates({1, 2}, {1, 1}), "times[0] is 1, expected 0");
  EXPECT_EQ(of_rates({0, 2, 1}, {1, 1, 1}), "times[1] is 2, expected a number not above times[2], 1");
  EXPECT_EQ(of_rates({0, 1}, {1, -1}), "rates[1] is -1, expected a finite number of at least 0");
  EXPECT_EQ(of_rates({0, 1}, {0, 0}),
            "expected number of arrivals up to the last time is 0, expected a positive number");
  const auto of_gaps = [](const std::string& text) { return refusal([&] { check_gaps(parse_distribution(text)); }); };
  EXPECT_EQ(of_gaps("gamma(2, 1)"), "");
  EXPECT_EQ(of_gaps("normal(5, 1)"), "smallest gap between arrivals is -inf, expected a number of at least 0");
  EXPECT_EQ(of_gaps("constant(0)"), "mean gap between arrivals is 0, expected a positive number");
  const auto of_batches = [](const std::string& text) {
    return refusal([&] { check_batches(parse_distribution(text)); });
  };
  EXPECT_EQ(of_batches("geometric(0.5)"), "");
  EXPECT_EQ(of_batches("discrete(1:0.5 2.5:0.5)").substr(0, 30), "values[1] is 2.5, expected a w");
  EXPECT_EQ(of_batches("gamma(2, 1)").substr(0, 63), "distribution of batch sizes is gamma, expected constant, discre");
  EXPECT_EQ(of_batches("uniform-integer(-1, 2)"), "smallest size of a batch is -1, expected a number of at least 0");
  const auto of_phases = [](const std::vector<double>& r, double to, double back) {
    SquareMatrix generator(2);
    generator(0, 1) = to;
    generator(1, 0) = back;
    return refusal([&] { MarkovTable(r, generator); });
  };
  EXPECT_EQ(of_phases({1}, 1, 1), "number of rows of the generator is 2, expected one for each phase, 1");
  EXPECT_EQ(of_phases({1, -2}, 1, 1), "arrival_rates[1] is -2, expected a finite number of at least 0");
  EXPECT_EQ(of_phases({1, 2}, 1, 0),
            "rate out of phase 1 is 0, expected a positive number: every phase must be reachable from every other");
  EXPECT_EQ(of_phases({0, 0}, 1, 1), "long-run rate of arrivals is 0, expected a positive number");
}

}  // namespace arrivals_tests
}  // namespace sporos::test
