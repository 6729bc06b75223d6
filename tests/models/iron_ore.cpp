// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iron ore: checks SimOpt's replications, recursions over the price, and bounds of the best profit.
#include "model_checks.hpp"

#include <harness/backends.hpp>

#include <sporos/core/math/normal.hpp>
#include <sporos/models/inventory/iron_ore.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <random>
#include <vector>

namespace sporos::test {
namespace iron_ore_tests {

using models::IronOre;
using Host = Kokkos::DefaultHostExecutionSpace;
static_assert(DescribedModel<IronOre>);

const IronOre defaults = default_model<IronOre>();

IronOre with_prices(double start, double stop, double sell) {
  IronOre model = defaults;
  model.start_price = start;
  model.stop_price = stop;
  model.sell_price = sell;
  return model;
}

// Compares with means and standard errors of 20 000 replications of SimOpt 1.2.4. Each difference has an interval of
// 99.9 %.
void expect_means_of_simopt(const IronOre& model, const std::array<std::array<double, 2>, 3>& of_simopt) {
  const auto result = simulate(Host(), model, plan_with(1, 5000));
  for (std::size_t i = 0; i < 3; ++i) {
    const auto& own = result.responses[i];
    EXPECT_NEAR(own.mean, of_simopt[i][0], std::hypot(own.half_width, 3.29 * of_simopt[i][1])) << own.name;
  }
}

// Checks SimOpt's start and a case in which stocks reach the capacity.
TEST(IronOre, HasTheMeansOfSimOpt) {
  expect_means_of_simopt(defaults, {{{134155.765, 1250}, {0.987507397, 0.000183}, {431.875507, 1.61}}});
  IronOre narrow = with_prices(95, 70, 115);
  narrow.stop_stock = 2000;
  narrow.capacity = 1950;
  expect_means_of_simopt(narrow, {{{-50660.9185, 1560}, {0.60899726, 0.000872}, {1062.51864, 1.44}}});
}

// Returns uniforms of std::minstd_rand0 for every input.
struct GivenUniforms {
  std::minstd_rand0 generator{1};
  double operator()(int) { return static_cast<double>(generator()) / 2147483647.0; }
};

// The expected values are from SimOpt 1.2.4's IronOre.replicate with the same price moves: its normal variates are
// SciPy's ndtri of these uniforms. The cases are SimOpt's start; stocks that reach the capacity; immediate sale of all
// stock; and prices that reach their smallest and largest value while the stock reaches the level that stops mining.
TEST(IronOre, DoesWhatSimOptDoesOnTheSamePrices) {
  IronOre full = with_prices(95, 70, 115), sold = with_prices(69.6, 54.7, 32.8), wild = with_prices(110, 90.5, 125);
  full.stop_stock = 2000, full.capacity = 1950;
  sold.stop_stock = 970;
  wild.stop_stock = 750, wild.deviation = 60;
  const auto expect = [](const IronOre& model, double profit, double mining, double stock) {
    GivenUniforms inputs;
    const auto own = model(inputs);
    EXPECT_NEAR(own[0], profit, 1e-5);
    EXPECT_NEAR(own[1], mining, 1e-12);
    EXPECT_NEAR(own[2], stock, 1e-9);
  };
  expect(defaults, 254728.70377967088, 0.9726027397260274, 303.28767123287673);
  expect(full, 75376.53309737291, 0.5726027397260274, 916.5753424657535);
  expect(sold, 83622.01233450996, 0.989041095890411, 0.0);
  expect(wild, 1322770.6268699523, 0.5205479452054794, 40.0);
  for (double IronOre::*price : {&IronOre::start_price, &IronOre::stop_price, &IronOre::sell_price}) {
    IronOre other = wild;
    other.*price += 10;
    GivenUniforms inputs;
    EXPECT_GT(std::abs(other(inputs)[0] - 1322770.6268699523), 1) << "control";
  }
}

// Computes the profit by recursion over the remaining days. The price is rounded to the middle of its cell. While no
// stock reaches its limits, all units are interchangeable and the profit is a sum over units.
class PriceRecursion {
 public:
  PriceRecursion() : m_moves(cells * band) {
    for (int i = 0; i < cells; ++i) {
      const double away = defaults.mean_price - price(i), drift = std::copysign(std::pow(std::abs(away), 0.25), away);
      for (int j = 0; j < band; ++j) {
        const int to = i + j - band / 2;
        if (to < 0 || to >= cells) continue;
        const auto below = [&](double edge) {
          return math::normal_cdf((edge - price(i) - drift) / defaults.deviation);
        };
        const double from_edge = to == 0 ? 0 : below(price(to) - step / 2),
                     to_edge = to == cells - 1 ? 1 : below(price(to) + step / 2);
        m_moves[static_cast<std::size_t>(i * band + j)] = to_edge - from_edge;
      }
    }
  }

