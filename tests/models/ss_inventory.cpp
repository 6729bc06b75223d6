// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// (s, S) inventory: checks exact means, a second implementation that stores every period of the run, SimOpt's means,
// and the known optimum without lead times.
#include "model_checks.hpp"

#include <harness/backends.hpp>

#include <sporos/models/inventory/ss_inventory.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sporos::test {
namespace ss_inventory_tests {

using models::SsInventory;
using Host = Kokkos::DefaultHostExecutionSpace;
static_assert(DescribedModel<SsInventory>);

const SsInventory defaults = default_model<SsInventory>();

SsInventory with(double s, double min_order, double lead_mean, std::int64_t warm_up = 20, std::int64_t periods = 100) {
  SsInventory model = defaults;
  model.reorder_point = s;
  model.min_order = min_order;
  model.lead_mean = lead_mean;
  model.warm_up = warm_up;
  model.periods = periods;
  return model;
}

// Checks 46 intervals of 99.9 %.
TEST(SsInventory, IntervalsHoldTheExactMeans) {
  for (const auto& model :
       {defaults, with(600, 600, 6), with(300, 0, 16, 0, 7), with(100, 85, 0), with(0, 30, 0, 0, 10),
        with(250, 700, 0, 3, 30), with(50, 0, 0), with(100, 1000, 0, 0, 1)}) {
    EXPECT_EQ(misses(simulate(Host(), model, plan_with(1, 10'000)), model.exact_means()), 0) << model.min_order;
  }
}

TEST(SsInventoryControl, AnOrderALittleSmallerIsFound) {
  const auto result = simulate(Host(), with(100, 80, 0), plan_with(1, 10'000));
  EXPECT_GE(misses(result, with(100, 85, 0).exact_means()), 5);
}

TEST(SsInventory, ExactMeansNeedRunsThatEnd) {
  EXPECT_FALSE(with(100, 85, 0, 0, 10'001).exact_means()[6]);
  EXPECT_FALSE(defaults.exact_means()[0]);
  EXPECT_NEAR(*with(100, 300, 6, 5000, 5000).exact_means()[6], 1 / (1 + 300.0 / 100), 1e-9) << "in the long run";
}

TEST(SsInventory, HasItsLeastCostWithoutLeadTimesAtTheKnownLevels) {
  const double gap = std::sqrt(2 * 36 * 100 / 1.0), s = 100 * std::log((1 + 4 / 1.0) * 100 / (100 + gap));
  const auto cost_at = [](double reorder_point, double min_order) {
    return *with(reorder_point, min_order, 0, 1000, 100).exact_means()[0];
  };
  const double least = cost_at(s, gap);
  for (const double step : {-2.0, 2.0}) {
    EXPECT_GT(cost_at(s + step, gap), least + 0.005);
    EXPECT_GT(cost_at(s, gap + step), least + 0.002);
  }
}

// Uses replications other than those that found the optimum. With 20 000 common replications, differences of means have
// standard errors below 0.1 at these distances; the check allows 4 of them.
TEST(SsInventory, TheCertifiedOptimumIsNotBeaten) {
  const auto optimum = *SsInventory::problems().front().optimum;
  const auto cost_at = [](double s, double min_order) {
    return simulate(Host(), with(s, min_order, 6), plan_with(7, 20'000)).responses[0];
  };
  const auto here = cost_at(optimum.x[0], optimum.x[1]);
  EXPECT_NEAR(here.mean, optimum.value, here.half_width + optimum.half_width);
  for (const double s : {-60.0, 0.0, 60.0}) {
    for (const double min_order : {-50.0, 0.0, 50.0}) {
      if (s == 0 && min_order == 0) continue;
      EXPECT_GT(cost_at(optimum.x[0] + s, optimum.x[1] + min_order).mean, here.mean + 0.4) << s << ' ' << min_order;
    }
  }
  EXPECT_GT(cost_at(600, 600).mean - optimum.value, here.half_width + 50) << "control: the start";
}

// Uniforms that two implementations share.
struct ListedInputs {
  std::array<std::vector<double>, 2> uniforms;
  std::array<std::size_t, 2> drawn{};
  double operator()(int input) {
    const auto i = static_cast<std::size_t>(input);
    return uniforms[i][drawn[i]++];
  }
};

ListedInputs some_inputs(std::uint64_t replication, std::size_t count) {
  ListedInputs inputs;
  for (std::uint32_t input = 0; input < 2; ++input) {
    for (std::uint64_t b = 0; b < count; ++b) {
      const auto draws = Philox4x32::block({7, replication, input}, b);
      inputs.uniforms[input].push_back((static_cast<double>(draws[0] >> 12) + 0.5) * 0x1p-52);
    }
  }
  return inputs;
}

// Computes the responses as SimOpt does, with lists over all periods; outstanding units are found by a scan of all
// orders.
std::array<double, 7> by_lists(const SsInventory& model, ListedInputs inputs, int lead_fault = 0) {
  struct Order {
    std::int64_t from, arrives;
    double quantity;
  };
  const std::int64_t end = model.warm_up + model.periods;
  std::vector<Order> orders;
  double demanded = 0;
  double held = 0, cost = 0, rate = 0, backordered = 0, stock_outs = 0;
  for (std::int64_t day = 0; day < end; ++day) {
    double here = model.reorder_point - demanded, outstanding = 0;
    for (const Order& order : orders) (order.arrives <= day ? here : outstanding) += order.quantity;
    const double wanted = exponential_by_mean(inputs(0), model.demand_mean);
    demanded += wanted;
    const double left = here - wanted;
    const bool counts = day >= model.warm_up;
    if (counts) held += std::max(left, 0.0);
    if (counts) backordered += left < 0 ? std::min(wanted, -left) : 0;
    if (counts) stock_outs += left < 0;
    if (left + outstanding >= model.reorder_point) continue;
    const double quantity = model.reorder_point + model.min_order - left - outstanding;
    const auto lead = static_cast<std::int64_t>(poisson(inputs(1), model.lead_mean));
    orders.push_back({day, day + 1 + lead + lead_fault, quantity});
    if (counts) rate += 1;
    if (counts) cost += model.fixed_cost + model.variable_cost * quantity;
  }
  const auto n = static_cast<double>(model.periods);
  const double holding = model.holding_cost * held / n, backorder = model.backorder_cost * backordered / n;
  return {holding + cost / n + backorder,        holding,        cost / n, backorder,
          backordered / (n * model.demand_mean), stock_outs / n, rate / n};
}

TEST(SsInventory, IsWhatASecondProgramFinds) {
  int differences = 0;
  for (const auto& model : {defaults, with(600, 600, 6), with(1500, 20, 16), with(100, 0, 3, 0, 1000)}) {
    for (std::uint64_t replication = 0; replication < 50; ++replication) {
      const auto inputs = some_inputs(replication, static_cast<std::size_t>(model.warm_up + model.periods));
      const auto expected = by_lists(model, inputs), late = by_lists(model, inputs, 1);
      ListedInputs own = inputs;
      const auto found = model(own);
      for (std::size_t i = 0; i < 7; ++i) {
        EXPECT_NEAR(found[static_cast<int>(i)], expected[i], 1e-9 * (1 + expected[i]))
            << SsInventory::response_names[i];
      }
      differences += std::abs(late[1] - expected[1]) > 1e-3;
    }
  }
  EXPECT_GT(differences, 150) << "control: lead times that are a period longer would be found";
}

// Compares with means and standard errors of 20000 replications of SimOpt 1.2.4's SSCont (seed of MRG32k3a's streams 0
// to 2). Each interval of a difference misses with probability 10^-3.
TEST(SsInventory, HasTheMeansOfSimOpt) {
  struct Row {
    double s, min_order;
    std::array<double, 2> holding, order, backorder, order_rate, stock_out_rate;
  };
  for (const Row& row : {Row{1000,
                             1000,
                             {856.864857, 0.709957},
                             {203.451385, 0.156294},
                             {18.079976, 0.132282},
                             {0.091023, 0.000067},
                             {0.045251, 0.000281}},
                         Row{600,
                             600,
                             {313.730232, 0.446898},
                             {204.755356, 0.149928},
                             {101.410917, 0.314939},
                             {0.142697, 0.000098},
                             {0.254161, 0.000628}}}) {
    const auto result = simulate(Host(), with(row.s, row.min_order, 6), plan_with(1, 25'000));
    const auto expect_mean = [&](std::size_t response, const std::array<double, 2>& of_simopt) {
      const auto& own = result.responses[response];
      EXPECT_NEAR(own.mean, of_simopt[0], std::hypot(own.half_width, 3.29 * of_simopt[1])) << own.name;
    };
    expect_mean(1, row.holding);
    expect_mean(2, row.order);
    expect_mean(3, row.backorder);
    expect_mean(5, row.stock_out_rate);
    expect_mean(6, row.order_rate);
  }
}

// `due` has room for the longest lead time of any uniform, with some places to spare.
TEST(SsInventory, LeadTimesAreShorterThanItsMemory) {
  const double largest = 1 - 0x1p-53;
  EXPECT_LT(poisson(largest, SsInventory::max_lead_mean) + 1, SsInventory::due_periods);
  EXPECT_GE(poisson(largest, SsInventory::max_lead_mean + 4), SsInventory::due_periods) << "control";
  ListedInputs longest{{{{0.5}, {largest}}}};
  EXPECT_DEATH(with(1, 1, 30, 0, 1)(longest), "a lead time of ss-inventory is outside its checked range");
}

TEST(SsInventory, RefusesWhatMakesNoRun) {
  EXPECT_EQ(refusal(with(-1, 10, 6)), "reorder_point is -1, expected a finite number of at least 0");
  EXPECT_EQ(refusal(with(1, -10, 6)), "min_order is -10, expected a finite number of at least 0");
  EXPECT_EQ(refusal(with(1, 10, 16.5)), "lead_mean is 16.5, expected a number from 0 to 16");
  EXPECT_EQ(refusal(with(1, 10, NAN)), "lead_mean is nan, expected a number from 0 to 16");
  EXPECT_EQ(refusal(with(1, 10, 6, -1)), "warm_up is -1, expected a finite number of at least 0");
  EXPECT_EQ(refusal(with(1, 10, 6, 0, 0)), "periods is 0, expected a positive integer");
  EXPECT_EQ(refusal(with(1, 10, 6, 0, 1)), "taken");
  EXPECT_EQ(refusal(defaults), "taken");
}

template <class Space>
class SsInventoryOn : public ::testing::Test {};
TYPED_TEST_SUITE(SsInventoryOn, Backends, BackendName);

TYPED_TEST(SsInventoryOn, HasTheKnownBits) { expect_digest<TypeParam>(defaults, 0xe2768d82a6a8dda1); }

}  // namespace ss_inventory_tests
}  // namespace sporos::test
