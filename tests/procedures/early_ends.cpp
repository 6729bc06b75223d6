// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks that procedures whose launches are stopped early return what is done: the first part of the whole result.
#include "harness/serial_or_host.hpp"

#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/execution/launch_stop.hpp>
#include <sporos/core/replication/level_pair.hpp>
#include <sporos/procedures/array_rqmc/array_rqmc.hpp>
#include <sporos/procedures/multilevel/multilevel.hpp>
#include <sporos/procedures/rare_events/adaptive_splitting.hpp>
#include <sporos/procedures/rare_events/importance_sampling.hpp>
#include <sporos/procedures/rare_events/splitting.hpp>
#include <sporos/procedures/sampling_comparison.hpp>
#include <sporos/procedures/stratification/stratified.hpp>

#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

namespace sporos {
namespace early_ends_tests {

using test::SerialOrHost;

using Space = SerialOrHost;

// Number of steps and replications made, and the number after which launches are stopped.
std::int64_t made = 0, max_made = std::numeric_limits<std::int64_t>::max();

void count() {
  if (++made == max_made) request_launch_stop();
}

// Result of `estimate` if launches are stopped after this share of its work.
template <class Estimate>
auto part_of(double share, const Estimate& estimate) {
  struct Withdrawal {
    ~Withdrawal() {
      max_made = std::numeric_limits<std::int64_t>::max();
      withdraw_launch_stop();
    }
  } const withdrawal;
  made = 0;
  estimate();
  max_made = static_cast<std::int64_t>(share * static_cast<double>(made));
  made = 0;
  return estimate();
}

// A gambler who wins with probability 0.4.
struct Gambler {
  struct State {
    std::int64_t money;
  };
  enum Input { game, input_count };

  template <class Inputs>
  State start(Inputs&) const {
    return {1};
  }
  template <class Inputs>
  void step(State& state, Inputs& inputs) const {
    count();
    state.money += inputs(game) < 0.4 ? 1 : -1;
  }
  double level(const State& state) const { return static_cast<double>(state.money); }
  bool is_over(const State& state) const { return state.money == 0; }
  std::vector<double> uniform_cuts(int) const { return {0.4}; }
};
constexpr double rich = 8;

// A sum of two exponential times.
struct Times {
  enum Input { first, second, input_count };
  static constexpr auto response_names = std::array{"time"};

  template <class Inputs>
  Kokkos::Array<double, 1> operator()(Inputs& inputs) const {
    count();
    return {{exponential(inputs(first), 1.0) + exponential(inputs(second), 1.0)}};
  }
  LevelPair level_pair(double u, int level) const {
    count();
    return {u + std::exp2(-level), level == 0 ? 0.0 : u + std::exp2(1 - level)};
  }
  template <class Inputs>
  LevelPair at_level(Inputs& inputs, int level) const {
    return level_pair(inputs(first), level);
  }
  double level_cost(int level) const { return std::exp2(level); }
};

// A random walk.
struct Walk {
  struct State {
    double place;
  };
  enum Input { step_size, input_count };

