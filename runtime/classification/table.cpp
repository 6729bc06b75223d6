// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/classification/report.hpp>
#include <sporos/runtime/options/duration.hpp>
#include <sporos/runtime/options/text_parts.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/table.hpp>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace sporos::runtime {

namespace {

using Column = io::Table::Column;

std::string size_text(std::size_t bytes) {
  constexpr double kilo = 1e3, mega = 1e6;
  const auto size = static_cast<double>(bytes);
  return size < mega ? fmt::format("{:.3g} kB", size / kilo) : fmt::format("{:.4g} MB", size / mega);
}

std::string data_of(const ClassificationReport& report) {
  const auto& [description, training, test, test_labels, test_share, split_seed, means, missing, standardization] =
      report.data;
  std::string text =
      fmt::format("logistic classification of {} of {} in {}: {} or {}\n", plural(description.rows, "row", "rows"),
                  plural(description.columns, "feature", "features"), description.path,
                  io::in_quotes(description.classes[0]), io::in_quotes(description.classes[1]));
  for (const auto& note : description.notes) text += note + "\n";
  text += plural(static_cast<std::int64_t>(training.labels.size()), "row", "rows") + " to learn from";
  if (test_share > 0) text += fmt::format(", {} held back by seed {}", test_labels.size(), split_seed);
  const bool is_sparse = std::holds_alternative<models::SparseRows>(training.features);
  if (standardization) text += is_sparse ? ", deviations brought to 1" : ", features standardized";
  return text + fmt::format(", stored as {} in {}\npenalty {:.6g}, {} intercept\n", name_of(training.storage),
                            size_text(report.bytes), training.model.penalty,
                            training.model.has_intercept ? "an" : "no");
}

std::string plan_of(const SqnOptions& options) {
  const bool is_limited = options.limit_steps && options.step_rule != SqnStepRule::line_search;
  const bool has_hessian = options.pair_source == PairSource::hessian_products;
  return fmt::format(
      "stochastic quasi-Newton, {} steps from {:.6g}{}, seed {}\n{} a gradient, {}, a pair every {}, {} kept",
      name_of(options.step_rule), options.step, is_limited ? ", limited" : "", options.seed,
      plural(options.batch_size, "row", "rows"),
      has_hessian ? fmt::format("{} a Hessian", options.hessian_batch_size) : "differences of gradients",
      plural(options.pair_interval, "iteration", "iterations"), options.pairs.memory);
}

std::string plan_of(const LbfgsOptions& options) {
  return fmt::format("L-BFGS over all rows, {} kept", plural(options.pairs.memory, "pair", "pairs"));
}

std::string decimals(double value) { return fmt::format("{:.8g}", value); }

std::string results_of(const ClassificationReport& report) {
  const auto& last = report.result.trajectory.back();
  const auto& counts = report.result.counts;
  io::Table table({{"result", Column::text}, {"value", Column::number}});
  table.add_row({"objective", decimals(last.objective)});
  table.add_row({"gradient norm", short_text(last.gradient_norm)});
  const auto add = [&](const char* name, std::int64_t count) { table.add_row({name, std::to_string(count)}); };
  add("pairs stored", counts.pairs.stored);
  add("  of these damped", counts.pairs.damped);
  add("pairs skipped", counts.pairs.skipped);
  if (std::holds_alternative<SqnOptions>(report.options)) add("limited steps", counts.limited_steps);
  add("gradients", counts.gradients);
  if (std::holds_alternative<SqnOptions>(report.options)) add("Hessian products", counts.hessian_products);
  return table.text();
}

std::string scores_text(const ClassificationReport& report) {
  std::vector<std::pair<std::string, ClassificationScores>> parts{{"learned from", report.training}};
  if (report.test) parts.emplace_back("held back", *report.test);
  return text_of(parts, report.data.description.classes);
}

std::string trajectory_of(const ClassificationReport& report) {
  io::Table table({{"iteration", Column::number},
                   {"objective", Column::number},
                   {"gradient norm", Column::number},
                   {"step", Column::number}});
  for (const auto& point : some_of(report.result.trajectory)) {
    table.add_row({std::to_string(point.iteration), decimals(point.objective), short_text(point.gradient_norm),
                   short_text(point.step)});
  }
  return table.text();
}

}  // namespace

std::string end_of(const QuasiNewtonResult& result) {
  return result.stopped_by == StoppedBy::callback ? "interrupted" : std::string(name_of(result.stopped_by));
}

std::string table_of(const ClassificationReport& report) {
  const std::string plan = std::visit([](const auto& options) { return plan_of(options); }, report.options);
  const std::string separation = report.separation ? text_of(*report.separation, report.data) + '\n' : "";
  return fmt::format("{}{}\n{}, {}\n{}\n{}\n{}\n{}\n{} on {}\n", data_of(report), plan,
                     plural(report.result.iterations, "iteration", "iterations"), end_text(end_of(report.result)),
                     separation, results_of(report), scores_text(report), trajectory_of(report),
                     duration_text(report.seconds), text_of(report.machine));
}

}  // namespace sporos::runtime
