// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/multilevel/multilevel.hpp>

#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/results/output.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/replication/plan.hpp>
#include <sporos/core/statistics/critical_values.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace sporos::runtime {

namespace {

std::vector<OptionEntry> multilevel_entries() {
  const std::string group = "Multilevel";
  const MultilevelOptions defaults;
  return {
      {group, "response", "NAME", "the response whose mean is estimated; default: the first"},
      {group, "rmse", "R",
       fmt::format("requested root mean square error; the interval includes the estimated bias of the finest level; "
                   "default: {}",
                   defaults.rmse)},
      {group, "level-rate", "A",
       "known rate at which the means of differences decrease, as 2^(-A level); default: the estimate, and at most 1 "
       "for the bias"},
      {group, "max-levels", "L", fmt::format("maximum number of levels; default: {}", defaults.max_levels)},
      {group, "sampling", "NAME",
       fmt::format("how each level is sampled: {}; default: {}", names_of<LevelSampling>(),
                   name_of(defaults.sampling))},
      {group, "randomizations", "N",
       fmt::format("with --sampling sobol: independent randomizations of each level; default: {}",
                   defaults.randomizations)}};
}

Usage multilevel_usage(const ModelDescription& model) {
  return one_point_usage(multilevel_question, model, entries_of({multilevel_entries(), estimate_entries()}),
                         fmt::format(" --rmse {}", MultilevelOptions().rmse));
}

std::string reason_without_levels(const ModelDescription& model) {
  return model.level_means == nullptr ? "has no levels" : "";
}

std::string lead_of(const MultilevelReport& report) {
  const MultilevelOptions& options = report.request.options;
  const std::string points =
      options.sampling == LevelSampling::random
          ? "multilevel Monte Carlo"
          : fmt::format("multilevel quasi-Monte Carlo, {} randomizations of Sobol's points,", options.randomizations);
  return fmt::format("{} by {} to a root mean square error of {}, seed {}", report.request.name, points,
                     io::shortest_text(options.rmse), options.seed);
}

ResultTable means_table(const MultilevelReport& report) {
  const MultilevelResult& result = report.result;
  return {"means",
          "Mean",
          {{"response", "response", ValueKind::text},
           {"mean", "mean", ValueKind::number, "half_width"},
           {"half_width", half_width_title(report.request.options.confidence), ValueKind::number, "half_width"},
           {"bias", "bias of the finest level"},
           {"exact", "exact", ValueKind::number, "half_width"}},
          {{report.request.name, result.mean, result.half_width, result.bias, value_of(report.exact)}}};
}

// Differences between neighbouring levels, and the partial sums of their means.
ResultTable levels_table(const MultilevelReport& report) {
  ResultTable table{"levels",
                    "Differences between neighbouring levels",
                    {{"level", "level", ValueKind::count},
                     {"replications", "replications", ValueKind::count},
                     {"cost", "cost of one"},
                     {"mean", "mean of differences"},
                     {"variance", "variance"},
                     {"fine_mean", "mean of the level", ValueKind::number, "", "", Shown::in_reports},
                     {"fine_variance", "variance of the level"},
                     data_column("size", "absolute mean of differences"),
                     data_column("sum", "mean up to the level"),
                     data_column("low", "from"),
                     data_column("high", "to")},
                    {},
                    Shown::everywhere,
                    {{"The mean up to each level", PictureKind::intervals, "level", "sum", "low", "high"},
                     {"Absolute mean of the differences", PictureKind::curve, "level", "size", "", "", {}, true},
                     {"Variance of the differences", PictureKind::curve, "level", "variance", "", "", {}, true},
                     {"Replications", PictureKind::curve, "level", "replications", "", "", {}, true}}};
  const double z = normal_z(report.request.options.confidence);
  double sum = 0, variance = 0;
  std::int64_t place = 0;
  for (const LevelEstimate& level : report.result.levels) {
    sum += level.mean;
    variance += level.variance / static_cast<double>(level.replications);
    const double width = z * std::sqrt(variance);
    table.rows.push_back({place, level.replications, level.cost, level.mean, level.variance, level.fine_mean,
                          level.fine_variance, place > 0 ? ResultValue(std::abs(level.mean)) : ResultValue(), sum,
                          sum - width, sum + width});
    ++place;
  }
  return table;
}

}  // namespace

