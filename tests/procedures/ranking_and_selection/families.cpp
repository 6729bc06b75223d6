// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks selections among models with known means: servers and places of M/M/c/k, quantities of a newsvendor, (s, S).
#include "normal_systems.hpp"

#include <sporos/models/inventory/burr_demand.hpp>
#include <sporos/models/inventory/continuous_newsvendor.hpp>
#include <sporos/models/inventory/ss_inventory.hpp>
#include <sporos/models/queues/mmck.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace sporos::test {
namespace families_tests {

using normal_systems::Host;
using normal_systems::procedure;

// A family of systems with the exact means by which they are compared; larger means are better.
template <class Model>
struct Family {
  Model model;
  SystemGrid grid;
  int response;
  bool is_smallest_best;
  std::function<Model(Model, const std::vector<double>&)> with;  // sets the values of the axes

  std::vector<double> exact() const {
    std::vector<double> means;
    for (std::int64_t system = 0; system < grid.size(); ++system) {
      const double mean = *with(model, grid.values_of(system)).exact_means()[static_cast<std::size_t>(response)];
      means.push_back(is_smallest_best ? -mean : mean);
    }
    return means;
  }
};

constexpr int runs = 12;

// Fewer selections are good with probability below 10^-4 if each is good with probability 0.9: 4 standard deviations.
const double fewest_good = runs * 0.9 - 4 * std::sqrt(runs * 0.09);

template <class Model>
int good_selections(const Family<Model>& family, std::string_view name, double delta) {
  SelectionOptions options;
  options.delta = delta;
  options.confidence = 0.9;
  options.first_stage = 20;
  const auto exact = family.exact();
  const double best = *std::ranges::max_element(exact);
  int good = 0;
  for (int run = 0; run < runs; ++run) {
    auto systems = systems_of(Host(), family.model, family.grid,
                              {family.response, family.is_smallest_best, static_cast<std::uint64_t>(run) + 1, false});
    procedure(name).run(systems, options, {});
    good += exact[static_cast<std::size_t>(systems.best(1).front().system)] >= best - delta ? 1 : 0;
  }
  return good;
}

// The exact best system is inside the grid, and fewer than half of all are good: otherwise any selection would do.
template <class Model>
void expect_good_selections(const Family<Model>& family, double delta) {
  const auto exact = family.exact();
  const double best = *std::ranges::max_element(exact);
  EXPECT_GT(best, exact.front());
  EXPECT_GT(best, exact.back());
  EXPECT_LT(std::ranges::count_if(exact, [&](double mean) { return mean >= best - delta; }),
            static_cast<std::int64_t>(exact.size()) / 2);
  for (const auto* name : {"gsp", "rinott", "kn", "kt"}) {
    EXPECT_GE(good_selections(family, name, delta), fewest_good) << name;
  }
}

TEST(SelectionOf, ServersAndPlacesOfAQueue) {
  models::MMCK queue = default_model<models::MMCK>();
  queue.customers = 200;
  expect_good_selections<models::MMCK>(
      {queue,
       SystemGrid({{"servers", {1, 2, 3, 4, 5, 6}}, {"capacity", {6, 7, 8, 9, 10, 11}}},
                  {{{"servers", "capacity"}, 12}}),
       1, true,
       [](models::MMCK changed, const std::vector<double>& values) {
         changed.servers = static_cast<std::int64_t>(values[0]);
         changed.capacity = static_cast<std::int64_t>(values[1]);
         return changed;
       }},
      0.03);
}

TEST(SelectionOf, ANewsvendorsQuantities) {
  models::ContinuousNewsvendor newsvendor = default_model<models::ContinuousNewsvendor>();
  newsvendor.cost = 3;  // with higher costs the best quantities nearly always sell: variance 0
  std::vector<double> quantities;
  for (int i = 0; i < 30; ++i) quantities.push_back(0.19 + 0.02 * i);
  expect_good_selections<models::ContinuousNewsvendor>(
      {newsvendor, SystemGrid({{"quantity", quantities}}), 0, false,
       [](models::ContinuousNewsvendor changed, const std::vector<double>& values) {
         changed.quantity = values[0];
         return changed;
       }},
      0.15);
}

TEST(SelectionOf, ReorderPointsAndOrders) {
  models::SsInventory inventory = default_model<models::SsInventory>();
  inventory.lead_mean = 0;
  expect_good_selections<models::SsInventory>(
      {inventory, SystemGrid({{"reorder_point", {0, 50, 100, 150, 200, 300}}, {"min_order", {10, 40, 85, 160, 320}}}),
       0, true,
       [](models::SsInventory changed, const std::vector<double>& values) {
         changed.reorder_point = values[0];
         changed.min_order = values[1];
         return changed;
       }},
      10);
}

}  // namespace families_tests
}  // namespace sporos::test
