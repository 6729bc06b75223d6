// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/results/result_document.hpp>

#include <sporos/core/io/json.hpp>

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

/// What renderers have in common.
namespace sporos::runtime {

/// The value in all digits; null if it is missing or unknown.
io::Json json_value(const ResultValue& value);

/// The value for people: a missing one is empty, and "unknown" a number that is not finite. A number has the decimals
/// that a finite `half_width` gives, or four digits.
std::string people_text(const ResultValue& value, ValueKind kind,
                        double half_width = std::numeric_limits<double>::infinity());

/// "mm1: An M/M/1 queue".
std::string heading_of(const ResultSubject& subject);

/// Whether values of the kind are aligned as numbers.
inline bool is_numeric(ValueKind kind) { return kind != ValueKind::text && kind != ValueKind::boolean; }

/// The column's title with its unit.
std::string title_of(const ResultColumn& column);

/// "spread: how far below the best the worst ended"; empty without a meaning.
std::string meaning_of(const ResultColumn& column);

/// The place of the column of that id. @throws std::out_of_range if there is none.
std::size_t column_of(const ResultTable& table, std::string_view id);

/// The value in that row, for people.
std::string people_text(const ResultTable& table, const std::vector<ResultValue>& row, std::size_t column);

/// The first table that people see, which needs no heading in the text.
const ResultTable& main_table(const ResultDocument& result);

/// Whether people see the column in the table: it is shown, and a row has a value there.
bool is_seen(const ResultTable& table, std::size_t column);

/// The places of the rows that people see, where `most` is the limit of a table that shows its first rows.
std::vector<std::size_t> seen_rows(const ResultTable& table, std::size_t most);

/// "and 27 more"; empty unless the table shows its first rows alone, `most` of them, and has more.
std::string more_rows_text(const ResultTable& table, std::size_t most);

}  // namespace sporos::runtime
