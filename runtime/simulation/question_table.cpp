// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/simulation/design_points.hpp>
#include <sporos/runtime/simulation/question_table.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/table.hpp>
#include <sporos/core/replication/correlation.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sporos::runtime {

namespace {

using Column = io::Table::Column;
using Columns = std::vector<std::pair<std::string, Column>>;

void add_point_columns(Columns& columns, const Report& report) {
  if (report.design.size() == 1) return;
  columns.emplace_back("point", Column::number);
  for (const std::size_t i : varied_parameters(report.design))
    columns.emplace_back(report.model.parameters[i].name, Column::number);
}

std::vector<std::string> point_fields(const Report& report, std::size_t point) {
  if (report.design.size() == 1) return {};
  std::vector<std::string> fields{std::to_string(point + 1)};
  for (const std::size_t i : varied_parameters(report.design)) fields.push_back(shown_text_of(report.design[point][i]));
  return fields;
}

std::string interval_of(const QuantileEstimate& quantile, std::int64_t needed) {
  if (!std::isfinite(quantile.lower) || !std::isfinite(quantile.upper)) {
    return fmt::format("at least {} replications needed", needed);
  }
  return fmt::format("{:.6g} to {:.6g}", quantile.lower, quantile.upper);
}

}  // namespace

std::string quantiles_table(const Report& report) {
  const QuantileReport& quantiles = *report.quantiles;
  Columns columns;
  add_point_columns(columns, report);
  columns.insert(columns.end(), {{"response", Column::text},
                                 {"probability", Column::number},
                                 {"quantile", Column::number},
                                 {fmt::format("{:.6g} % interval", 100 * report.plan.confidence), Column::text}});
  io::Table table(std::move(columns));
  for (std::size_t point = 0; point < report.design.size(); ++point) {
    if (report.result.points[point].failure) continue;
    const auto& responses = report.result.points[point].responses;
    for (std::size_t response = 0; response < responses.size(); ++response) {
      for (std::size_t i = 0; i < quantiles.probabilities.size(); ++i) {
        const QuantileEstimate& quantile = quantiles.estimates[point][response][i];
        auto row = point_fields(report, point);
        row.insert(row.end(), {responses[response].name, io::shortest_text(quantiles.probabilities[i]),
                               fmt::format("{:.6g}", quantile.value), interval_of(quantile, quantiles.needed[i])});
        table.add_row(std::move(row));
      }
    }
  }
  return "quantiles of single replications\n\n" + table.text();
}

std::string controls_table(const Report& report) {
  Columns columns;
  add_point_columns(columns, report);
  columns.insert(columns.end(), {{"response", Column::text},
                                 {"mean", Column::number},
                                 {fmt::format("{:.6g} % half-width", 100 * report.plan.confidence), Column::number},
                                 {"variance ratio", Column::number},
                                 {"exact", Column::number}});
  io::Table table(std::move(columns));
  std::vector<std::string> names;
  for (const ObservedControl& control : report.controlled.front().controls) names.push_back(control.name);
  for (std::size_t point = 0; point < report.design.size(); ++point) {
    if (report.result.points[point].failure) continue;
    for (std::size_t r = 0; r < report.controlled[point].responses.size(); ++r) {
      const ControlledMean& found = report.controlled[point].responses[r];
      const auto& exact = report.exact[point][r];
      const bool has_width = found.half_width > 0 && std::isfinite(found.half_width);
      const auto text = [&](double value) {
        return has_width ? io::text_to_precision(value, found.half_width) : fmt::format("{:.10g}", value);
      };
      auto row = point_fields(report, point);
      row.insert(row.end(),
                 {report.result.points[point].responses[r].name, text(found.mean),
                  std::isfinite(found.half_width) ? text(found.half_width) : "unknown",
                  std::isfinite(found.variance_ratio) ? fmt::format("{:.3g}", found.variance_ratio) : "any number",
                  exact ? text(*exact) : ""});
      table.add_row(std::move(row));
    }
  }
  return fmt::format("means with control variates: {}\n\n{}", fmt::join(names, ", "), table.text());
}

