// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The newsvendor's gradient, which recounts few products, has the same bits as one that counts all products. Its
// estimates are unbiased, and its exact values are derivatives of each other. All checks run on every backend.
#include "harness/backends.hpp"
#include "harness/refusal.hpp"
#include "harness/serial_or_host.hpp"
#include "newsvendor_cases.hpp"

#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/core/statistics/confidence.hpp>
#include <sporos/core/statistics/moments.hpp>
#include <sporos/models/inventory/newsvendor.hpp>
#include <sporos/optimizers/stochastic_problem.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sporos::test {
namespace newsvendor_tests {

using models::AnyDemand, models::Newsvendor, models::NewsvendorProducts, models::NewsvendorSample, models::NormalDemand;

template <class Space>
class Newsvendors : public ::testing::Test {
  static_assert(StochasticProblem<Newsvendor<Space, NormalDemand>>);
  static_assert(StochasticProblem<Newsvendor<Space, AnyDemand>>);
};
TYPED_TEST_SUITE(Newsvendors, Backends, BackendName);

// Computes values by their definitions, only from the demands' functions on the host.
template <class Demand>
class Naive {
 public:
  Naive(const NewsvendorProducts& products, const SampleRange& range)
      : m_products(products), m_demands(products.demand), m_sample{range} {}

  std::vector<double> gradient(const std::vector<double>& x) const {
    std::vector<double> g;
    for (std::size_t j = 0; j < x.size(); ++j) {
      const auto& [k, h, v, unused] = m_products;
      const double u = m_demands.view()(j).cdf(x[j]);
      std::int64_t count = 0;
      for (std::int64_t i = 0; i < m_sample.range.size; ++i) count += draw(j, i) <= u ? 1 : 0;
      g.push_back((k[j] - v[j]) + (h[j] + v[j]) * (static_cast<double>(count) / size()));
    }
    return g;
  }

  // Moments of the replications' costs.
  Moments costs(const std::vector<double>& x) const {
    MomentsTree costs;
    for (std::int64_t i = 0; i < m_sample.range.size; ++i) {
      double cost = 0;
      for (std::size_t j = 0; j < x.size(); ++j) {
        const auto& [k, h, v, unused] = m_products;
        const double surplus = x[j] - m_demands.view()(j).quantile(draw(j, i));
        cost += k[j] * x[j] + (surplus > 0 ? h[j] * surplus : -v[j] * surplus);
      }
      costs.add(cost);
    }
    return costs.total();
  }

  // Moments of each derivative over the same replications.
  std::vector<Moments> derivatives(const std::vector<double>& x) const {
    std::vector<Moments> all;
    for (std::size_t j = 0; j < x.size(); ++j) {
      const auto& [k, h, v, unused] = m_products;
      MomentsTree tree;
      for (std::int64_t i = 0; i < m_sample.range.size; ++i) {
        tree.add(k[j] - v[j] + (m_demands.view()(j).quantile(draw(j, i)) <= x[j] ? h[j] + v[j] : 0));
      }
      all.push_back(tree.total());
    }
    return all;
  }

 private:
  double draw(std::size_t j, std::int64_t i) const { return m_sample.uniform(static_cast<std::int64_t>(j), i); }
  double size() const { return static_cast<double>(m_sample.range.size); }