const Question multilevel_question{
    "multilevel",
    "Estimates the mean of a response by multilevel Monte Carlo, which adds levels until the bias is small.",
    multilevel_usage, reason_without_levels};

MultilevelRequest multilevel_request(const ModelOptions& options) {
  check_table(options.table, {"means", "levels"});
  const ModelDescription& model = *options.model;
  const OptionTable& table = options.table;
  MultilevelRequest request;
  request.set_point(options);
  request.response = static_cast<int>(
      table.has("response") ? response_named(*table.text("response"), model, request.values, "response") : 0);
  request.name = model.response_names(request.values)[static_cast<std::size_t>(request.response)];
  MultilevelOptions& wanted = request.options;
  wanted.rmse = table.positive("rmse", wanted.rmse);
  wanted.alpha = table.has("level-rate") ? table.positive("level-rate", 0) : 0;
  wanted.max_levels = static_cast<int>(table.whole("max-levels", wanted.max_levels, 3, max_multilevel_levels));
  wanted.sampling = table.choice("sampling", wanted.sampling);
  table.refuse_unless(wanted.sampling == LevelSampling::sobol || !table.has("randomizations"), "randomizations",
                      "--sampling sobol");
  wanted.randomizations = table.whole("randomizations", wanted.randomizations, 2, 1 << 16);
  wanted.confidence = table.positive("confidence", Plan().confidence);
  wanted.seed = table.seed("seed", wanted.seed);
  check(wanted);
  return request;
}

std::optional<double> exact_mean(const MultilevelRequest& request) {
  return request.model->level_means(request.values)[static_cast<std::size_t>(request.response)];
}

std::string done_text(const MultilevelReport& report) {
  std::int64_t replications = 0;
  for (const LevelEstimate& level : report.result.levels) replications += level.replications;
  return fmt::format("{} replications on {}", replications,
                     plural(static_cast<std::int64_t>(report.result.levels.size()), "level", "levels"));
}

bool is_ended_early(const MultilevelReport& report) { return !report.result.is_rmse_reached; }

std::string_view min_work(const MultilevelRequest&) { return "3 levels were done"; }

std::string missed_goal(const MultilevelReport& report) {
  if (report.result.is_rmse_reached) return "";
  return fmt::format("root mean square error not reached: {} is requested, the half-width is {:.3g} after {} ({})",
                     io::shortest_text(report.request.options.rmse), report.result.half_width, done_text(report),
                     end_of_run(report.ended_by, "levels"));
}

ResultDocument document_of(const MultilevelReport& report) {
  const auto& [request, result, seconds, machine, exact, ended_by] = report;
  const MultilevelOptions& options = request.options;
  std::string missed = missed_goal(report);
  return {.question = "multilevel",
          .subject = subject_of(*request.model, request.values),
          .lead = lead_of(report),
          .settings = {{"response", "response", request.name},
                       {"rmse", "root mean square error", options.rmse, ValueKind::number},
                       {"sampling", "sampling", std::string(name_of(options.sampling))},
                       {"randomizations", "randomizations", static_cast<std::int64_t>(estimates_of_level(options)),
                        ValueKind::count},
                       {"confidence", "confidence", options.confidence, ValueKind::percentage},
                       {"seed", "seed", options.seed, ValueKind::count}},
          .tables = {means_table(report), levels_table(report)},
          .findings = {{"alpha", "alpha: means of differences decrease as 2^(-alpha level)", result.alpha,
                        ValueKind::number},
                       {"beta", "beta: variances decrease as 2^(-beta level)", result.beta, ValueKind::number},
                       {"gamma", "gamma: costs increase as 2^(gamma level)", result.gamma, ValueKind::number},
                       {"cost", "cost of all replications", result.cost, ValueKind::number}},
          .notes = missed.empty() ? std::vector<std::string>() : std::vector{std::move(missed)},
          .stopped_by = end_of_run(ended_by, "precision"),
          .early_end = early_end_line(ended_by, done_text(report)),
          .confidence = options.confidence,
          .seconds = seconds,
          .machine = machine};
}

}  // namespace sporos::runtime
