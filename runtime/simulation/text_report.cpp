// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/backend/program.hpp>
#include <sporos/runtime/options/duration.hpp>
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/simulation/comparison_table.hpp>
#include <sporos/runtime/simulation/question_table.hpp>
#include <sporos/runtime/simulation/report.hpp>

#include <sporos/core/io/csv.hpp>
#include <sporos/core/io/estimate_fields.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/table.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace sporos::runtime {

namespace {

using Column = io::Table::Column;

std::string title_of(const ModelDescription& model) { return fmt::format("{}: {}\n", model.name, model.title); }

// The parameters that are the same at every design point.
std::string fixed_parameters(const ModelDescription& model, const std::vector<ParameterValues>& design) {
  std::vector<std::string> list;
  for (std::size_t i = 0; i < model.parameters.size(); ++i) {
    if (varies(design, i) || model.parameters[i].is_as_in_case(design.front()[i])) continue;
    list.push_back(fmt::format("{} {}", model.parameters[i].name, shown_text_of(design.front()[i])));
  }
  return list.empty() ? "" : fmt::format("{}\n", fmt::join(list, ", "));
}

std::string lines_of(const std::vector<std::string>& notes) {
  return fmt::format("{}{}", fmt::join(notes, "\n"), notes.empty() ? "" : "\n");
}

std::string source_of(const Plan& plan) {
  const UniformSource& source = plan.source;
  std::string text =
      fmt::format("seed {}, {}, {} sampling", plan.seed, name_of(source.engine), name_of(source.sampling));
  if (source.sample_size > 0) text += " of " + plural(source.sample_size, "number", "numbers");
  if (source.sampling == Sampling::refined_descriptive) {
    text += fmt::format(" by primes from {} to {}", source.primes.smallest, source.primes.largest);
  }
  if (source.run_length > 0) text += fmt::format(", runs of {}", source.run_length);
  if (source.sampling == Sampling::refined_descriptive && source.run_length > 1) {
    text += source.weights == SubRunWeights::equal ? ", sub-runs weighted alike" : ", sub-runs weighted by size";
  }
  return text;
}

std::string goal_of(const Plan& plan) {
  if (!plan.precision.is_set()) return plural(plan.replications, "replication", "replications");
  std::vector<std::string> goals;
  if (plan.precision.half_width > 0) goals.push_back(io::shortest_text(plan.precision.half_width));
  if (plan.precision.relative_half_width > 0) {
    goals.push_back(io::shortest_text(plan.precision.relative_half_width) + " of the mean");
  }
  return fmt::format("half-widths up to {} within {}, batches of {}", fmt::join(goals, " and "),
                     plural(plan.replications, "replication", "replications"), plan.batch);
}

std::string plan_of(const Report& report) {
  std::string line = goal_of(report.plan) + ", " + source_of(report.plan);
  if (report.design.size() > 1) {
    line += report.plan.common_random_numbers ? ", common random numbers" : ", independent design points";
  }
  return line + '\n';
}

std::string run_of(const Report& report) {
  return fmt::format("{} on {}, mapping {}\n", duration_text(report.result.seconds), text_of(report.machine),
                     name_of(report.result.mapping));
}

std::string percent(double share) { return fmt::format("{:.6g} %", 100 * share); }

// Whether nothing is left of the half-width but rounding.
bool is_exact(const ResponseEstimate& response) {
  constexpr double rounding = 1e-12;
  return response.half_width <= rounding * std::abs(response.mean);
}

std::string text_at(const ResponseEstimate& response, double value) {
  return is_exact(response) ? fmt::format("{:.10g}", value) : io::text_to_precision(value, response.half_width);
}

std::string half_width_text(const ResponseEstimate& response, double half_width) {
  if (!std::isfinite(half_width)) return "unknown";
  return is_exact(response) ? "0" : io::text_to_precision(half_width, half_width);
}

std::string half_width_text(const ResponseEstimate& response) { return half_width_text(response, response.half_width); }

std::vector<std::string> estimate_of(const Report& report, std::size_t point, std::size_t place) {
  const ResponseEstimate& response = report.result.points[point].responses[place];
  const std::optional<double>& exact = report.exact[point][place];
  std::vector<std::string> fields{response.name,
                                  std::isnan(response.mean) ? "unknown" : text_at(response, response.mean),
                                  half_width_text(response)};
  if (report.simultaneous) fields.push_back(half_width_text(response, report.simultaneous->half_widths[point][place]));
  fields.push_back(std::isfinite(response.deviation) ? fmt::format("{:.4g}", response.deviation) : "unknown");
  fields.push_back(exact ? text_at(response, *exact) : "");
  return fields;
}

std::vector<std::pair<std::string, Column>> estimate_columns(const Report& report) {
  std::vector<std::pair<std::string, Column>> columns{
      {"response", Column::text},
      {"mean", Column::number},
      {percent(report.plan.confidence) + " half-width", Column::number}};
  if (report.simultaneous) {
    columns.emplace_back(fmt::format("of all, {}", name_of(report.simultaneous->method)), Column::number);
  }
  columns.emplace_back("deviation", Column::number);
  columns.emplace_back("exact", Column::number);
  return columns;
}

std::string end_of(const PointResult& point) {
  return fmt::format("{}, {}", plural(point.replications, "replication", "replications"),
                     end_text(name_of(point.stopped_by)));
}

std::string single_point_table(const Report& report) {
  const PointResult& point = report.result.points.front();
  io::Table table(estimate_columns(report));
  for (std::size_t i = 0; i < point.responses.size(); ++i) {
    table.add_row(estimate_of(report, 0, i));
  }
  const std::string end = point.stopped_by == StopReason::replications ? "" : end_of(point) + '\n';
  return fmt::format("{}\n{}digest {}\n", table.text(), end, io::bits_text(point.digest));
}

std::string design_table(const Report& report) {
  std::vector<std::size_t> varying;
  std::vector<std::pair<std::string, Column>> columns{{"point", Column::number}};
  for (std::size_t i = 0; i < report.model.parameters.size(); ++i) {
    if (!varies(report.design, i)) continue;
    varying.push_back(i);
    columns.emplace_back(report.model.parameters[i].name,
                         report.model.parameters[i].is_file() ? Column::text : Column::number);
  }
  for (auto& column : estimate_columns(report)) columns.push_back(std::move(column));
  columns.emplace_back("replications", Column::number);
  columns.emplace_back("stopped by", Column::text);
  columns.emplace_back("digest", Column::text);

  io::Table table(std::move(columns));
  for (std::size_t p = 0; p < report.design.size(); ++p) {
    const PointResult& point = report.result.points[p];
    for (std::size_t i = 0; i < point.responses.size(); ++i) {
      std::vector<std::string> row(1 + varying.size());  // what holds for all responses stands beside the first
      if (i == 0) {
        row[0] = std::to_string(p + 1);
        for (std::size_t v = 0; v < varying.size(); ++v) row[v + 1] = shown_text_of(report.design[p][varying[v]]);
      }
      for (auto& field : estimate_of(report, p, i)) row.push_back(std::move(field));
      if (i == 0) {
        row.push_back(std::to_string(point.replications));
        row.emplace_back(name_of(point.stopped_by));
        row.push_back(io::bits_text(point.digest));
      }
      table.add_row(std::move(row));
    }
  }
  return table.text();
}

// The design points that may be the best, the likeliest first.
std::string best_of(const Report& report) {
  constexpr double smallest_shown = 0.0005;
  constexpr std::size_t most_shown = 5;
  const BestReport& found = *report.best;
  const std::vector<double>& probabilities = found.probabilities;
  std::vector<std::size_t> order(probabilities.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return probabilities[a] > probabilities[b]; });
  std::vector<std::string> list;
  for (const std::size_t point : order) {
    if (list.size() == most_shown || (!list.empty() && probabilities[point] < smallest_shown)) break;
    std::vector<std::string> values;
    for (std::size_t i = 0; i < report.model.parameters.size(); ++i) {
      if (!varies(report.design, i)) continue;
      values.push_back(fmt::format("{} {}", report.model.parameters[i].name, text_of(report.design[point][i])));
    }
    list.push_back(
        fmt::format("point {} ({}) with probability {:.3f}", point + 1, fmt::join(values, ", "), probabilities[point]));
  }
  const bool is_selectable = std::ranges::none_of(report.model.parameters, &ParameterDescription::is_file);
  const std::string guaranteed = fmt::format(
      "`{}` selects with a guarantee: procedure gsp, or kn with common random numbers\n", called_with("select"));
  return fmt::format("{} {}: {}\n{}", name_of(found.best), found.response, fmt::join(list, "; "),
                     is_selectable ? guaranteed : "");
}

