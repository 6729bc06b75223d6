// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The optimum under one budget satisfies the KKT conditions and equals GLPK's, whose piecewise-linear optima also
// satisfy them for several budgets.
#include "newsvendor_cases.hpp"
#include "newsvendor_reference.hpp"

#include "harness/refusal.hpp"

#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/models/inventory/newsvendor_optimum.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace sporos::test {
namespace newsvendor_optimum_tests {

using models::AnyDemand, models::Newsvendor, models::NewsvendorCase, models::NewsvendorProducts;
using Space = Kokkos::DefaultHostExecutionSpace;

// Products with gamma and normal demands, whose derivatives are continuous.
NewsvendorCase smooth_case(std::int64_t products, std::int64_t resources, double tightness) {
  auto made = models::generated_newsvendor(6, products, resources, tightness);
  for (std::size_t j = 0; j < made.products.demand.size(); j += 2) {
    made.products.demand[j] = parse_distribution("gamma(5, 7)");
  }
  return made;
}

std::vector<double> exact_gradient(const NewsvendorCase& newsvendor, const std::vector<double>& x) {
  Newsvendor<Space, AnyDemand> problem(Space(), newsvendor.products);
  const Vector<Space> g("g", x.size());
  problem.exact_gradient(to_device<Space>(x), g);
  Space().fence();
  return to_host<Space>(g);
}

double exact_objective(const NewsvendorCase& newsvendor, const std::vector<double>& x) {
  return Newsvendor<Space, AnyDemand>(Space(), newsvendor.products).exact_objective(to_device<Space>(x));
}

double use_of(const NewsvendorCase& newsvendor, const std::vector<double>& x) {
  return std::inner_product(x.begin(), x.end(), newsvendor.resources.amounts.begin(), 0.0);
}

// Largest violation over all products of f_j'(x_j) + λ a_j = 0, or >= 0 if x_j = 0.
double worst_slope(const NewsvendorCase& newsvendor, const std::vector<double>& x,
                   const std::vector<double>& multipliers) {
  const auto g = exact_gradient(newsvendor, x);
  double worst = 0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    double slope = g[j];
    for (std::size_t i = 0; i < multipliers.size(); ++i) {
      slope += multipliers[i] * newsvendor.resources.amounts[i * x.size() + j];
    }
    worst = std::max(worst, x[j] > 0 ? std::abs(slope) : -slope);
  }
  return worst;
}

TEST(NewsvendorOptimum, MeetsTheKktConditions) {
  for (const double tightness : {0.05, 0.3, 0.7, 1.0}) {
    const auto newsvendor = smooth_case(500, 1, tightness);
    const auto [x, multiplier] = models::newsvendor_optimum(newsvendor);
    EXPECT_GT(multiplier, 0) << tightness;
    EXPECT_NEAR(use_of(newsvendor, x), newsvendor.resources.capacity[0], 1e-10 * newsvendor.resources.capacity[0]);
    EXPECT_LT(worst_slope(newsvendor, x, {multiplier}), 1e-10) << tightness;
    EXPECT_GT(worst_slope(newsvendor, x, {1.01 * multiplier}), 1e-3) << "control: another multiplier";
  }
}

TEST(NewsvendorOptimum, HasNoMultiplierWhereTheBudgetDoesNotBind) {
  auto newsvendor = smooth_case(20, 1, 10);
  newsvendor.products.cost[3] = newsvendor.products.price[3] + 1;
  const auto [x, multiplier] = models::newsvendor_optimum(newsvendor);
  EXPECT_EQ(multiplier, 0);
  EXPECT_EQ(x[3], 0) << "dearer than it sells";
  EXPECT_LT(worst_slope(newsvendor, x, {}), 1e-10);
}

TEST(NewsvendorOptimum, OfNothingWhereThereIsNoCapacity) {
  const auto newsvendor = smooth_case(5, 1, 1e-300);
  const auto x = models::newsvendor_optimum(newsvendor).quantities;
  EXPECT_LT(use_of(newsvendor, x), 1e-6);
}

