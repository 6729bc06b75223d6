// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Task 3 of He et al. (2024), A preliminary study on accelerating simulation optimization with GPU implementation:
// classification by the stochastic quasi-Newton method. Prints the column of table 2 and the data of figure 2, which
// paper_004_figure_2.py draws.
#include "../harness/option_parser.hpp"
#include "chosen_backends.hpp"
#include "classification_runs.hpp"
#include "program.hpp"

#include <sporos/core/execution/device_name.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/io/output_file.hpp>
#include <sporos/core/statistics/moments.hpp>
#include <sporos/procedures/macro_replications.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace sporos;
using namespace sporos::papers;

Moments moments_of(const std::vector<double>& values) {
  MomentsTree tree;
  for (const double value : values) tree.add(value);
  return tree.total();
}

std::vector<double> percents_above(const Instance& of, const std::vector<double>& objectives) {
  std::vector<double> percents;
  for (const double objective : objectives) percents.push_back(100 * (objective - of.optimum) / of.optimum);
  return percents;
}

// Mean and two standard deviations, in units of `unit`.
std::string band(const Moments& of, double unit) {
  const double two = of.count < 2 ? 0 : 2 * std::sqrt(of.variance());
  return fmt::format("{:.3g} ± {:.2g}", of.mean / unit, two / unit);
}

// Figures printed in the paper, for 1000 features.
std::array<std::string, 2> printed(const Instance& of, std::int64_t iteration) {
  static const std::map<std::int64_t, std::array<std::string, 2>> table{{50, {"72.16 ± 8.44", "76.25 ± 7.74"}},
                                                                        {100, {"51.06 ± 5.92", "53.46 ± 5.10"}},
                                                                        {500, {"31.29 ± 4.07", "29.67 ± 5.21"}},
                                                                        {1000, {"15.59 ± 4.00", "16.77 ± 3.71"}}};
  const auto row = table.find(iteration);
  return of.size == 1000 && row != table.end() ? row->second : std::array<std::string, 2>{};
}

// Median, smallest and largest value.
std::string range(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return fmt::format("{:.3g} ({:.3g} … {:.3g})", values[values.size() / 2], values.front(), values.back());
}

const std::vector<std::int64_t>& looks_of(const Instance& of) { return of.found[0].runs.begin()->second.iterations; }

// Adds a row for each size, each iteration of table 2 and each backend, with a field for each case.
template <class Field>
void add_rows(io::Table& table, const Setup& setup, const std::vector<Instance>& instances, bool has_paper,
              const Field& field) {
  for (const Instance& of : instances) {
    std::string name = fmt::format("{} features, {} rows", of.size, of.rows);
    const auto& looks = looks_of(of);
    for (std::size_t look = 0; look < looks.size(); ++look) {
      if (look + 1 < looks.size() && !std::set{0, 50, 100, 500, 1000}.contains(static_cast<int>(looks[look]))) continue;
      for (const std::string& backend : setup.backends) {
        const bool is_first = backend == setup.backends.front();
        std::vector<std::string> row{name, is_first ? std::to_string(looks[look]) : ""};
        if (has_paper) {
          for (const auto& cell : printed(of, looks[look])) row.push_back(is_first ? cell : "");
        }
        row.push_back(backend);
        for (const Found& found : of.found) row.push_back(field(of, found.runs.at(backend), look));
        table.add_row(row);
        name.clear();
      }
    }
  }
}

std::string error_tables(const Setup& setup, const std::vector<Instance>& instances) {
  std::vector<std::pair<std::string, Column>> columns{{"", Column::text}, {"iteration", Column::number}};
  auto with_paper = columns;
  for (const char* name : {"paper: GPU", "CPU"}) with_paper.emplace_back(name, Column::number);
  columns.emplace_back("backend", Column::text);
  with_paper.emplace_back("backend", Column::text);
  for (const Case& of : cases) {
    columns.emplace_back(of.name, Column::number);
    with_paper.emplace_back(of.name, Column::number);
  }
  with_paper.front().first = "relative squared error in %";
  columns.front().first = "f above its optimum in %";
  io::Table errors(std::move(with_paper)), above(std::move(columns));
  constexpr double percent = 0.01;
  add_rows(errors, setup, instances, true, [](const Instance&, const MacroReplications& runs, std::size_t look) {
    return band(relative_squared_errors(runs, look), percent);
  });
  add_rows(above, setup, instances, false, [](const Instance& of, const MacroReplications& runs, std::size_t look) {
    return range(percents_above(of, runs.objectives[look]));
  });
  return errors.text() + "\nMedian (smallest … largest):\n\n" + above.text();
}

