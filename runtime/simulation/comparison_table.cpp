// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/simulation/comparison_table.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/table.hpp>

#include <algorithm>
#include <cmath>

namespace sporos::runtime {

namespace {

using Column = io::Table::Column;

std::string ends_of(double lower, double upper) {
  if (!std::isfinite(lower) || !std::isfinite(upper)) return "unknown";
  return fmt::format("{:.6g} to {:.6g}", lower, upper);
}

std::string verdict_of(double lower, double upper) {
  if (lower > 0) return "larger";
  return upper < 0 ? "smaller" : "undecided";
}

// Whether a point can have the best mean: its distance from the best of the others may have either sign.
std::string may_be_best(const DistanceFromBest& distance, bool is_largest_best) {
  const double worst = is_largest_best ? distance.lower : -distance.upper;
  const double best = is_largest_best ? distance.upper : -distance.lower;
  if (worst > 0) return "best";
  return best < 0 ? "not best" : "may be best";
}

std::string interval_title(const Report& report) {
  return fmt::format("{:.6g} % interval", 100 * report.plan.confidence);
}

std::string differences_text(const Report& report) {
  io::Table table({{"points", Column::text},
                   {"difference", Column::number},
                   {interval_title(report), Column::text},
                   {"the first one is", Column::text}});
  for (const auto& [first, second, difference, half_width] : report.comparison->differences) {
    const double lower = difference - half_width, upper = difference + half_width;
    table.add_row({fmt::format("{} less {}", first + 1, second + 1), fmt::format("{:.6g}", difference),
                   ends_of(lower, upper), verdict_of(lower, upper)});
  }
  return table.text();
}

std::string distances_text(const Report& report) {
  const auto with = report.comparison->request.with;
  io::Table table({{"point", Column::number},
                   {fmt::format("less the {} of the others", name_of(with)), Column::number},
                   {interval_title(report), Column::text},
                   {"verdict", Column::text}});
  const auto& distances = report.comparison->distances;
  for (std::size_t point = 0; point < distances.size(); ++point) {
    const auto& [difference, lower, upper] = distances[point];
    table.add_row({std::to_string(point + 1), fmt::format("{:.6g}", difference), ends_of(lower, upper),
                   may_be_best(distances[point], with == ComparedWith::largest)});
  }
  return table.text();
}

std::string number(double value) { return std::isfinite(value) ? io::shortest_text(value) : ""; }

std::vector<std::string> fields_of(double difference, double lower, double upper) {
  return {number(difference), number(lower), number(upper)};
}

}  // namespace

std::string comparison_table(const Report& report) {
  const PointComparison& comparison = *report.comparison;
  return fmt::format("differences of {}, {}, with {:.6g} % confidence in all together\n\n{}", comparison.request.name,
                     comparison.by, 100 * report.plan.confidence,
                     comparison.distances.empty() ? differences_text(report) : distances_text(report));
}

std::vector<std::string> comparison_columns(const Report& report) {
  const ComparedWith with = report.comparison->request.with;
  std::vector<std::string> names, ends;
  if (with == ComparedWith::all) {
    for (std::size_t point = 0; point < report.design.size(); ++point) ends.push_back(std::to_string(point + 1));
  } else {
    ends.push_back(with == ComparedWith::first ? "1" : std::string(name_of(with)));
  }
  for (const auto& end : ends) {
    for (const auto* which : {"", "_low", "_high"}) names.push_back(fmt::format("difference_{}{}", end, which));
  }
  return names;
}

std::vector<std::string> comparison_fields(const Report& report, std::size_t point, std::size_t response) {
  const PointComparison& comparison = *report.comparison;
  std::vector<std::string> fields(comparison_columns(report).size());
  if (response != comparison.request.response) return fields;
  if (!comparison.distances.empty()) {
    const auto& [difference, lower, upper] = comparison.distances[point];
    return fields_of(difference, lower, upper);
  }
  const auto set = [&](std::size_t other, double difference, double half_width) {
    const auto three = fields_of(difference, difference - half_width, difference + half_width);
    if (3 * other < fields.size()) std::copy(three.begin(), three.end(), fields.begin() + 3 * static_cast<long>(other));
  };
  for (const auto& [first, second, difference, half_width] : comparison.differences) {
    if (first == point) set(second, difference, half_width);
    if (second == point) set(first, -difference, half_width);
  }
  return fields;
}

}  // namespace sporos::runtime