std::string probabilities_table(const Report& report) {
  const ProbabilityReport& probabilities = *report.probabilities;
  Columns columns;
  add_point_columns(columns, report);
  columns.insert(columns.end(), {{"event", Column::text},
                                 {"probability", Column::number},
                                 {fmt::format("{:.6g} % interval", 100 * report.plan.confidence), Column::text},
                                 {"replications with it", Column::number}});
  io::Table table(std::move(columns));
  for (std::size_t point = 0; point < report.design.size(); ++point) {
    if (report.result.points[point].failure) continue;
    for (std::size_t i = 0; i < probabilities.comparisons.size(); ++i) {
      const auto& [value, lower, upper] = probabilities.estimates[point][i];
      auto row = point_fields(report, point);
      row.insert(row.end(),
                 {probabilities.comparisons[i].text, fmt::format("{:.6g}", value),
                  fmt::format("{:.6g} to {:.6g}", lower, upper), std::to_string(probabilities.events[point][i])});
      table.add_row(std::move(row));
    }
  }
  return "probabilities of events in a replication\n\n" + table.text();
}

std::string histograms_table(const Report& report) {
  const HistogramReport& histograms = *report.histograms;
  Columns columns;
  add_point_columns(columns, report);
  columns.insert(columns.end(), {{"response", Column::text},
                                 {"from", Column::number},
                                 {"below", Column::number},
                                 {"replications", Column::number},
                                 {"share", Column::number},
                                 {fmt::format("{:.6g} % interval", 100 * report.plan.confidence), Column::text}});
  io::Table table(std::move(columns));
  for (std::size_t point = 0; point < report.design.size(); ++point) {
    if (report.result.points[point].failure) continue;
    for (std::size_t i = 0; i < histograms.bins.size(); ++i) {
      const auto& [response, name, edges] = histograms.bins[i];
      const auto& [counts, shares] = histograms.histograms[point][i];
      for (std::size_t b = 0; b < counts.size(); ++b) {
        auto row = point_fields(report, point);
        row.insert(row.end(), {name, b == 0 ? "" : fmt::format("{:.6g}", edges[b - 1]),
                               b == edges.size() ? "" : fmt::format("{:.6g}", edges[b]), std::to_string(counts[b]),
                               fmt::format("{:.6g}", shares[b].value),
                               fmt::format("{:.6g} to {:.6g}", shares[b].lower, shares[b].upper)});
        table.add_row(std::move(row));
      }
    }
  }
  return "histograms of single replications, whose intervals hold for all bins of one at once\n\n" + table.text();
}

std::string correlations_table(const Report& report) {
  Columns columns;
  add_point_columns(columns, report);
  columns.emplace_back("response", Column::text);
  const auto& names = report.result.points.front().responses;
  for (const ResponseEstimate& response : names) columns.emplace_back(response.name, Column::number);
  io::Table table(std::move(columns));
  for (std::size_t point = 0; point < report.design.size(); ++point) {
    if (report.result.points[point].failure) continue;
    for (std::size_t i = 0; i < names.size(); ++i) {
      auto row = point_fields(report, point);
      row.push_back(names[i].name);
      for (std::size_t j = 0; j < names.size(); ++j) {
        const double correlation = sporos::correlation(report.result.points[point], i, j);
        row.push_back(std::isfinite(correlation) ? fmt::format("{:.3f}", correlation) : "unknown");
      }
      table.add_row(std::move(row));
    }
  }
  return "correlations of the responses of an observation\n\n" + table.text();
}

