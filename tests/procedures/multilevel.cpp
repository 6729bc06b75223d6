// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks multilevel Monte Carlo on options whose prices are known.
#include "harness/backends.hpp"
#include "harness/binomial_band.hpp"
#include "harness/long_tests.hpp"
#include "harness/serial_or_host.hpp"

#include <sporos/models/finance/path_option.hpp>
#include <sporos/procedures/multilevel/multilevel.hpp>

#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdint>
#include <string>

namespace sporos {
namespace multilevel_tests {

using models::PathOption;
using test::SerialOrHost;
using Payoff = PathOption::Payoff;
using Scheme = PathOption::Scheme;

PathOption option_of(Payoff payoff, Scheme scheme) { return {100, 100, 0.05, 0.2, 1, payoff, scheme}; }

// A response whose level l has the bias ratio^l, and whose coarse response is off by `wrong`.
struct Biased {
  enum Input { noise, input_count };
  double ratio, wrong;

  KOKKOS_FUNCTION double bias(int level) const {
    double bias = 1;
    for (int l = 0; l < level; ++l) bias *= ratio;
    return bias;
  }
  double level_cost(int level) const { return std::exp2(level); }
  template <class Inputs>
  KOKKOS_FUNCTION LevelPair at_level(Inputs& inputs, int level) const {
    const double u = inputs(noise);
    return {u + bias(level), level == 0 ? 0.0 : u + bias(level - 1) + wrong};
  }
};

template <class Space>
class Multilevel : public ::testing::Test {};
TYPED_TEST_SUITE(Multilevel, test::Backends, test::BackendName);

// The normal interval about the finest level's mean, widened by the bias, misses with probability about 1e-3.
TYPED_TEST(Multilevel, PricesOptionsWithKnownPrices) {
  MultilevelOptions options;
  options.rmse = 0.05;
  options.confidence = 0.999;
  for (const Payoff payoff : {Payoff::european, Payoff::geometric_asian}) {
    for (const Scheme scheme : {Scheme::euler, Scheme::milstein}) {
      const PathOption option = option_of(payoff, scheme);
      const MultilevelResult price = multilevel(TypeParam(), option, options);
      EXPECT_NEAR(price.mean, option.exact_price(), price.half_width);
      EXPECT_LE(price.bias, options.rmse);
      EXPECT_LE(price.half_width, 3.3 * options.rmse);
      EXPECT_NEAR(price.gamma, 1, 1e-12);
      if (payoff == Payoff::european) {
        EXPECT_NEAR(price.beta, scheme == Scheme::euler ? 1 : 2, 0.4);
      }
    }
  }
}

TYPED_TEST(Multilevel, HasTheSameBitsOnEachBackend) {
  MultilevelOptions options;
  options.rmse = 0.2;
  options.pilot_replications = 101;
  const PathOption option = option_of(Payoff::geometric_asian, Scheme::milstein);
  const MultilevelResult here = multilevel(TypeParam(), option, options);
  const MultilevelResult host = multilevel(SerialOrHost(), option, options);
  EXPECT_EQ(here.mean, host.mean);
  EXPECT_EQ(here.half_width, host.half_width);
  EXPECT_EQ(here.levels.size(), host.levels.size());
  options.seed = 2;
  EXPECT_NE(multilevel(TypeParam(), option, options).mean, host.mean);
}

TYPED_TEST(Multilevel, PricesOptionsFromSobolsPoints) {
  MultilevelOptions options;
  options.rmse = 0.02;
  options.confidence = 0.999;
  options.sampling = LevelSampling::sobol;
  for (const Payoff payoff : {Payoff::european, Payoff::geometric_asian}) {
    const PathOption option = option_of(payoff, Scheme::milstein);
    const MultilevelResult price = multilevel(TypeParam(), option, options);
    EXPECT_NEAR(price.mean, option.exact_price(), price.half_width);
    EXPECT_LE(price.half_width, 3.3 * options.rmse);
    const MultilevelResult host = multilevel(SerialOrHost(), option, options);
    EXPECT_EQ(price.mean, host.mean);
    EXPECT_EQ(price.half_width, host.half_width);
  }
}

// Other kinds of draws take the coordinates in order: the mean of u is 1/2.
TYPED_TEST(Multilevel, TakesCoordinatesForOtherModels) {
  MultilevelOptions options;
  options.rmse = 0.01;
  options.sampling = LevelSampling::sobol;
  const MultilevelResult found = multilevel(TypeParam(), Biased{0.5, 0}, options);
  EXPECT_NEAR(found.mean, 0.5 + std::exp2(1 - static_cast<double>(found.levels.size())), 0.05);
}

// Over the points of a net, increments of the bridge have variances of 1 and covariances of 0, to within 0.05; for
// independent points the standard error is 0.016 to 0.022. The last two increments of a path that is cut off a step too
// early would have covariance −1/2.
TEST(MultilevelLaws, BridgesHaveIndependentIncrements) {
  constexpr int level = 3, steps = 1 << level;
  constexpr std::uint32_t points = 4096;
  const auto directions = sobol_directions(steps);
  double products[steps][steps] = {};
  for (std::uint32_t point = 0; point < points; ++point) {
    impl::BridgeInputs inputs({directions.data(), steps, 7, point}, level);
    double increments[steps];
    for (double& increment : increments) increment = inputs(0).template as<StandardNormal>();
    for (int i = 0; i < steps; ++i) {
      for (int j = 0; j < steps; ++j) products[i][j] += increments[i] * increments[j] / points;
    }
  }
  for (int i = 0; i < steps; ++i) {
    for (int j = 0; j < steps; ++j) EXPECT_NEAR(products[i][j], i == j ? 1 : 0, 0.05) << i << ' ' << j;
  }
}

// At the same error, the points of a net cost less than a third of independent points.
TEST(MultilevelLaws, CostLessFromSobolsPoints) {
  MultilevelOptions options;
  options.rmse = 0.03;
  options.alpha = 1;
  const PathOption option = option_of(Payoff::geometric_asian, Scheme::milstein);
  const MultilevelResult random = multilevel(Kokkos::DefaultHostExecutionSpace(), option, options);
  options.sampling = LevelSampling::sobol;
  const MultilevelResult sobol = multilevel(Kokkos::DefaultHostExecutionSpace(), option, options);
  EXPECT_LT(3 * sobol.cost, random.cost);
}

// The root mean square error of 100 estimates (200 with SPOROS_LONG_TESTS) is at most the requested one. Relative to
// the request, its square is at most a chi-square variate over its 100 (200) degrees of freedom, which exceeds 1.8
// (1.5) with probability 2e-6 (6e-6). An error of twice the requested size is detected.
TEST(MultilevelLaws, KeepTheErrorThatWasAskedFor) {
  const int experiments = test::runs_in_test(100, 200);
  const double most = test::runs_in_test(1.8, 1.5);
  MultilevelOptions options;
  options.rmse = 0.3;
  options.pilot_replications = 200;
  const PathOption option = option_of(Payoff::european, Scheme::euler);
  double squares = 0, shifted = 0;
  for (int experiment = 0; experiment < experiments; ++experiment) {
    options.seed = static_cast<std::uint64_t>(experiment) + 1;
    const double error = multilevel(SerialOrHost(), option, options).mean - option.exact_price();
    squares += error * error / experiments;
    shifted += (error + 2 * options.rmse) * (error + 2 * options.rmse) / experiments;
  }
  EXPECT_LT(squares, most * options.rmse * options.rmse);
  EXPECT_GT(shifted, most * options.rmse * options.rmse) << "control";
}

// With Sobol's points, estimates are means of 32 randomizations each. The mean of 50 squared errors (100 with
// SPOROS_LONG_TESTS) exceeds 2.2 (1.8) times the requested square with probability 3e-6 at most.
TEST(MultilevelLaws, KeepTheErrorFromSobolsPoints) {
  const int experiments = test::runs_in_test(50, 100);
  const double most = test::runs_in_test(2.2, 1.8);
  MultilevelOptions options;
  options.rmse = 0.05;
  options.alpha = 1;
  options.sampling = LevelSampling::sobol;
  const PathOption option = option_of(Payoff::geometric_asian, Scheme::milstein);
  double squares = 0, shifted = 0;
  for (int experiment = 0; experiment < experiments; ++experiment) {
    options.seed = static_cast<std::uint64_t>(experiment) + 1;
    const double error = multilevel(SerialOrHost(), option, options).mean - option.exact_price();
    squares += error * error / experiments;
    shifted += (error + 2 * options.rmse) * (error + 2 * options.rmse) / experiments;
  }
  EXPECT_LT(squares, most * options.rmse * options.rmse);
  EXPECT_GT(shifted, most * options.rmse * options.rmse) << "control";
}

// A response whose bias falls by a factor of 4 per level on coarse levels, but only by 2 on fine levels, like that of
// the geometric Asian option.
struct EverSlower {
  enum Input { noise, error, input_count };

