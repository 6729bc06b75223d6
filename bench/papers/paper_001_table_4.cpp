// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Table 4 of Aloui and Ourbih-Tari (2011), The use of refined descriptive sampling and applications in parallel Monte
// Carlo simulation: the newsboy's best quantity and its profit by refined descriptive sampling, with 100 days per run.
// All quantities from 1 to 50 run in one launch under common random numbers. Compares the paper's figures, ours, and
// the exact optimum.
#include "refined_descriptive.hpp"

#include <sporos/models/inventory/newsboy.hpp>
#include <sporos/procedures/best_point.hpp>

#include <algorithm>
#include <array>

namespace {

using namespace sporos;
using namespace sporos::papers;

constexpr std::int64_t days = 100;

struct Printed {
  std::int64_t runs;
  double profit;
  int quantity;
  double variance;
};

void print_table() {
  const std::array<Printed, 7> paper{{{10, 8.51, 24, 0.11},
                                      {20, 8.01, 22, 0.28},
                                      {40, 7.91, 23, 0.49},
                                      {70, 8.06, 26, 0.68},
                                      {100, 7.75, 23, 0.91},
                                      {200, 7.89, 22, 0.50},
                                      {350, 7.53, 21, 0.53}}};
  const models::NewsboyCase newsboy = default_model<models::NewsboyCase>();
  const auto demand = models::newspaper_demand();
  const models::DemandTable<Space::memory_space> demand_table(demand);
  std::vector<models::Newsboy> quantities;
  std::vector<double> exact;
  for (std::int64_t quantity = 1; quantity <= std::min<std::int64_t>(50, demand.largest()); ++quantity) {
    models::NewsboyCase bought = newsboy;
    bought.quantity = quantity;
    quantities.push_back(bought.model(demand_table));
    exact.push_back(bought.exact_means(demand)[0].value());
  }

  io::Table table({{"runs", Column::number},
                   {"paper: B", Column::number},
                   {"profit", Column::number},
                   {"variance", Column::number},
                   {"ours: B", Column::number},
                   {"P(best)", Column::number},
                   {"profit", Column::number},
                   {"95 % half-width", Column::number},
                   {"variance", Column::number},
                   {"exact profit at B", Column::number}});
  for (const Printed& printed : paper) {
    const Plan plan = refined_plan(printed.runs, days);
    BestPoint best(std::vector(quantities.size(), estimator_of(0)), printed.runs);
    const auto observer = [&](std::size_t point, std::size_t response, double profit) {
      best.add(point, response, profit);
    };
    const auto points = simulate(Space(), std::span<const models::Newsboy>(quantities), plan, {}, observer).points;
    const auto chosen = static_cast<std::size_t>(
        std::max_element(points.begin(), points.end(),
                         [](const auto& a, const auto& b) { return a.responses[0].mean < b.responses[0].mean; }) -
        points.begin());
    const ResponseEstimate& profit = points[chosen].responses[0];
    table.add_row({std::to_string(printed.runs), std::to_string(printed.quantity), fixed(printed.profit, 2),
                   fixed(printed.variance, 2), std::to_string(quantities[chosen].quantity),
                   fixed(best.probabilities(Best::largest, plan.seed)[chosen], 3), fixed(profit.mean, 3),
                   fixed(profit.half_width, 3), fixed(profit.variance, 3), fixed(exact[chosen], 3)});
  }
  const auto optimum = newsboy.best_quantity(demand);
  std::printf(
      "Newsboy, cost 0.5, price 1, salvage 0.2, %lld days a run; exact optimum: buy %lld, mean profit %.3f\n\n%s",
      static_cast<long long>(days), static_cast<long long>(optimum), exact[static_cast<std::size_t>(optimum - 1)],
      table.text().c_str());
}

}  // namespace

int main() { return run_program(print_table); }
