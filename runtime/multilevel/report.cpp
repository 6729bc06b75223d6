// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/multilevel/report.hpp>

#include <sporos/runtime/files/json_text.hpp>
#include <sporos/runtime/options/duration.hpp>
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/page/from_json.hpp>
#include <sporos/runtime/page/panels.hpp>
#include <sporos/runtime/simulation/document.hpp>
#include <sporos/runtime/simulation/one_point_question.hpp>

#include <sporos/core/io/csv.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/table.hpp>
#include <sporos/core/statistics/critical_values.hpp>
#include <sporos/version.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace sporos::runtime {

namespace {

using Column = io::Table::Column;

std::string lead_of(const MultilevelReport& report) {
  const MultilevelOptions& options = report.request.options;
  const std::string points =
      options.sampling == LevelSampling::random
          ? "multilevel Monte Carlo"
          : fmt::format("multilevel quasi-Monte Carlo, {} randomizations of Sobol's points,", options.randomizations);
  return fmt::format("{} by {} to a root mean square error of {}, seed {}", report.request.name, points,
                     io::shortest_text(options.rmse), options.seed);
}

std::string level_table(const MultilevelResult& result) {
  io::Table table({{"level", Column::number},
                   {"replications", Column::number},
                   {"cost of one", Column::number},
                   {"mean of differences", Column::number},
                   {"variance", Column::number},
                   {"variance of the level alone", Column::number}});
  for (std::size_t l = 0; l < result.levels.size(); ++l) {
    const LevelEstimate& level = result.levels[l];
    table.add_row({std::to_string(l), std::to_string(level.replications), short_text(level.cost),
                   fmt::format("{:.4g}", level.mean), short_text(level.variance), short_text(level.fine_variance)});
  }
  return table.text();
}

// The mean on each level, as the differences add up to it.
PagePicture sums_picture(const MultilevelReport& report) {
  std::vector<IntervalPoint> points;
  const double z = normal_z(report.request.options.confidence);
  double mean = 0, variance = 0;
  for (const LevelEstimate& level : report.result.levels) {
    mean += level.mean;
    variance += level.variance / static_cast<double>(level.replications);
    const double width = z * std::sqrt(variance);
    const std::size_t place = points.size();
    points.push_back({static_cast<double>(place), mean, mean - width, mean + width, std::to_string(place)});
  }
  return intervals_picture("The mean up to each level", "level", points);
}

std::vector<PagePicture> level_pictures(const MultilevelReport& report, io::Json levels) {
  for (io::Json& level : levels) {
    if (level["level"] > 0 && level["mean"].is_number()) level["magnitude"] = std::abs(level["mean"].get<double>());
  }
  const auto curve = [&](const std::string& title, const std::string& member) {
    return curve_picture(title, levels, "/level", member, "level", true);
  };
  return {sums_picture(report), curve("Size of the differences' mean", "/magnitude"),
          curve("Variance of the differences", "/variance"), curve("Replications", "/replications")};
}

}  // namespace

MultilevelResult multilevel_result_of(const MultilevelRequest& request, const Backend& backend) {
  return backend.runner_of(request.model->name)
      .multilevel(request.values, static_cast<int>(request.response), request.options);
}

std::optional<double> exact_mean(const MultilevelRequest& request) {
  return request.model->level_means(request.values)[request.response];
}

std::string done_text(const MultilevelReport& report) {
  std::int64_t replications = 0;
  for (const LevelEstimate& level : report.result.levels) replications += level.replications;
  return fmt::format("{} replications on {}", replications,
                     plural(static_cast<std::int64_t>(report.result.levels.size()), "level", "levels"));
}

std::string missed_rmse(const MultilevelReport& report) {
  if (report.result.is_rmse_reached) return "";
  return fmt::format("root mean square error not reached: {} is wanted, the half-width is {:.3g} after {} ({})",
                     io::shortest_text(report.request.options.rmse), report.result.half_width, done_text(report),
                     report.ended_by);
}

std::string table_of(const MultilevelReport& report) {
  const auto& [request, result, seconds, machine, exact, ended_by] = report;
  const auto text = [half_width = result.half_width](double value) { return io::text_to_precision(value, half_width); };
  io::Table table({{"response", Column::text},
                   {"mean", Column::number},
                   {fmt::format("{:.6g} % half-width", 100 * request.options.confidence), Column::number},
                   {"bias of the finest level", Column::number},
                   {"exact", Column::number}});
  table.add_row(
      {request.name, text(result.mean), text(result.half_width), short_text(result.bias), exact ? text(*exact) : ""});
  return fmt::format(
      "{}: {}\n{}\n{}\n{}\n{}\n{}\nfrom level to level means fall as 2^-{:.2f}, variances as 2^-{:.2f}, costs grow as "
      "2^{:.2f}; cost of all {:.4g}\n{} on {}\n",
      request.model->name, request.model->title, parameters_text(*request.model, request.values), lead_of(report),
      early_end_line(ended_by, done_text(report)), table.text(), level_table(result), result.alpha, result.beta,
      result.gamma, result.cost, duration_text(seconds), text_of(machine));
}