std::vector<std::string> names_of_parameters(const ModelDescription& model) {
  std::vector<std::string> names;
  for (const auto& parameter : model.parameters) names.push_back(parameter.name);
  return names;
}

std::vector<std::string> texts_of(const ParameterValues& values) {
  std::vector<std::string> texts;
  for (const auto& value : values) texts.push_back(text_of(value));
  return texts;
}

void append(std::vector<std::string>& row, std::vector<std::string> fields) {
  row.insert(row.end(), fields.begin(), fields.end());
}

}  // namespace

void leave_out_failed(Report& report) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  if (!report.probabilities) return;
  for (std::size_t p = 0; p < report.design.size(); ++p) {
    if (!report.result.points[p].failure) continue;
    for (ProportionEstimate& estimate : report.probabilities->estimates[p]) estimate = {unknown, unknown, unknown};
  }
}

std::string failure_text(const PointResult& point) {
  return fmt::format("{} of {} have failed: {}", point.failure->failures,
                     plural(point.replications, "replication", "replications"), point.failure->reason);
}

std::string table_of(const Report& report) {
  const bool is_single = report.design.size() == 1;
  const bool has_correlations = !report.result.points.front().covariances.empty() && !report.simultaneous;
  const bool has_questions = has_correlations || report.quantiles || report.probabilities || report.histograms ||
                             report.densities || report.requirements || has_points_without_results(report) ||
                             report.comparison || !report.controlled.empty();
  return title_of(report.model) + fixed_parameters(report.model, report.design) + lines_of(report.notes) +
         plan_of(report) + '\n' + (is_single ? single_point_table(report) : design_table(report)) +
         (!is_single || has_questions ? "\n" : "") + (report.controlled.empty() ? "" : controls_table(report) + '\n') +
         (has_correlations ? correlations_table(report) + '\n' : "") +
         (report.quantiles ? quantiles_table(report) + '\n' : "") +
         (report.probabilities ? probabilities_table(report) + '\n' : "") +
         (report.histograms ? histograms_table(report) + '\n' : "") +
         (report.densities ? densities_table(report) + '\n' : "") +
         (report.requirements ? requirements_table(report) : "") + without_results_text(report) +
         (report.requirements || has_points_without_results(report) ? "\n" : "") +
         (report.comparison ? comparison_table(report) + '\n' : "") + (report.best ? best_of(report) + '\n' : "") +
         run_of(report);
}

