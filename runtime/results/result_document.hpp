// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/machine.hpp>
#include <sporos/runtime/page/document.hpp>
#include <sporos/runtime/simulation/model_description.hpp>

#include <sporos/core/execution/choice.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/json.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

/// The result of a question as data: facts, tables, pictures of table columns, and notes. The functions of
/// renderers.hpp write it as text, CSV, JSON and HTML, so that a new column is added in one place.
namespace sporos::runtime {

/// A value of a result. std::monostate is a missing value, and a number that is not finite is an unknown one.
using ResultValue = std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string>;

/// Converts an optional number to a value, which is missing without a number.
inline ResultValue value_of(const std::optional<double>& number) {
  return number ? ResultValue(*number) : ResultValue();
}

/// Converts a number to a value, which is missing if the number is not finite.
inline ResultValue finite_value(double number) { return std::isfinite(number) ? ResultValue(number) : ResultValue(); }

/// Returns the title of a column of half-widths, such as "95 % half-width".
inline std::string half_width_title(double confidence) { return fmt::format("{:.6g} % half-width", 100 * confidence); }

/// Returns the title of a column with the lower ends of intervals, such as "95 % interval: from".
inline std::string interval_title(double confidence) {
  return fmt::format("{:.6g} % interval: from", 100 * confidence);
}

/// Kind of the values of a column or fact. An exact number is shown in all digits, a percentage is a share of 1, and a
/// duration is in seconds.
enum class ValueKind { text, number, exact, count, percentage, duration, boolean };

}  // namespace sporos::runtime

/// Names of the values of ValueKind.
template <>
struct sporos::ChoiceNames<sporos::runtime::ValueKind> {
  static constexpr std::string_view what = "kind of a value";  ///< name of the choice in messages
  /// name and value of each choice
  static constexpr auto values =
      std::to_array<NamedValue<runtime::ValueKind>>({{"text", runtime::ValueKind::text},
                                                     {"number", runtime::ValueKind::number},
                                                     {"exact", runtime::ValueKind::exact},
                                                     {"count", runtime::ValueKind::count},
                                                     {"percentage", runtime::ValueKind::percentage},
                                                     {"duration", runtime::ValueKind::duration},
                                                     {"boolean", runtime::ValueKind::boolean}});
};

namespace sporos::runtime {

/// Outputs that show a table, a column or a fact.
enum class Shown {
  everywhere,  ///< all outputs
  in_reports,  ///< all outputs except the text: HTML, JSON, CSV and Python
  as_data      ///< outputs for programs only: JSON, CSV and Python
};

/// Rows of a long table that people see. JSON, CSV and Python have all rows.
enum class RowsShown {
  all,     ///< every row
  first,   ///< the first 10 rows in the text and 50 on a page, and the number of the others
  thinned  ///< rows 0, 1, 2, 4, 8, … and the last row, for example of a run's progress
};

/// No resolution: numbers are shown in 4 digits.
inline constexpr double no_resolution = std::numeric_limits<double>::infinity();

/// A column of a table.
struct ResultColumn {
  std::string id;                      ///< name in JSON, CSV and Python: lower case, with underscores
  std::string title;                   ///< human-readable title
  ValueKind kind = ValueKind::number;  ///< kind of the values
  /// Id of the column with the half-width or standard error, which determines the decimals shown; 4 digits if empty.
  std::string half_width = {};
  std::string unit = {};            ///< unit in text and JSON; empty without one
  Shown shown = Shown::everywhere;  ///< outputs that show the column
  /// People see decimals up to the second digit of the resolution, unless a half-width determines them.
  double resolution = no_resolution;
  std::string meaning = {};  ///< explanation of a short title, below the table and in JSON; empty without one
};

/// Returns a column that only outputs for programs show.
inline ResultColumn data_column(std::string id, std::string title, ValueKind kind = ValueKind::number) {
  return {.id = std::move(id), .title = std::move(title), .kind = kind, .shown = Shown::as_data};
}

/// The form in which a picture shows columns of its table.
enum class PictureKind {
  curve,        ///< y over x
  curves,       ///< y over x, with a curve for each value of `series`
  intervals,    ///< y over x, each with its interval from low to high
  convergence,  ///< an estimate with its interval, over the number of observations
  runs,         ///< y of independent runs in their order, and the history of their mean with its interval
  bars,         ///< two bars with intervals for each x: the first-order and the total index
  band,         ///< y over x, with the band from low to high
  histogram,    ///< y of the bins from x to second_x, each with its interval from low to high
  steps,        ///< step functions y of x, one for each value of `series`, with bands if there are few
  progress,     ///< step function y of x, with intervals if there are any; the x axis is logarithmic
  quartiles     ///< medians y, a band from low to high and a wider one from second_low to second_high; x is logarithmic
};

/// A point with its interval that a picture shows in addition to its columns.
struct ResultMark {
  std::string title;       ///< title in the key
  double x, y, low, high;  ///< position, and ends of the interval
};

}  // namespace sporos::runtime

