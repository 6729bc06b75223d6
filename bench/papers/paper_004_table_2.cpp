// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Table 2 of He et al. (2024), A preliminary study on accelerating simulation optimization with GPU implementation, for
// portfolio and newsvendor: relative squared errors of the objective at several iterations with respect to the final
// one, over 7 repetitions of 10 000 iterations.
#include "program.hpp"

#include <sporos/core/statistics/moments.hpp>
#include <sporos/models/finance/portfolio.hpp>
#include <sporos/models/finance/portfolio_instances.hpp>
#include <sporos/models/finance/portfolio_optimum.hpp>
#include <sporos/models/inventory/newsvendor.hpp>
#include <sporos/models/inventory/newsvendor_case.hpp>
#include <sporos/models/inventory/newsvendor_optimum.hpp>
#include <sporos/procedures/macro_replications.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

using namespace sporos;
using namespace sporos::papers;

// Error in percent, as printed in the paper.
struct Printed {
  double error, band;
};

struct PaperColumn {
  const char* problem;
  std::array<Printed, 4> gpu, cpu;
};

constexpr PaperColumn assets{"portfolio, 5000 assets",
                             {{{85.07, 9.74}, {62.41, 5.46}, {24.07, 4.97}, {13.39, 2.86}}},
                             {{{83.19, 10.65}, {63.71, 4.86}, {25.62, 5.87}, {12.93, 3.96}}}};
constexpr PaperColumn inventory{"newsvendor, 10 000 products",
                                {{{89.92, 7.02}, {76.25, 8.49}, {40.94, 8.11}, {20.58, 5.78}}},
                                {{{88.73, 7.33}, {72.93, 9.45}, {38.52, 8.53}, {23.67, 6.48}}}};

// Mean and two standard deviations.
std::string percent(double mean, double band) { return fmt::format("{:.3g} ± {:.2g}", 100 * mean, 100 * band); }

template <class Problem>
void add_rows(io::Table& table, const PaperColumn& paper, Problem& problem, const Budget<Space>& region,
              double optimum) {
  FrankWolfeOptions options;
  options.epochs = 400;
  options.iterations = 25;
  options.sample_size = 25;
  const std::vector<double> start(static_cast<std::size_t>(problem.dimension()));
  const auto runs = macro_replications(problem, region, start, options, 7, {50, 100, 500, 1000},
                                       [&](const ConstVector<Space>& x) { return problem.exact_objective(x); });
  for (std::size_t look = 0; look < runs.iterations.size(); ++look) {
    const Moments errors = relative_squared_errors(runs, look);
    MomentsTree gaps;
    for (const double objective : runs.objectives[look]) gaps.add((objective - optimum) / std::abs(optimum));
    const auto printed = [&](const std::array<Printed, 4>& of) {
      return look < of.size() ? fmt::format("{:.2f} ± {:.2f}", of[look].error, of[look].band) : "";
    };
    table.add_row({look == 0 ? paper.problem : "", std::to_string(runs.iterations[look]), printed(paper.gpu),
                   printed(paper.cpu), percent(errors.mean, 2 * std::sqrt(errors.variance())),
                   percent(gaps.total().mean, 2 * std::sqrt(gaps.total().variance()))});
  }
}

void print_table() {
  io::Table table({{"relative squared error in %", Column::text},
                   {"iteration", Column::number},
                   {"paper: GPU", Column::number},
                   {"CPU", Column::number},
                   {"ours", Column::number},
                   {"above the optimum in %", Column::number}});
  const auto returns = models::paper_portfolio(5000, 1);
  models::Portfolio<Space> portfolio(returns);
  add_rows(table, assets, portfolio, unit_simplex<Space>(5000), models::best_diagonal_portfolio(returns).value);

  const auto of = models::generated_newsvendor(1, 10'000, 1);
  models::Newsvendor<Space> newsvendor(Space(), of.products);
  add_rows(table, inventory, newsvendor, Budget<Space>(of.resources.amounts, of.resources.capacity.front()),
           newsvendor.exact_objective(to_device<Space>(models::newsvendor_optimum(of).quantities)));
  std::printf(
      "Frank–Wolfe with resampling every 25 iterations, 25 replications a sample; 7 repetitions, ± 2 standard "
      "deviations\n\n%s",
      table.text().c_str());
}

}  // namespace

int main() { return run_program(print_table); }