  NewsvendorProducts m_products;
  models::ProductDemands<Demand, Kokkos::HostSpace> m_demands;
  NewsvendorSample m_sample;
};

std::vector<double> start_of(const NewsvendorProducts& products) {
  std::vector<double> x;
  for (const auto& demand : products.demand) x.push_back(0.6 * demand.mean());
  return x;
}

// Takes a step as Frank-Wolfe does: all quantities shrink and one jumps. Some steps round to whole numbers, at which
// demands lie.
void step(std::vector<double>& x, int t) {
  for (double& quantity : x) quantity *= 1 - 2.0 / (20 + t);
  x[static_cast<std::size_t>(t * 31) % x.size()] += 40;
  if (t % 7 == 3) {
    for (double& quantity : x) quantity = std::round(quantity);
  }
  if (t % 11 == 5) x[0] = 0;
}

template <class Space, class Demand>
void expect_naive_gradients(const NewsvendorProducts& products) {
  Newsvendor<Space, Demand> problem(Space(), products);
  const Vector<Space> g("g", products.cost.size());
  auto x = start_of(products);
  for (int t = 0; t < 36; ++t) {
    const SampleRange range{9, static_cast<std::uint64_t>(t / 12) * 25, 25};
    if (t % 12 == 0) problem.draw(range);
    problem.gradient(to_device<Space>(x), g);
    const auto expected = Naive<Demand>(products, range).gradient(x), got = to_host<Space>(g);
    for (std::size_t j = 0; j < x.size(); ++j) ASSERT_EQ(got[j], expected[j]) << j << " at step " << t;
    step(x, t);
  }
}

TYPED_TEST(Newsvendors, GradientIsThatOfCountingAll) {
  expect_naive_gradients<TypeParam, NormalDemand>(models::generated_newsvendor(3, 331, 1).products);
  expect_naive_gradients<TypeParam, AnyDemand>(mixed_products(331));
}

// Checks the demands themselves and values one rounding away from them, where a stored interval must not be trusted.
template <class Space, class Demand>
void expect_naive_near_demands(const NewsvendorProducts& products) {
  const SampleRange range{4, 100, 3};
  const NewsvendorSample sample{range};
  const models::ProductDemands<Demand, Kokkos::HostSpace> demands(products.demand);
  Newsvendor<Space, Demand> problem(Space(), products);
  const Naive<Demand> naive(products, range);
  problem.draw(range);
  const Vector<Space> g("g", products.cost.size());
  for (std::int64_t i = 0; i < range.size; ++i) {
    for (const double to : {-double(INFINITY), 0.0, double(INFINITY), 1e-12, -1e-9}) {
      std::vector<double> x;
      for (std::size_t j = 0; j < products.cost.size(); ++j) {
        const double demand = demands.view()(j).quantile(sample.uniform(static_cast<std::int64_t>(j), i));
        x.push_back(std::isinf(to) ? std::nextafter(demand, to) : demand * (1 + to));
      }
      problem.gradient(to_device<Space>(x), g);
      ASSERT_EQ(to_host<Space>(g), naive.gradient(x)) << i << " " << to;
    }
  }
}

TYPED_TEST(Newsvendors, GradientIsThatOfCountingAllBesideDemands) {
  expect_naive_near_demands<TypeParam, NormalDemand>(models::generated_newsvendor(3, 100, 1).products);
  expect_naive_near_demands<TypeParam, AnyDemand>(mixed_products(100));
}

TYPED_TEST(Newsvendors, ObjectiveIsTheMeanCost) {
  const auto products = mixed_products(300);
  const SampleRange range{2, 0, 40};
  Newsvendor<TypeParam, AnyDemand> problem(TypeParam(), products);
  problem.draw(range);
  const auto x = start_of(products);
  const double got = problem.objective(to_device<TypeParam>(x));
  EXPECT_NEAR(got, Naive<AnyDemand>(products, range).costs(x).mean, 1e-12 * got);
  // The value is the same on all backends and with any number of threads.
  Newsvendor<SerialOrHost, AnyDemand> serial(SerialOrHost(), products);
  serial.draw(range);
  EXPECT_EQ(got, serial.objective(to_device<SerialOrHost>(x))) << "the same bits on all backends";
}

// Compares estimates of the objective and its derivatives from independent replications with the exact values. Returns
// the number of intervals that miss, each with probability 1e-6 if the exact values are those of the drawn demands.
template <class Space>
int misses(const NewsvendorProducts& drawn, const NewsvendorProducts& exact) {
  Newsvendor<Space, AnyDemand> problem(Space(), exact);
  const auto x = start_of(exact);
  const Vector<Space> g("g", x.size());
  problem.exact_gradient(to_device<Space>(x), g);
  const Naive<AnyDemand> naive(drawn, {12, 0, 4000});
  const auto derivatives = naive.derivatives(x);
  const auto gradient = to_host<Space>(g);
  const auto missed = [](const Moments& moments, double expected) {
    return std::abs(moments.mean - expected) > half_width(moments, 1 - 1e-6) + 1e-12 ? 1 : 0;
  };
  int count = missed(naive.costs(x), problem.exact_objective(to_device<Space>(x)));
  for (std::size_t j = 0; j < x.size(); ++j) count += missed(derivatives[j], gradient[j]);
  return count;
}

TYPED_TEST(Newsvendors, EstimatesAreUnbiased) {
  const auto products = mixed_products(16);
  EXPECT_EQ(misses<TypeParam>(products, products), 0);
  auto others = products;
  others.demand[0].parameters[0] += 3;
  others.demand[1].parameters[1] *= 1.2;
  EXPECT_GE(misses<TypeParam>(others, products), 3) << "control: two products of which more is asked";
}

TYPED_TEST(Newsvendors, ExactGradientIsTheSlopeOfTheExactObjective) {
  const auto products = models::generated_newsvendor(8, 40, 1).products;
  Newsvendor<TypeParam> problem(TypeParam(), products);
  const auto x = start_of(products);
  const Vector<TypeParam> g("g", x.size());
  problem.exact_gradient(to_device<TypeParam>(x), g);
  const auto gradient = to_host<TypeParam>(g);
  constexpr double step_size = 1e-3;
  for (const std::size_t every : {1, 2, 7, 40}) {  // one quantity in `every` rises
    auto above = x, below = x;
    double slope = 0;
    for (std::size_t j = 0; j < x.size(); j += every) {
      above[j] += step_size;
      below[j] -= step_size;
      slope += gradient[j];
    }
    const double rise =
        problem.exact_objective(to_device<TypeParam>(above)) - problem.exact_objective(to_device<TypeParam>(below));
    EXPECT_NEAR(rise / (2 * step_size), slope, 1e-6);
  }
}

TEST(NewsvendorCase, SaysWhatIsWrong) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  const auto products = mixed_products(3);
  const auto refusal = [](const NewsvendorProducts& changed) {
    return test::refusal([&] { Newsvendor<Space, AnyDemand>(Space(), changed); });
  };
  EXPECT_EQ(refusal(products), "none");
  EXPECT_EQ(refusal({}), "number of products is 0, expected a positive integer");
  auto changed = products;
  changed.price.pop_back();
  EXPECT_EQ(refusal(changed), "number of prices is 2, expected one for each product, 3");
  changed = products;
  changed.cost[1] = std::nan("");
  EXPECT_EQ(refusal(changed), "cost[1] is nan, expected a finite number");
  changed = products;
  changed.holding[2] = -changed.price[2];
  EXPECT_EQ(refusal(changed),
            "holding + price[2] is 0, expected a number above 0; otherwise the objective is not convex");
  changed = products;
  changed.demand[0].parameters[1] = -2;
  EXPECT_EQ(refusal(changed), "demand[0]: deviation is -2, expected a finite number of at least 0");
  changed.demand[0].kind = DistributionKind::uniform;
  EXPECT_EQ(refusal(changed), "demand[0] is uniform, expected normal, gamma, poisson or empirical");
  EXPECT_EQ(test::refusal([&] { Newsvendor<Space>(Space(), products); }), "demand[1] is gamma, expected normal");
  Newsvendor<Space, AnyDemand> problem(Space(), products);
  EXPECT_EQ(test::refusal([&] { problem.draw({1, 0, 0}); }), "sample size is 0, expected a positive integer");
}

