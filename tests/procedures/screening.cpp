// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares Frank–Wolfe on the coordinates that can win with Frank–Wolfe on all coordinates.
#include "harness/backends.hpp"

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/core/random/sample_range.hpp>
#include <sporos/models/finance/normal_returns.hpp>
#include <sporos/models/finance/portfolio.hpp>
#include <sporos/models/finance/portfolio_instances.hpp>
#include <sporos/models/inventory/newsvendor.hpp>
#include <sporos/models/inventory/newsvendor_case.hpp>
#include <sporos/optimizers/frank_wolfe/frank_wolfe.hpp>
#include <sporos/optimizers/frank_wolfe/regions/budget.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sporos {

namespace screening_tests {

// The two runs round their sums in different orders.
constexpr double tolerance = 1e-11;

template <class Space>
class Screening : public ::testing::Test {};
TYPED_TEST_SUITE(Screening, test::Backends, test::BackendName);

FrankWolfeOptions options_of(std::int64_t epochs, std::int64_t sample_size) {
  FrankWolfeOptions options;
  options.epochs = epochs;
  options.iterations = 25;
  options.sample_size = sample_size;
  options.seed = 4;
  options.record_interval = 0;
  return options;
}

// Largest difference between two points, relative to the largest coordinate.
double difference(const std::vector<double>& x, const std::vector<double>& y) {
  double most = 0, size = 0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    most = std::max(most, std::abs(x[j] - y[j]));
    size = std::max(size, std::abs(x[j]));
  }
  return most / size;
}

template <class Problem, class Region>
void expect_same_iterates(Problem& problem, Region& region, const std::vector<double>& start,
                          FrankWolfeOptions options) {
  options.screening = true;
  const auto screened = frank_wolfe(problem, region, start, options);
  options.screening = false;
  const auto plain = frank_wolfe(problem, region, start, options);
  EXPECT_GT(screened.state.window, 1) << "nothing was screened";
  EXPECT_EQ(plain.state.window, 1);
  EXPECT_LT(difference(plain.solution, screened.solution), tolerance);
}

// Returns with means so close to each other that the covariance decides and many assets are held.
models::NormalReturns close_returns(std::int64_t assets) {
  auto returns = models::paper_portfolio(assets, 2);
  for (double& mean : returns.means) mean *= 1e-3;
  for (double& deviation : returns.deviations) deviation *= 5;
  return returns;
}

TYPED_TEST(Screening, LeavesThePortfoliosIteratesAlone) {
  for (const auto& returns : {models::paper_portfolio(300, 1), close_returns(67)}) {
    models::Portfolio<TypeParam> problem(returns);
    const std::vector<double> nothing(returns.means.size()),
        equal(nothing.size(), 1.0 / static_cast<double>(nothing.size()));
    auto budget = unit_simplex<TypeParam>(problem.dimension());
    auto invested = probability_simplex<TypeParam>(problem.dimension());
    expect_same_iterates(problem, budget, nothing, options_of(12, 25));
    expect_same_iterates(problem, invested, equal, options_of(12, 25));
  }
}

TYPED_TEST(Screening, FollowsRestartingStepsAndGrowingSamples) {
  models::Portfolio<TypeParam> problem(close_returns(40));
  auto region = unit_simplex<TypeParam>(problem.dimension());
  auto options = options_of(6, 10);
  options.step_rule = StepRule::restarting;
  options.sample_growth = 1;
  expect_same_iterates(problem, region, std::vector<double>(40), options);
}

template <class Space, class Demand>
void expect_same_stocks(const models::NewsvendorCase& of, double start) {
  models::Newsvendor<Space, Demand> problem(Space(), of.products);
  Budget<Space> region(of.resources.amounts, of.resources.capacity.front());
  std::vector<double> x(of.products.cost.size());
  for (std::size_t j = 0; j < x.size(); ++j) x[j] = start * of.products.demand[j].mean();
  expect_same_iterates(problem, region, x, options_of(16, 25));
}

