// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dual sourcing: checks exact means, a second implementation that looks at all orders, SimOpt's means, and the best
// levels by enumeration.
#include "model_checks.hpp"

#include <harness/backends.hpp>

#include <sporos/core/math/normal.hpp>
#include <sporos/models/inventory/dual_sourcing.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sporos::test {
namespace dual_sourcing_tests {

using models::DualSourcing;
using Host = Kokkos::DefaultHostExecutionSpace;
static_assert(DescribedModel<DualSourcing>);

const DualSourcing defaults = default_model<DualSourcing>();

DualSourcing with(std::int64_t expedited_level, std::int64_t regular_level, std::int64_t expedited_lead,
                  std::int64_t regular_lead, std::int64_t periods) {
  DualSourcing model = defaults;
  model.expedited_level = expedited_level;
  model.regular_level = regular_level;
  model.expedited_lead = expedited_lead;
  model.regular_lead = regular_lead;
  model.periods = periods;
  return model;
}

std::vector<DualSourcing> solved_models() {
  DualSourcing often_none = with(8, 12, 0, 1, 30);  // demands would often be negative without truncation at 0
  often_none.demand_mean = 2;
  often_none.demand_deviation = 4;
  often_none.initial_stock = 11;
  return {with(45, 70, 0, 1, 200), with(50, 50, 0, 1, 100), with(10, 60, 0, 1, 1), with(0, 40, 0, 1, 2), often_none};
}

// Checks 25 intervals of 99.9 %.
TEST(DualSourcing, IntervalsHoldTheExactMeans) {
  for (const DualSourcing& model : solved_models()) {
    const auto exact = model.exact_means();
    ASSERT_TRUE(exact[0]);
    EXPECT_EQ(misses(simulate(Host(), model, plan_with(1, 20'000)), exact), 0) << model.periods;
  }
}

TEST(DualSourcingControl, ALevelAUnitHigherIsFound) {
  const auto result = simulate(Host(), with(45, 71, 0, 1, 200), plan_with(1, 20'000));
  EXPECT_GE(misses(result, with(45, 70, 0, 1, 200).exact_means()), 3);
}

TEST(DualSourcing, ExactMeansAreOfTheCaseThatIsSolved) {
  EXPECT_FALSE(defaults.exact_means()[0]) << "lead times 0 and 2";
  EXPECT_FALSE(with(45, 70, 1, 2, 10).exact_means()[0]);
  EXPECT_FALSE(with(71, 70, 0, 1, 10).exact_means()[0]);
  EXPECT_FALSE(with(20, 39, 0, 1, 10).exact_means()[0]) << "a stock of 40 at first";
  EXPECT_FALSE(with(20, 2'000'000, 0, 1, 10).exact_means()[0]);
}

// With common random numbers the best of 25 pairs of levels is the pair with the smallest exact mean.
TEST(DualSourcing, ItsBestLevelsAreFoundByEnumeration) {
  std::vector<DualSourcing> candidates;
  for (std::int64_t expedited = 45; expedited <= 53; expedited += 2) {
    for (std::int64_t regular = 75; regular <= 99; regular += 6)
      candidates.push_back(with(expedited, regular, 0, 1, 200));
  }
  const auto found = simulate(Host(), std::span<const DualSourcing>(candidates), plan_with(1, 4000)).points;
  std::size_t best = 0, best_found = 0;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (*candidates[i].exact_means()[0] < *candidates[best].exact_means()[0]) best = i;
    if (found[i].responses[0].mean < found[best_found].responses[0].mean) best_found = i;
  }
  EXPECT_EQ(best_found, best);
  EXPECT_EQ(candidates[best].expedited_level, 49);
  EXPECT_EQ(candidates[best].regular_level, 87);
}

// Mean total costs for lead times 0 and 2, a gap g >= 0 between the levels, and an expedited level not below the
// initial stock. After the orders of a period, o units are above the expedited level and p units arrive in the next
// period; the regular order is g - o - p. With w = o + p and a demand D, the next period expedites (D - w)^+ and begins
// with o = (w - D)^+ and p = g - w. Hence w is a Markov chain, which starts at 0.
class TwoPeriodsLead {
 public:
  explicit TwoPeriodsLead(std::size_t gap) : m_above(gap + 1) {
    std::vector<double> state(gap + 1);
    state[0] = 1;
    m_above[0] = 1;
    for (std::int64_t period = 1; period < defaults.periods; ++period) {
      std::vector<double> next(gap + 1);
      for (std::size_t w = 0; w <= gap; ++w) {
        for (std::size_t d = 0; d < demands; ++d) {
          const double share = state[w] * demand(d);
          const std::size_t above = w > d ? w - d : 0;
          m_above[above] += share;
          next[above + gap - w] += share;
          if (d > w) m_expedited += share * static_cast<double>(d - w);
        }
      }
      state = next;
    }
  }

  double cost(std::int64_t expedited_level) const {
    const auto periods = static_cast<double>(defaults.periods), gap = static_cast<double>(m_above.size() - 1);
    double held = 0, shortage = 0, mean = 0;
    for (std::size_t d = 0; d < demands; ++d) {
      mean += demand(d) * static_cast<double>(d);
      for (std::size_t above = 0; above < m_above.size(); ++above) {
        const double left = static_cast<double>(expedited_level) + static_cast<double>(above) - static_cast<double>(d);
        (left > 0 ? held : shortage) += m_above[above] * demand(d) * std::abs(left);
      }
    }
    const double first = static_cast<double>(expedited_level - defaults.initial_stock);
    const double regular = gap + (periods - 1) * mean - m_expedited;
    return (defaults.expedited_cost * (first + m_expedited) + defaults.regular_cost * regular +
            defaults.holding_cost * held + defaults.penalty_cost * shortage) /
           periods;
  }

 private:
  static constexpr std::size_t demands = 125;
  static double demand(std::size_t d) {
    static const auto all = [] {
      std::vector<double> probabilities;
      const auto up_to = [](double x) {
        return math::normal_cdf((x - defaults.demand_mean) / defaults.demand_deviation);
      };
      for (std::size_t k = 0; k < demands; ++k) {
        const auto x = static_cast<double>(k);
        probabilities.push_back(up_to(x + 0.5) - (k > 0 ? up_to(x - 0.5) : 0));
      }
      return probabilities;
    }();
    return all[d];
  }

  std::vector<double> m_above;  // entry o: sum over all periods of the probability of o units above
  double m_expedited = 0;       // expedited units in all periods but the first
};

// NumPy finds the same optimum with the same chain among expedited levels from 40 to 200 and gaps up to 120, 150, 200
// and 300. If the regular level is below the expedited one, all units are expedited, at a cost of 110 · 30.
TEST(DualSourcing, HasTheOptimumOfItsProblem) {
  const auto optimum = *DualSourcing::problems().front().optimum;
  double least = 1e9;
  std::array<double, 2> best{};
  for (std::size_t gap = 64; gap <= 68; ++gap) {
    const TwoPeriodsLead chain(gap);
    for (std::int64_t level = defaults.initial_stock; level <= 60; ++level) {
      const double cost = chain.cost(level);
      if (cost >= least) continue;
      least = cost;
      best = {static_cast<double>(level), static_cast<double>(level) + static_cast<double>(gap)};
    }
  }
  EXPECT_NEAR(least, optimum.value, 1e-7);
  EXPECT_EQ(std::vector<double>(best.begin(), best.end()), optimum.x);
  const auto own = simulate(Host(), with(49, 115, 0, 2, 1000), plan_with(1, 2000)).responses[0];
  EXPECT_NEAR(own.mean, optimum.value, own.half_width);
  EXPECT_GT(std::abs(own.mean - TwoPeriodsLead(30).cost(50)), own.half_width) << "control: at the start";
}

struct ListedInputs {
  std::vector<double> uniforms;
  std::size_t drawn = 0;
  double operator()(int) { return uniforms[drawn++]; }
};

// Computes the responses from lists of all orders.
std::array<double, 5> by_lists(const DualSourcing& model, ListedInputs inputs, std::int64_t fault = 0) {
  struct Order {
    std::int64_t arrives;
    double units;
  };
  std::vector<Order> orders;
  double demanded = 0, expedited = 0, regular = 0, held = 0, backordered = 0;
  const auto stock_with_due = [&](std::int64_t until) {
    double stock = static_cast<double>(model.initial_stock) - demanded;
    for (const Order& order : orders) stock += order.arrives <= until ? order.units : 0;
    return stock;
  };
  for (std::int64_t day = 0; day < model.periods; ++day) {
    const double fast =
        std::max(0.0, static_cast<double>(model.expedited_level) - stock_with_due(day + model.expedited_lead + fault));
    orders.push_back({day + model.expedited_lead, fast});
    const double slow = std::max(0.0, static_cast<double>(model.regular_level) - stock_with_due(day + 1000));
    orders.push_back({day + model.regular_lead, slow});
    demanded += std::floor(std::max(0.0, normal(inputs(0), model.demand_mean, model.demand_deviation)) + 0.5);
    const double stock = stock_with_due(day);
    expedited += fast;
    regular += slow;
    held += std::max(0.0, stock);
    backordered += std::max(0.0, -stock);
  }
  const auto n = static_cast<double>(model.periods);
  const double ordering = (model.expedited_cost * expedited + model.regular_cost * regular) / n;
  const double holding = model.holding_cost * held / n, penalty = model.penalty_cost * backordered / n;
  return {ordering + holding + penalty, ordering, holding, penalty, expedited / n};
}

TEST(DualSourcing, IsWhatASecondProgramFinds) {
  int differences = 0;
  for (const DualSourcing& model : {with(50, 80, 0, 2, 100), with(100, 210, 2, 5, 100), with(40, 1000, 3, 31, 150),
                                    with(90, 60, 1, 2, 50), with(0, 0, 0, 1, 20)}) {
    for (std::uint64_t replication = 0; replication < 20; ++replication) {
      ListedInputs inputs;
      for (std::int64_t b = 0; b < model.periods; ++b) {
        const auto draws = Philox4x32::block({7, replication, 0}, static_cast<std::uint64_t>(b));
        inputs.uniforms.push_back((static_cast<double>(draws[0] >> 12) + 0.5) * 0x1p-52);
      }
      const auto expected = by_lists(model, inputs), other = by_lists(model, inputs, 1);
      ListedInputs own = inputs;
      const auto found = model(own);
      for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_NEAR(found[static_cast<int>(i)], expected[i], 1e-9 * (1 + expected[i]))
            << DualSourcing::response_names[i];
      }
      differences += other[1] != expected[1];
    }
  }
  EXPECT_GT(differences, 50) << "control: a look a period further would be found";
}

// Compares with 4000 and 10000 replications of SimOpt 1.2.4's DualSourcing; the arrays have its means and standard
// errors. Each interval of a difference misses with probability 10^-3.
TEST(DualSourcing, HasTheMeansOfSimOpt) {
  const auto expect_means = [](const DualSourcing& model, std::int64_t replications,
                               const std::array<std::array<double, 2>, 3>& of_simopt) {
    const auto result = simulate(Host(), model, plan_with(1, replications));
    for (std::size_t i = 0; i < 3; ++i) {
      const auto& own = result.responses[i + 1];
      EXPECT_NEAR(own.mean, of_simopt[i][0], std::hypot(own.half_width, 3.29 * of_simopt[i][1])) << own.name;
    }
  };
  expect_means(defaults, 8000, {{{3153.541070, 0.545326}, {102.662280, 0.027470}, {39.378364, 0.182404}}});
  expect_means(with(100, 210, 2, 5, 200), 20'000,
               {{{3082.278805, 0.727969}, {162.669365, 0.182271}, {427.250587, 2.130455}}});
}

TEST(DualSourcing, RefusesWhatMakesNoRun) {
  EXPECT_EQ(refusal(with(-1, 80, 0, 2, 100)), "expedited_level is -1, expected a finite number of at least 0");
  EXPECT_EQ(refusal(with(50, 80, 0, 32, 100)), "regular_lead is 32, expected a whole number from 0 to 31");
  EXPECT_EQ(refusal(with(50, 80, 2, 2, 100)), "expedited_lead is 2, expected a number below regular_lead, 2");
  EXPECT_EQ(refusal(with(50, 80, 0, 2, 0)), "periods is 0, expected a positive integer");
  ListedInputs inputs;
  EXPECT_DEATH(with(50, 80, 0, 32, 100)(inputs), "lead times of dual-sourcing are outside their checked range");
  EXPECT_EQ(refusal(with(50, 80, 30, 31, 1)), "taken");
  EXPECT_EQ(refusal(defaults), "taken");
}

template <class Space>
class DualSourcingOn : public ::testing::Test {};
TYPED_TEST_SUITE(DualSourcingOn, Backends, BackendName);

TYPED_TEST(DualSourcingOn, HasTheKnownBits) { expect_digest<TypeParam>(with(100, 210, 2, 5, 100), 0xd85f131db089f28d); }

}  // namespace dual_sourcing_tests
}  // namespace sporos::test
