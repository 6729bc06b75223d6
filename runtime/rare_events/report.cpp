// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/rare_events/report.hpp>

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
#include <sporos/version.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace sporos::runtime {

namespace {

using Column = io::Table::Column;

const ImportanceResult* importance_of(const RareEventReport& report) {
  return std::get_if<ImportanceResult>(&report.result);
}

const SplittingResult* splitting_of(const RareEventReport& report) {
  return std::get_if<SplittingResult>(&report.result);
}

double half_width_of(const RareEventResult& result) {
  return std::visit([](const auto& found) { return found.half_width; }, result);
}

double at_most_of(const RareEventResult& result) {
  return std::visit([](const auto& found) { return found.at_most; }, result);
}

// Of what the event is one, and how that is simulated.
std::string method_text(const RareEventRequest& request) {
  const std::string where = request.response ? "a replication" : request.model->chain_cycle;
  const std::string how = request.method == RareMethod::importance
                              ? fmt::format("importance sampling, {} behind steps of {}",
                                            plural(request.importance.replications, "replication", "replications"),
                                            request.importance.pilot_replications)
                              : fmt::format("{} of {} with {} splitting", plural(request.splitting.runs, "run", "runs"),
                                            plural(request.splitting.chains, "chain", "chains"),
                                            request.method == RareMethod::adaptive ? "adaptive" : "fixed-effort");
  return fmt::format("in {}, by {}, seed {}", where, how, request.seed());
}

// What a run ends with that nothing ends early.
std::string_view goal_of(const RareEventRequest& request) {
  return request.method == RareMethod::importance ? "replications" : "runs";
}

std::string probability_text(double value) { return fmt::format("{:.4g}", value); }

std::string levels_text(const std::vector<double>& levels) {
  std::vector<std::string> texts;
  for (const double level : levels) texts.push_back(fmt::format("{:.4g}", level));
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string how_text(const RareEventReport& report) {
  if (const auto* found = importance_of(report)) {
    const std::string worth =
        found->hits == 0 ? ""
                         : fmt::format(", worth {:.4g} equal ones; plain replications would need {:.3g} times as many",
                                       found->effective_hits, found->variance_ratio);
    return fmt::format("{} of {} replications saw the event{}\nlevels of cross-entropy: {}\n", found->hits,
                       found->estimate_replications, worth, levels_text(found->levels));
  }
  const auto& found = *splitting_of(report);
  std::string text = fmt::format("{} of all chains", plural(found.steps, "step", "steps"));
  if (!found.levels.empty()) text += "; levels: " + levels_text(found.levels);
  return text + '\n';
}

io::Json tilts_json(const std::vector<Tilt>& tilts) {
  io::Json list = io::Json::array();
  for (const Tilt& tilt : tilts) {
    list.push_back({{"exponential_mean", tilt.exponential_mean},
                    {"normal_shift", tilt.normal_shift},
                    {"ends", tilt.ends},
                    {"shares", tilt.shares}});
  }
  return list;
}

io::Json json_of(const ImportanceOptions& options, const ImportanceResult& found) {
  return {{"replications", found.estimate_replications},
          {"pilot_replications", options.pilot_replications},
          {"replications_of_all_steps", found.replications},
          {"hits", found.hits},
          {"effective_hits", io::json_number(found.effective_hits)},
          {"tail_shape", io::json_number(found.tail_shape)},
          {"largest_share", io::json_number(found.largest_share)},
          {"variance_ratio", io::json_number(found.variance_ratio)},
          {"levels", found.levels},
          {"tilts", tilts_json(found.tilts)}};
}

io::Json json_of(const SplittingOptions& options, const SplittingResult& found) {
  return {{"runs", found.estimates.size()}, {"chains", options.chains}, {"steps", found.steps},
          {"estimates", found.estimates},   {"levels", found.levels},   {"shares", found.shares}};
}

// The levels on the way, of splitting with the share of chains that came to each and how probable that makes it.
io::Json level_rows(const io::Json& json) {
  io::Json rows = io::Json::array();
  double probability = 1;
  for (std::size_t i = 0; i < json["levels"].size(); ++i) {
    io::Json row{{"level", json["levels"][i]}};
    if (json.contains("shares") && i < json["shares"].size()) {
      row["share"] = json["shares"][i];
      row["probability"] = probability *= row["share"].get<double>();
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

void add_pictures(PageSection& section, const RareEventReport& report, const io::Json& levels) {
  if (report.estimate().probability == 0) return;
  const std::string title = "The probability of " + report.request.event;
  if (const auto* found = importance_of(report)) {
    section.blocks.emplace_back(convergence_picture(title, "replications", found->steps));
    return;
  }
  section.blocks.emplace_back(
      runs_picture(title, "runs", splitting_of(report)->estimates, report.request.confidence()));
  if (levels.empty()) return;
  section.blocks.emplace_back(
      curve_picture("The probability of coming so far", levels, "/level", "/probability", "level", true));
}

}  // namespace

RareEventResult rare_event_result(const RareEventRequest& request, const Backend& backend) {
  const Runner& runner = backend.runner_of(request.model->name);
  if (request.response) {
    return runner.rare_response(request.values, static_cast<int>(*request.response), request.threshold, request.tail,
                                request.importance);
  }
  switch (request.method) {
    case RareMethod::importance:
      return runner.sampled_chain(request.values, request.threshold, request.importance);
    case RareMethod::splitting:
      return runner.split_chain(request.values, request.threshold, request.splitting);
    case RareMethod::adaptive:
      break;
  }
  return runner.split_chain_adaptively(request.values, request.threshold, request.splitting);
}

std::optional<double> exact_mean(const RareEventRequest& request) {
  return request.response ? std::nullopt : request.model->exact_reach(request.values, request.threshold);
}

std::string done_text(const RareEventReport& report) {
  const RareEventRequest& request = report.request;
  if (const auto* found = importance_of(report)) {
    return fmt::format("{} of {} replications", found->estimate_replications, request.importance.replications);
  }
  return fmt::format("{} of {} runs", splitting_of(report)->estimates.size(), request.splitting.runs);
}

RareEstimate RareEventReport::estimate() const {
  const double probability = std::visit([](const auto& found) { return found.probability; }, result);
  const double width = half_width_of(result);
  if (probability == 0) return {0, 0, std::min(1.0, at_most_of(result)), exact};
  return {probability, std::max(0.0, probability - width), std::min(1.0, probability + width), exact};
}

std::string RareEventReport::warning() const {
  if (estimate().probability == 0) return "";  // missed_event tells
  if (const auto* found = importance_of(*this)) {
    const double sign = request.tail == Tail::upper ? 1 : -1;
    ImportanceResult same = *found;
    for (double& level : same.levels) level *= sign;
    return importance_warning(same, sign * request.threshold);
  }
  const auto& estimates = splitting_of(*this)->estimates;
  double sum = 0, largest = 0;
  for (const double estimate : estimates) sum += estimate, largest = std::max(largest, estimate);
  if (estimates.size() < 5 || !(largest > 0.5 * sum)) return "";
  return fmt::format(
      "one of {} runs makes {:.3g} of the sum of all estimates, and the interval may be too narrow: give "
      "more chains",
      estimates.size(), largest / sum);
}

std::string missed_event(const RareEventReport& report) {
  const RareEstimate found = report.estimate();
  if (found.probability > 0) return "";
  return fmt::format("the event was not seen: with {:.6g} % confidence its probability is at most {:.3g}; give more {}",
                     100 * report.request.confidence(), found.high,
                     report.request.method == RareMethod::importance ? "replications" : "chains");
}

std::string table_of(const RareEventReport& report) {
  const RareEventRequest& request = report.request;
  const RareEstimate found = report.estimate();
  io::Table table({{"event", Column::text},
                   {"probability", Column::number},
                   {fmt::format("{:.6g} % interval", 100 * request.confidence()), Column::text},
                   {"exact", Column::number}});
  table.add_row({request.event, found.probability == 0 ? "not seen" : probability_text(found.probability),
                 found.probability == 0
                     ? "at most " + probability_text(found.high)
                     : fmt::format("{} to {}", probability_text(found.low), probability_text(found.high)),
                 found.exact ? probability_text(*found.exact) : ""});
  std::string text = fmt::format("{}: {}\n{}\n{}\n{}\n{}\n{}", request.model->name, request.model->title,
                                 parameters_text(*request.model, request.values), method_text(request),
                                 early_end_line(report.ended_by, done_text(report)), table.text(), how_text(report));
  const std::string warning = report.warning();
  if (!warning.empty()) text += warning + '\n';
  return text + fmt::format("{} on {}\n", duration_text(report.seconds), text_of(report.machine));
}

std::string json_of(const RareEventReport& report) {
  const RareEventRequest& request = report.request;
  const RareEstimate found = report.estimate();
  const double at_most = at_most_of(report.result);
  const std::string warning = report.warning();
  io::Json json{{"sporos", SPOROS_VERSION},
                {"model", request.model->name},
                {"parameters", json_of(*request.model, request.values)},
                {"event", request.event},
                {"method", name_of(request.method)},
                {"confidence", request.confidence()},
                {"seed", request.seed()},
                {"probability", io::json_number(found.probability)},
                {"low", io::json_number(found.low)},
                {"high", io::json_number(found.high)},
                {"half_width", io::json_number(half_width_of(report.result))},
                {"exact", found.exact ? io::json_number(*found.exact) : io::Json(nullptr)},
                {"at_most", std::isfinite(at_most) ? io::json_number(at_most) : io::Json(nullptr)}};
  if (const auto* sampled = importance_of(report)) {
    json.update(json_of(request.importance, *sampled));
  } else {
    json.update(json_of(request.splitting, *splitting_of(report)));
  }
  json.update({{"notes", warning.empty() ? io::Json::array() : io::Json::array({warning})},
               {"stopped_by", report.ended_by.empty() ? goal_of(request) : report.ended_by},
               {"seconds", report.seconds},
               {"machine", json_of(report.machine)}});
  return json_text(json);
}

std::string csv_of(const RareEventReport& report) {
  const RareEstimate found = report.estimate();
  std::string text;
  io::append_csv_row(text, {"event", "method", "probability", "low", "high", "exact", "stopped_by"});
  io::append_csv_row(text, {report.request.event, std::string(name_of(report.request.method)),
                            io::shortest_text(found.probability), io::shortest_text(found.low),
                            io::shortest_text(found.high), found.exact ? io::shortest_text(*found.exact) : "",
                            std::string(report.ended_by.empty() ? goal_of(report.request) : report.ended_by)});
  return text;
}

Document document_of(const RareEventReport& report, const io::Json& json) {
  const RareEventRequest& request = report.request;
  PageSection estimates{
      "Probability",
      {page_table(fmt::format("With its {:.6g} % interval", 100 * request.confidence()), io::Json::array({json}),
                  {{"/event", "event"},
                   {"/probability", "probability"},
                   {"/low", "from"},
                   {"/high", "to"},
                   {"/exact", "exact"}})}};
  const std::string said = early_end_line(report.ended_by, done_text(report)) + missed_event(report) + report.warning();
  if (!said.empty()) estimates.blocks.emplace_back(PageParagraph{said});
  const io::Json levels = level_rows(json);
  PageSection how{
      "How it came about",
      {page_facts(json_members(json, {"replications", "pilot_replications", "hits", "effective_hits", "tail_shape",
                                      "largest_share", "variance_ratio", "runs", "chains", "steps"}))}};
  add_pictures(how, report, levels);
  if (!levels.empty()) {
    how.blocks.emplace_back(page_table(
        "Levels on the way", levels,
        {{"/level", "level"}, {"/share", "share of chains"}, {"/probability", "probability of coming so far"}}));
  }
  return {fmt::format("{}: {}", request.model->name, request.model->title),
          fmt::format("Probability of {} {}", request.event, method_text(request)),
          {asked_section(*request.model, {request.values},
                         page_facts(json_members(json, {"event", "method", "confidence", "seed"}))),
           std::move(estimates), std::move(how)}};
}

}  // namespace sporos::runtime