/// Names of the values of PictureKind.
template <>
struct sporos::ChoiceNames<sporos::runtime::PictureKind> {
  using Kind = runtime::PictureKind;                           ///< type of the choices
  static constexpr std::string_view what = "kind of picture";  ///< name of the choice in messages
  /// name and value of each choice
  static constexpr auto values = std::to_array<NamedValue<Kind>>({{"curve", Kind::curve},
                                                                  {"curves", Kind::curves},
                                                                  {"intervals", Kind::intervals},
                                                                  {"convergence", Kind::convergence},
                                                                  {"runs", Kind::runs},
                                                                  {"bars", Kind::bars},
                                                                  {"band", Kind::band},
                                                                  {"histogram", Kind::histogram},
                                                                  {"steps", Kind::steps},
                                                                  {"progress", Kind::progress},
                                                                  {"quartiles", Kind::quartiles}});
};

namespace sporos::runtime {

/// A picture of columns of its table.
struct ResultPicture {
  std::string title;  ///< text above the picture
  PictureKind kind;   ///< form of the picture
  std::string x;      ///< id of the column for the x axis; for `runs`, the label of the axis
  std::string y;      ///< id of the column for the y axis
  /// Ids of the columns with the ends of intervals. If they are empty, `intervals` uses y ± its half-width column.
  std::string low = {}, high = {};
  /// Id of a column, and the value that rows of the picture have in it; all rows if empty.
  std::optional<std::pair<std::string, ResultValue>> rows = {};
  bool is_logarithmic = false;  ///< whether the y axis is logarithmic, which omits values up to 0
  std::string second_y = {}, second_low = {}, second_high = {};  ///< ids of the second columns of `bars`, `quartiles`
  std::string second_x = {};            ///< id of the column with the upper edges of a `histogram`
  std::string series = {};              ///< id of the column that distinguishes the curves of `curves` and `steps`
  bool is_in_order = false;             ///< whether `intervals` puts points in the order of rows, with x as labels
  std::optional<double> limit = {};     ///< y of a horizontal line in `intervals`, `progress` and `quartiles`
  std::optional<double> last_x = {};    ///< x at which the last step of `progress` ends
  std::optional<ResultMark> mark = {};  ///< additional point of `progress` and `quartiles`

