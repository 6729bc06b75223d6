// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/backend/program.hpp>
#include <sporos/runtime/simulation/design_points.hpp>
#include <sporos/runtime/simulation/point_tables.hpp>
#include <sporos/runtime/simulation/report.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/replication/correlation.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace sporos::runtime {

namespace {

constexpr std::size_t max_points_with_pictures = 12;

bool has_failed(const Report& report, std::size_t point) { return report.result.points[point].failure.has_value(); }

const std::string& response_name(const Report& report, std::size_t response) {
  return report.result.points.front().responses[response].name;
}

ResultTable controlled_table(const Report& report) {
  const std::string width = "half_width";
  PointTable means(report, "controlled_means", "Means with control variates",
                   {{"response", "response", ValueKind::text},
                    {"mean", "mean", ValueKind::number, width},
                    {"half_width", half_width_title(report.plan.confidence), ValueKind::number, width},
                    {"variance_ratio", "variance ratio"},
                    {"degrees_of_freedom", "degrees of freedom", ValueKind::count, "", "", Shown::in_reports},
                    {"exact", "exact", ValueKind::number, width}});
  for (std::size_t p = 0; p < report.design.size(); ++p) {
    if (has_failed(report, p)) continue;
    for (std::size_t r = 0; r < report.controlled[p].responses.size(); ++r) {
      const auto& [mean, half_width, variance_ratio, freedom] = report.controlled[p].responses[r];
      means.add(p, {response_name(report, r), mean, half_width, variance_ratio, freedom, value_of(report.exact[p][r])});
    }
  }
  return std::move(means.table);
}

ResultTable controls_table(const Report& report) {
  PointTable controls(report, "controls", "Controls",
                      {{"control", "control", ValueKind::text},
                       {"known", "known mean"},
                       {"mean", "observed mean"},
                       {"is_used", "used", ValueKind::boolean}});
  for (std::size_t p = 0; p < report.design.size(); ++p) {
    for (const ObservedControl& control : report.controlled[p].controls) {
      controls.add(p, {control.name, control.known, control.mean, control.is_used});
    }
  }
  return std::move(controls.table);
}

// Returns a table with a row and a column for each response; `value_of_pair` gives the value of a pair of responses.
template <class ValueOfPair>
ResultTable pairs_table(const Report& report, const std::string& id, const std::string& title,
                        const ValueOfPair& value_of_pair) {
  std::vector<ResultColumn> columns{{"response", "response", ValueKind::text}};
  const auto& responses = report.result.points.front().responses;
  for (const ResponseEstimate& response : responses) columns.push_back({response.name, response.name});
  PointTable pairs(report, id, title, std::move(columns));
  for (std::size_t p = 0; p < report.design.size(); ++p) {
    if (has_failed(report, p)) continue;
    for (std::size_t i = 0; i < responses.size(); ++i) {
      std::vector<ResultValue> row{responses[i].name};
      for (std::size_t j = 0; j < responses.size(); ++j) row.push_back(value_of_pair(report.result.points[p], i, j));
      pairs.add(p, std::move(row));
    }
  }
  return std::move(pairs.table);
}

ResultTable quantiles_table(const Report& report) {
  const QuantileReport& quantiles = *report.quantiles;
  PointTable table(report, "quantiles", "Quantiles of single replications",
                   {{"response", "response", ValueKind::text},
                    {"probability", "probability", ValueKind::exact},
                    {"quantile", "quantile"},
                    {"low", interval_title(report.plan.confidence)},
                    {"high", "to"},
                    {"replications_needed", "replications needed", ValueKind::count, "", "", Shown::in_reports}});
  for (std::size_t p = 0; p < report.design.size(); ++p) {
    for (std::size_t r = 0; r < report.result.points[p].responses.size() && !has_failed(report, p); ++r) {
      for (std::size_t i = 0; i < quantiles.probabilities.size(); ++i) {
        const auto& [value, lower, upper] = quantiles.estimates[p][r][i];
        table.add(p, {response_name(report, r), quantiles.probabilities[i], value, lower, upper, quantiles.needed[i]});
      }
    }
  }
  return std::move(table.table);
}

// Adds a note for each quantile without a finite interval: it needs more replications.
void add_quantile_notes(const Report& report, std::vector<std::string>& notes) {
  const QuantileReport& quantiles = *report.quantiles;
  for (std::size_t i = 0; i < quantiles.probabilities.size(); ++i) {
    bool has_intervals = true;
    for (std::size_t p = 0; p < report.design.size(); ++p) {
      for (std::size_t r = 0; r < report.result.points[p].responses.size() && !has_failed(report, p); ++r) {
        const QuantileEstimate& quantile = quantiles.estimates[p][r][i];
        has_intervals = has_intervals && std::isfinite(quantile.lower) && std::isfinite(quantile.upper);
      }
    }
    if (has_intervals) continue;
    notes.push_back(fmt::format("an interval of the quantile {} needs at least {} replications",
                                quantiles.probabilities[i], quantiles.needed[i]));
  }
}

ResultTable probabilities_table(const Report& report) {
  const ProbabilityReport& probabilities = *report.probabilities;
  PointTable table(report, "probabilities", "Probabilities of events in a replication",
                   {{"event", "event", ValueKind::text},
                    {"probability", "probability"},
                    {"low", interval_title(report.plan.confidence)},
                    {"high", "to"},
                    {"replications_with_it", "replications with the event", ValueKind::count}});
  for (std::size_t p = 0; p < report.design.size(); ++p) {
    if (has_failed(report, p)) continue;
    for (std::size_t i = 0; i < probabilities.comparisons.size(); ++i) {
      const auto& [value, lower, upper] = probabilities.estimates[p][i];
      table.add(p, {probabilities.comparisons[i].text, value, lower, upper, probabilities.events[p][i]});
    }
  }
  return std::move(table.table);
}

// Column with the label of a curve, such as "time in system, point 2". A picture selects its rows by this label.
ResultColumn label_column() { return {"label", "label", ValueKind::text, "", "", Shown::as_data}; }

ResultTable histograms_table(const Report& report) {
  const HistogramReport& histograms = *report.histograms;
  PointTable table(report, "histograms", "Histograms of single replications",
                   {label_column(),
                    {"response", "response", ValueKind::text},
                    {"from", "from", ValueKind::exact},
                    {"below", "below", ValueKind::exact},
                    {"replications", "replications", ValueKind::count},
                    {"share", "share"},
                    {"low", interval_title(report.plan.confidence)},
                    {"high", "to"}});
  for (std::size_t p = 0; p < report.design.size(); ++p) {
    if (has_failed(report, p)) continue;
    for (std::size_t i = 0; i < histograms.bins.size(); ++i) {
      const auto& [response, name, edges] = histograms.bins[i];
      const auto& [counts, shares] = histograms.histograms[p][i];
      const std::string label = name + point_text(report, p);
      for (std::size_t b = 0; b < counts.size(); ++b) {
        const auto [from, below] = std::pair(b == 0 ? ResultValue() : ResultValue(edges[b - 1]),
                                             b == edges.size() ? ResultValue() : ResultValue(edges[b]));
        table.add(p, {label, name, from, below, counts[b], shares[b].value, shares[b].lower, shares[b].upper});
      }
      if (p >= max_points_with_pictures) continue;
      ResultPicture picture{
          label, PictureKind::histogram, "from", "share", "low", "high", std::pair("label", ResultValue(label))};
      picture.second_x = "below";
      table.table.pictures.push_back(std::move(picture));
    }
  }
  return std::move(table.table);
}

ResultTable densities_table(const Report& report) {
  PointTable table(report, "densities", "Densities of single replications",
                   {label_column(),
                    {"response", "response", ValueKind::text},
                    {"at", "at"},
                    {"density", "density"},
                    {"low", interval_title(report.plan.confidence)},
                    {"high", "to"},
                    {"bandwidth", "bandwidth", ValueKind::number, "", "", Shown::as_data}});
  for (std::size_t p = 0; p < report.design.size(); ++p) {
    if (has_failed(report, p)) continue;
    for (std::size_t i = 0; i < report.densities->asked.size(); ++i) {
      const ResponseDensity& density = report.densities->densities[p][i];
      const std::string& name = report.densities->asked[i].name;
      const std::string label = name + point_text(report, p);
      for (const auto& [place, value, lower, upper] : density.points) {
        table.add(p, {label, name, place, value, lower, upper, density.bandwidth});
      }
      if (density.points.empty() || p >= max_points_with_pictures) continue;
      table.table.pictures.push_back(
          {label, PictureKind::band, "at", "density", "low", "high", std::pair("label", ResultValue(label))});
    }
  }
  return std::move(table.table);
}

void add_density_notes(const Report& report, std::vector<std::string>& notes) {
  for (std::size_t p = 0; p < report.design.size(); ++p) {
    for (std::size_t i = 0; i < report.densities->asked.size() && !has_failed(report, p); ++i) {
      const std::string& reason = report.densities->densities[p][i].reason;
      if (reason.empty()) continue;
      notes.push_back(
          fmt::format("{}{} has no density: {}", report.densities->asked[i].name, point_text(report, p), reason));
    }
  }
}

// The rows are sorted by verdict: points that satisfy the requirements come first. Within a verdict, the cheapest comes
// first.
ResultTable requirements_table(const Report& report) {
  const RequirementReport& requirements = *report.requirements;
  const std::size_t count = requirements.texts.size();
  std::vector<ResultColumn> columns;
  for (std::size_t i = 0; i < count; ++i) {
    columns.push_back({fmt::format("requirement_{}", i + 1), requirements.texts[i], ValueKind::text});
  }
  columns.push_back(
      {"verdict", "all requirements", ValueKind::text, "", "", count > 1 ? Shown::everywhere : Shown::as_data});
  columns.push_back({"cost", requirements.cost.value_or("cost")});
  PointTable table(report, "requirements",
                   fmt::format("Requirements{}, with {:.6g} % simultaneous confidence in all verdicts",
                               requirements.cost ? ", the cheapest points first" : "", 100 * requirements.confidence),
                   std::move(columns));
  for (const PointVerdict& point : requirements.points) {
    std::vector<ResultValue> row;
    for (const Verdict verdict : point.of_requirements) row.emplace_back(std::string(name_of(verdict)));
    row.emplace_back(std::string(name_of(point.verdict)));
    row.push_back(value_of(point.cost));
    table.add(point.point, std::move(row));
  }
  return std::move(table.table);
}

std::string verdict_of(double lower, double upper) {
  if (lower > 0) return "larger";
  return upper < 0 ? "smaller" : "undecided";
}

// Returns whether a point can have the best mean. Its distance from the best of the other points may have either sign.
std::string verdict_of(const DistanceFromBest& distance, bool is_largest_best) {
  const double worst = is_largest_best ? distance.lower : -distance.upper;
  const double best = is_largest_best ? distance.upper : -distance.lower;
  if (worst > 0) return "best";
  return best < 0 ? "not best" : "may be best";
}

ResultTable differences_table(const Report& report) {
  const PointComparison& comparison = *report.comparison;
  ResultTable table{"differences",
                    fmt::format("Differences of {} between design points: {}, with {:.6g} % simultaneous confidence",
                                comparison.request.name, comparison.by, 100 * report.plan.confidence),
                    {{"first", "point", ValueKind::count},
                     {"second", "minus point", ValueKind::count},
                     {"difference", "difference"},
                     {"low", interval_title(report.plan.confidence)},
                     {"high", "to"},
                     {"verdict", "the first point is", ValueKind::text}},
                    {}};
  for (const auto& [first, second, difference, half_width] : comparison.differences) {
    const double lower = difference - half_width, upper = difference + half_width;
    table.rows.push_back({static_cast<std::int64_t>(first + 1), static_cast<std::int64_t>(second + 1), difference,
                          lower, upper, verdict_of(lower, upper)});
  }
  if (!comparison.distances.empty()) table.shown = Shown::in_reports;
  return table;
}

ResultTable distances_table(const Report& report) {
  const auto& [request, by, differences, distances] = *report.comparison;
  PointTable table(report, "distances",
                   fmt::format("{} minus the {} of the other points: {}, with {:.6g} % simultaneous confidence",
                               request.name, name_of(request.with), by, 100 * report.plan.confidence),
                   {{"distance", "distance"},
                    {"low", interval_title(report.plan.confidence)},
                    {"high", "to"},
                    {"verdict", "verdict", ValueKind::text}});
  for (std::size_t p = 0; p < distances.size(); ++p) {
    const auto& [difference, lower, upper] = distances[p];
    table.add(p, {difference, lower, upper, verdict_of(distances[p], request.with == ComparedWith::largest)});
  }
  return std::move(table.table);
}

ResultTable best_table(const Report& report) {
  PointTable table(
      report, "best",
      fmt::format("Probability that a point has the {} mean of {}", name_of(report.best->best), report.best->response),
      {{"probability", "probability"}});
  for (std::size_t p = 0; p < report.design.size(); ++p) table.add(p, {report.best->probabilities[p]});
  table.table.shown = Shown::in_reports;
  return std::move(table.table);
}

}  // namespace

