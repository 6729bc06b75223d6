// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/stratification/report.hpp>

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

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace sporos::runtime {

namespace {

using Column = io::Table::Column;

// A response whose expectation is that of a replication.
struct StratifiedRow {
  std::string name;
  const StratifiedMean& found;
  std::optional<double> exact;
};

std::vector<StratifiedRow> rows_of(const StratifiedReport& report) {
  const StratifiedRequest& request = report.request;
  const auto names = request.model->response_names(request.values);
  const auto ratios = request.model->ratios(request.values);
  std::vector<StratifiedRow> rows;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool is_ratio = std::ranges::any_of(
        ratios, [&](const RatioOfMeans& ratio) { return static_cast<std::size_t>(ratio.response) == i; });
    if (!is_ratio)
      rows.push_back({names[i], report.result.means[i], report.exact.empty() ? std::nullopt : report.exact[i]});
  }
  return rows;
}

std::vector<std::string> notes_of(const StratifiedReport& report) {
  const auto names = report.request.model->response_names(report.request.values);
  std::vector<std::string> notes;
  for (const RatioOfMeans& ratio : report.request.model->ratios(report.request.values)) {
    notes.push_back(fmt::format("{} is a ratio of means, which strata do not estimate",
                                names[static_cast<std::size_t>(ratio.response)]));
  }
  return notes;
}

std::int64_t replications_of(const StratifiedResult& result) {
  return std::reduce(result.replications.begin(), result.replications.end());
}

std::string lead_of(const StratifiedReport& report) {
  const auto& [input, strata, replications, shared_for, pilots, confidence, seed] = report.request.options;
  const std::string shared =
      shared_for ? fmt::format(", shared by the deviation of {} behind {} pilots of each",
                               report.request.model->response_names(report.request.values)[*shared_for], pilots)
                 : "";
  return fmt::format("{} strata of the first draw of {}, {} replications{}, seed {}", strata, report.request.input,
                     replications_of(report.result), shared, seed);
}

// Of each response how its mean and its deviation differ between strata, and how many replications these have.
std::vector<PagePicture> strata_pictures(const StratifiedReport& report) {
  constexpr std::size_t most_points = 256, most_responses = 6;
  const auto& counts = report.result.replications;
  const std::size_t stride = (counts.size() + most_points - 1) / most_points;
  const auto curve = [&](const std::string& title, const auto& values) {
    io::Json rows = io::Json::array();
    for (std::size_t i = 0; i < counts.size(); i += stride) {
      rows.push_back({{"stratum", i + 1}, {"value", io::json_number(static_cast<double>(values[i]))}});
    }
    return curve_picture(title, rows, "/stratum", "/value", "stratum");
  };
  std::vector<PagePicture> pictures;
  for (const auto& [name, found, exact] : rows_of(report)) {
    if (pictures.size() == 2 * most_responses) break;
    if (!std::isfinite(found.half_width)) continue;  // it varied within no stratum
    std::vector<IntervalPoint> points;
    for (std::size_t i = 0; i < counts.size(); i += stride) {
      const double mean = found.means_of_strata[i], width = student_t(report.request.options.confidence, counts[i]) *
                                                            found.deviations_of_strata[i] /
                                                            std::sqrt(static_cast<double>(counts[i]));
      points.push_back({static_cast<double>(i + 1), mean, mean - width, mean + width});
    }
    pictures.push_back(intervals_picture(name + ": mean of each stratum", "stratum", points));
    pictures.push_back(curve(name + ": deviation in each stratum", found.deviations_of_strata));
  }
  if (report.request.options.shared_for) pictures.push_back(curve("Replications of each stratum", counts));
  return pictures;
}

}  // namespace

StratifiedResult stratified_result_of(const StratifiedRequest& request, const Backend& backend) {
  return backend.runner_of(request.model->name).stratified(request.values, request.options);
}

std::vector<std::optional<double>> exact_mean(const StratifiedRequest& request) {
  return request.model->exact_means(request.values);
}

std::string done_text(const StratifiedReport& report) {
  return fmt::format("{} of {} replications", replications_of(report.result), report.request.options.replications);
}

