// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/optimization/report.hpp>
#include <sporos/runtime/options/duration.hpp>
#include <sporos/runtime/options/text_parts.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/table.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sporos::runtime {

namespace {

using Column = io::Table::Column;

constexpr std::size_t most_rows = 10;

std::string plan_of(const OptimizationReport& report) {
  const auto& options = report.options;
  if (!report.problem.closed_form.empty()) return report.problem.closed_form + '\n';
  std::string plan =
      fmt::format("{} Frank-Wolfe, {} steps{}, at most {} of {}", name_of(options.variant), name_of(options.step_rule),
                  options.momentum ? ", momentum" : "", plural(options.epochs, "epoch", "epochs"),
                  plural(options.iterations, "iteration", "iterations"));
  if (!report.problem.is_sampled) return plan + '\n';
  const auto last = sample_size(options, std::max<std::int64_t>(options.epochs - 1, 0));
  const std::string sizes =
      last == options.sample_size ? fmt::format("{}", last) : fmt::format("{} to {}", options.sample_size, last);
  return plan +
         fmt::format("\nsamples of {} {}, seed {}\n", sizes, last == 1 ? "replication" : "replications", options.seed);
}

// Numbers of the objective's size, with decimals up to its distance from the minimum as far as that is known.
class Decimals {
 public:
  explicit Decimals(const OptimizationReport& report) {
    const auto& last = report.result.trajectory.back();
    constexpr double finest = 1e-7;
    const double distance = report.result.gap ? report.result.gap->bound() : last.gap;
    const double known = std::isfinite(distance) ? std::abs(distance) : 0;
    m_distance = std::max(known, finest * std::abs(last.objective));
  }

  std::string operator()(double value) const { return io::text_to_precision(value, m_distance); }