TYPED_TEST(Screening, LeavesTheNewsvendorsIteratesAlone) {
  for (const std::int64_t products : {101, 2000, 20'001}) {
    const auto of = models::generated_newsvendor(3, products, 1);
    expect_same_stocks<TypeParam, models::NormalDemand>(of, 0);
    expect_same_stocks<TypeParam, models::NormalDemand>(of, 0.6);
  }
}

TYPED_TEST(Screening, ServesDemandsOfEveryKind) {
  auto of = models::generated_newsvendor(3, 60, 1);
  for (std::size_t j = 0; j < 60; ++j) {
    if (j % 3 == 1) of.products.demand[j] = {DistributionKind::gamma, {4, 8, 0}, {}, {}};
    if (j % 3 == 2) of.products.demand[j] = {DistributionKind::poisson, {30, 0, 0}, {}, {}};
  }
  expect_same_stocks<TypeParam, models::AnyDemand>(of, 0.5);
}

TYPED_TEST(Screening, GoesOnAfterAStopWithTheSameBits) {
  const auto of = models::generated_newsvendor(5, 400, 1);
  models::Newsvendor<TypeParam> problem(TypeParam(), of.products);
  Budget<TypeParam> region(of.resources.amounts, of.resources.capacity.front());
  const std::vector<double> start(400);
  const auto whole = frank_wolfe(problem, region, start, options_of(9, 25));
  const auto begun = frank_wolfe(problem, region, start, options_of(4, 25));
  const auto ended = frank_wolfe(problem, region, begun.state, options_of(9, 25));
  EXPECT_EQ(whole.solution, ended.solution);
  EXPECT_EQ(whole.state.window, ended.state.window);
}

// In a run of several epochs, a device draws the holdings of a sample during the look at the previous one; in a run of
// one epoch it does not.
TYPED_TEST(Screening, HasTheSameBitsInOneRunAndEpochByEpoch) {
  for (const auto& returns : {models::paper_portfolio(3000, 1), close_returns(1000)}) {
    models::Portfolio<TypeParam> problem(returns);
    auto region = unit_simplex<TypeParam>(problem.dimension());
    const std::vector<double> nothing(returns.means.size());
    auto options = options_of(140, 25);
    const auto in_one_run = frank_wolfe(problem, region, nothing, options);
    options.record_interval = 1;
    const auto by_epochs = frank_wolfe(problem, region, nothing, options);
    EXPECT_EQ(in_one_run.solution, by_epochs.solution);
    EXPECT_EQ(in_one_run.state.window, by_epochs.state.window);
  }
}

TYPED_TEST(Screening, GivesEveryBackendTheSameIterates) {
  const auto on = [](const auto& space) {
    using Space = std::remove_cvref_t<decltype(space)>;
    models::Portfolio<Space> problem(close_returns(67));
    auto region = unit_simplex<Space>(problem.dimension());
    return frank_wolfe(problem, region, std::vector<double>(67), options_of(12, 25)).solution;
  };
  EXPECT_LT(difference(on(Kokkos::DefaultHostExecutionSpace()), on(TypeParam())), 1e-10);
}

// Several threads draw samples ahead, in more than one launch; one thread draws them when it needs them.
TYPED_TEST(Screening, GivesEveryHostTheSameStocks) {
  if constexpr (!runs_on_host<TypeParam>) GTEST_SKIP() << "compares hosts";
  for (const std::int64_t products : {1, 16, 101, 900}) {
    const auto on = [&](const auto& space) {
      using Space = std::remove_cvref_t<decltype(space)>;
      const auto of = models::generated_newsvendor(3, products, 1);
      models::Newsvendor<Space> problem(space, of.products);
      Budget<Space> region(of.resources.amounts, of.resources.capacity.front());
      auto options = options_of(150, 25);
      options.sample_growth = 0.2;
      return frank_wolfe(problem, region, std::vector<double>(of.products.cost.size()), options).solution;
    };
    EXPECT_EQ(on(Kokkos::Serial()), on(TypeParam())) << products << " products";
  }
}

// There are more candidates than a window holds, and samples are too large for a team's scratch memory.
TYPED_TEST(Screening, NarrowsTheWindowWhereMostCoordinatesMayWin) {
  auto returns = close_returns(600);
  for (double& mean : returns.means) mean = 0.01;
  models::Portfolio<TypeParam> problem(returns);
  auto region = probability_simplex<TypeParam>(600);
  auto options = options_of(3, 80);
  options.screening = true;
  const auto screened = frank_wolfe(problem, region, std::vector<double>(600, 1.0 / 600), options);
  options.screening = false;
  const auto plain = frank_wolfe(problem, region, std::vector<double>(600, 1.0 / 600), options);
  EXPECT_LT(difference(plain.solution, screened.solution), tolerance);
}

template <class Screen, class Gradient>
void expect_above_floors(Screen& screen, const std::vector<double>& limits, const Gradient& gradient) {
  const std::vector<double> floors = screen.floors(limits, 5);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const std::vector<double> g = gradient(SampleRange{seed, 0, 5});
    for (std::size_t j = 0; j < g.size(); ++j) ASSERT_GE(g[j], floors[j]) << "coordinate " << j << ", seed " << seed;
  }
}

TYPED_TEST(Screening, LeavesOutNothingThatASampleCouldMakeWin) {
  const auto gradients = [](auto& problem, const std::vector<double>& x) {
    return [&problem, x](const SampleRange& sample) {
      const Vector<TypeParam> g("test::gradient", x.size());
      problem.draw(sample);
      problem.gradient(to_device<TypeParam>(x), g);
      Kokkos::fence();
      return to_host<TypeParam>(g);
    };
  };
  models::Portfolio<TypeParam> portfolio(close_returns(67));
  std::vector<double> held(67);
  held[3] = 1;
  auto of_portfolio = *portfolio.screen(1);
  expect_above_floors(of_portfolio, std::vector<double>(67, 1.0), gradients(portfolio, held));

  const auto of = models::generated_newsvendor(3, 50, 1);
  models::Newsvendor<TypeParam> newsvendor(TypeParam(), of.products);
  auto of_newsvendor = *newsvendor.screen(1);
  expect_above_floors(of_newsvendor, {}, gradients(newsvendor, std::vector<double>(50)));
}

// Returns that overflow only from the second epoch on cannot be made, so these overflow from the first.
TYPED_TEST(Screening, StopsWhereNothingIsFiniteAndKeepsTheLastGoodPoint) {
  models::NormalReturns returns{{1e308, 1e308, 1e308}, {1e308, 1e308, 1e308}, {}};
  models::Portfolio<TypeParam> problem(returns);
  auto region = probability_simplex<TypeParam>(3);
  const std::vector<double> start = {1, 0, 0};
  for (const std::int64_t interval : {0, 1}) {
    auto options = options_of(3, 25);
    options.record_interval = interval;
    const auto result = frank_wolfe(problem, region, start, options);
    EXPECT_EQ(result.stopped_by, StoppedBy::not_finite);
    EXPECT_EQ(result.solution, start);
    EXPECT_EQ(result.iterations, 0);
  }
}

}  // namespace screening_tests

}  // namespace sporos