std::string table_of(const StratifiedReport& report) {
  const StratifiedRequest& request = report.request;
  io::Table table({{"response", Column::text},
                   {"mean", Column::number},
                   {fmt::format("{:.6g} % half-width", 100 * request.options.confidence), Column::number},
                   {"variance ratio", Column::number},
                   {"exact", Column::number}});
  for (const auto& [name, found, exact] : rows_of(report)) {
    const auto text = [half_width = found.half_width](double value) {
      return io::text_to_precision(value, half_width);
    };
    const auto known = [](double value) { return std::isfinite(value) ? short_text(value) : "unknown"; };
    table.add_row(
        {name, text(found.mean), known(found.half_width), known(found.variance_ratio), exact ? text(*exact) : ""});
  }
  std::string text = fmt::format("{}: {}\n{}\n{}\n{}\n{}\n", request.model->name, request.model->title,
                                 parameters_text(*request.model, request.values), lead_of(report),
                                 early_end_line(report.ended_by, done_text(report)), table.text());
  for (const std::string& note : notes_of(report)) text += note + '\n';
  return text + fmt::format("{} on {}\n", duration_text(report.seconds), text_of(report.machine));
}

std::string json_of(const StratifiedReport& report) {
  const StratifiedRequest& request = report.request;
  const auto names = request.model->response_names(request.values);
  io::Json responses = io::Json::array();
  for (const auto& [name, found, exact] : rows_of(report)) {
    responses.push_back({{"name", name},
                         {"mean", io::json_number(found.mean)},
                         {"half_width", io::json_number(found.half_width)},
                         {"degrees_of_freedom", io::json_number(found.degrees_of_freedom)},
                         {"variance_ratio", io::json_number(found.variance_ratio)},
                         {"exact", exact ? io::json_number(*exact) : io::Json(nullptr)},
                         {"means_of_strata", found.means_of_strata},
                         {"deviations_of_strata", found.deviations_of_strata}});
  }
  const auto& shared_for = request.options.shared_for;
  return json_text({{"sporos", SPOROS_VERSION},
                    {"model", request.model->name},
                    {"parameters", json_of(*request.model, request.values)},
                    {"input", request.input},
                    {"strata", request.options.strata},
                    {"replications", replications_of(report.result)},
                    {"neyman", shared_for ? io::Json(names[*shared_for]) : io::Json(nullptr)},
                    {"confidence", request.options.confidence},
                    {"seed", request.options.seed},
                    {"responses", std::move(responses)},
                    {"replications_of_strata", report.result.replications},
                    {"notes", notes_of(report)},
                    {"stopped_by", report.ended_by.empty() ? "replications" : report.ended_by},
                    {"seconds", report.seconds},
                    {"machine", json_of(report.machine)}});
}

std::string csv_of(const StratifiedReport& report) {
  std::string text;
  io::append_csv_row(text,
                     {"response", "mean", "half_width", "degrees_of_freedom", "variance_ratio", "exact", "stopped_by"});
  for (const auto& [name, found, exact] : rows_of(report)) {
    io::append_csv_row(text, {name, io::shortest_text(found.mean), io::shortest_text(found.half_width),
                              io::shortest_text(found.degrees_of_freedom), io::shortest_text(found.variance_ratio),
                              exact ? io::shortest_text(*exact) : "",
                              std::string(report.ended_by.empty() ? "replications" : report.ended_by)});
  }
  return text;
}

Document document_of(const StratifiedReport& report, const io::Json& json) {
  const StratifiedRequest& request = report.request;
  PageSection means{
      "Means",
      {page_table(fmt::format("With their {:.6g} % half-widths", 100 * request.options.confidence), json["responses"],
                  {{"/name", "response"},
                   {"/mean", "mean", "/half_width"},
                   {"/half_width", "half-width", "/half_width"},
                   {"/variance_ratio", "variance ratio"},
                   {"/exact", "exact", "/half_width"}})}};
  if (!report.ended_by.empty())
    means.blocks.emplace_back(PageParagraph{early_end_line(report.ended_by, done_text(report))});
  for (const std::string& note : notes_of(report)) means.blocks.emplace_back(PageParagraph{note});
  std::vector<PageSection> sections{
      asked_section(
          *request.model, {request.values},
          page_facts(json_members(json, {"input", "strata", "replications", "neyman", "confidence", "seed"}))),
      std::move(means)};
  auto pictures = strata_pictures(report);
  if (!pictures.empty()) sections.push_back({"The strata", {pictures.begin(), pictures.end()}});
  return {fmt::format("{}: {}", request.model->name, request.model->title), lead_of(report), std::move(sections)};
}

}  // namespace sporos::runtime