// Line segments exceed the costs by at most width²/8 times the largest second derivative.
TEST(NewsvendorOptimum, IsThatOfGlpk) {
  const auto newsvendor = smooth_case(6, 1, 0.7);
  constexpr double most = 90;
  constexpr int segments = 900;
  const auto x = models::newsvendor_optimum(newsvendor).quantities;
  const double objective = exact_objective(newsvendor, x);
  const auto lines = piecewise_linear_optimum(newsvendor, most, segments);
  const double width = most / segments;
  EXPECT_GE(lines.objective, objective - 1e-9 * objective);
  EXPECT_LE(lines.objective, objective + 6 * width * width / 8 * 6.5 * 0.04);  // h + v <= 6.5, densities <= 0.04
  for (std::size_t j = 0; j < x.size(); ++j) EXPECT_NEAR(x[j], lines.quantities[j], 2 * width);
}

// With discrete demands, no multiplier meets the budget, but a mixture of two solutions does. The segments meet at
// whole numbers, so GLPK's optimum is exact.
TEST(NewsvendorOptimum, IsThatOfGlpkForCounts) {
  auto newsvendor = models::generated_newsvendor(2, 7, 1);
  for (auto& demand : newsvendor.products.demand) demand = parse_distribution("poisson(12.5)");
  newsvendor.resources.capacity[0] = 60.3;
  const auto x = models::newsvendor_optimum(newsvendor).quantities;
  EXPECT_NEAR(use_of(newsvendor, x), 60.3, 1e-9);
  const double objective = exact_objective(newsvendor, x);
  EXPECT_NEAR(piecewise_linear_optimum(newsvendor, 40, 40).objective, objective, 1e-9 * objective);
}

TEST(PiecewiseLinearOptimum, MeetsTheKktConditionsOfSeveralBudgets) {
  const auto newsvendor = smooth_case(12, 3, 0.7);
  constexpr double width = 0.05;
  const auto lines = piecewise_linear_optimum(newsvendor, 100, 2000);
  EXPECT_LT(worst_slope(newsvendor, lines.quantities, lines.multipliers), width * 6.5 * 0.04);
}

TEST(NewsvendorPrices, AreTheMultipliers) {
  const auto one = smooth_case(100, 1, 0.7);
  EXPECT_NEAR(models::newsvendor_prices(one)[0], models::newsvendor_optimum(one).multiplier, 1e-10);
  const auto several = smooth_case(12, 3, 0.7);
  const auto prices = models::newsvendor_prices(several);
  const auto lines = piecewise_linear_optimum(several, 100, 2000);
  for (std::size_t i = 0; i < prices.size(); ++i) EXPECT_NEAR(prices[i], lines.multipliers[i], 0.02) << i;
  EXPECT_EQ(models::newsvendor_prices(smooth_case(20, 2, 10)), std::vector<double>(2)) << "there is enough of all";
}

// The first resource forces products 1 and 2 above their best quantities, and the second fixes the use by products 3 to
// 5. The third, which product 5 gives back, limits the use by the others. Costs bend at points 0.15 apart, between
// which the derivatives of the segments are off by up to 0.04.
TEST(NewsvendorPrices, AreTheMultipliersOfAllSenses) {
  using enum models::ResourceSense;
  auto several = smooth_case(5, 3, 1);
  several.resources.senses = {at_least, exactly, at_most};
  several.resources.amounts = {1, 1.2, 0, 0, 0, 0, 0, 1, 0.5, 0.3, 0.4, 0.6, 0.5, 0.7, -1.5};
  several.resources.capacity = {130, 80, 20};
  const auto prices = models::newsvendor_prices(several);
  const auto lines = piecewise_linear_optimum(several, 150, 1000);
  for (std::size_t i = 0; i < prices.size(); ++i) EXPECT_NEAR(prices[i], lines.multipliers[i], 0.05) << i;
  EXPECT_LT(lines.multipliers[0], -0.1);
  EXPECT_GT(lines.multipliers[2], 0.1);
}