std::string densities_table(const Report& report) {
  const DensityReport& densities = *report.densities;
  Columns columns;
  add_point_columns(columns, report);
  columns.insert(columns.end(), {{"response", Column::text},
                                 {"at", Column::number},
                                 {"density", Column::number},
                                 {fmt::format("{:.6g} % interval", 100 * report.plan.confidence), Column::text}});
  io::Table table(std::move(columns));
  for (std::size_t point = 0; point < report.design.size(); ++point) {
    if (report.result.points[point].failure) continue;
    for (std::size_t i = 0; i < densities.asked.size(); ++i) {
      const ResponseDensity& density = densities.densities[point][i];
      auto fields = point_fields(report, point);
      fields.push_back(densities.asked[i].name);
      if (!density.lack.empty()) {
        fields.insert(fields.end(), {"", "unknown", density.lack});
        table.add_row(std::move(fields));
        continue;
      }
      for (const auto& [place, value, lower, upper] : density.points) {
        auto row = fields;
        row.insert(row.end(), {fmt::format("{:.6g}", place), fmt::format("{:.4g}", value),
                               fmt::format("{:.4g} to {:.4g}", lower, upper)});
        table.add_row(std::move(row));
      }
    }
  }
  return "densities of single replications, whose intervals hold for all points of one at once\n\n" + table.text();
}

std::string requirements_table(const Report& report) {
  const RequirementReport& requirements = *report.requirements;
  Columns columns;
  add_point_columns(columns, report);
  for (const auto& text : requirements.texts) columns.emplace_back(text, Column::text);
  if (requirements.texts.size() > 1) columns.emplace_back("together", Column::text);
  if (requirements.cost) columns.emplace_back(*requirements.cost, Column::number);
  io::Table table(std::move(columns));
  for (const PointVerdict& point : requirements.points) {
    auto row = point_fields(report, point.point);
    for (const Verdict verdict : point.of_requirements) row.emplace_back(name_of(verdict));
    if (requirements.texts.size() > 1) row.emplace_back(name_of(point.verdict));
    if (point.cost) row.push_back(std::isnan(*point.cost) ? "unknown" : fmt::format("{:.6g}", *point.cost));
    table.add_row(std::move(row));
  }
  return fmt::format("requirements{}, with {:.6g} % confidence in all verdicts together\n\n{}",
                     requirements.cost ? ", the cheapest points first" : "", 100 * requirements.confidence,
                     table.text());
}

bool has_points_without_results(const Report& report) {
  return !report.skipped.empty() ||
         std::ranges::any_of(report.result.points, [](const PointResult& point) { return point.failure.has_value(); });
}

std::string without_results_text(const Report& report) {
  constexpr std::size_t most_shown = 5;
  std::vector<std::string> lines;
  for (std::size_t p = 0; p < report.design.size(); ++p) {
    if (report.result.points[p].failure) {
      lines.push_back(fmt::format("point {} has no result: {}", p + 1, failure_text(report.result.points[p])));
    }
  }
  const std::size_t failed = lines.size();
  for (const SkippedPoint& skipped : report.skipped) {
    std::vector<std::string> parameters;
    for (std::size_t p = 0; p < report.model.parameters.size(); ++p) {
      if (skipped.values[p] == report.design.front()[p]) continue;
      parameters.push_back(fmt::format("{} {}", report.model.parameters[p].name, shown_text_of(skipped.values[p])));
    }
    lines.push_back(fmt::format("skipped {}: {}", fmt::join(parameters, ", "), skipped.reason));
  }
  std::string text;
  for (std::size_t i = 0; i < std::min(failed, most_shown); ++i) text += lines[i] + '\n';
  if (failed > most_shown) text += fmt::format("{} more design points have no result\n", failed - most_shown);
  const std::size_t skipped = report.skipped.size();
  for (std::size_t i = 0; i < std::min(skipped, most_shown); ++i) text += lines[failed + i] + '\n';
  if (skipped > most_shown) text += fmt::format("skipped {} more design points\n", skipped - most_shown);
  return text;
}

}  // namespace sporos::runtime