  KOKKOS_FUNCTION double bias(int level) const { return level < 3 ? 1.0 / (1 << 2 * level) : 0.25 / (1 << level); }
  double level_cost(int level) const { return std::exp2(level); }
  template <class Inputs>
  KOKKOS_FUNCTION LevelPair at_level(Inputs& inputs, int level) const {
    const double u = inputs(noise), v = double(inputs(error)) - 0.5, step = 1.0 / (1 << level);
    return {u + bias(level) + step * v, level == 0 ? 0.0 : u + bias(level - 1) + 2 * step * v};
  }
  static constexpr double limit = 0.5;
};

// Accuracy of repeated estimates of the limit.
struct Accuracy {
  int covered = 0, covered_without_bias = 0;
  double mean_square = 0;
};

template <class Model>
Accuracy accuracy_of(const Model& model, double limit, MultilevelOptions options, int experiments) {
  Accuracy found;
  for (int experiment = 0; experiment < experiments; ++experiment) {
    options.seed = static_cast<std::uint64_t>(experiment) + 1;
    const MultilevelResult result = multilevel(SerialOrHost(), model, options);
    double variance = 0;
    for (const LevelEstimate& level : result.levels)
      variance += level.variance / static_cast<double>(level.replications);
    const double error = std::abs(result.mean - limit);
    found.covered += error <= result.half_width;
    found.covered_without_bias += error <= 1.96 * std::sqrt(variance);
    found.mean_square += error * error / experiments;
  }
  return found;
}

// Fewer than `least` of 200 intervals of 95 % cover the limit with probability 1e-5. The mean square error exceeds 1.5
// times the requested one with probability 2e-6, as above. Control: twice the rate of the fine levels, as the coarse
// levels suggest, makes the error too large and the intervals too narrow, like intervals without the bias.
void expect_accuracy(const auto& model, double limit, MultilevelOptions options) {
  constexpr int experiments = 200;
  const double least = test::binomial_band(experiments, 0.95).least;
  const Accuracy found = accuracy_of(model, limit, options, experiments);
  EXPECT_GE(found.covered, least);
  EXPECT_LT(found.mean_square, 1.5 * options.rmse * options.rmse);
  options.alpha = 2;
  const Accuracy control = accuracy_of(model, limit, options, experiments);
  EXPECT_LT(control.covered_without_bias, least);
  EXPECT_GT(control.mean_square, found.mean_square);
}

TEST(MultilevelLaws, CoverTheLimitWhereFineLevelsConvergeMoreSlowly) {
  MultilevelOptions options;
  options.rmse = 0.02;
  options.pilot_replications = 100;
  expect_accuracy(EverSlower(), EverSlower::limit, options);
}

TEST(MultilevelLaws, CoverThePriceOfTheAsianOption) {
  if (!test::are_tests_long()) GTEST_SKIP() << "half a minute";
  MultilevelOptions options;
  options.rmse = 0.04;
  const PathOption option = option_of(Payoff::geometric_asian, Scheme::milstein);
  expect_accuracy(option, option.exact_price(), options);
}

// An estimated rate is trusted up to 1; with the known rate of 2, fewer levels suffice.
TEST(MultilevelLaws, TakeARateThatIsKnown) {
  MultilevelOptions options;
  options.rmse = 0.01;
  const MultilevelResult estimated = multilevel(SerialOrHost(), Biased{0.25, 0}, options);
  options.alpha = 2;
  const MultilevelResult known = multilevel(SerialOrHost(), Biased{0.25, 0}, options);
  EXPECT_EQ(known.alpha, 2);
  EXPECT_NEAR(estimated.alpha, 2, 1e-6);
  EXPECT_GT(estimated.levels.size(), known.levels.size());
  EXPECT_LT(std::abs(known.mean - 0.5), std::abs(known.half_width));
}

// With Milstein's scheme the cost grows as rmse^-2, that of a single level as rmse^-3: replications at the finest level
// alone would cost at least 6 times as much.
TEST(MultilevelLaws, CostLessThanOneLevel) {
  MultilevelOptions options;
  options.rmse = 0.02;
  const MultilevelResult price =
      multilevel(Kokkos::DefaultHostExecutionSpace(), option_of(Payoff::european, Scheme::milstein), options);
  const LevelEstimate& finest = price.levels.back();
  const double one_level = 2 * finest.fine_variance / (options.rmse * options.rmse) * finest.cost / 1.5;
  EXPECT_LT(6 * price.cost, one_level);
}

std::string complaint(const Biased& model, const MultilevelOptions& options) {
  try {
    multilevel(SerialOrHost(), model, options);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

TEST(MultilevelLaws, RefuseLevelsThatDoNotConvergeOrDoNotFit) {
  MultilevelOptions options;
  options.max_levels = 5;
  options.rmse = 0.1;
  EXPECT_EQ(complaint({0.5, 0}, options), "");
  EXPECT_EQ(complaint({1.5, 0}, options).substr(0, 18), "the bias is still ");
  EXPECT_NE(complaint({0.5, 0.5}, options).find("must have the distribution of the fine response"), std::string::npos);
  options.max_replications = 1000;
  options.rmse = 1e-4;
  EXPECT_NE(complaint({0.5, 0}, options).find("expected at most 1000: use a larger rmse"), std::string::npos);
}

TEST(MultilevelLaws, RefuseWhatIsOutOfRange) {
  const auto refuses = [](auto member, auto value) {
    MultilevelOptions options;
    options.*member = value;
    EXPECT_NE(complaint({0.5, 0}, options), "");
  };
  refuses(&MultilevelOptions::rmse, 0.0);
  refuses(&MultilevelOptions::alpha, -1.0);
  refuses(&MultilevelOptions::pilot_replications, 1);
  refuses(&MultilevelOptions::max_levels, 2);
  refuses(&MultilevelOptions::max_levels, max_multilevel_levels + 1);
  refuses(&MultilevelOptions::confidence, 0.0);
}

}  // namespace multilevel_tests
}  // namespace sporos