TEST(NewsvendorCase, SaysWhatIsWrongWithResources) {
  const auto refusal = [](const models::NewsvendorResources& resources) {
    return test::refusal([&] { resources.check(2); });
  };
  EXPECT_EQ(refusal({{10, 20}, {1, 0, 0, 1}}), "none");
  EXPECT_EQ(refusal({}), "number of resources is 0, expected a positive integer");
  EXPECT_EQ(refusal({{10}, {1, 0, 0}}), "number of amounts is 3, expected one for each resource and product, 2");
  EXPECT_EQ(refusal({{-1}, {1, 1}}), "none");
  EXPECT_EQ(refusal({{INFINITY}, {1, 1}}), "capacity[0] is inf, expected a finite number");
  EXPECT_EQ(refusal({{1}, {1, -INFINITY}}), "amount[0][1] is -inf, expected a finite number");
  EXPECT_EQ(refusal({{10, 20}, {1, 2, 0, 0}}),
            "resource[1] is used by no product, expected at least one amount other than 0");
  using enum models::ResourceSense;
  EXPECT_EQ(refusal({{10, 20}, {1, 2, 3, 4}, {exactly}}), "number of senses is 1, expected one for each resource, 2");
  EXPECT_EQ(refusal({{10}, {1, -2}, {exactly}}), "none");
  EXPECT_EQ(refusal({{10}, {1, -2}, {at_least}}),
            "product[0] is unbounded, expected a positive amount of at least one resource");
  EXPECT_EQ(refusal({{10, 20}, {1, 0, 2, 0}}),
            "product[1] is unbounded, expected a positive amount of at least one resource");
}

TEST(GeneratedNewsvendor, IsInItsRangesAndGrowsWithoutChange) {
  const auto small = models::generated_newsvendor(1, 50, 3), large = models::generated_newsvendor(1, 80, 4);
  small.products.check();
  small.resources.check(50);
  EXPECT_TRUE(small.products.all_normal());
  for (std::size_t j = 0; j < 50; ++j) {
    const double mean = small.products.demand[j].parameters[0], deviation = small.products.demand[j].parameters[1];
    EXPECT_TRUE(mean > 20 && mean < 50 && deviation > 10 && deviation < 20);
    EXPECT_EQ(mean, large.products.demand[j].parameters[0]);
    EXPECT_EQ(small.resources.amounts[2 * 50 + j], large.resources.amounts[2 * 80 + j]);
  }
  EXPECT_NE(models::generated_newsvendor(2, 50, 3).products.cost, small.products.cost);
}

}  // namespace newsvendor_tests
}  // namespace sporos::test
