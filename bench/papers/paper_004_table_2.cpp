// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Table 2 of He et al. (2024), A preliminary study on accelerating simulation optimization with GPU implementation, for
// portfolio and newsvendor: relative squared errors of the objective at several iterations with respect to the final
// one, over 7 repetitions of 10 000 iterations on each backend. paper_004_times.py draws the curves of the same runs.
#include "../harness/option_parser.hpp"
#include "chosen_backends.hpp"
#include "looks.hpp"
#include "program.hpp"
#include "with_space.hpp"

#include <sporos/core/execution/device_name.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/io/output_file.hpp>
#include <sporos/core/statistics/moments.hpp>
#include <sporos/models/finance/portfolio.hpp>
#include <sporos/models/finance/portfolio_instances.hpp>
#include <sporos/models/finance/portfolio_optimum.hpp>
#include <sporos/models/inventory/newsvendor.hpp>
#include <sporos/models/inventory/newsvendor_case.hpp>
#include <sporos/models/inventory/newsvendor_optimum.hpp>
#include <sporos/procedures/macro_replications.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace sporos;
using namespace sporos::papers;
using Json = nlohmann::ordered_json;

// Error in percent, as printed in the paper.
struct Printed {
  double error, band;
};

struct PaperColumn {
  const char* problem;
  std::int64_t size;
  std::array<Printed, 4> gpu, cpu;
};

constexpr std::array<std::int64_t, 4> printed_iterations{50, 100, 500, 1000};
constexpr PaperColumn assets{"portfolio",
                             5000,
                             {{{85.07, 9.74}, {62.41, 5.46}, {24.07, 4.97}, {13.39, 2.86}}},
                             {{{83.19, 10.65}, {63.71, 4.86}, {25.62, 5.87}, {12.93, 3.96}}}};
constexpr PaperColumn inventory{"newsvendor",
                                10'000,
                                {{{89.92, 7.02}, {76.25, 8.49}, {40.94, 8.11}, {20.58, 5.78}}},
                                {{{88.73, 7.33}, {72.93, 9.45}, {38.52, 8.53}, {23.67, 6.48}}}};

struct Setup {
  std::int64_t assets = ::assets.size, products = inventory.size, epochs = 400, repetitions = 7;
  std::string seeds = "same", data;
  std::vector<std::string> backends;
  double largest_difference = 1e-6;
};

// Runs on one instance.
struct Curve {
  const PaperColumn& paper;
  std::int64_t size;
  double optimum = 0;
  std::map<std::string, MacroReplications> runs = {};  // by backend
};

template <class Problem, class Region>
MacroReplications runs_of(Problem& problem, const Region& region, const Setup& setup, const std::string& backend) {
  FrankWolfeOptions options;
  options.epochs = setup.epochs;
  options.iterations = 25;
  options.sample_size = 25;
  options.seed += setup.seeds == "different" && backend != setup.backends.front() ? 1 : 0;
  const std::vector<double> start(static_cast<std::size_t>(problem.dimension()));
  std::vector<std::int64_t> looks = looks_until(options.epochs * options.iterations);
  looks.pop_back();  // macro_replications adds the end
  return macro_replications(
      problem, region, start, options, setup.repetitions, looks,
      [&](const ConstVector<typename Problem::execution_space>& x) { return problem.exact_objective(x); });
}

Curve portfolio_curve(const Setup& setup) {
  const auto returns = models::paper_portfolio(setup.assets, 1);
  Curve curve{assets, setup.assets, models::best_diagonal_portfolio(returns).value};
  for (const std::string& backend : setup.backends) {
    with_space(backend, [&]<class ExecutionSpace>(const ExecutionSpace& space) {
      models::Portfolio<ExecutionSpace> problem(returns, space);
      curve.runs[backend] = runs_of(problem, unit_simplex<ExecutionSpace>(setup.assets), setup, backend);
    });
  }
  return curve;
}

Curve newsvendor_curve(const Setup& setup) {
  const auto of = models::generated_newsvendor(1, setup.products, 1);
  const std::vector<double> best = models::newsvendor_optimum(of).quantities;
  Curve curve{inventory, setup.products};
  for (const std::string& backend : setup.backends) {
    with_space(backend, [&]<class ExecutionSpace>(const ExecutionSpace& space) {
      models::Newsvendor<ExecutionSpace> problem(space, of.products);
      const Budget<ExecutionSpace> region(of.resources.amounts, of.resources.capacity.front());
      curve.optimum = problem.exact_objective(to_device<ExecutionSpace>(best));
      curve.runs[backend] = runs_of(problem, region, setup, backend);
    });
  }
  return curve;
}

// Mean and two standard deviations, in percent.
std::string percent(const Moments& of) {
  const double two = of.count < 2 ? 0 : 2 * std::sqrt(of.variance());
  return fmt::format("{:.3g} ± {:.2g}", 100 * of.mean, 100 * two);
}

std::string printed(const Curve& curve, const std::array<Printed, 4>& of, std::int64_t iteration) {
  const auto* const found = std::find(printed_iterations.begin(), printed_iterations.end(), iteration);
  if (curve.size != curve.paper.size || found == printed_iterations.end()) return "";
  const Printed& one = of[static_cast<std::size_t>(found - printed_iterations.begin())];
  return fmt::format("{:.2f} ± {:.2f}", one.error, one.band);
}

Moments gaps(const Curve& curve, const std::vector<double>& objectives) {
  MomentsTree tree;
  for (const double objective : objectives) tree.add((objective - curve.optimum) / std::abs(curve.optimum));
  return tree.total();
}

