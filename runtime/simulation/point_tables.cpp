// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/simulation/design_points.hpp>
#include <sporos/runtime/simulation/point_tables.hpp>

#include <sporos/core/io/format.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

namespace sporos::runtime {

ResultColumn point_number_column(Shown shown) { return {point_number, "point", ValueKind::count, "", "", shown}; }

ResultColumn parameter_column(const ParameterDescription& parameter, Shown shown) {
  const ValueKind kind = parameter.is_file()    ? ValueKind::text
                         : parameter.is_whole() ? ValueKind::count
                                                : ValueKind::exact;
  return {parameter.name, parameter.name, kind, "", parameter.unit, shown};
}

ResultValue parameter_value(const ParameterValue& value) {
  return std::visit([](const auto& held) { return ResultValue(held); }, value);
}

void tell_apart(std::vector<ResultColumn>& columns, std::size_t first, std::size_t last) {
  for (std::size_t i = first; i < last; ++i) {
    const auto same = std::ranges::count(columns, columns[i].id, &ResultColumn::id);
    if (same > 1) columns[i].id = parameter_id(columns[i].id);
  }
}

PointTable::PointTable(const Report& report, const std::string& id, const std::string& title,
                       std::vector<ResultColumn> columns, Constants constants)
    : table{id, title, {point_number_column(report.design.size() == 1 ? Shown::as_data : Shown::everywhere)}, {}},
      m_report(report) {
  for (std::size_t i = 0; i < report.model.parameters.size(); ++i) {
    const ParameterDescription& parameter = report.model.parameters[i];
    const bool is_varied = varies(report.design, i);
    const bool is_kept = constants == Constants::are_data && !parameter.is_as_in_case(report.design.front()[i]);
    if (!is_varied && !is_kept) continue;
    m_parameters.push_back(i);
    table.columns.push_back(parameter_column(parameter, is_varied ? Shown::everywhere : Shown::as_data));
  }
  std::ranges::move(columns, std::back_inserter(table.columns));
  tell_apart(table.columns, 1, 1 + m_parameters.size());
}

void PointTable::add(std::size_t point, std::vector<ResultValue> values) {
  std::vector<ResultValue> row{static_cast<std::int64_t>(point + 1)};
  for (const std::size_t i : m_parameters) row.push_back(parameter_value(m_report.design[point][i]));
  std::ranges::move(values, std::back_inserter(row));
  table.rows.push_back(std::move(row));
}

std::string point_text(const Report& report, std::size_t point) {
  return report.design.size() > 1 ? fmt::format(", point {}", point + 1) : "";
}

}  // namespace sporos::runtime
