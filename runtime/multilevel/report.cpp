// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/multilevel/report.hpp>

#include <sporos/runtime/options/text_parts.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/statistics/critical_values.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace sporos::runtime {

namespace {

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
