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

/// The result of a question as data: facts, tables, pictures of their columns, and notes. renderers.hpp writes it as
/// text, CSV, JSON and HTML, so that a new column is added in one place.
namespace sporos::runtime {

/// A value of a result; std::monostate if there is none. A number that is not finite is unknown.
using ResultValue = std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string>;

/// The value of an optional number.
inline ResultValue value_of(const std::optional<double>& number) {
  return number ? ResultValue(*number) : ResultValue();
}

/// The value of a number; none if the number is not finite.
inline ResultValue finite_value(double number) { return std::isfinite(number) ? ResultValue(number) : ResultValue(); }

/// The title of a column of half-widths: "95 % half-width".
inline std::string half_width_title(double confidence) { return fmt::format("{:.6g} % half-width", 100 * confidence); }

/// The title of a column with the lower ends of intervals: "95 % interval: from".
inline std::string interval_title(double confidence) {
  return fmt::format("{:.6g} % interval: from", 100 * confidence);
}

/// What a column or a fact holds; of an exact number all digits matter, a percentage is a share of 1, a duration has
/// seconds.
enum class ValueKind { text, number, exact, count, percentage, duration, boolean };

}  // namespace sporos::runtime

/// Names of the kinds.
template <>
struct sporos::ChoiceNames<sporos::runtime::ValueKind> {
  static constexpr std::string_view what = "kind of a value";  ///< what is named
  /// name and value of each
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

/// Where a table or a column is shown.
enum class Shown {
  everywhere,  ///< in all outputs
  in_reports,  ///< in HTML, JSON and Python: not in the text
  as_data      ///< in JSON, CSV and Python alone
};

/// Which rows of a long table people see. JSON, CSV and Python have all of them.
enum class RowsShown {
  all,     ///< every row
  first,   ///< the first 10 in the text and 50 on a page, and how many more there are
  thinned  ///< the first rows, then ever fewer, and the last: of a run's progress, say
};

/// Numbers without a resolution are shown in 4 digits.
inline constexpr double no_resolution = std::numeric_limits<double>::infinity();

/// A column of a table.
struct ResultColumn {
  std::string id;                      ///< its name in JSON, CSV and Python: lower case, with underscores
  std::string title;                   ///< for people
  ValueKind kind = ValueKind::number;  ///< of its values
  /// Id of the column with its half-width or standard error, which says how many decimals are shown; 4 digits if empty.
  std::string half_width = {};
  std::string unit = {};              ///< for people and JSON; empty without one
  Shown shown = Shown::everywhere;    ///< in which outputs
  double resolution = no_resolution;  ///< people see decimals up to two digits of it, where no half-width says how many
  std::string meaning = {};           ///< explains a short title, below the table and in JSON; empty without one
};

/// A column for programs alone.
inline ResultColumn data_column(std::string id, std::string title, ValueKind kind = ValueKind::number) {
  return {.id = std::move(id), .title = std::move(title), .kind = kind, .shown = Shown::as_data};
}

/// How a picture shows columns of its table.
enum class PictureKind {
  curve,        ///< y over x
  curves,       ///< y over x, a curve for each value of `series`
  intervals,    ///< y over x, each with its interval from low to high
  convergence,  ///< an estimate over a number of observations, with its interval
  runs,         ///< y of independent runs, in their order, and their mean with its interval as they add up
  bars,         ///< two bars with intervals for each x: of the share alone, and with interactions
  band,         ///< y over x, with the band from low to high
  histogram,    ///< y of the bins from x to second_x, each with its interval from low to high
  steps,     ///< y over x, constant up to the next x: a curve for each value of `series`; with bands if there are few
  progress,  ///< y that holds from each x to the next, with its interval if there is one; x is logarithmic
  quartiles  ///< medians y with a band from low to high, and a wider one between the second ones; x is logarithmic
};

/// A point with its interval that a picture shows in addition to its columns.
struct ResultMark {
  std::string title;       ///< in the key
  double x, y, low, high;  ///< where it is, and the ends of its interval
};

}  // namespace sporos::runtime

