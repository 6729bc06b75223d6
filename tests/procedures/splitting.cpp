// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares probabilities of rare events by splitting with their exact values.
#include "harness/backends.hpp"
#include "harness/binomial_band.hpp"
#include "harness/long_tests.hpp"
#include "procedures/ruin.hpp"

#include <sporos/core/distributions/continuous.hpp>
#include <sporos/models/queues/busy_cycle.hpp>
#include <sporos/procedures/rare_events/adaptive_splitting.hpp>
#include <sporos/procedures/rare_events/splitting.hpp>

#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace sporos {
namespace splitting_tests {

using test::Ruin;

// Two stations in line, from one customer at the first until both are empty: does the number present reach a level?
struct Tandem {
  struct State {
    std::int32_t first, second;
  };
  enum Input { event, input_count };
  double arrival, service;  // rates; both stations have the same service rate

  template <class Inputs>
  KOKKOS_FUNCTION State start(Inputs&) const {
    return {1, 0};
  }
  template <class Inputs>
  KOKKOS_FUNCTION void step(State& state, Inputs& inputs) const {
    const double which = inputs(event) * (arrival + 2 * service);
    if (which < arrival) {
      ++state.first;
    } else if (which < arrival + service) {
      if (state.first > 0) --state.first, ++state.second;
    } else if (state.second > 0) {
      --state.second;
    }
  }
  KOKKOS_FUNCTION double level(const State& state) const { return state.first + state.second; }
  KOKKOS_FUNCTION bool is_over(const State& state) const { return state.first + state.second == 0; }

  // Solves the linear equations of the first step by sweeps, until nothing changes.
  double exact(int most) const {
    const auto size = static_cast<std::size_t>(most) + 1;
    std::vector<double> chance(size * size, 0.0);
    const auto at = [&](int first, int second) -> double {
      if (first + second == 0) return 0;
      return first + second >= most ? 1
                                    : chance[static_cast<std::size_t>(first) * size + static_cast<std::size_t>(second)];
    };
    for (double change = 1; change > 0;) {
      change = 0;
      for (int first = 0; first < most; ++first) {
        for (int second = first == 0 ? 1 : 0; first + second < most; ++second) {
          double sum = arrival * at(first + 1, second), rates = arrival;
          if (first > 0) sum += service * at(first - 1, second + 1), rates += service;
          if (second > 0) sum += service * at(first, second - 1), rates += service;
          double& old = chance[static_cast<std::size_t>(first) * size + static_cast<std::size_t>(second)];
          change = std::max(change, std::abs(sum / rates - old) > 1e-15 * old ? 1.0 : 0.0);
          old = sum / rates;
        }
      }
    }
    return at(1, 0);
  }
};

// A chain whose level never changes and that ends after `length` steps, possibly too many.
struct Idle {
  struct State {
    std::int64_t steps;
  };
  enum Input { none, input_count };
  std::int64_t length;
  double value;

  template <class Inputs>
  KOKKOS_FUNCTION State start(Inputs&) const {
    return {0};
  }
  template <class Inputs>
  KOKKOS_FUNCTION void step(State& state, Inputs&) const {
    ++state.steps;
  }
  KOKKOS_FUNCTION double level(const State&) const { return value; }
  KOKKOS_FUNCTION bool is_over(const State& state) const { return state.steps >= length; }
};

template <class Space>
class Splitting : public ::testing::Test {};
TYPED_TEST_SUITE(Splitting, test::Backends, test::BackendName);

// P is 9.1e-13 and 1.1e-8; an interval misses with probability about 1e-6.
TYPED_TEST(Splitting, FindsKnownProbabilities) {
  SplittingOptions options;
  options.confidence = 1 - 1e-6;
  const Ruin ruin{1.0 / 3};
  const SplittingResult rich = split(TypeParam(), ruin, 40, options);
  EXPECT_NEAR(rich.probability, ruin.exact(40), rich.half_width);
  EXPECT_LT(rich.half_width, 0.5 * ruin.exact(40));
  EXPECT_EQ(rich.levels.back(), 40);

  const Tandem line{1, 4};
  const SplittingResult full = split(TypeParam(), line, 16, options);
  EXPECT_NEAR(full.probability, line.exact(16), full.half_width);
  EXPECT_LT(full.half_width, 0.5 * line.exact(16));
}

// Each run finds its own levels. For two servers, the reference is the formula for birth-and-death processes.
TYPED_TEST(Splitting, FindsKnownProbabilitiesAdaptively) {
  SplittingOptions options{.runs = 20, .chains = 200, .share = default_kept_share};
  options.confidence = 1 - 1e-6;
  const Ruin ruin{1.0 / 3};
  const SplittingResult rich = adaptive_split(TypeParam(), ruin, 40, options);
  EXPECT_NEAR(rich.probability, ruin.exact(40), rich.half_width);
  EXPECT_LT(rich.half_width, 2 * ruin.exact(40));

  const Tandem line{1, 4};
  const SplittingResult full = adaptive_split(TypeParam(), line, 12, options);
  EXPECT_NEAR(full.probability, line.exact(12), full.half_width);
  EXPECT_LT(full.half_width, 2 * line.exact(12));

  const models::BusyCycle queue{1, 0.75, 2, models::BusyCycle::endless};
  EXPECT_DOUBLE_EQ(queue.exact_reach(4), 1 / (1 + 0.75 + 0.75 * 1.5 + 0.75 * 1.5 * 1.5));
  const SplittingResult long_queue = adaptive_split(TypeParam(), queue, 25, options);
  EXPECT_NEAR(long_queue.probability, queue.exact_reach(25), long_queue.half_width);
}

// A continuous level that chains overshoot: a sum of exponential steps up to the one that happens to be the last.
struct Leaps {
  struct State {
    double height;
    std::int32_t is_over;
  };
  enum Input { leap, end, input_count };
  double last;  // probability that a step is the last