  /// Returns the picture with the second columns in place of the first.
  ResultPicture second() const { return {title, kind, x, second_y, second_low, second_high, rows, is_logarithmic}; }
};

/// A table of a result: columns and rows of values, with pictures.
struct ResultTable {
  std::string id;                              ///< name in JSON and Python, and for --table
  std::string title;                           ///< heading of the table's section on a page
  std::vector<ResultColumn> columns;           ///< columns in the order shown
  std::vector<std::vector<ResultValue>> rows;  ///< rows, with a value for each column
  Shown shown = Shown::everywhere;             ///< outputs that show the table
  std::vector<ResultPicture> pictures = {};    ///< pictures below the table on a page
  std::vector<PagePicture> drawings = {};      ///< further pictures, which no PictureKind can show
  RowsShown rows_shown = RowsShown::all;       ///< rows that people see
  std::size_t max_in_json = std::numeric_limits<std::size_t>::max();  ///< limit of rows in JSON; CSV has all rows
  std::vector<std::size_t> data_rows = {};  ///< increasing indices of rows that only outputs for programs show
};

/// A named value of a result.
struct ResultFact {
  std::string id;                     ///< name in JSON and Python
  std::string title;                  ///< human-readable title
  ResultValue value;                  ///< value; people do not see facts with a missing value
  ValueKind kind = ValueKind::text;   ///< kind of the value
  double resolution = no_resolution;  ///< people see decimals up to the second digit of the resolution
  Shown shown = Shown::everywhere;    ///< outputs that show the fact
};

/// Returns a named value that only outputs for programs show.
inline ResultFact data_fact(std::string id, std::string title, ResultValue value, ValueKind kind = ValueKind::text) {
  return {std::move(id), std::move(title), std::move(value), kind, no_resolution, Shown::as_data};
}

/// Returns the members of a JSON object as facts. Titles are the ids with spaces in place of underscores. Ids of an
/// inner object's members begin with its name, and lists are joined by commas. A number is a count if it has no decimal
/// point in JSON.
std::vector<ResultFact> facts_of(const io::Json& object);

/// A parameter of the subject of a question.
struct ResultParameter {
  std::string name;     ///< name in all outputs
  ResultValue value;    ///< value for programs; missing if it differs between design points
  std::string text;     ///< human-readable value
  std::string unit;     ///< unit; empty without one
  std::string meaning;  ///< explanation in a few words
  /// Whether people see the parameter. They do not see the many members of a case whose values are those of its file.
  bool is_on_pages = true;
};

/// Returns the id of a parameter's column if another column already has the parameter's name as its id.
inline std::string parameter_id(const std::string& name) { return "parameter_" + name; }

/// Returns a column for the values of a parameter. Its id is the parameter's name, or its parameter_id if a column of
/// `others` has that name as its id.
ResultColumn parameter_column(const ParameterDescription& parameter, const std::vector<ResultColumn>& others);

/// The subject of a question: a model, a problem or data.
struct ResultSubject {
  std::string name;                              ///< name on the command line, such as mm1 or the name of a file
  std::string title = {};                        ///< human-readable title; empty without one
  std::vector<ResultParameter> parameters = {};  ///< parameters of a model
};

/// Returns the model with these parameter values as a subject. Parameters with the indices `varied` differ between
/// design points.
ResultSubject subject_of(const ModelDescription& model, const ParameterValues& values,
                         const std::vector<std::size_t>& varied = {});

/// The result of a question.
struct ResultDocument {
  std::string question;                    ///< name of the question
  ResultSubject subject;                   ///< model, problem or data that the question is about
  std::string lead;                        ///< summary of the computation in one sentence
  std::vector<ResultFact> settings;        ///< settings of the question; `lead` has them as text
  std::vector<ResultTable> tables;         ///< tables; CSV has the first by default
  std::vector<ResultFact> findings = {};   ///< results in addition to the tables
  std::vector<std::string> notes = {};     ///< human-readable remarks
  std::string stopped_by;                  ///< reason for the end of the run
  std::string early_end = {};              ///< "Stopped by time limit after 12 of 30 runs."; empty for a complete run
  double confidence = 0.95;                ///< confidence of all intervals, if there are any
  double seconds;                          ///< duration of the run
  Machine machine;                         ///< machine of the run
  std::vector<PageSection> opening = {};   ///< further sections of a page, before the tables; not data
  std::vector<PageSection> sections = {};  ///< further sections of a page, after the tables; not data
};

}  // namespace sporos::runtime