std::string csv_of(const Report& report) {
  std::string text;
  auto names = names_of_parameters(report.model);
  append(names, io::estimate_columns());
  if (report.simultaneous) names.emplace_back("simultaneous_half_width");
  if (!report.controlled.empty()) append(names, {"controlled_mean", "controlled_half_width", "variance_ratio"});
  if (report.comparison) append(names, comparison_columns(report));
  if (report.best) names.push_back(fmt::format("probability_{}", name_of(report.best->best)));
  if (report.quantiles) {
    for (const double probability : report.quantiles->probabilities) {
      for (const auto* end : {"", "_low", "_high"}) names.push_back(fmt::format("quantile_{}{}", probability, end));
    }
  }
  for (std::size_t i = 0; report.probabilities && i < report.probabilities->comparisons.size(); ++i) {
    for (const auto* end : {"", "_low", "_high"}) names.push_back(fmt::format("probability_{}{}", i + 1, end));
  }
  if (report.requirements) append(names, {"verdict"});
  if (report.requirements || has_points_without_results(report)) names.emplace_back("reason");
  if (report.requirements && report.requirements->cost) names.emplace_back("cost");
  io::append_csv_row(text, names);
  const auto number = [](double value) { return std::isfinite(value) ? io::shortest_text(value) : ""; };
  const auto append_point = [&](std::size_t p, const PointVerdict* verdict) {
    const PointResult& point = report.result.points[p];
    for (std::size_t i = 0; i < point.responses.size(); ++i) {
      const ResponseEstimate& response = point.responses[i];
      auto row = texts_of(report.design[p]);
      append(row, io::estimate_fields(point, i, report.exact[p][i]));
      if (report.simultaneous) row.push_back(number(report.simultaneous->half_widths[p][i]));
      if (!report.controlled.empty()) {
        const ControlledMean& found = report.controlled[p].responses[i];
        append(row, {number(found.mean), number(found.half_width), number(found.variance_ratio)});
      }
      if (report.comparison) append(row, comparison_fields(report, p, i));
      if (report.best) {
        row.push_back(response.name == report.best->response ? number(report.best->probabilities[p]) : "");
      }
      if (report.quantiles) {
        for (const auto& [value, lower, upper] : report.quantiles->estimates[p][i]) {
          append(row, {number(value), number(lower), number(upper)});
        }
      }
      for (std::size_t e = 0; report.probabilities && e < report.probabilities->comparisons.size(); ++e) {
        const auto& [value, lower, upper] = report.probabilities->estimates[p][e];
        const bool is_of_response = report.probabilities->comparisons[e].response == i;
        append(row,
               is_of_response ? std::vector{number(value), number(lower), number(upper)} : std::vector<std::string>(3));
      }
      if (verdict != nullptr) row.emplace_back(name_of(verdict->verdict));
      if (verdict != nullptr || has_points_without_results(report)) {
        row.push_back(point.failure ? failure_text(point) : "");
      }
      if (verdict != nullptr && verdict->cost) row.push_back(number(*verdict->cost));
      io::append_csv_row(text, row);
    }
  };
  if (report.requirements) {
    for (const auto& verdict : report.requirements->points) append_point(verdict.point, &verdict);
  } else {
    for (std::size_t p = 0; p < report.design.size(); ++p) append_point(p, nullptr);
  }
  const auto place_of = [&](const char* name) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  };
  for (const auto& skipped : report.skipped) {
    auto row = texts_of(skipped.values);
    row.resize(names.size());
    row[place_of(report.requirements ? "verdict" : "stopped_by")] = "skipped";
    row[place_of("reason")] = skipped.reason;
    io::append_csv_row(text, row);
  }
  return text;
}

