// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/page/document.hpp>
#include <sporos/runtime/results/result_document.hpp>

#include <string>
#include <string_view>

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

/// Returns the result as a page with tables and pictures.
Document page_of(const ResultDocument& result);

/// Returns a gnuplot script that draws the pictures of the result's page side by side.
std::string picture_of(const ResultDocument& result);

}  // namespace sporos::runtime
