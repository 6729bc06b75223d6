// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the exact optimum for a diagonal covariance against an active-set solver that does not exploit the diagonal.
#include "active_set.hpp"

#include <sporos/models/finance/bounded_portfolio.hpp>
#include <sporos/models/finance/portfolio_instances.hpp>
#include <sporos/models/finance/portfolio_optimum.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

namespace portfolio_optimum_tests {

using namespace sporos;
using models::BudgetRule, models::NormalReturns, models::PortfolioOptimum;

// A budget of at most 1 equals a budget of 1 with one more asset, which has mean 0 and no risk.
std::vector<double> solved(const NormalReturns& returns, BudgetRule budget) {
  auto means = returns.means;
  if (budget == BudgetRule::at_most_one) means.push_back(0);
  const std::size_t d = means.size();
  std::vector<double> s(d * d, 0.0);
  for (std::size_t j = 0; j < returns.means.size(); ++j) s[j * d + j] = returns.deviations[j] * returns.deviations[j];
  auto w = test::active_set(s, means);
  w.resize(returns.means.size());
  return w;
}

NormalReturns instance(std::uint64_t seed, double mean_shift, double risk) {
  NormalReturns returns = models::paper_portfolio(30, seed);
  for (double& mean : returns.means) mean += mean_shift;
  for (double& deviation : returns.deviations) deviation = risk * (0.2 + 40 * deviation);
  return returns;
}

TEST(PortfolioOptimum, IsThatOfAnActiveSetSolve) {
  for (const BudgetRule budget : {BudgetRule::one, BudgetRule::at_most_one}) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      const double shift = seed % 4 == 0 ? -0.95 : seed % 4 == 1 ? -1.5 : 0.0, risk = seed % 3 == 0 ? 10 : 1;
      const NormalReturns returns = instance(seed, shift, risk);
      const PortfolioOptimum best = models::best_diagonal_portfolio(returns, budget);
      const auto expected = solved(returns, budget);
      for (std::size_t j = 0; j < expected.size(); ++j) ASSERT_NEAR(best.weights[j], expected[j], 1e-9) << seed;
      EXPECT_NEAR(best.value, returns.objective(expected), 1e-10);
    }
  }
}

// Checks the Karush-Kuhn-Tucker conditions, which are sufficient.
void expect_kkt(const NormalReturns& returns, BudgetRule budget) {
  const PortfolioOptimum best = models::best_diagonal_portfolio(returns, budget);
  const auto gradient = returns.gradient(best.weights);
  const double sum = std::accumulate(best.weights.begin(), best.weights.end(), 0.0);
  for (std::size_t j = 0; j < gradient.size(); ++j) {
    const double reduced = gradient[j] + best.multiplier;
    EXPECT_GE(best.weights[j], 0);
    EXPECT_GE(reduced, -1e-12);
    EXPECT_TRUE(best.weights[j] == 0 || reduced < 1e-12) << reduced;
  }
  if (budget == BudgetRule::one || best.multiplier > 0) {
    EXPECT_NEAR(sum, 1, 1e-9);
  } else {
    EXPECT_LE(sum, 1 + 1e-12);
    EXPECT_EQ(best.multiplier, 0);
  }
}

TEST(PortfolioOptimum, MeetsTheConditionsOnThePapersInstances) {
  for (const std::int64_t assets : {1, 2, 500, 100000}) {
    for (const BudgetRule budget : {BudgetRule::one, BudgetRule::at_most_one})
      expect_kkt(models::paper_portfolio(assets, 1), budget);
  }
}