namespace {

// A line for each sampling that was ended early.
std::string early_ends_of(const std::vector<ComparedSampling>& samplings) {
  std::string text;
  for (const ComparedSampling& one : samplings) {
    if (one.result.stopped_by == StopReason::replications) continue;
    text += fmt::format("{} sampling: {}\n", name_of(one.source.sampling), end_of(one.result));
  }
  return text;
}

}  // namespace

std::string table_of(const ComparisonReport& report) {
  io::Table table({{"response", Column::text},
                   {"sampling", Column::text},
                   {"mean", Column::number},
                   {percent(report.plan.confidence) + " half-width", Column::number},
                   {"exact", Column::number},
                   {"run", Column::number},
                   {"variance of a run", Column::number},
                   {"ratio to random", Column::number},
                   {percent(report.plan.confidence) + " interval", Column::text},
                   {"random replications", Column::number}});
  const auto number = [](double value) {
    if (std::isnan(value)) return std::string("unknown");
    return std::isinf(value) ? std::string("any number") : fmt::format("{:.4g}", value);
  };
  const auto interval = [](const VarianceRatio& ratio) -> std::string {
    if (ratio.low == ratio.high) return "";
    return std::isfinite(ratio.high) ? fmt::format("{:.3g} to {:.3g}", ratio.low, ratio.high) : "unknown";
  };
  for (std::size_t i = 0; i < report.exact.size(); ++i) {
    for (const auto& compared : report.samplings) {
      const auto& [estimate, ratio, random_replications] = compared.responses[i];
      table.add_row({&compared == &report.samplings.front() ? estimate.name : "",
                     std::string(name_of(compared.source.sampling)), text_at(estimate, estimate.mean),
                     half_width_text(estimate), report.exact[i] ? text_at(estimate, *report.exact[i]) : "",
                     std::to_string(compared.source.replications_of_run()),
                     is_exact(estimate) ? "0" : number(estimate.variance), number(ratio.ratio), interval(ratio),
                     number(random_replications)});
    }
  }
  const auto& plan = report.plan;
  const std::string early = early_ends_of(report.samplings);
  return fmt::format(
      "{}{}{}{}{}{} of each sampling, seed {}\n\n{}\n"
      "run: replications that make one observation; ratio: of variances for equally many replications; random "
      "replications:\nhow many under random sampling would have given as narrow an interval\n",
      title_of(report.model), fixed_parameters(report.model, {report.parameters}), lines_of(report.notes), early,
      early.empty() ? "" : "at most ", plural(plan.replications, "replication", "replications"), plan.seed,
      table.text());
}