/// Names of the kinds.
template <>
struct sporos::ChoiceNames<sporos::runtime::PictureKind> {
  using Kind = runtime::PictureKind;                           ///< what there is
  static constexpr std::string_view what = "kind of picture";  ///< what is named
  /// name and value of each
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
  std::string title;  ///< above it
  PictureKind kind;   ///< how it shows them
  std::string x;      ///< id of a column; of runs, what they are
  std::string y;      ///< id of a column
  /// Ids of the columns with the ends of intervals. Without them, `intervals` has y ± its column of half-widths.
  std::string low = {}, high = {};
  std::optional<std::pair<std::string, ResultValue>> rows = {};  ///< only rows with that value in the column of that id
  bool is_logarithmic = false;                                   ///< whether y is; values up to 0 are left out then
  std::string second_y = {}, second_low = {}, second_high = {};  ///< of bars and quartiles, ids of the second columns
  std::string second_x = {};                                     ///< of a histogram, id of the column with upper edges
  std::string series = {};                                       ///< of steps, id of the column that tells curves apart
  bool is_in_order = false;  ///< of intervals, whether x labels the points, which stand in the order of their rows
  std::optional<double> limit = {};     ///< y of a line across intervals or progress
  std::optional<double> last_x = {};    ///< of progress, where the last one ends
  std::optional<ResultMark> mark = {};  ///< of progress and quartiles

  /// The picture with the second columns in place of the first.
  ResultPicture second() const { return {title, kind, x, second_y, second_low, second_high, rows, is_logarithmic}; }
};

/// Rows of values.
struct ResultTable {
  std::string id;                              ///< its name in JSON and Python
  std::string title;                           ///< the heading of its section on a page
  std::vector<ResultColumn> columns;           ///< in their order
  std::vector<std::vector<ResultValue>> rows;  ///< a value for each column
  Shown shown = Shown::everywhere;             ///< in which outputs
  std::vector<ResultPicture> pictures = {};    ///< below it on a page
  std::vector<PagePicture> drawings = {};      ///< below those: what no kind of picture of columns can show
  RowsShown rows_shown = RowsShown::all;       ///< to people
  std::size_t most_in_json = std::numeric_limits<std::size_t>::max();  ///< rows of a very long table; CSV has all
};

/// A named value.
struct ResultFact {
  std::string id;                     ///< its name in JSON and Python
  std::string title;                  ///< for people
  ResultValue value;                  ///< facts without a value are left out of what people read
  ValueKind kind = ValueKind::text;   ///< of the value
  double resolution = no_resolution;  ///< people see decimals up to two digits of it
  Shown shown = Shown::everywhere;    ///< in which outputs
};

/// A named value for programs alone.
inline ResultFact data_fact(std::string id, std::string title, ResultValue value, ValueKind kind = ValueKind::text) {
  return {std::move(id), std::move(title), std::move(value), kind, no_resolution, Shown::as_data};
}

/// The members of an object as facts, whose titles are the ids with blanks; those of an inner object begin with its
/// name, and lists are joined by commas. A number is a count if JSON has it without a decimal point.
std::vector<ResultFact> facts_of(const io::Json& object);

/// A parameter of what a question is about.
struct ResultParameter {
  std::string name;         ///< in all outputs
  ResultValue value;        ///< for programs; none if it differs between design points
  std::string text;         ///< for people
  std::string unit;         ///< empty without one
  std::string meaning;      ///< in a few words
  bool is_on_pages = true;  ///< false for the members of a case that are as in its file, which are many
};

/// The id of a parameter's column if another column has the parameter's name.
inline std::string parameter_id(const std::string& name) { return "parameter_" + name; }

/// A column with the values of a parameter. Its id is the parameter's name, or its parameter_id if a column of `others`
/// has that name.
ResultColumn parameter_column(const ParameterDescription& parameter, const std::vector<ResultColumn>& others);

/// What a question is about: a model, a problem or data.
struct ResultSubject {
  std::string name;                              ///< as commands take it: mm1, say, or the name of a file
  std::string title = {};                        ///< for people; empty without one
  std::vector<ResultParameter> parameters = {};  ///< of a model
};

/// The model, with these values; parameters at the places `varied` differ between design points.
ResultSubject subject_of(const ModelDescription& model, const ParameterValues& values,
                         const std::vector<std::size_t>& varied = {});

/// The result of a question.
struct ResultDocument {
  std::string question;                    ///< the name of the question
  ResultSubject subject;                   ///< about which
  std::string lead;                        ///< what was done, in one sentence
  std::vector<ResultFact> settings;        ///< what was asked, which `lead` tells in text
  std::vector<ResultTable> tables;         ///< the first is what CSV has
  std::vector<ResultFact> findings = {};   ///< beside the tables
  std::vector<std::string> notes = {};     ///< what people should know
  std::string stopped_by;                  ///< why the run ended
  std::string early_end = {};              ///< "Stopped by time limit after 12 of 30 runs."; empty for a whole run
  double confidence = 0.95;                ///< of all intervals, if there are any
  double seconds;                          ///< that it took
  Machine machine;                         ///< where
  std::vector<PageSection> sections = {};  ///< of a page, after the tables: what is shown there but is not data
};

}  // namespace sporos::runtime
