// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/procedures/macro_replications.hpp>

#include "harness/backends.hpp"
#include "harness/refusal.hpp"

#include <sporos/models/finance/normal_returns.hpp>
#include <sporos/models/finance/portfolio.hpp>
#include <sporos/models/finance/portfolio_instances.hpp>
#include <sporos/models/inventory/newsvendor.hpp>
#include <sporos/models/inventory/newsvendor_case.hpp>
#include <sporos/optimizers/frank_wolfe/frank_wolfe.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sporos {

namespace macro_replications_tests {

template <class Space>
class MacroReplicationsOn : public ::testing::Test {};
TYPED_TEST_SUITE(MacroReplicationsOn, test::Backends, test::BackendName);

FrankWolfeOptions default_options() {
  FrankWolfeOptions options;
  options.epochs = 8;
  options.iterations = 25;
  options.sample_size = 25;
  options.seed = 7;
  options.record_interval = 0;
  return options;
}

template <class Problem, class Region>
void expect_separate_runs(Problem& problem, Region& region, const std::vector<double>& start) {
  using Space = typename Problem::execution_space;
  auto options = default_options();
  const auto objective = [&](const ConstVector<Space>& x) { return problem.exact_objective(x); };
  const auto runs = macro_replications(problem, region, start, options, 5, {0, 30, 100}, objective);
  ASSERT_EQ(runs.iterations, (std::vector<std::int64_t>{0, 30, 100, 200}));
  ASSERT_EQ(runs.solutions.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) {
    options.seed = repetition_seed(7, static_cast<std::int64_t>(i));
    const auto separate = frank_wolfe(problem, region, start, options);
    double most = 0;
    for (const double coordinate : separate.solution) most = std::max(most, coordinate);
    for (std::size_t j = 0; j < start.size(); ++j) {
      EXPECT_NEAR(runs.solutions[i][j], separate.solution[j], 1e-11 * most) << i << ' ' << j;
    }
    const auto x = to_device<Space>(runs.solutions[i]);
    EXPECT_DOUBLE_EQ(runs.objectives.back()[i], problem.exact_objective(x));
    EXPECT_GE(runs.objectives[1][i], runs.objectives.back()[i]);
    EXPECT_EQ(runs.objectives[0][i], problem.exact_objective(to_device<Space>(start)));
  }
}

TYPED_TEST(MacroReplicationsOn, AreTheRunsAlone) {
  models::Portfolio<TypeParam> portfolio(models::paper_portfolio(120, 1));
  auto simplex = unit_simplex<TypeParam>(120);
  expect_separate_runs(portfolio, simplex, std::vector<double>(120));

  const auto of = models::generated_newsvendor(3, 90, 1);
  models::Newsvendor<TypeParam> newsvendor(TypeParam(), of.products);
  Budget<TypeParam> budget(of.resources.amounts, of.resources.capacity.front());
  expect_separate_runs(newsvendor, budget, std::vector<double>(90));
}

TYPED_TEST(MacroReplicationsOn, RefuseWhatTheyCannotDo) {
  models::Portfolio<TypeParam> problem(models::paper_portfolio(20, 1));
  auto region = unit_simplex<TypeParam>(20);
  const std::vector<double> start(20);
  const auto refusal = [&](const FrankWolfeOptions& options, std::int64_t repetitions,
                           const std::vector<std::int64_t>& looks) {
    return test::refusal([&] {
      macro_replications(problem, region, start, options, repetitions, looks, [](const auto&) { return 0.0; });
    });
  };
  EXPECT_EQ(refusal(default_options(), 2, {50, 30}),
            "looks are at iterations 50, 30, expected numbers of at least 0 in ascending order");
  EXPECT_EQ(refusal(default_options(), 2, {201}),
            "the last look is at iteration 201, expected at most 200, the last iteration");
  EXPECT_EQ(refusal(default_options(), 0, {}), "repetitions is 0, expected a positive integer");
  auto options = default_options();
  options.variant = FrankWolfeVariant::pairwise;
  options.step_rule = StepRule::exact;
  EXPECT_EQ(
      refusal(options, 2, {}),
      "macro-replications have the pairwise variant with exact steps, expected the vanilla variant with open-loop or "
      "restarting steps, without momentum or a gap tolerance");
}

TYPED_TEST(MacroReplicationsOn, RefuseABadStart) {
  models::Portfolio<TypeParam> problem(models::paper_portfolio(20, 1));
  const auto region = unit_simplex<TypeParam>(20);
  const auto refusal_of = [&](const std::vector<double>& start) {
    return test::refusal(
        [&] { macro_replications(problem, region, start, default_options(), 2, {}, [](const auto&) { return 0.0; }); });
  };
  EXPECT_EQ(refusal_of(std::vector<double>(20)), "none");
  EXPECT_EQ(refusal_of(std::vector<double>(19)), "dimension of the start is 19, expected that of the problem, 20");
  EXPECT_EQ(refusal_of(std::vector<double>(20, 1)),
            "violation of a constraint by the start is 19, expected 0: the start lies outside the region");
}

TEST(RelativeSquaredError, IsThatOfThePaper) {
  EXPECT_DOUBLE_EQ(relative_squared_error(2.0, 1.0), 0.25);
  const MacroReplications runs{{50, 100}, {{2.0, 4.0}, {1.0, 1.0}}, {}};
  const Moments errors = relative_squared_errors(runs, 0);
  EXPECT_DOUBLE_EQ(errors.mean, (0.25 + 0.5625) / 2);
  EXPECT_DOUBLE_EQ(relative_squared_errors(runs, 1).mean, 0);
}

}  // namespace macro_replications_tests

}  // namespace sporos