// Highest objective over all backends, repetitions and looks.
double highest(const Found& found) {
  double highest = 0;
  for (const auto& [backend, runs] : found.runs) {
    for (const auto& objectives : runs.objectives) {
      highest = std::max(highest, *std::max_element(objectives.begin(), objectives.end()));
    }
  }
  return highest;
}

std::string instance_table(const std::vector<Instance>& instances) {
  io::Table table({{"features", Column::number},
                   {"optimum of f", Column::number},
                   {"gradient there", Column::number},
                   {"L-BFGS seconds", Column::number},
                   {"curvature at 0", Column::number}});
  for (const Instance& of : instances) {
    table.add_row({std::to_string(of.size), fixed(of.optimum, 9), fmt::format("{:.0e}", of.gradient_norm),
                   fmt::format("{:.2g}", of.seconds), fixed(of.curvature, 2)});
  }
  return table.text();
}

std::string safety_table(const Setup& setup, const std::vector<Instance>& instances) {
  io::Table table({{"features", Column::number},
                   {"steps too long until k", Column::number},
                   {"case", Column::text},
                   {"highest f", Column::number},
                   {"largest sᵀy / yᵀy", Column::number},
                   {"pairs skipped", Column::number},
                   {"steps limited", Column::number}});
  for (const Instance& of : instances) {
    for (std::size_t i = 0; i < cases.size(); ++i) {
      std::vector<double> skipped, limited;
      for (const QuasiNewtonCounts& counts : of.found[i].counts) {
        skipped.push_back(static_cast<double>(counts.pairs.skipped));
        limited.push_back(static_cast<double>(counts.limited_steps));
      }
      table.add_row({std::to_string(of.size), fixed(std::floor(setup.options.step * of.curvature / 2), 0),
                     cases[i].name, fmt::format("{:.3g}", highest(of.found[i])),
                     fmt::format("{:.2g}", of.found[i].largest_scale), range(skipped), range(limited)});
    }
  }
  return table.text();
}

std::string time_table(const Setup& setup, const std::vector<Instance>& instances) {
  io::Table table({{"features", Column::number},
                   {"backend", Column::text},
                   {"case", Column::text},
                   {"seconds", Column::number},
                   {"µs an iteration", Column::number},
                   {"f at the end", Column::number}});
  for (const Instance& of : instances) {
    for (std::size_t i = 0; i < cases.size(); ++i) {
      for (const auto& [backend, times] : of.found[i].seconds) {
        const Moments seconds = moments_of(times);
        table.add_row({std::to_string(of.size), backend, cases[i].name, band(seconds, 1),
                       band(seconds, 1e-6 * static_cast<double>(setup.options.iterations)),
                       fmt::format("{:.9g}", moments_of(of.found[i].ends.at(backend)).mean)});
      }
    }
  }
  return table.text();
}

// JSON data from which the figure is drawn. `objectives` are those of the first backend.
std::string json_text(const Setup& setup, const std::vector<Instance>& instances) {
  using Json = nlohmann::ordered_json;
  Json all{{"processor", processor_name()},
           {"repetitions", setup.repetitions},
           {"iterations", setup.options.iterations},
           {"batch_size", setup.options.batch_size},
           {"hessian_batch_size", setup.options.hessian_batch_size},
           {"memory", setup.options.pairs.memory},
           {"pair_interval", setup.options.pair_interval},
           {"step", setup.options.step},
           {"seed", setup.seed},
           {"backends", setup.backends}};
  for_each_backend([&]<class ExecutionSpace>(const ExecutionSpace& space) {
    all["threads"][std::string(backend_name<ExecutionSpace>())] = space.concurrency();
  });
  for (const Instance& of : instances) {
    Json one{{"features", of.size}, {"rows", of.rows}, {"optimum", of.optimum}, {"curvature_at_0", of.curvature}};
    one["looks"] = looks_of(of);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      Json others = Json::object();
      for (const auto& [backend, runs] : of.found[i].runs) {
        if (backend != setup.backends.front()) others[backend] = runs.objectives;
      }
      one["cases"].push_back({{"starts_at_random", cases[i].starts_at_random},
                              {"are_steps_limited", cases[i].are_steps_limited},
                              {"objectives", of.found[i].runs.at(setup.backends.front()).objectives},
                              {"objectives_on", others},
                              {"seconds", of.found[i].seconds}});
    }
    all["instances"].push_back(std::move(one));
  }
  return all.dump() + '\n';
}

