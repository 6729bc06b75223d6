// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/page/document.hpp>
#include <sporos/runtime/results/result_document.hpp>

#include <string>
#include <string_view>

/// The outputs of a result.
namespace sporos::runtime {

/// The number in the first member of each result's JSON. It grows when a program that reads results has to change.
inline constexpr int result_format = 1;

/// For people: the model, the lead, tables, findings and notes.
std::string table_of(const ResultDocument& result);

/// A table for people: titles, rows, and what short titles mean.
std::string table_of(const ResultTable& table);

/// The table with that id, or the first if it is empty, behind a line with the ids of its columns; stopped_by is in the
/// last column if the table has none of its own. A missing or unknown value is empty.
/// @throws std::out_of_range if there is no such table
std::string csv_of(const ResultDocument& result, std::string_view table = {});

/// All of it, as docs/result.schema.json describes. A missing or unknown value is null.
std::string json_of(const ResultDocument& result);

/// A page with its tables and pictures.
Document page_of(const ResultDocument& result);

/// The pictures of its page, side by side, as a script of gnuplot.
std::string picture_of(const ResultDocument& result);

}  // namespace sporos::runtime
