// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/page/document.hpp>
#include <sporos/runtime/results/result_document.hpp>

#include <string>

/// The outputs of a result.
namespace sporos::runtime {

/// The number in the first member of each result's JSON. It grows when a program that reads results has to change.
inline constexpr int result_format = 1;

/// For people: the model, the lead, tables, findings and notes.
std::string table_of(const ResultDocument& result);

/// The first table behind a line with the ids of its columns, with stopped_by in the last column. A missing or unknown
/// value is empty.
std::string csv_of(const ResultDocument& result);

/// All of it, as docs/result.schema.json describes. A missing or unknown value is null.
std::string json_of(const ResultDocument& result);

/// A page with its tables and pictures.
Document page_of(const ResultDocument& result);

}  // namespace sporos::runtime
