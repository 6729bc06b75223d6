// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/stratification/report.hpp>

#include <sporos/runtime/options/text_parts.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/statistics/critical_values.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace sporos::runtime {

namespace {

// A response that is not a ratio of means, with its estimate and its exact mean.
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
    notes.push_back(fmt::format("{} is a ratio of means, which stratification does not estimate",
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
      shared_for ? fmt::format(", allocated by the deviation of {} after {} pilot replications of each stratum",
                               report.request.model->response_names(report.request.values)[*shared_for], pilots)
                 : "";
  return fmt::format("{} strata of the first draw of {}, {} replications{}, seed {}", strata, report.request.input,
                     replications_of(report.result), shared, seed);
}

ResultTable means_table(const StratifiedReport& report) {
  ResultTable table{
      "means",
      "Means",
      {{"response", "response", ValueKind::text},
       {"mean", "mean", ValueKind::number, "half_width"},
       {"half_width", half_width_title(report.request.options.confidence), ValueKind::number, "half_width"},
       data_column("degrees_of_freedom", "degrees of freedom"),
       {"variance_ratio", "variance ratio"},
       {"exact", "exact", ValueKind::number, "half_width"}},
      {}};
  for (const auto& [name, found, exact] : rows_of(report)) {
    table.rows.push_back(
        {name, found.mean, found.half_width, found.degrees_of_freedom, found.variance_ratio, value_of(exact)});
  }
  return table;
}

// Mean and deviation of each response in each stratum. Pictures show the first three responses that have a finite
// half-width.
ResultTable strata_table(const StratifiedReport& report) {
  constexpr std::size_t max_responses = 3;  // limit of responses with pictures
  ResultTable table{"strata",
                    "The strata",
                    {{"response", "response", ValueKind::text},
                     {"stratum", "stratum", ValueKind::count},
                     {"replications", "replications", ValueKind::count},
                     {"mean", "mean"},
                     {"low", "from"},
                     {"high", "to"},
                     {"deviation", "deviation"}},
                    {},
                    Shown::as_data};
  const auto& counts = report.result.replications;
  for (const auto& [name, found, exact] : rows_of(report)) {
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const double mean = found.means_of_strata[i], deviation = found.deviations_of_strata[i],
                   width = student_t(report.request.options.confidence, counts[i]) * deviation /
                           std::sqrt(static_cast<double>(counts[i]));
      table.rows.push_back(
          {name, static_cast<std::int64_t>(i + 1), counts[i], mean, mean - width, mean + width, deviation});
    }
    if (table.pictures.size() == 2 * max_responses || !std::isfinite(found.half_width)) continue;
    const auto of_response = std::pair("response", ResultValue(name));
    table.pictures.push_back(
        {name + ": mean of each stratum", PictureKind::intervals, "stratum", "mean", "low", "high", of_response});
    table.pictures.push_back(
        {name + ": deviation in each stratum", PictureKind::curve, "stratum", "deviation", "", "", of_response});
  }
  if (report.request.options.shared_for && !table.rows.empty()) {
    table.pictures.push_back({"Replications of each stratum", PictureKind::curve, "stratum", "replications", "", "",
                              std::pair("response", table.rows.front().front())});
  }
  return table;
}

}  // namespace

std::vector<std::optional<double>> exact_mean(const StratifiedRequest& request) {
  return request.model->exact_means(request.values);
}

std::string done_text(const StratifiedReport& report) {
  return fmt::format("{} of {} replications", replications_of(report.result), report.request.options.replications);
}

bool is_ended_early(const StratifiedReport& report) { return !report.result.is_complete; }

std::string_view min_work(const StratifiedRequest&) { return "each stratum had 2 replications"; }

std::string missed_goal(const StratifiedReport&) { return ""; }

ResultDocument document_of(const StratifiedReport& report) {
  const StratifiedRequest& request = report.request;
  const auto& [input, strata, replications, shared_for, pilots, confidence, seed] = request.options;
  const auto names = request.model->response_names(request.values);
  return {.question = "stratify",
          .subject = subject_of(*request.model, request.values),
          .lead = lead_of(report),
          .settings = {{"input", "input", request.input},
                       {"strata", "strata", strata, ValueKind::count},
                       {"replications", "replications", replications, ValueKind::count},
                       {"neyman", "allocated by the deviation of",
                        shared_for ? ResultValue(names[*shared_for]) : ResultValue()},
                       {"confidence", "confidence", confidence, ValueKind::percentage},
                       {"seed", "seed", seed, ValueKind::count}},
          .tables = {means_table(report), strata_table(report)},
          .findings = {{"replications", "replications done", replications_of(report.result), ValueKind::count}},
          .notes = notes_of(report),
          .stopped_by = end_of_run(report.ended_by, "replications"),
          .early_end = early_end_line(report.ended_by, done_text(report)),
          .confidence = confidence,
          .seconds = report.seconds,
          .machine = report.machine};
}

}  // namespace sporos::runtime