  // Mean profit of mining whenever a unit is worth more than it costs, and of selling a unit when that is best. No
  // policy has a larger mean.
  double of_the_best_policy() const {
    Values unit(cells, 0), profit(cells, 0);
    for (std::int64_t day = defaults.days - 1; day > 0; --day) {
      const Values kept = expected(unit), later = expected(profit);
      for (std::size_t i = 0; i < cells; ++i) {
        unit[i] = std::max(price(static_cast<int>(i)), kept[i] - defaults.holding_cost);
        profit[i] = later[i] + mined() * std::max(unit[i] - defaults.production_cost, 0.0);
      }
    }
    return at_first(profit);
  }

  // Mean profit with these prices, which are edges of cells.
  double of_prices(double start, double stop, double sell) const {
    Values unit(cells, 0), idle(cells, 0),
        busy(cells, 0);  // value of a unit; profit after a day without and with mining
    for (std::int64_t day = defaults.days - 1; day > 0; --day) {
      const Values kept = expected(unit), after_idle = expected(idle), after_busy = expected(busy);
      for (std::size_t i = 0; i < cells; ++i) {
        const double now = price(static_cast<int>(i));
        unit[i] = now >= sell ? now : kept[i] - defaults.holding_cost;
        const double mining = after_busy[i] + mined() * (unit[i] - defaults.production_cost);
        idle[i] = now >= start ? mining : after_idle[i];
        busy[i] = now >= stop ? mining : after_idle[i];
      }
    }
    return at_first(idle);
  }

 private:
  using Values = std::vector<double>;
  static constexpr double step = 0.5;
  static constexpr int cells = 401, band = 221;  // moves of at most 55, more than 7 standard deviations

  static double price(int cell) { return step * cell; }
  static double mined() { return static_cast<double>(defaults.daily_production); }
  double at_first(const Values& values) const {
    return expected(values)[static_cast<std::size_t>(defaults.mean_price / step)];
  }

  Values expected(const Values& values) const {
    Values means(cells, 0);
    for (int i = 0; i < cells; ++i) {
      const int first = std::max(0, band / 2 - i), end = std::min(band, cells - i + band / 2);
      const double *moves = m_moves.data() + i * band + first, *from = values.data() + i + first - band / 2;
      means[static_cast<std::size_t>(i)] = std::inner_product(moves, moves + end - first, from, 0.0);
    }
    return means;
  }

  Values m_moves;
};

// NumPy computes 251651.4 and 256014.4 by the same recursions with cells of 0.1.
TEST(IronOre, TheOptimumIsBetweenItsBounds) {
  const PriceRecursion recursion;
  const auto problems = IronOre::problems();
  const auto& x = problems[1].optimum->x;
  const double below = recursion.of_prices(x[0], x[1], x[2]), above = recursion.of_the_best_policy();
  EXPECT_NEAR(below, 251651.4, 100);
  EXPECT_NEAR(above, 256014.4, 100);
  for (const auto& problem : problems) {
    EXPECT_GE(below, problem.optimum->value - problem.optimum->half_width) << problem.name;
    EXPECT_LE(above, problem.optimum->value + problem.optimum->half_width) << problem.name;
  }
  const auto own = simulate(Host(), with_prices(x[0], x[1], x[2]), plan_with(1, 10'000)).responses[0];
  EXPECT_NEAR(own.mean, below, own.half_width + 100);
  const double of_other_sales = recursion.of_prices(x[0], x[1], x[2] + 5);
  EXPECT_GT(std::abs(own.mean - of_other_sales), own.half_width + 100) << "control: sales at a price 5 higher";
}

TEST(IronOre, RefusesWhatIsNone) {
  IronOre model = defaults;
  model.highest_price = 90;
  EXPECT_EQ(refusal(model), "mean_price is 100, expected a number not above highest_price, 90");
  model = defaults;
  model.days = 1;
  EXPECT_EQ(refusal(model), "days is 1, expected a whole number of at least 2");
  model = defaults;
  model.stop_stock = -1;
  EXPECT_EQ(refusal(model), "stop_stock is -1, expected a whole number from 0 to 1000000000");
}

template <class Space>
class IronOreOn : public ::testing::Test {};
TYPED_TEST_SUITE(IronOreOn, Backends, BackendName);

TYPED_TEST(IronOreOn, HasTheKnownBits) { expect_digest<TypeParam>(defaults, 0xbf2fb427f7aeec9f); }

}  // namespace iron_ore_tests
}  // namespace sporos::test
