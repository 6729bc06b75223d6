// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/page/document.hpp>
#include <sporos/runtime/results/result_document.hpp>

#include <sporos/core/io/json.hpp>

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

/// Renderers of a result: text, CSV, JSON, HTML and gnuplot.
namespace sporos::runtime {

/// Version of the JSON format, the first member of each result's JSON. It increases when programs that read results
/// must change.
inline constexpr int result_format = 1;

/// Returns the result as human-readable text: the model, the lead, tables, findings and notes.
std::string table_of(const ResultDocument& result);

/// Returns the table as human-readable text: titles, rows, and explanations of short titles.
std::string table_of(const ResultTable& table);

/// Returns the table with the id `table` as CSV, or the first table if `table` is empty. The header line has the ids of
/// the columns. A last column, stopped_by, is added unless the table already has one. Missing and unknown values are
/// empty.
/// @throws std::out_of_range if there is no such table
std::string csv_of(const ResultDocument& result, std::string_view table = {});

/// Returns the whole result as JSON, as docs/result.schema.json describes. Missing and unknown values are null.
std::string json_of(const ResultDocument& result);
/// Returns this JSON as a value.
io::Json json_value(const ResultDocument& result);

/// Returns the result as a page with tables and pictures.
Document page_of(const ResultDocument& result);

/// Returns a gnuplot script that draws the pictures of the result's page side by side.
std::string picture_of(const ResultDocument& result);

// The renderers share the following functions.

/// Returns the value in all digits, or null if it is missing or unknown.
io::Json json_value(const ResultValue& value);

/// Returns the value as human-readable text: empty for a missing value, "unknown" for a number that is not finite. A
/// finite `half_width` determines the decimals of a number; otherwise it has four digits.
std::string people_text(const ResultValue& value, ValueKind kind,
                        double half_width = std::numeric_limits<double>::infinity());

/// Returns the name and the title, such as "mm1: An M/M/1 queue".
std::string heading_of(const ResultSubject& subject);

/// Whether values of the kind are aligned as numbers.
inline bool is_numeric(ValueKind kind) { return kind != ValueKind::text && kind != ValueKind::boolean; }

/// Returns the column's title with its unit.
std::string title_of(const ResultColumn& column);

/// Returns the explanation of a title, such as "spread: how far below the best the worst ended"; empty without a
/// meaning.
std::string meaning_of(const ResultColumn& column);

/// Returns the index of the column with that id. @throws std::out_of_range if there is none.
std::size_t column_of(const ResultTable& table, std::string_view id);

/// Returns the value of a column in that row, as human-readable text.
std::string people_text(const ResultTable& table, const std::vector<ResultValue>& row, std::size_t column);

/// Returns the first table that is shown to people, or the first table if there is none.
const ResultTable& main_table(const ResultDocument& result);

/// Whether people see the column: it is not for programs only, and at least one row has a value in it.
bool is_seen(const ResultTable& table, std::size_t column);

/// Returns the indices of the rows that people see. A table with RowsShown::first shows at most `most` rows.
std::vector<std::size_t> seen_rows(const ResultTable& table, std::size_t most);

/// Returns text such as "and 27 more" if the table has RowsShown::first and more than `most` rows; otherwise empty.
std::string more_rows_text(const ResultTable& table, std::size_t most);

}  // namespace sporos::runtime
