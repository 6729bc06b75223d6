// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks newsvendors with fill rates: the dual's optimum satisfies the KKT conditions, samples have the exact means and
// slopes, and a search on samples reaches that optimum, with a certificate that holds.
#include "harness/backends.hpp"
#include "harness/refusal.hpp"
#include "harness/seeds.hpp"
#include "harness/serial_or_host.hpp"

#include <sporos/core/math/normal.hpp>
#include <sporos/models/inventory/newsvendor.hpp>
#include <sporos/optimizers/constrained/augmented_lagrangian.hpp>
#include <sporos/optimizers/constrained/certificate.hpp>
#include <sporos/optimizers/search/run_searches.hpp>
#include <sporos/procedures/fill_rate_newsvendor.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sporos::test {
namespace fill_rate_newsvendor_tests {

using models::NewsvendorFillRates, models::NewsvendorProducts;
using Host = SerialOrHost;

// An instance with the products of He et al. (2024), A preliminary study on accelerating simulation optimization with
// GPU implementation. The second fill rate is met without its constraint.
struct Instance {
  explicit Instance(std::int64_t size) : products(models::generated_newsvendor(3, size, 1).products) {
    rates = models::generated_fill_rates(3, size, 3, 0.97);
    rates.least[1] = 0.5;
  }
  NewsvendorProducts products;
  NewsvendorFillRates rates;

  // P(D > x_j) and E(D − x_j)⁺ in terms of Φ and φ.
  double above(std::size_t j, double x) const {
    const auto [mean, deviation, unused, also_unused] = products.demand[j].parameters;
    return math::normal_cdf((mean - x) / deviation);
  }
  double lost(std::size_t j, double x) const {
    const auto [mean, deviation, unused, also_unused] = products.demand[j].parameters;
    const double z = (x - mean) / deviation;
    return deviation * (std::exp(-z * z / 2) / std::sqrt(2 * std::acos(-1.0)) - z * math::normal_cdf(-z));
  }
  double cost(const std::vector<double>& x) const {
    double sum = 0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      const double over = lost(j, x[j]) + x[j] - products.demand[j].parameters[0];
      sum += products.cost[j] * x[j] + products.holding[j] * over + products.price[j] * lost(j, x[j]);
    }
    return sum;
  }
  // By how much x exceeds the limit of constraint i.
  double excess(std::size_t i, const std::vector<double>& x) const {
    double sum = -rates.max_lost(products)[i];
    for (std::size_t j = 0; j < x.size(); ++j) sum += rates.weights[i * x.size() + j] * lost(j, x[j]);
    return sum;
  }
  // Largest violation of f_j' = Σ λ_i w_ij P(D > x_j) over the products.
  double worst_slope(const std::vector<double>& x, const std::vector<double>& multipliers) const {
    double worst = 0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      double slope =
          products.cost[j] + products.holding[j] - (products.holding[j] + products.price[j]) * above(j, x[j]);
      for (std::size_t i = 0; i < multipliers.size(); ++i)
        slope -= multipliers[i] * rates.weights[i * x.size() + j] * above(j, x[j]);
      worst = std::max(worst, std::abs(slope));
    }
    return worst;
  }
};

TEST(FillRateOptimum, MeetsTheKktConditions) {
  for (const std::int64_t size : {3, 40, 500}) {
    const Instance instance(size);
    auto [x, multipliers] = models::fill_rate_optimum(instance.products, instance.rates);
    EXPECT_LT(instance.worst_slope(x, multipliers), 1e-9) << size;
    EXPECT_EQ(multipliers[1], 0) << size;
    EXPECT_LT(instance.excess(1, x), 0) << size;
    EXPECT_GT(std::max(multipliers[0], multipliers[2]), 1) << size;
    for (const std::size_t i : {std::size_t{0}, std::size_t{2}}) {
      const double excess = instance.excess(i, x), most = instance.rates.max_lost(instance.products)[i];
      EXPECT_LE(multipliers[i] > 0 ? std::abs(excess) : excess, 1e-9 * most) << size;
    }
    for (double& multiplier : multipliers) multiplier *= 1.01;
    EXPECT_GT(instance.worst_slope(x, multipliers), 1e-4) << "control: other multipliers";
  }
}

