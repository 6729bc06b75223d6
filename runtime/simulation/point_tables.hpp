// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/results/result_document.hpp>
#include <sporos/runtime/simulation/model_description.hpp>
#include <sporos/runtime/simulation/report.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

/// Tables with a row for each design point: each row begins with the point's number and the parameters that vary.
namespace sporos::runtime {

/// Whether a table also has the parameters that are the same at all points. If so, they appear only in data formats.
enum class Constants { are_left_out, are_data };

/// Id of the column with the points' numbers.
inline constexpr auto point_number = "point";

/// Column of the points' numbers, from 1.
ResultColumn point_number_column(Shown shown);

/// Column of a parameter.
ResultColumn parameter_column(const ParameterDescription& parameter, Shown shown);

/// Converts a parameter's value to a value of a table.
ResultValue parameter_value(const ParameterValue& value);

/// Replaces the ids of the columns [first, last) by parameter_id if another column has the same id.
void tell_apart(std::vector<ResultColumn>& columns, std::size_t first, std::size_t last);

/// Builds a table of design points.
class PointTable {
 public:
  /// Creates a table without rows. `columns` follow those of the points' numbers and parameters.
  PointTable(const Report& report, const std::string& id, const std::string& title, std::vector<ResultColumn> columns,
             Constants constants = Constants::are_left_out);

  /// Adds a row for the point of index `point`; `values` are those of the further columns.
  void add(std::size_t point, std::vector<ResultValue> values);

  ResultTable table;  ///< the table so far

 private:
  const Report& m_report;
  std::vector<std::size_t> m_parameters;  // parameters that have columns
};

/// Returns ", point 2", or an empty string if there is a single point.
std::string point_text(const Report& report, std::size_t point);

/// Returns the responses that are values of periods as a table with a row for each place and period, with pictures over
/// time. Empty if the model has no such responses.
std::optional<ResultTable> period_table(const Report& report);

/// Hides the responses of period_table from people who read `means`, the table of all responses.
void hide_period_rows(const Report& report, ResultTable& means);

}  // namespace sporos::runtime
