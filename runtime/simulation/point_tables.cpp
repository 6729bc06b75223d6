// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/simulation/point_tables.hpp>

#include <sporos/runtime/simulation/design_points.hpp>

#include <sporos/core/io/format.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

namespace sporos::runtime {

namespace {

constexpr std::size_t max_period_pictures = 12;

std::vector<PeriodResponse> periods_of(const Report& report) {
  const auto& periods = report.model.periods;
  return periods == nullptr ? std::vector<PeriodResponse>() : periods(report.design.front());
}

// Returns the distinct values of a member in the order of their first appearance.
std::vector<std::string> distinct(const std::vector<PeriodResponse>& periods, std::string PeriodResponse::*member) {
  std::vector<std::string> values;
  for (const PeriodResponse& period : periods) {
    if (std::ranges::find(values, period.*member) == values.end()) values.push_back(period.*member);
  }
  return values;
}

std::string id_of(std::string quantity) {
  std::ranges::replace(quantity, ' ', '_');
  return quantity;
}

// Returns the columns of the periods, and those of each quantity with its interval.
std::vector<ResultColumn> columns_of(const Report& report, const std::vector<std::string>& quantities,
                                     const std::string& unit) {
  std::vector<ResultColumn> columns{{"place", "place", ValueKind::text},
                                    {.id = "from", .title = "from", .kind = ValueKind::exact, .unit = unit},
                                    {.id = "to", .title = "to", .kind = ValueKind::exact, .unit = unit},
                                    data_column("middle", "middle of the period")};
  for (const std::string& quantity : quantities) {
    const std::string id = id_of(quantity), width = id + "_half_width";
    columns.push_back({id, quantity, ValueKind::number, width});
    columns.push_back({width, half_width_title(report.plan.confidence), ValueKind::number, width, "",
                       quantities.size() == 1 ? Shown::everywhere : Shown::in_reports});
    columns.push_back({id + "_low", "from", ValueKind::number, width, "", Shown::as_data});
    columns.push_back({id + "_high", "to", ValueKind::number, width, "", Shown::as_data});
  }
  return columns;
}

// Adds a row for each place and period at a design point. `periods` has the quantities of a place one after the other.
void add_rows(PointTable& table, const Report& report, std::size_t point, const std::vector<PeriodResponse>& periods,
              const std::vector<std::string>& quantities) {
  const auto& responses = report.result.points[point].responses;
  std::vector<std::vector<ResultValue>> rows;
  for (const PeriodResponse& period : periods) {
    auto row = std::ranges::find_if(rows, [&](const auto& values) {
      return values[0] == ResultValue(period.place) && values[1] == ResultValue(period.from);
    });
    if (row == rows.end()) {
      rows.push_back({period.place, period.from, period.to, (period.from + period.to) / 2});
      rows.back().resize(4 + 4 * quantities.size());
      row = rows.end() - 1;
    }
    const auto column = 4 + 4 * (std::ranges::find(quantities, period.quantity) - quantities.begin());
    const ResponseEstimate& one = responses[period.response];
    const ResultValue values[] = {one.mean, one.half_width, one.mean - one.half_width, one.mean + one.half_width};
    std::ranges::copy(values, row->begin() + column);
  }
  for (auto& row : rows) table.add(point, std::move(row));
}

}  // namespace

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

std::optional<ResultTable> period_table(const Report& report) {
  const std::vector<PeriodResponse> periods = periods_of(report);
  if (periods.empty()) return std::nullopt;
  const auto quantities = distinct(periods, &PeriodResponse::quantity);
  PointTable table(report, "periods", "Averages over periods",
                   columns_of(report, quantities, periods.front().time_unit));
  for (std::size_t p = 0; p < report.design.size(); ++p) {
    if (!report.result.points[p].failure) add_rows(table, report, p, periods, quantities);
  }
  if (report.design.size() > 1) return std::move(table.table);
  for (const std::string& quantity : quantities) {
    for (const std::string& place : distinct(periods, &PeriodResponse::place)) {
      const bool has_quantity = std::ranges::any_of(
          periods, [&](const PeriodResponse& period) { return period.place == place && period.quantity == quantity; });
      if (!has_quantity || table.table.pictures.size() == max_period_pictures) continue;
      const std::string id = id_of(quantity);
      table.table.pictures.push_back({quantity + (place == "network" ? " in network" : " at " + place),
                                      PictureKind::band, "middle", id, id + "_low", id + "_high",
                                      std::pair("place", ResultValue(place))});
    }
  }
  return std::move(table.table);
}

void hide_period_rows(const Report& report, ResultTable& means) {
  for (const PeriodResponse& period : periods_of(report)) {
    std::size_t row = period.response;
    for (const PointResult& point : report.result.points) {
      if (row < means.rows.size()) means.data_rows.push_back(row);
      row += point.responses.size();
    }
  }
  std::ranges::sort(means.data_rows);
}

}  // namespace sporos::runtime
