// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/stratification/stratification.hpp>

#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/results/output.hpp>
#include <sporos/runtime/simulation/expression.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/replication/plan.hpp>
#include <sporos/core/statistics/critical_values.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace sporos::runtime {

namespace {

std::string known_inputs(const ModelDescription& model) {
  std::string text = model.input_count == 1 ? "1" : fmt::format("a number from 1 to {}", model.input_count);
  if (!model.control_names.empty()) text += fmt::format(", or {}", fmt::join(model.control_names, ", "));
  return text;
}

// Parses INPUT:COUNT.
void set_strata(StratifiedRequest& request, const std::string& text) {
  const ModelDescription& model = *request.model;
  const auto colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == text.size()) {
    throw std::invalid_argument(
        fmt::format("--strata is {}, expected INPUT:COUNT, an input variable and a number of strata, such as '1:16'",
                    io::in_quotes(text)));
  }
  const std::string input = text.substr(0, colon);
  const std::string what = fmt::format("--strata {}: number of strata", io::in_quotes(text));
  request.options.strata = io::parse_number<std::int64_t>(what, text.substr(colon + 1), 2, std::int64_t{1} << 20);
  for (int i = 0; i < model.input_count; ++i) {
    const bool has_name = static_cast<std::size_t>(i) < model.control_names.size();
    const std::string number = std::to_string(i + 1);
    const std::string& name = has_name ? model.control_names[static_cast<std::size_t>(i)] : number;
    if (input != number && !is_same_name(name, input)) continue;
    request.options.input = i;
    request.input = has_name ? name : fmt::format("input {}", number);
    return;
  }
  throw std::invalid_argument(fmt::format("--strata is {}, whose input {} is not known, expected {}",
                                          io::in_quotes(text), io::in_quotes(input), known_inputs(model)));
}

void set_response(StratifiedRequest& request, const std::string& name) {
  const std::size_t response = response_named(name, *request.model, request.values, "neyman");
  for (const RatioOfMeans& ratio : request.model->ratios(request.values)) {
    if (static_cast<std::size_t>(ratio.response) != response) continue;
    throw std::invalid_argument(fmt::format(
        "--neyman is {}, a ratio of means, which stratification does not estimate: expected another response",
        io::in_quotes(name)));
  }
  request.options.shared_for = response;
}

std::vector<OptionEntry> stratification_entries() {
  const std::string group = "Strata";
  const StratifiedOptions defaults;
  return {{group, "strata", "INPUT:COUNT",
           "COUNT equally likely strata of the first draw of INPUT, an input variable that is given by its name as a "
           "control variate or by its number from 1"},
          {group, "replications", "N",
           fmt::format("replications of all strata together; default: {}", defaults.replications)},
          {group, "neyman", "RESPONSE",
           "allocate replications in proportion to the deviation of that response in each stratum; default: the same "
           "number for all"},
          {group, "pilot-replications", "N",
           fmt::format("with --neyman: replications of each stratum that estimate the deviation and are not counted; "
                       "default: {}",
                       defaults.pilot_replications)}};
}

Usage stratify_usage(const ModelDescription& model) {
  return one_point_usage(stratify_question, model, entries_of({stratification_entries(), estimate_entries()}),
                         " --strata 1:16");
}

std::string reason_without_strata(const ModelDescription& model) {
  return model.is_wide ? "has a number of responses that is known only at run time" : "";
}

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

const Question stratify_question{"stratify", "Estimates means from equally likely strata of an input variable.",
                                 stratify_usage, reason_without_strata};

StratifiedRequest stratified_request(const ModelOptions& options) {
  check_table(options.table, {"means", "strata"});
  const OptionTable& table = options.table;
  StratifiedRequest request;
  request.set_point(options);
  if (!table.has("strata")) throw std::invalid_argument("--strata is not given: expected INPUT:COUNT, such as '1:16'");
  set_strata(request, *table.text("strata"));
  if (table.has("neyman")) set_response(request, *table.text("neyman"));
  table.refuse_unless(table.has("neyman") || !table.has("pilot-replications"), "pilot-replications", "--neyman");
  StratifiedOptions& wanted = request.options;
  wanted.replications = table.whole("replications", wanted.replications, 1);
  if (wanted.replications < 2 * wanted.strata) {
    throw std::invalid_argument(fmt::format("--replications is {}, expected at least {}: two in each of {} strata",
                                            wanted.replications, 2 * wanted.strata, wanted.strata));
  }
  wanted.pilot_replications = table.whole("pilot-replications", wanted.pilot_replications, 2, 1'000'000'000);
  wanted.confidence = table.positive("confidence", Plan().confidence);
  wanted.seed = table.seed("seed", wanted.seed);
  check(wanted, request.model->input_count, request.model->response_names(request.values).size());
  return request;
}

std::vector<std::optional<double>> exact_mean(const StratifiedRequest& request) {
  return request.model->exact_means(request.values);
}

std::string done_text(const StratifiedReport& report) {
  return fmt::format("{} of {} replications", replications_of(report.result), report.request.options.replications);
}

bool is_ended_early(const StratifiedReport& report) { return !report.result.is_complete; }

std::string_view min_work(const StratifiedRequest&) { return "each stratum had 2 replications"; }

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