std::string csv_of(const ComparisonReport& report) {
  std::string text;
  io::append_csv_row(text, {"sampling", "run_length", "response", "mean", "variance", "half_width", "observations",
                            "variance_ratio", "variance_ratio_low", "variance_ratio_high", "random_replications",
                            "exact", "replications", "stopped_by"});
  const auto number = [](double value) { return std::isfinite(value) ? io::shortest_text(value) : ""; };
  for (const auto& compared : report.samplings) {
    for (std::size_t i = 0; i < compared.responses.size(); ++i) {
      const auto& [estimate, ratio, random_replications] = compared.responses[i];
      io::append_csv_row(
          text, {std::string(name_of(compared.source.sampling)), std::to_string(compared.source.replications_of_run()),
                 estimate.name, number(estimate.mean), number(estimate.variance), number(estimate.half_width),
                 std::to_string(estimate.observations), number(ratio.ratio), number(ratio.low), number(ratio.high),
                 number(random_replications), report.exact[i] ? number(*report.exact[i]) : "",
                 std::to_string(compared.result.replications), std::string(name_of(compared.result.stopped_by))});
    }
  }
  return text;
}

namespace {

// What a trace has columns for: stations and entities where an event has one.
struct TraceColumns {
  explicit TraceColumns(const EventListing& trace) : names(trace.stations) {
    for (const TracedEvent& event : trace.events) {
      has_stations = has_stations || event.station >= 0;
      has_entities = has_entities || event.entity >= 0;
    }
  }

  std::vector<std::pair<std::string, Column>> headings() const {
    std::vector<std::pair<std::string, Column>> headings{{"time", Column::number}, {"event", Column::text}};
    if (has_stations) headings.emplace_back("station", names.empty() ? Column::number : Column::text);
    if (has_entities) headings.emplace_back("entity", Column::number);
    return headings;
  }

  std::vector<std::string> texts_of(const EventListing& trace, const TracedEvent& event) const {
    std::vector<std::string> texts{io::shortest_text(event.time), trace.kinds.at(static_cast<std::size_t>(event.kind))};
    const auto number = [](std::int64_t value) { return value >= 0 ? std::to_string(value) : ""; };
    if (has_stations) {
      const bool is_named = event.station >= 0 && !names.empty();
      texts.push_back(is_named ? names.at(static_cast<std::size_t>(event.station)) : number(event.station));
    }
    if (has_entities) texts.push_back(number(event.entity));
    return texts;
  }

  const std::vector<std::string>& names;  // of stations
  bool has_stations = false, has_entities = false;
};

std::string events_of(const EventListing& trace) {
  if (trace.kinds.empty()) return "";
  const TraceColumns columns(trace);
  io::Table table(columns.headings());
  for (const TracedEvent& event : trace.events) table.add_row(columns.texts_of(trace, event));
  return "\n" + table.text();
}

}  // namespace

std::string table_of(const Replay& replay) {
  io::Table table(
      {{"response", Column::text}, {"decimal", Column::text}, {"hexadecimal", Column::text}, {"bits", Column::text}});
  const auto names_of_responses = replay.model.response_names(replay.parameters);
  for (std::size_t i = 0; i < replay.responses.size(); ++i) {
    const double value = replay.responses[i];
    table.add_row({names_of_responses[i], io::shortest_text(value), io::hexadecimal_text(value), io::bits_text(value)});
  }
  return fmt::format("{}{}{}replication {}, {}\n\n{}{}", title_of(replay.model),
                     fixed_parameters(replay.model, {replay.parameters}), lines_of(replay.notes), replay.replication,
                     source_of(replay.plan), replay.failure.empty() ? table.text() : replay.failure + "\n",
                     events_of(replay.trace));
}

std::string csv_of(const Replay& replay) {
  std::string text;
  if (!replay.trace.kinds.empty()) {
    const TraceColumns columns(replay.trace);
    std::vector<std::string> names;
    for (const auto& [name, kind] : columns.headings()) names.push_back(name);
    io::append_csv_row(text, names);
    for (const TracedEvent& event : replay.trace.events) {
      io::append_csv_row(text, columns.texts_of(replay.trace, event));
    }
    return text;
  }
  auto names = names_of_parameters(replay.model);
  append(names, {"replication", "response", "value", "hexadecimal", "bits"});
  io::append_csv_row(text, names);
  const auto names_of_responses = replay.model.response_names(replay.parameters);
  for (std::size_t i = 0; i < replay.responses.size(); ++i) {
    const double value = replay.responses[i];
    auto row = texts_of(replay.parameters);
    append(row, {std::to_string(replay.replication), names_of_responses[i], io::shortest_text(value),
                 io::hexadecimal_text(value), io::bits_text(value)});
    io::append_csv_row(text, row);
  }
  return text;
}

}  // namespace sporos::runtime
