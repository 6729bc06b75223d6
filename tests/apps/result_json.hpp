// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "process.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>

/// Results in JSON (docs/result.schema.json).
namespace sporos::test {

/// The rows of a table.
inline const nlohmann::ordered_json& rows_of(const nlohmann::ordered_json& result, const std::string& table) {
  return result.at("tables").at(table).at("rows");
}

/// The rows of a table for one design point, which is counted from 1.
inline nlohmann::ordered_json rows_of(const nlohmann::ordered_json& result, const std::string& table,
                                      std::size_t point) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const auto& row : rows_of(result, table)) {
    if (row.at("point") == point) rows.push_back(row);
  }
  return rows;
}

/// A result without the members that differ between runs and machines, and between programs for hosts and for GPUs.
inline nlohmann::ordered_json lasting_result(nlohmann::ordered_json result) {
  for (const char* name : {"seconds", "machine"}) result.erase(name);
  if (starts_gpu() && result.contains("findings")) result["findings"].erase("mapping");
  return result;
}

}  // namespace sporos::test