ResultFact best_finding(const Report& report) {
  constexpr double smallest_shown = 0.0005;
  constexpr std::size_t max_shown = 5;
  const std::vector<double>& probabilities = report.best->probabilities;
  std::vector<std::size_t> order(probabilities.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t point) { return probabilities[point]; });
  std::vector<std::string> list;
  for (const std::size_t point : order) {
    if (list.size() == max_shown || (!list.empty() && probabilities[point] < smallest_shown)) break;
    std::vector<std::string> values;
    for (const std::size_t i : varied_parameters(report.design)) {
      values.push_back(fmt::format("{} {}", report.model.parameters[i].name, text_of(report.design[point][i])));
    }
    list.push_back(
        fmt::format("point {} ({}) with probability {:.3f}", point + 1, fmt::join(values, ", "), probabilities[point]));
  }
  return {"best", fmt::format("{} {}", name_of(report.best->best), report.best->response),
          fmt::format("{}", fmt::join(list, "; "))};
}

void add_answers(const Report& report, ResultDocument& result) {
  std::vector<ResultTable>& tables = result.tables;
  std::vector<ResultFact>& settings = result.settings;
  if (report.simultaneous) {
    settings.push_back({"simultaneous", "simultaneous intervals", std::string(name_of(report.simultaneous->method))});
  }
  if (!report.controlled.empty()) {
    tables.push_back(controlled_table(report));
    tables.push_back(controls_table(report));
  }
  if (std::ranges::any_of(report.result.points, [](const PointResult& one) { return !one.covariances.empty(); })) {
    tables.push_back(
        pairs_table(report, "correlations", "Correlations of the responses of an observation",
                    [](const PointResult& point, std::size_t i, std::size_t j) { return correlation(point, i, j); }));
    if (report.simultaneous) tables.back().shown = Shown::as_data;
    tables.push_back(pairs_table(report, "covariances", "Covariances of the responses of an observation",
                                 [](const PointResult& point, std::size_t i, std::size_t j) {
                                   return point.covariances[i * point.responses.size() + j];
                                 }));
    tables.back().shown = Shown::as_data;
  }
  if (report.quantiles) {
    tables.push_back(quantiles_table(report));
    add_quantile_notes(report, result.notes);
  }
  if (report.probabilities) tables.push_back(probabilities_table(report));
  if (report.histograms) {
    tables.push_back(histograms_table(report));
    result.notes.emplace_back("the intervals of a histogram hold simultaneously for all of its bins");
  }
  if (report.densities) {
    tables.push_back(densities_table(report));
    add_density_notes(report, result.notes);
    result.notes.emplace_back("the intervals of a density hold simultaneously for all of its points");
  }
  if (report.requirements) tables.push_back(requirements_table(report));
  if (report.comparison) {
    const ComparisonRequest& request = report.comparison->request;
    settings.push_back({"compare", "compared response", request.name});
    settings.push_back({"compare_with", "compared with", std::string(name_of(request.with))});
    result.findings.push_back({"compared_by", "compared by", report.comparison->by});
    tables.push_back(differences_table(report));
    if (!report.comparison->distances.empty()) tables.push_back(distances_table(report));
  }
  if (report.best) tables.push_back(best_table(report));
  const bool is_selectable = std::ranges::none_of(report.model.parameters, &ParameterDescription::is_file);
  if (report.best && is_selectable) {
    result.notes.push_back(fmt::format(
        "for a selection with a guarantee, use `{}` with procedure gsp, or with kn and common random numbers",
        called_with("select")));
  }
}

}  // namespace sporos::runtime