// Four quantities from 2000 replications are each within 4.4 standard errors: one misses with probability 5·10⁻⁵.
// Slopes are differences of the same sample's means if no demand lies between the points.
TEST(FillRateNewsvendor, HasTheMeansAndSlopesOfItsSample) {
  const Instance instance(51);
  FillRateNewsvendor<Host> problem(Host(), instance.products, instance.rates);
  const std::vector<double> x = models::fill_rate_optimum(instance.products, instance.rates).quantities;
  constexpr std::int64_t n = 2000;
  const SampleMean found = problem.evaluate(std::vector<Sample>{{x, 4, 0, n, true}}).front();
  EXPECT_NEAR(found.mean, instance.cost(x), 4.4 * std::sqrt(found.variance_of_mean()));
  for (std::size_t i = 0; i < 3; ++i) {
    const ConstraintMean& constraint = found.constraints[i];
    EXPECT_NEAR(constraint.mean, instance.excess(i, x),
                4.4 * std::sqrt(constraint.squared_deviation / double(n - 1) / double(n)));
  }
  constexpr double step = 1e-7;
  for (const std::size_t j : {std::size_t{0}, std::size_t{7}, std::size_t{50}}) {
    std::vector<double> more = x;
    more[j] += step;
    const SampleMean there = problem.evaluate(std::vector<Sample>{{more, 4, 0, n}}).front();
    EXPECT_NEAR((there.mean - found.mean) / step, found.gradient[j], 1e-4) << j;
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR((there.constraints[i].mean - found.constraints[i].mean) / step, found.constraints[i].gradient[j],
                  1e-4);
    }
  }
}

// The gap's bound of 95 % and the certificate's simultaneous bounds of 99.9 % hold; excesses are far below the start's.
TEST(FillRateNewsvendor, IsSolvedByTheAugmentedLagrangian) {
  const Instance instance(60);
  FillRateNewsvendor<Host> problem(Host(), instance.products, instance.rates);
  const auto [best, multipliers] = models::fill_rate_optimum(instance.products, instance.rates);
  std::vector<double> start;
  for (const auto& demand : instance.products.demand) start.push_back(demand.parameters[0]);
  const auto found = run_searches(
      problem, [](SearchRun& run) { return augmented_lagrangian(run, {}); }, start, 20'000, seeds(1));
  const std::vector<double>& x = found.front().x;
  const double optimum = instance.cost(best), distance = instance.cost(x) - optimum;
  EXPECT_NEAR(distance, 0, 0.01 * optimum);
  const Certificate certified = certificate(problem, x, {.batches = 10, .replications = 200, .confidence = 0.999});
  for (std::size_t i = 0; i < 3; ++i) {
    const double excess = instance.excess(i, x), most = instance.rates.max_lost(instance.products)[i];
    EXPECT_LE(certified.constraints[i].lower, excess) << i;
    EXPECT_GE(certified.constraints[i].upper, excess) << i;
    EXPECT_LT(excess, 0.05 * most) << i;
    EXPECT_GT(instance.excess(i == 1 ? 0 : i, start), 0.1 * most) << "control";
  }
  std::vector<double> prices;
  for (const CertifiedConstraint& constraint : certified.constraints) prices.push_back(constraint.multiplier);
  const OptimalityGap gap =
      lagrangian_gap(problem, prices, x, {}, {.batches = 4, .replications = 100, .evaluations = 40});
  EXPECT_GE(gap.bound, distance);
  EXPECT_LE(gap.bound, 0.05 * optimum);
}

TEST(NewsvendorFillRates, SayWhatIsWrong) {
  const auto of = [](const NewsvendorFillRates& rates) { return refusal([&] { rates.check(2); }); };
  EXPECT_EQ(of({{0.9}, {1, 0}}), "none");
  EXPECT_EQ(of({}), "number of fill rates is 0, expected a positive integer");
  EXPECT_EQ(of({{0.9}, {1}}), "number of weights is 1, expected one for each fill rate and product, 2");
  EXPECT_EQ(of({{0.9, 1}, {1, 1, 1, 1}}), "fill rate[1] is 1, expected a number between 0 and 1");
  EXPECT_EQ(of({{0.9}, {1, -1}}), "weight[1] is -1, expected a finite number of at least 0");
}

template <class Space>
class FillRateBits : public ::testing::Test {};
TYPED_TEST_SUITE(FillRateBits, Backends, BackendName);

// The number of products is odd, and they fill several parts.
TYPED_TEST(FillRateBits, AreTheSame) {
  const Instance instance(2051);
  FillRateNewsvendor<TypeParam> problem(TypeParam(), instance.products, instance.rates);
  FillRateNewsvendor<SerialOrHost> other(SerialOrHost(), instance.products, instance.rates);
  const std::vector<Sample> samples{{std::vector<double>(2051, 40), 9, 5, 7, true}};
  const SampleMoments here = problem.simulate(samples).front(), there = other.simulate(samples).front();
  EXPECT_EQ(here.means, there.means);
  EXPECT_EQ(here.products, there.products);
  EXPECT_EQ(here.slopes, there.slopes);
}

}  // namespace fill_rate_newsvendor_tests
}  // namespace sporos::test