void add_rows(io::Table& table, const Setup& setup, const Curve& curve) {
  const MacroReplications& first = curve.runs.at(setup.backends.front());
  const std::set<std::int64_t> shown(printed_iterations.begin(), printed_iterations.end());
  std::string name = fmt::format("{} of {}", curve.paper.problem, curve.size);
  for (std::size_t look = 0; look < first.iterations.size(); ++look) {
    const std::int64_t iteration = first.iterations[look];
    if (look + 1 < first.iterations.size() && !shown.contains(iteration)) continue;
    std::vector<std::string> row{name, std::to_string(iteration), printed(curve, curve.paper.gpu, iteration),
                                 printed(curve, curve.paper.cpu, iteration)};
    for (const std::string& backend : setup.backends) {
      row.push_back(percent(relative_squared_errors(curve.runs.at(backend), look)));
    }
    row.push_back(percent(gaps(curve, first.objectives[look])));
    table.add_row(row);
    name.clear();
  }
}

std::string text_of(const Setup& setup, const std::vector<Curve>& curves) {
  std::vector<std::pair<std::string, Column>> columns{{"relative squared error in %", Column::text},
                                                      {"iteration", Column::number},
                                                      {"paper: GPU", Column::number},
                                                      {"CPU", Column::number}};
  for (const std::string& backend : setup.backends) columns.emplace_back("ours: " + backend, Column::number);
  columns.emplace_back("above the optimum in %", Column::number);
  io::Table table(std::move(columns));
  for (const Curve& curve : curves) add_rows(table, setup, curve);
  return table.text();
}

Json printed_points(const std::array<Printed, 4>& of) {
  Json points;
  for (std::size_t i = 0; i < of.size(); ++i) {
    points.push_back({printed_iterations[i], of[i].error, of[i].band});
  }
  return points;
}

// JSON data from which the curves are drawn.
std::string json_text(const Setup& setup, const std::vector<Curve>& curves) {
  Json all{{"processor", processor_name()}, {"repetitions", setup.repetitions}, {"backends", setup.backends}};
  for (const Curve& curve : curves) {
    Json one{{"problem", curve.paper.problem}, {"size", curve.size}, {"optimum", curve.optimum}};
    one["iterations"] = curve.runs.begin()->second.iterations;
    for (const auto& [backend, runs] : curve.runs) one["objectives"][backend] = runs.objectives;
    if (curve.size == curve.paper.size) {
      one["printed"] = {{"GPU", printed_points(curve.paper.gpu)}, {"CPU", printed_points(curve.paper.cpu)}};
    }
    all["curves"].push_back(std::move(one));
  }
  return all.dump() + '\n';
}

// Largest relative difference between the objectives on `backend` and on the first backend.
double difference(const Setup& setup, const Curve& curve, const std::string& backend) {
  const auto& expected = curve.runs.at(setup.backends.front()).objectives;
  const auto& found = curve.runs.at(backend).objectives;
  double largest = 0;
  for (std::size_t look = 0; look < expected.size(); ++look) {
    for (std::size_t i = 0; i < expected[look].size(); ++i) {
      const double apart = std::abs(found[look][i] - expected[look][i]);
      if (apart > 0) largest = std::max(largest, apart / std::abs(expected[look][i]));
    }
  }
  return largest;
}

void check_backends(const Setup& setup, const Curve& curve) {
  for (const std::string& backend : setup.backends) {
    if (backend == setup.backends.front()) continue;
    const double apart = difference(setup, curve, backend);
    fmt::print("{} of {}: objectives on {} and {} differ by at most {:.1e}\n", curve.paper.problem, curve.size, backend,
               setup.backends.front(), apart);
    if (apart <= setup.largest_difference) continue;
    throw std::runtime_error(fmt::format("{} of {}: objectives on {} and {} differ by {:.1e}, expected at most {}",
                                         curve.paper.problem, curve.size, backend, setup.backends.front(), apart,
                                         setup.largest_difference));
  }
}

void run(Setup setup) {
  setup.backends = chosen_backends(setup.backends);
  std::optional<io::OutputFile> file;
  if (!setup.data.empty()) file.emplace(setup.data);
  const std::vector<Curve> curves{portfolio_curve(setup), newsvendor_curve(setup)};
  fmt::print(
      "Frank–Wolfe with resampling every 25 iterations, 25 replications a sample; mean ± 2 standard deviations, "
      "repetitions: {}\n\n{}\n",
      setup.repetitions, text_of(setup, curves));
  if (file) file->write(json_text(setup, curves));
  for (const Curve& curve : curves) check_backends(setup, curve);
}

}  // namespace

int main(int argc, char** argv) {
  Setup setup;
  bench::OptionParser app("Paper 004, tasks 1 and 2: the columns of table 2, and the data of the convergence curves.",
                          "paper_004_table_2");
  app.add_option("--assets", setup.assets, "assets of the portfolio").positive();
  app.add_option("--products", setup.products, "products of the newsvendor").positive();
  app.add_option("--epochs", setup.epochs, "epochs of 25 iterations").positive();
  app.add_option("--repetitions", setup.repetitions).positive();
  app.add_option("--backends", setup.backends, "of this build, instead of all; the others are compared with the first")
      .separated_by_commas();
  app.add_option("--seeds", setup.seeds, "with 'different', the backends must disagree").one_of({"same", "different"});
  app.add_option("--largest-difference", setup.largest_difference, "relative, between objectives on two backends")
      .non_negative();
  app.add_option("--data", setup.data, "JSON file for all objectives");
  if (const auto status = app.parse(argc, argv)) return *status == 0 ? 0 : 2;
  return run_program([&] { run(setup); });
}