  template <class Inputs>
  KOKKOS_FUNCTION State start(Inputs& inputs) const {
    return {exponential(inputs(leap), 1.0), 0};
  }
  template <class Inputs>
  KOKKOS_FUNCTION void step(State& state, Inputs& inputs) const {
    state.is_over = inputs(end) < last ? 1 : 0;
    if (state.is_over == 0) state.height += exponential(inputs(leap), 1.0);
  }
  KOKKOS_FUNCTION double level(const State& state) const { return state.height; }
  KOKKOS_FUNCTION bool is_over(const State& state) const { return state.is_over != 0; }
};

// A geometric number of exponential variates is exponential; its rate is the probability that a step is the last.
TYPED_TEST(Splitting, ClonesChainsWhereTheyFirstCameAboveALevel) {
  SplittingOptions options{.runs = 20, .chains = 500, .share = default_kept_share};
  options.confidence = 1 - 1e-6;
  const double exact = std::exp(-0.5 * 40);
  const SplittingResult high = adaptive_split(TypeParam(), Leaps{0.5}, 40, options);
  EXPECT_NEAR(high.probability, exact, high.half_width);
  EXPECT_LT(high.half_width, exact);
}

// Other random numbers yield other bits.
TYPED_TEST(Splitting, HasTheSameBitsOnEachBackend) {
  SplittingOptions options;
  options.runs = 7;
  options.chains = 101;
  const SplittingResult here = split(TypeParam(), Tandem{1, 4}, 12, options);
  const SplittingResult host = split(Kokkos::DefaultHostExecutionSpace(), Tandem{1, 4}, 12, options);
  EXPECT_EQ(here.estimates, host.estimates);
  EXPECT_EQ(here.levels, host.levels);
  EXPECT_EQ(here.steps, host.steps);
  const SplittingResult adaptive = adaptive_split(TypeParam(), Tandem{1, 4}, 8, options);
  EXPECT_EQ(adaptive.estimates,
            adaptive_split(Kokkos::DefaultHostExecutionSpace(), Tandem{1, 4}, 8, options).estimates);
  options.seed = 2;
  EXPECT_NE(split(TypeParam(), Tandem{1, 4}, 12, options).estimates, host.estimates);
}

TYPED_TEST(Splitting, SaysWhatAnEventIsAtMostThatNoRunSaw) {
  const SplittingResult result = split(TypeParam(), Ruin{0.0}, 3);
  EXPECT_EQ(result.probability, 0);
  EXPECT_EQ(result.half_width, 0);
  EXPECT_DOUBLE_EQ(result.at_most, -std::expm1(std::log(0.05) / 30'000));
  // With few chains all reach level 2 now and then, but none reaches the target.
  SplittingOptions options;
  options.max_levels = 1;
  options.chains = 2;
  const Ruin ruin{1.0 / 3};
  const SplittingResult unseen = split(TypeParam(), ruin, 40, options);
  EXPECT_EQ(unseen.probability, 0);
  EXPECT_GE(unseen.at_most, ruin.exact(40));
  EXPECT_EQ(split(TypeParam(), Ruin{0.5}, 1).probability, 1);  // reached at the start
}

TYPED_TEST(Splitting, SaysWhatAnEventIsAtMostThatNoAdaptiveRunSaw) {
  SplittingOptions options{.runs = 2, .chains = 10, .share = default_kept_share};
  const SplittingResult result = adaptive_split(TypeParam(), Ruin{0.0}, 3, options);
  EXPECT_EQ(result.probability, 0);
  EXPECT_DOUBLE_EQ(result.at_most, -std::expm1(std::log(0.05) / 20));
  EXPECT_EQ(adaptive_split(TypeParam(), Ruin{0.5}, 1, options).probability, 1);  // reached at the start
}

TYPED_TEST(Splitting, RefusesChainsThatDoNotEnd) {
  SplittingOptions options;
  options.max_steps = 1000;
  const auto what = [&](const Idle& chain) -> std::string {
    try {
      split(TypeParam(), chain, 1, options);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(what({1'000'000, 0}),
            "a chain has made 1000 steps without ending or reaching the next level: use a chain that ends, or allow "
            "more steps");
  EXPECT_EQ(what({1, std::numeric_limits<double>::quiet_NaN()}), "the level of a state is not a number");
  EXPECT_EQ(what({1, 0}), "");
  EXPECT_THROW(adaptive_split(TypeParam(), Idle{1'000'000, 0}, 1, options), std::runtime_error);
  EXPECT_THROW(adaptive_split(TypeParam(), Idle{1, std::numeric_limits<double>::quiet_NaN()}, 1, options),
               std::runtime_error);
}

TYPED_TEST(Splitting, RefusesWhatIsOutOfRange) {
  const auto refuses = [](auto member, auto value) {
    SplittingOptions options;
    options.*member = value;
    EXPECT_THROW(split(TypeParam(), Ruin{0.3}, 4, options), std::invalid_argument);
  };
  refuses(&SplittingOptions::runs, 1);
  refuses(&SplittingOptions::chains, 1);
  refuses(&SplittingOptions::share, 0.0);
  refuses(&SplittingOptions::share, 1.0);
  refuses(&SplittingOptions::confidence, 1.0);
  refuses(&SplittingOptions::max_levels, 0);
  refuses(&SplittingOptions::max_steps, 0);
  EXPECT_THROW(split(TypeParam(), Ruin{0.3}, std::numeric_limits<double>::infinity()), std::invalid_argument);
}

// Among 200 intervals of 95 % for P = 2.4e-4 (2000 with SPOROS_LONG_TESTS), the number that cover leaves its binomial
// band with probability 1e-5 at most per side. Control: intervals of a third of the width, which cover half of the
// time. The estimate is skewed: with 50 chains per run, which is enough for 200 macro-replications, 93.0 % of 10 000
// intervals cover.
template <class Split>
void expect_coverage(const Split& split_once) {
  const Ruin ruin{1.0 / 3};
  constexpr int target = 12;
  const int experiments = test::are_tests_long() ? 2000 : 200;
  int covered = 0, by_third = 0;
  for (int experiment = 0; experiment < experiments; ++experiment) {
    const SplittingResult result = split_once(ruin, target, static_cast<std::uint64_t>(experiment) + 1);
    const double error = std::abs(result.probability - ruin.exact(target));
    covered += error <= result.half_width ? 1 : 0;
    by_third += error <= result.half_width / 3 ? 1 : 0;
  }
  const test::BinomialBand band = test::binomial_band(experiments, 0.95);
  EXPECT_GE(covered, band.least);
  EXPECT_LE(covered, band.most);
  EXPECT_LT(by_third, band.least);
}

int chains() { return test::are_tests_long() ? 100 : 50; }

TEST(SplittingLaws, CoverAsOftenAsTheySay) {
  expect_coverage([](const Ruin& ruin, int target, std::uint64_t seed) {
    return split(Kokkos::DefaultHostExecutionSpace(), ruin, target, {.chains = chains(), .seed = seed});
  });
}

TEST(SplittingLaws, CoverAsOftenAsTheySayAdaptively) {
  expect_coverage([](const Ruin& ruin, int target, std::uint64_t seed) {
    return adaptive_split(Kokkos::DefaultHostExecutionSpace(), ruin, target,
                          {.chains = chains(), .share = default_kept_share, .seed = seed});
  });
}

}  // namespace splitting_tests
}  // namespace sporos