std::string json_of(const MultilevelReport& report) {
  const auto& [request, result, seconds, machine, exact, ended_by] = report;
  io::Json levels = io::Json::array();
  for (std::size_t l = 0; l < result.levels.size(); ++l) {
    const LevelEstimate& level = result.levels[l];
    levels.push_back({{"level", l},
                      {"replications", level.replications},
                      {"mean", io::json_number(level.mean)},
                      {"variance", io::json_number(level.variance)},
                      {"fine_mean", io::json_number(level.fine_mean)},
                      {"fine_variance", io::json_number(level.fine_variance)},
                      {"cost", level.cost}});
  }
  return json_text({{"sporos", SPOROS_VERSION},
                    {"model", request.model->name},
                    {"parameters", json_of(*request.model, request.values)},
                    {"response", request.name},
                    {"rmse", request.options.rmse},
                    {"confidence", request.options.confidence},
                    {"seed", request.options.seed},
                    {"sampling", name_of(request.options.sampling)},
                    {"randomizations", static_cast<std::int64_t>(estimates_of_level(request.options))},
                    {"mean", io::json_number(result.mean)},
                    {"half_width", io::json_number(result.half_width)},
                    {"bias", io::json_number(result.bias)},
                    {"exact", exact ? io::json_number(*exact) : io::Json(nullptr)},
                    {"alpha", result.alpha},
                    {"beta", result.beta},
                    {"gamma", result.gamma},
                    {"cost", result.cost},
                    {"levels", std::move(levels)},
                    {"stopped_by", ended_by.empty() ? "precision" : ended_by},
                    {"seconds", seconds},
                    {"machine", json_of(machine)}});
}

std::string csv_of(const MultilevelReport& report) {
  std::string text;
  io::append_csv_row(text, {"response", "mean", "half_width", "bias", "level", "replications", "level_mean",
                            "level_variance", "level_cost", "stopped_by"});
  const MultilevelResult& result = report.result;
  for (std::size_t l = 0; l < result.levels.size(); ++l) {
    const LevelEstimate& level = result.levels[l];
    io::append_csv_row(text,
                       {report.request.name, io::shortest_text(result.mean), io::shortest_text(result.half_width),
                        io::shortest_text(result.bias), std::to_string(l), std::to_string(level.replications),
                        io::shortest_text(level.mean), io::shortest_text(level.variance), io::shortest_text(level.cost),
                        std::string(report.ended_by.empty() ? "precision" : report.ended_by)});
  }
  return text;
}

Document document_of(const MultilevelReport& report, const io::Json& json) {
  const MultilevelRequest& request = report.request;
  PageSection mean{"Mean",
                   {page_table(fmt::format("With its {:.6g} % half-width", 100 * request.options.confidence),
                               io::Json::array({json}),
                               {{"/response", "response"},
                                {"/mean", "mean", "/half_width"},
                                {"/half_width", "half-width", "/half_width"},
                                {"/bias", "bias of the finest level"},
                                {"/exact", "exact", "/half_width"}})}};
  if (!report.ended_by.empty())
    mean.blocks.emplace_back(PageParagraph{early_end_line(report.ended_by, done_text(report))});
  PageSection levels{"Levels",
                     {page_table("Differences between neighbouring levels", json["levels"],
                                 {{"/level", "level"},
                                  {"/replications", "replications"},
                                  {"/cost", "cost of one"},
                                  {"/mean", "mean"},
                                  {"/variance", "variance"},
                                  {"/fine_variance", "variance of the level alone"}}),
                      page_facts(json_members(json, {"alpha", "beta", "gamma", "cost"}))}};
  for (PagePicture& picture : level_pictures(report, json["levels"])) levels.blocks.emplace_back(std::move(picture));
  return {fmt::format("{}: {}", request.model->name, request.model->title),
          lead_of(report),
          {asked_section(*request.model, {request.values},
                         page_facts(json_members(json, {"response", "rmse", "confidence", "seed", "sampling"}))),
           std::move(mean), std::move(levels)}};
}

}  // namespace sporos::runtime
