// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks solvers on noisy problems whose minimum is known.
#include "noisy_problems.hpp"

#include <sporos/optimizers/search/astro_df.hpp>
#include <sporos/optimizers/search/random_search.hpp>
#include <sporos/optimizers/search/run_searches.hpp>
#include <sporos/optimizers/search/stochastic_approximation.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace sporos::test {
namespace searches_tests {

Solver approximation(StepScaling scaling, GradientSource gradient, double averaging = 3, double decay = 0.602) {
  StochasticApproximationOptions options;
  options.scaling = scaling;
  options.gradient = gradient;
  options.replications = 4;
  options.averaging = averaging;
  options.decay = decay;
  return [options](SearchRun& run) { return stochastic_approximation(run, options); };
}

Solver astro(bool has_gradient) {
  return [has_gradient](SearchRun& run) { return astro_df(run, {}, has_gradient); };
}

// Mean squared distance from the minimum over 20 runs.
double mean_distance(NoisyProblem problem, const Solver& solver, std::int64_t budget) {
  double sum = 0;
  for (const SearchResult& result :
       run_searches(problem, solver, std::vector<double>(problem.dimension(), 0.0), budget, seeds(20))) {
    EXPECT_LE(result.replications, budget);
    sum += distance_from_minimum(result.x) / 20;
  }
  return sum;
}

TEST(Searches, ComeToTheMinimumOfANoisyQuadratic) {
  using enum StepScaling;
  using enum GradientSource;
  const double start = distance_from_minimum(std::vector<double>(4, 0.0));
  EXPECT_LT(mean_distance(noisy_quadratic(4, true), approximation(adam, problem), 4000), 0.02 * start);
  EXPECT_LT(mean_distance(noisy_quadratic(4, true), approximation(adagrad, problem), 4000), 0.02 * start);
  EXPECT_LT(mean_distance(noisy_quadratic(4, true), approximation(robbins_monro, problem), 4000), 0.02 * start);
  EXPECT_LT(mean_distance(noisy_quadratic(4, false), approximation(robbins_monro, differences), 8000), 0.02 * start);
  EXPECT_LT(mean_distance(noisy_quadratic(4, true), astro(true), 4000), 0.02 * start);
  EXPECT_LT(mean_distance(noisy_quadratic(4, false), astro(false), 8000), 0.02 * start);
}

// Slope of the logarithm of the mean squared distance against the logarithm of the budget.
double rate(bool has_gradient, const Solver& solver, std::int64_t budget) {
  const double few = mean_distance(noisy_quadratic(4, has_gradient), solver, budget);
  return std::log(mean_distance(noisy_quadratic(4, has_gradient), solver, 16 * budget) / few) / std::log(16.0);
}

// On a strongly convex problem the squared distance falls as 1 / n, for steps that fall as 1 / n (Chung 1954) and for
// the mean of the iterates (Polyak, Juditsky 1992), also with larger weights of later ones, and for the mean of Adam's
// iterates. The logarithm of a ratio of two means of 80 squares has a standard error of about 0.22, so the slope has
// one of 0.08. All 4 slopes lie within the bounds with a probability above 0.999. The control is the last iterate of
// Adam with steps that do not shrink.
TEST(Searches, StochasticApproximationConvergesAtItsRate) {
  using enum StepScaling;
  using enum GradientSource;
  constexpr double last = std::numeric_limits<double>::infinity();
  EXPECT_NEAR(rate(true, approximation(robbins_monro, problem, last, 1), 2000), -1, 0.32);
  EXPECT_NEAR(rate(true, approximation(robbins_monro, problem, 0, 0.7), 2000), -1, 0.32);
  EXPECT_NEAR(rate(true, approximation(robbins_monro, problem, 3, 0.7), 2000), -1, 0.32);
  EXPECT_NEAR(rate(true, approximation(adam, problem), 2000), -1, 0.32);
  EXPECT_GT(rate(true, approximation(adam, problem, last, 0), 2000), -0.3);
}

// The squared gradient is 4 times the squared distance.
TEST(Searches, GradientsFallWithTheBudgetOfTrustRegions) {
  EXPECT_LT(rate(true, astro(true), 2000), -0.6);
  EXPECT_LT(rate(false, astro(false), 2000), -0.6);
}

TEST(Searches, StayWithinBounds) {
  for (const bool has_gradient : {true, false}) {
    NoisyProblem problem = noisy_quadratic(3, has_gradient, -0.5, 0.75);  // the minimum lies outside
    for (const Solver& solver : {has_gradient ? approximation(StepScaling::adam, GradientSource::problem)
                                              : approximation(StepScaling::robbins_monro, GradientSource::differences),
                                 astro(has_gradient)}) {
      const auto result = run_searches(problem, solver, {0, 0, 0}, 2000, {1}).front();
      for (const Recommendation& recommendation : result.recommendations) {
        for (const double x : recommendation.x) EXPECT_TRUE(x >= -0.5 && x <= 0.75) << x;
      }
      for (const double x : result.x) EXPECT_NEAR(x, 0.75, 0.1);
    }
  }
}

TEST(Searches, RandomSearchFindsTheBestOfWholeNumbers) {
  NoisyProblem problem({{0, 9, true}, {1, 7, true}}, false,
                       [](std::span<const double> x, const std::function<double()>& u, std::span<double>) {
                         return std::pow(x[0] - 3, 2) + std::pow(x[1] - 6, 2) + u();
                       });
  const Solver solver = [](SearchRun& run) { return random_search(run, {5, 20}); };
  for (const auto& result : run_searches(problem, solver, {0, 1}, 3000, seeds(5))) {
    EXPECT_EQ(result.x, (std::vector<double>{3, 6}));
    EXPECT_EQ(result.replications, 3000);
  }
}

// Runs share rounds and do not affect each other.
TEST(Searches, AdvanceSideBySide) {
  const Solver solver = approximation(StepScaling::adam, GradientSource::problem);
  NoisyProblem separate = noisy_quadratic(2, true), together = noisy_quadratic(2, true);
  const auto one = run_searches(separate, solver, {0, 0}, 400, {7});
  const auto many = run_searches(together, solver, {0, 0}, 400, {5, 6, 7, 8});
  EXPECT_EQ(separate.rounds, 100);
  EXPECT_EQ(together.rounds, 100);
  EXPECT_EQ(together.replications, 1600);
  EXPECT_EQ(many[2].x, one[0].x);
  EXPECT_NE(many[0].x, one[0].x);
}

// Neighbouring seeds have no run in common; with consecutive seeds for the runs they would (control).
TEST(Searches, HaveSeedsOfTheirOwn) {
  const auto distinct = [](const auto& of_seed) {
    std::set<std::uint64_t> all;
    for (const std::uint64_t seed : {1, 2, 3}) {
      const auto some = of_seed(seed);
      all.insert(some.begin(), some.end());
    }
    return all.size();
  };
  EXPECT_EQ(distinct([](std::uint64_t seed) { return seeds_of_runs(seed, 1000); }), 3000u);
  EXPECT_EQ(distinct([](std::uint64_t seed) { return std::vector<std::uint64_t>{seed, seed + 1, seed + 2}; }), 5u);
  EXPECT_EQ(seeds_of_runs(7, 3).front(), 7u);
  EXPECT_EQ(seeds_of_runs(7, 3), (std::vector<std::uint64_t>{7, seeds_of_runs(7, 2)[1], seeds_of_runs(7, 9)[2]}));
}

TEST(Searches, LeaveReplicationsThatNoneHasSeen) {
  const auto some = unseen_samples({{1}, {2}}, 10, 7), others = unseen_samples({{1}}, 5, 7, 10);
  EXPECT_EQ(some[0].first, some[1].first);
  EXPECT_GT(some[0].first, std::int64_t{1} << 61);
  EXPECT_EQ(others[0].first, some[0].first + some[0].count);
  EXPECT_EQ(others[0].seed, 7u);
}

TEST(Searches, EndWhereTheyAreAsked) {
  NoisyProblem problem = noisy_quadratic(2, true);
  int rounds = 0;
  const auto result = run_searches(problem, approximation(StepScaling::adam, GradientSource::problem), {0, 0}, 400, {1},
                                   [&] { return ++rounds > 3; });
  EXPECT_EQ(result[0].replications, 16);
  EXPECT_EQ(problem.replications, 12);
}

TEST(Searches, RefuseWhatTheyCannotDo) {
  NoisyProblem problem = noisy_quadratic(2, true, 0, std::numeric_limits<double>::infinity());
  const auto message_of = [&](const Solver& solver, const std::vector<double>& start,
                              std::int64_t budget) -> std::string {
    try {
      run_searches(problem, solver, start, budget, {1});
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "done";
  };
  const Solver adam = approximation(StepScaling::adam, GradientSource::problem);
  EXPECT_EQ(message_of(adam, {1, 1}, 10), "done");
  EXPECT_EQ(message_of(adam, {1}, 10), "dimension of the start is 1, expected that of the problem, 2");
  EXPECT_EQ(message_of(adam, {1, -1}, 10), "coordinate 1 of the start is -1, expected a number from 0 to inf");
  EXPECT_EQ(message_of(adam, {1, 1}, 0), "budget is 0, expected at least 1 replication");
  EXPECT_EQ(message_of([](SearchRun& run) { return random_search(run, {}); }, {1, 1}, 100),
            "a bound is infinite, expected finite bounds or a distribution of the coordinate for random search");
  EXPECT_EQ(message_of([](SearchRun& run) { return astro_df(run, {.radius = 0}, true); }, {1, 1}, 100),
            "radius is 0, expected a positive finite number");
  EXPECT_EQ(message_of([](SearchRun& run) { return stochastic_approximation(run, {.step = -1}); }, {1, 1}, 100),
            "step is -1, expected a positive finite number");
}

}  // namespace searches_tests
}  // namespace sporos::test