 private:
  double m_distance;
};

std::string gap_text(double gap) { return std::isinf(gap) ? "unknown" : short_text(gap); }

std::string results_of(const OptimizationReport& report) {
  const auto& [problem, options, result, findings, seconds, machine, notes] = report;
  const Decimals decimals(report);
  const auto& last = result.trajectory.back();
  io::Table table({{"result", Column::text}, {"value", Column::number}});
  table.add_row({problem.is_sampled ? "objective on a new sample" : "objective", decimals(last.objective)});
  if (findings.exact_objective) table.add_row({"exact objective", decimals(*findings.exact_objective)});
  if (findings.optimum) table.add_row({"its exact minimum", decimals(*findings.optimum)});
  if (findings.exact_objective && findings.optimum) {
    table.add_row({"true distance from it", short_text(*findings.exact_objective - *findings.optimum)});
  }
  table.add_row({problem.is_sampled ? "duality gap on that sample" : "duality gap", gap_text(last.gap)});
  if (result.gap) {
    const std::string confidence = fmt::format("{:.6g} %", 100 * result.gap->confidence);
    table.add_row({"duality gap on independent samples", short_text(result.gap->estimate)});
    table.add_row({"  at least, with confidence " + confidence, short_text(result.gap->lower)});
    table.add_row({"  at most, with confidence " + confidence, short_text(result.gap->upper)});
    if (const auto& distance = result.gap->suboptimality) {
      table.add_row({"distance from the optimum, estimated on them", short_text(distance->estimate)});
      table.add_row({"  at most, with confidence " + confidence, short_text(distance->upper)});
    }
  }
  for (const auto& [name, value] : findings.figures) table.add_row({name, fmt::format("{:.6g}", value)});
  return table.text();
}

std::string meaning_of(const OptimizationReport& report) {
  const auto& gap = report.result.gap;
  if (gap) {
    const bool is_asymptotic = report.options.gap.procedure != ReplicationsProcedure::multiple && gap->suboptimality;
    return fmt::format(
        "With {:.6g} % confidence{}, the expected objective here is at most {} above the least possible, by {} of "
        "{}.\n",
        100 * gap->confidence, is_asymptotic ? ", as samples grow" : "", short_text(gap->bound()),
        plural(gap->batches, "independent sample", "independent samples"),
        plural(gap->batch_size, "replication", "replications"));
  }
  if (!report.problem.is_sampled) {
    const double distance = report.result.trajectory.back().gap;
    if (std::isinf(distance))
      return "How far the objective is from the least possible is unknown: the run ended early.\n";
    if (distance <= 0) return "The objective here is the least possible, up to rounding.\n";
    return fmt::format("The objective here is at most {} above the least possible.\n", short_text(distance));
  }
  return fmt::format("How far the objective is from the least possible is unknown{}.\n",
                     report.options.gap.batches == 0 ? ": --gap-batches tells" : "");
}

std::string largest_of(const OptimizationReport& report) {
  const auto& x = report.result.solution;
  std::vector<std::size_t> order(x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto count =
      static_cast<std::size_t>(std::count_if(x.begin(), x.end(), [](double value) { return value != 0; }));
  const auto shown = static_cast<std::ptrdiff_t>(std::min(count, most_rows));
  std::partial_sort(order.begin(), order.begin() + shown, order.end(), [&](std::size_t a, std::size_t b) {
    return std::abs(x[a]) != std::abs(x[b]) ? std::abs(x[a]) > std::abs(x[b]) : a < b;
  });
  order.resize(static_cast<std::size_t>(shown));
  const std::string& quantity = report.problem.quantity;
  if (order.empty()) return fmt::format("every {} is 0\n", quantity);
  const double resolution = 1e-4 * std::abs(x[order.front()]);
  io::Table table({{report.problem.variable, Column::text}, {quantity, Column::number}});
  for (const std::size_t i : order) {
    table.add_row({report.problem.name_of(i), io::text_to_precision(x[i], resolution)});
  }
  return fmt::format("{}not 0: {} of {}{}\n", table.text(), count, x.size(),
                     count > order.size() ? ", of which the largest are shown" : "");
}

std::string resources_of(const OptimizationReport& report) {
  auto resources = report.findings.resources;
  if (resources.empty()) return "";
  const auto left = [](const ResourceUse& resource) {
    return resource.sense == ">=" ? resource.use - resource.capacity : resource.capacity - resource.use;
  };
  std::stable_sort(resources.begin(), resources.end(), [&](const auto& a, const auto& b) {
    return left(a) * std::abs(b.capacity) < left(b) * std::abs(a.capacity);
  });
  const auto binding = std::count_if(resources.begin(), resources.end(), [](const auto& r) { return r.is_binding(); });
  io::Table table({{"resource", Column::text},
                   {"use", Column::number},
                   {"", Column::text},
                   {"capacity", Column::number},
                   {"", Column::text}});
  for (std::size_t i = 0; i < std::min(resources.size(), most_rows); ++i) {
    table.add_row({resources[i].name, fmt::format("{:.6g}", resources[i].use), resources[i].sense,
                   fmt::format("{:.6g}", resources[i].capacity), resources[i].is_binding() ? "binding" : ""});
  }
  return fmt::format("\n{}binding: {} of {}\n", table.text(), binding, resources.size());
}

std::string trajectory_of(const OptimizationReport& report) {
  const auto& trajectory = report.result.trajectory;
  const Decimals decimals(report);
  const auto has_estimate = [](const auto& point) { return point.independent_gap.has_value(); };
  const bool is_estimated = std::any_of(trajectory.begin(), trajectory.end(), has_estimate);
  std::vector<std::pair<std::string, Column>> columns{
      {"epoch", Column::number}, {"iteration", Column::number}, {"objective", Column::number}, {"gap", Column::number}};
  if (is_estimated) columns.emplace_back("distance at most", Column::number);
  io::Table table(std::move(columns));
  for (const auto& point : some_of(trajectory)) {
    table.add_row({std::to_string(point.epoch), std::to_string(point.iteration), decimals(point.objective),
                   gap_text(point.gap), point.independent_gap ? short_text(point.independent_gap->bound()) : ""});
  }
  return table.text();
}

}  // namespace

std::string end_of(const FrankWolfeResult& result) {
  return result.stopped_by == StoppedBy::callback ? "interrupted" : std::string(name_of(result.stopped_by));
}

std::string table_of(const OptimizationReport& report) {
  const auto& [problem, options, result, findings, seconds, machine, notes] = report;
  std::string title = problem.title;
  for (const auto& note : notes) title += "\n" + note;
  const bool is_iterated = problem.closed_form.empty();
  const std::string end = is_iterated ? fmt::format("\n{}, {}\n", plural(result.iterations, "iteration", "iterations"),
                                                    end_text(end_of(result)))
                                      : "";
  return fmt::format("{}\n{}\n{}{}\n{}\n{}\n{}{}\n{}{} on {}\n", title, problem.region, plan_of(report), end,
                     results_of(report), meaning_of(report), largest_of(report), resources_of(report),
                     is_iterated ? trajectory_of(report) + '\n' : "", duration_text(seconds), text_of(machine));
}

}  // namespace sporos::runtime