  State start() const { return {0}; }
  template <class Inputs>
  void step(State& state, Inputs& inputs) const {
    count();
    state.place += inputs(step_size);
  }
  double key(const State& state) const { return state.place; }
  double response(const State& state) const { return state.place; }
};

void expect_prefix(const std::vector<double>& part, const std::vector<double>& whole) {
  EXPECT_GE(part.size(), 2u);
  ASSERT_LT(part.size(), whole.size());
  for (std::size_t i = 0; i < part.size(); ++i) EXPECT_EQ(part[i], whole[i]) << i;
}

TEST(EarlyEnds, OfImportanceSamplingCountTheReplicationsThatAreDone) {
  ImportanceOptions options{.replications = 8'000, .pilot_replications = 300};
  const auto estimate = [&] { return importance_sampled(Space(), Gambler(), rich, options); };
  const ImportanceResult part = part_of(0.9, estimate);
  EXPECT_GE(part.estimate_replications, 2);
  ASSERT_LT(part.estimate_replications, options.replications);
  options.replications = part.estimate_replications;
  const ImportanceResult same = estimate();
  EXPECT_EQ(same.estimate_replications, options.replications);
  EXPECT_EQ(part.probability, same.probability);
  EXPECT_EQ(part.half_width, same.half_width);
  EXPECT_EQ(part.replications, same.replications);
  EXPECT_THROW(part_of(0.01, estimate), LaunchStopped) << "in cross-entropy";
}

TEST(EarlyEnds, OfSplittingCountTheRunsThatAreDone) {
  SplittingOptions options{.runs = 30, .chains = 50};
  for (const bool is_adaptive : {false, true}) {
    const auto estimate = [&] {
      return is_adaptive ? adaptive_split(Space(), Gambler(), rich, options) : split(Space(), Gambler(), rich, options);
    };
    options.runs = 30;
    const SplittingResult whole = estimate(), part = part_of(0.8, estimate);
    expect_prefix(part.estimates, whole.estimates);
    options.runs = static_cast<std::int64_t>(part.estimates.size());
    const SplittingResult same = estimate();
    EXPECT_EQ(part.probability, same.probability);
    EXPECT_EQ(part.half_width, same.half_width);
    EXPECT_EQ(part.shares, same.shares);
    EXPECT_EQ(part.steps, same.steps);
    EXPECT_THROW(part_of(0.01, estimate), LaunchStopped) << "before two runs";
  }
}

TEST(EarlyEnds, OfMultilevelSayThatTheErrorIsNotReached) {
  MultilevelOptions options{.rmse = 0.002, .pilot_replications = 100};
  for (const LevelSampling sampling : {LevelSampling::random, LevelSampling::sobol}) {
    options.sampling = sampling;
    const auto estimate = [&] { return multilevel(Space(), Times(), options); };
    const MultilevelResult whole = estimate(), part = part_of(0.5, estimate);
    EXPECT_TRUE(whole.is_rmse_reached);
    EXPECT_FALSE(part.is_rmse_reached);
    EXPECT_GE(part.levels.size(), 3u);
    EXPECT_LT(part.cost, whole.cost);
    EXPECT_GT(part.half_width, whole.half_width);
    EXPECT_NEAR(part.mean, whole.mean, part.half_width + whole.half_width);
    EXPECT_THROW(part_of(0.001, estimate), LaunchStopped) << "before three levels";
  }
}

TEST(EarlyEnds, OfStrataHaveSeenEachOfThem) {
  StratifiedOptions options{.input = Times::first, .replications = 60'000, .confidence = 1 - 1e-6};
  for (const bool is_shared : {false, true}) {
    if (is_shared) options.shared_for = 0;
    const auto estimate = [&] { return stratified(Space(), Times(), options); };
    const StratifiedResult whole = estimate(), part = part_of(0.6, estimate);
    EXPECT_TRUE(whole.is_complete);
    EXPECT_FALSE(part.is_complete);
    std::int64_t all = 0;
    for (std::size_t i = 0; i < part.replications.size(); ++i) {
      EXPECT_GE(part.replications[i], 2);
      EXPECT_LE(part.replications[i], whole.replications[i]);
      all += part.replications[i];
    }
    EXPECT_GT(all, 4000);
    EXPECT_LT(all, options.replications);
    EXPECT_NEAR(part.means[0].mean, 2, part.means[0].half_width);  // fails with probability 1e-6
    EXPECT_THROW(part_of(1e-4, estimate), LaunchStopped) << "before each has two";
  }
}

TEST(EarlyEnds, OfArraysOfChainsCountTheRandomizationsThatAreDone) {
  const ArrayRqmcOptions options{.chains = 64, .steps = 10, .randomizations = 60};
  const auto estimate = [&] { return array_rqmc(Space(), Walk(), options); };
  const ArrayRqmcResult whole = estimate(), part = part_of(0.5, estimate);
  expect_prefix(part.estimates, whole.estimates);
  EXPECT_EQ(part.mean,
            std::reduce(part.estimates.begin(), part.estimates.end()) / static_cast<double>(part.estimates.size()));
  EXPECT_THROW(part_of(0.01, estimate), LaunchStopped) << "before two randomizations";
}

// Samplings that are compared if experiment number `interrupted` stops early; number 0 is random sampling.
std::vector<Sampling> compared_where(int interrupted, std::int64_t observations) {
  int number = 0;
  const PlannedExperiment experiment = [&](const Plan&, const Observer& observer) {
    PointResult result;
    result.stopped_by = number++ == interrupted ? StopReason::interrupted : StopReason::replications;
    const std::int64_t seen = result.stopped_by == StopReason::interrupted ? observations : 10;
    for (std::int64_t i = 0; i < seen; ++i) observer(0, 0, static_cast<double>(i % 3));
    result.replications = seen;
    result.responses.resize(1);
    result.responses[0].observations = seen;
    return result;
  };
  const std::vector<Sampling> asked{Sampling::random, Sampling::antithetic, Sampling::latin_hypercube};
  Plan plan;
  plan.source.run_length = 2;
  std::vector<Sampling> samplings;
  for (const ComparedSampling& one : compare_samplings(experiment, plan, asked, {}, [](const Plan&) {}))
    samplings.push_back(one.source.sampling);
  return samplings;
}

TEST(EarlyEnds, OfComparisonsLeaveOutWhatHasNotBegun) {
  using enum Sampling;
  EXPECT_EQ(compared_where(3, 0), (std::vector{random, antithetic, latin_hypercube}));
  EXPECT_EQ(compared_where(1, 5), (std::vector{random, antithetic}));
  EXPECT_EQ(compared_where(1, 1), (std::vector{random}));
  EXPECT_EQ(compared_where(0, 5), (std::vector{random}));
  EXPECT_EQ(compared_where(0, 1), std::vector<Sampling>());
}

}  // namespace early_ends_tests
}  // namespace sporos