// Returns the excess of a sample's objective over the sample's bound at the optimum of the expectation, and the bound
// itself.
std::pair<double, double> excess_and_bound(const NewsvendorCase& newsvendor, const std::vector<double>& x,
                                           std::int64_t size) {
  Newsvendor<Space, AnyDemand> problem{Space(), newsvendor};
  problem.draw({7, 0, size});
  const Vector<Space> y("y", x.size());
  const double bound = problem.sample_bound(y);
  return {problem.objective(to_device<Space>(x)) - bound, bound};
}

TEST(SampleBound, IsBelowTheSampleObjectiveByLittle) {
  const auto newsvendor = smooth_case(50, 1, 0.7);
  const auto x = models::newsvendor_optimum(newsvendor).quantities;
  const auto [excess, bound] = excess_and_bound(newsvendor, x, 1000);
  EXPECT_GE(excess, 0);
  EXPECT_LE(excess, 1e-3 * bound);
  EXPECT_LE(excess_and_bound(newsvendor, x, 16'000).first, 0.25 * excess) << "of order 1 / n";
}

// Each product is minimized separately, so neither the bound's point nor a point next to it has a smaller Lagrangian.
TEST(SampleBound, IsLeastAtItsPoint) {
  const auto newsvendor = smooth_case(30, 2, 0.7);
  Newsvendor<Space, AnyDemand> problem{Space(), newsvendor};
  problem.draw({7, 0, 333});
  const Vector<Space> y("y", 30);
  const double bound = problem.sample_bound(y);
  const auto prices = models::newsvendor_prices(newsvendor);
  const auto lagrangian = [&](const std::vector<double>& x) {
    double value = problem.objective(to_device<Space>(x));
    for (std::size_t i = 0; i < prices.size(); ++i) {
      double use = 0;
      for (std::size_t j = 0; j < x.size(); ++j) use += newsvendor.resources.amounts[i * x.size() + j] * x[j];
      value += prices[i] * (use - newsvendor.resources.capacity[i]);
    }
    return value;
  };
  const std::vector<double> best = to_host<Space>(y);
  EXPECT_NEAR(lagrangian(best), bound, 1e-12 * bound);
  for (std::size_t j = 0; j < best.size(); ++j) {
    for (const double step : {-1.0, 1.0}) {
      auto near = best;
      near[j] = std::max(0.0, near[j] + step);
      EXPECT_GE(lagrangian(near), bound - 1e-12 * bound) << j;
    }
  }
}

TEST(SampleBound, IsNoneWithoutResources) {
  Newsvendor<Space, AnyDemand> problem{Space(), smooth_case(3, 1, 1).products};
  problem.draw({7, 0, 10});
  EXPECT_EQ(problem.sample_bound(Vector<Space>("y", 3)), -double(INFINITY));
}

TEST(NewsvendorQuantiles, MeetTheCriticalRatio) {
  const auto products = smooth_case(20, 1, 1).products;
  const NewsvendorCase separate{products, {}};
  EXPECT_LT(worst_slope(separate, models::newsvendor_quantiles(products), {}), 1e-10);
  auto free = products;
  free.cost[1] = -free.holding[1];
  EXPECT_EQ(refusal([&] { models::newsvendor_quantiles(free); }), "cost + holding[1] is 0, expected a number above 0");
}

std::string refusal_of_optimum(const NewsvendorCase& newsvendor) {
  return refusal([&] { models::newsvendor_optimum(newsvendor); });
}

TEST(NewsvendorOptimum, SaysWhatItDoesNotSolve) {
  EXPECT_EQ(refusal_of_optimum(smooth_case(4, 2, 1)), "number of resources is 2, expected 1");
  auto newsvendor = smooth_case(4, 1, 1);
  newsvendor.resources.senses = {models::ResourceSense::exactly};
  EXPECT_EQ(refusal_of_optimum(newsvendor),
            "resource is not a budget, expected positive amounts and an upper bound of at least 0");
  newsvendor.resources.senses.clear();
  newsvendor.products.holding[2] = -2.5;
  newsvendor.products.cost[2] = 2;
  EXPECT_EQ(refusal_of_optimum(newsvendor), "cost + holding[2] is -0.5, expected a number above 0");
}

}  // namespace newsvendor_optimum_tests
}  // namespace sporos::test