TEST(PortfolioOptimum, KnowsAssetsWithoutRisk) {
  for (const BudgetRule budget : {BudgetRule::one, BudgetRule::at_most_one}) {
    expect_kkt({{0.3, 0.2, 0.1}, {1, 0, 1}, {}}, budget);
    expect_kkt({{0.3, 0.2, 0.1}, {0, 0, 1}, {}}, budget);
    expect_kkt({{0.3, 0, -0.1}, {1, 0, 0}, {}}, budget);
    expect_kkt({{-0.3, -0.1, -0.2}, {1, 0, 0}, {}}, budget);
  }
  const auto best = models::best_diagonal_portfolio({{0.3, 0.2, 0.1}, {1, 0, 1}, {}});
  EXPECT_NEAR(best.weights[0], 0.1, 1e-15);
  EXPECT_NEAR(best.weights[1], 0.9, 1e-15);
}

TEST(PortfolioOptimum, InvestsNothingWhereEverythingLoses) {
  const auto best = models::best_diagonal_portfolio({{-1, -2}, {1, 1}, {}});
  EXPECT_EQ(best.weights, (std::vector<double>{0, 0}));
  EXPECT_EQ(best.value, 0);
}

TEST(PortfolioOptimum, RefusesCommonFactors) {
  EXPECT_THROW(models::best_diagonal_portfolio({{1}, {1}, {1}}), std::invalid_argument);
}

// Violation of the Karush-Kuhn-Tucker conditions, which hold at a minimum of a convex function. With a fixed sum, the
// derivatives of weights that can fall are at most those of weights that can rise. Otherwise, the former are at most 0
// and the latter at least 0.
double failure(const NormalReturns& returns, const models::PortfolioBounds& bounds, const std::vector<double>& w) {
  const std::vector<double> g = returns.gradient(w);
  double most = bounds.has_fixed_sum ? std::numeric_limits<double>::lowest() : 0;
  double least = bounds.has_fixed_sum ? std::numeric_limits<double>::max() : 0;
  for (std::size_t j = 0; j < w.size(); ++j) {
    if (w[j] > bounds.low[j]) most = std::max(most, g[j]);
    if (w[j] < bounds.high[j]) least = std::min(least, g[j]);
  }
  return most - least;
}

TEST(BoundedPortfolio, MeetsTheConditionsOfAMinimum) {
  std::mt19937_64 bits(5);
  const auto uniform = [&](double least, double most) {
    return least + (most - least) * static_cast<double>(bits() >> 11) * 0x1p-53;
  };
  constexpr double tolerance = 1e-9;
  double worst_of_starts = 0;
  for (int number = 0; number < 60; ++number) {
    const std::size_t d = 2 + bits() % 30, factors = bits() % (d + 1);
    NormalReturns returns;
    std::vector<double> low, high, start;
    for (std::size_t j = 0; j < d; ++j) {
      returns.means.push_back(uniform(-0.2, 0.2));
      returns.deviations.push_back(j % 3 == 0 ? 0 : uniform(0, 1));  // with few factors, Σ is singular
      low.push_back(uniform(-0.5, 0.1));
      high.push_back(j % 7 == 6 ? low.back() : low.back() + uniform(0, 1));
      start.push_back(uniform(low.back(), high.back()));
    }
    for (std::size_t i = 0; i < factors * d; ++i) returns.loadings.push_back(uniform(-1, 1));
    const models::PortfolioBounds bounds{low, high, number % 2 == 0};
    const std::vector<double> w = models::bounded_portfolio(returns, bounds, start, tolerance);
    for (std::size_t j = 0; j < d; ++j) ASSERT_TRUE(low[j] <= w[j] && w[j] <= high[j]);
    if (bounds.has_fixed_sum) {
      EXPECT_NEAR(std::accumulate(w.begin(), w.end(), 0.0), std::accumulate(start.begin(), start.end(), 0.0), 1e-12);
    }
    EXPECT_LE(failure(returns, bounds, w), 10 * tolerance) << "case " << number;
    EXPECT_LE(returns.objective(w), returns.objective(start));
    worst_of_starts = std::max(worst_of_starts, failure(returns, bounds, start));
  }
  EXPECT_GT(worst_of_starts, 0.1) << "control";
}

}  // namespace portfolio_optimum_tests
