// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks searches over a decision vector on the device: the risk of a simulated cost.
#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/models/risk/mean_cvar.hpp>
#include <sporos/optimizers/search/constrained_problem.hpp>
#include <sporos/optimizers/search/optimality_gap.hpp>
#include <sporos/optimizers/search/run_searches.hpp>
#include <sporos/optimizers/search/sampled_frank_wolfe.hpp>
#include <sporos/optimizers/search/stochastic_approximation.hpp>
#include <sporos/procedures/risk_objective.hpp>

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>
#include <harness/backends.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace sporos::test {
namespace risk_objective_tests {

using Host = Kokkos::DefaultHostExecutionSpace;

// Cost of x[j] newspapers of kind j, at 1 each, minus their sales, at 2 + j / 10; demands are uniform in (0, 1).
struct Kiosk {
  enum Input { demand, input_count };
  std::int64_t kinds;

  KOKKOS_FUNCTION std::int64_t dimension() const { return kinds; }
  KOKKOS_FUNCTION static double price(std::int64_t j) { return 2 + 0.1 * static_cast<double>(j); }
  template <class Inputs, class Derivatives>
  KOKKOS_FUNCTION double operator()(const double* x, Inputs& inputs, Derivatives& derivatives) const {
    double cost = 0;
    for (std::int64_t j = 0; j < kinds; ++j) {
      const double wanted = inputs(demand);
      cost += x[j] - price(j) * (x[j] < wanted ? x[j] : wanted);
      derivatives.first(j, x[j] < wanted ? 1 - price(j) : 1);
    }
    return cost;
  }
};

double mean_cost(const std::vector<double>& x) {
  double cost = 0;
  for (std::size_t j = 0; j < x.size(); ++j)
    cost += x[j] - Kiosk::price(static_cast<std::int64_t>(j)) * (x[j] - x[j] * x[j] / 2);
  return cost;
}

constexpr models::MeanCvarOptions mean_only{.level = 0.9, .weight = 0, .smoothing = 0.1};

template <class Space>
RiskObjective<Space, Kiosk> kiosk(std::int64_t kinds) {
  return {{kinds}, mean_only, std::vector<DecisionRange>(static_cast<std::size_t>(kinds), {0, 1})};
}

// With a budget of B, the optimum is xⱼ = 1 − (1 + λ) / priceⱼ, where λ is the multiplier of the budget.
TEST(RiskObjective, IsMinimizedWithABudget) {
  constexpr std::int64_t kinds = 40;
  const double lambda = 0.5;
  std::vector<double> best;
  double budget = 0;
  for (std::int64_t j = 0; j < kinds; ++j) {
    best.push_back(1 - (1 + lambda) / Kiosk::price(j));
    budget += best.back();
  }
  auto box = kiosk<Host>(kinds);
  ConstrainedProblem problem(box, {std::vector<double>(kinds, 1.0), budget});
  const std::vector<double> start(kinds, 0.3);
  const double least = mean_cost(best), most = mean_cost(start) - least;
  const std::vector<Solver> solvers{[](SearchRun& run) { return sampled_frank_wolfe(run, {}); },
                                    [](SearchRun& run) { return stochastic_approximation(run, {.step = 0.1}); }};
  for (const Solver& solver : solvers) {
    const SearchResult found = run_searches(problem, solver, start, 40'000, {1}).front();
    EXPECT_LE(problem.region().violation(found.x), 0);
    EXPECT_GE(mean_cost(found.x), least);
    EXPECT_LT(mean_cost(found.x) - least, 0.02 * most);
    const OptimalityGap gap = frank_wolfe_gap(problem, found.x, {.confidence = 0.999});
    EXPECT_GT(gap.bound, mean_cost(found.x) - least);
  }
}

template <class Space>
class RiskObjectiveOn : public ::testing::Test {};
TYPED_TEST_SUITE(RiskObjectiveOn, Backends, BackendName);

template <class Space>
void expect_the_samples_of_a_host() {
  const models::MeanCvarOptions options{.level = 0.9, .weight = 0.5, .smoothing = 0.1};
  const std::vector<DecisionRange> ranges{{0, 1}, {0, 1}, {0, 1}, {-9, 9}};
  RiskObjective<Space, Kiosk> problem({3}, options, ranges);
  RiskObjective<Host, Kiosk> on_host({3}, options, ranges);
  Sample sample{{0.2, 0.5, 0.7, -0.3}, 7, 100, 3000, true, false};
  const SampleMoments with_slopes = problem.simulate({&sample, 1}).front();
  const SampleMoments of_host = on_host.simulate({&sample, 1}).front();
  EXPECT_EQ(with_slopes.means, of_host.means);
  EXPECT_EQ(with_slopes.products, of_host.products);
  EXPECT_EQ(with_slopes.slopes, of_host.slopes);

  models::MeanCvar<Space, Kiosk> sampled({3}, options);
  sampled.draw({7, 100, 3000});
  const auto x = to_device<Space>(sampled.execution(), sample.x);
  Vector<Space> gradient("gradient", 4);
  EXPECT_NEAR(sampled.objective_and_gradient(x, gradient), with_slopes.means[0], 1e-14);
  EXPECT_EQ(to_host<Space>(sampled.execution(), gradient), with_slopes.slopes);

  sample.has_gradient = false;
  sample.has_values = true;
  const SampleMoments with_values = problem.simulate({&sample, 1}).front();
  EXPECT_EQ(with_values.means, with_slopes.means);
  EXPECT_EQ(with_values.values.size(), 3000u);
  EXPECT_TRUE(with_values.slopes.empty());
}

TYPED_TEST(RiskObjectiveOn, HasTheSamplesOfItsProblem) { expect_the_samples_of_a_host<TypeParam>(); }

TEST(RiskObjective, RefusesWhatItCannotDo) {
  const auto message_of = [](const models::MeanCvarOptions& options, std::size_t ranges) -> std::string {
    try {
      const RiskObjective<Host, Kiosk> problem({3}, options, std::vector<DecisionRange>(ranges, {0, 1}));
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "made";
  };
  EXPECT_EQ(message_of(mean_only, 3), "made");
  EXPECT_EQ(message_of(mean_only, 4), "dimension of the ranges is 4, expected that of the problem, 3");
  EXPECT_EQ(message_of({.level = 0.9, .weight = 0.5, .smoothing = 0.1}, 3),
            "dimension of the ranges is 3, expected that of the problem, 4");
  auto problem = kiosk<Host>(2);
  const Sample both{{0, 0}, 1, 0, 10, true, true};
  EXPECT_THROW(problem.simulate({&both, 1}), std::logic_error);
}

}  // namespace risk_objective_tests
}  // namespace sporos::test
