// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/results/result_document.hpp>
#include <sporos/runtime/simulation/model_description.hpp>
#include <sporos/runtime/simulation/report.hpp>

#include <cstddef>
#include <string>
#include <vector>

/// Tables whose rows are of design points: each begins with the point's number and with the parameters that vary.
namespace sporos::runtime {

/// Whether a table also has the parameters that are the same at all points: as data alone, if so.
enum class Constants { are_left_out, are_data };

/// The id of the column with the points' numbers.
inline constexpr auto point_number = "point";

/// The column of the points' numbers, from 1.
ResultColumn point_number_column(Shown shown);

/// The column of a parameter.
ResultColumn parameter_column(const ParameterDescription& parameter, Shown shown);

/// A parameter's value.
ResultValue parameter_value(const ParameterValue& value);

/// Gives the columns from `first` to `last` other ids, by parameter_id, where another column has the same.
void tell_apart(std::vector<ResultColumn>& columns, std::size_t first, std::size_t last);

/// A table of design points.
class PointTable {
 public:
  /// Without rows; its further columns are these.
  PointTable(const Report& report, const std::string& id, const std::string& title, std::vector<ResultColumn> columns,
             Constants constants = Constants::are_left_out);

  /// Adds a row of the point with that index, whose further values are these.
  void add(std::size_t point, std::vector<ResultValue> values);

  ResultTable table;  ///< so far

 private:
  const Report& m_report;
  std::vector<std::size_t> m_parameters;  // that have columns
};

/// ", point 2", or nothing if there is a single point.
std::string point_text(const Report& report, std::size_t point);

}  // namespace sporos::runtime