void check_objective(const Instance& of, const std::string& backend, std::size_t repetition, double end,
                     double expected, double tolerance) {
  if (std::abs(end - expected) <= tolerance * expected) return;
  throw std::runtime_error(fmt::format("n = {}, repetition {}: f is {} at the end on {}, expected {}", of.size,
                                       repetition, end, backend, expected));
}

// With limited steps from 0, each repetition without looks must end, bit for bit, where the one with looks did on the
// same backend. All backends must end at the same values within accumulated rounding errors, and close enough to the
// optimum.
void check_ends(const Setup& setup, const Instance& of, double largest_gap) {
  constexpr double grown_rounding = 1e-3;
  const Found& limited = of.found.back();
  const std::vector<double>& first = limited.runs.at(setup.backends.front()).objectives.back();
  for (const auto& [backend, ends] : limited.ends) {
    const std::vector<double>& with_looks = limited.runs.at(backend).objectives.back();
    for (std::size_t i = 0; i < ends.size(); ++i) {
      check_objective(of, backend, i, ends[i], with_looks[i], 0);
      check_objective(of, backend, i, ends[i], first[i], grown_rounding);
    }
  }
  const auto above = percents_above(of, first);
  const double largest = *std::max_element(above.begin(), above.end());
  if (largest <= largest_gap) return;
  throw std::runtime_error(fmt::format("n = {}: f ends up to {:.3g} % above its optimum, expected at most {} %",
                                       of.size, largest, largest_gap));
}

void run(Setup setup, const std::string& data, double largest_gap) {
  setup.backends = chosen_backends(setup.backends);
  std::optional<io::OutputFile> file;
  if (!data.empty()) file.emplace(data);
  std::vector<Instance> instances;
  for (const std::int64_t size : setup.sizes) instances.push_back(run_size(setup, size));
  const SqnOptions& options = setup.options;
  fmt::print(
      "Stochastic quasi-Newton, classification: N = {} n rows, b = {}, b_H = {}, M = {}, L = {}, step {} / k,\n"
      "{} repetitions of {} iterations; mean ± 2 standard deviations:\n\n{}\n{}\n{}\n{}",
      setup.rows_of_feature, options.batch_size, options.hessian_batch_size, options.pairs.memory,
      options.pair_interval, options.step, setup.repetitions, options.iterations, error_tables(setup, instances),
      instance_table(instances), safety_table(setup, instances), time_table(setup, instances));
  if (file) file->write(json_text(setup, instances));
  for (const Instance& of : instances) check_ends(setup, of, largest_gap);
}

}  // namespace

int main(int argc, char** argv) {
  Setup setup;
  setup.options.record_interval = 0;
  std::string data;
  double largest_gap = std::numeric_limits<double>::infinity();
  bench::OptionParser app("Paper 004, task 3: the classification column of table 2, and the data of figure 2.",
                          "paper_004_classification");
  app.add_option("--sizes", setup.sizes, "features").positive().separated_by_commas();
  app.add_option("--repetitions", setup.repetitions).positive();
  app.add_option("--iterations", setup.options.iterations).positive();
  app.add_option("--hessian-batch", setup.options.hessian_batch_size).positive();
  app.add_option("--beta", setup.options.step).positive();
  app.add_option("--seed", setup.seed);
  app.add_option("--backends", setup.backends, "of this build, instead of all; the others are compared with the first")
      .separated_by_commas();
  app.add_option("--data", data, "JSON file for all results");
  app.add_option("--largest-gap", largest_gap, "fail where limited steps end further above the optimum, in %")
      .non_negative();
  if (const auto status = app.parse(argc, argv)) return *status == 0 ? 0 : 2;
  return run_program([&] { run(setup, data, largest_gap); });
}
