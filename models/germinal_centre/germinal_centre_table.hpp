// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/csv.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/models/germinal_centre/germinal_centres.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sporos::models {

/// The populations at one time: all centres together, then the pools one after the other.
struct PopulationRow {
  std::int64_t step;                ///< global ones so far
  std::vector<std::int64_t> cells;  ///< by place (tissue, blood, lymph, marrow, saliva) and kind
};

/// Of a census.
inline PopulationRow population_row(std::int64_t step, const CellCensus& census) {
  std::vector<std::int64_t> cells(census.tissue.front().size(), 0);
  for (const auto& centre : census.tissue) {
    for (std::size_t kind = 0; kind < centre.size(); ++kind) cells[kind] += centre[kind];
  }
  for (const auto& pool : census.pools.cells) cells.insert(cells.end(), pool.begin(), pool.end());
  return {step, cells};
}

/// The places of a row, in order.
inline std::vector<std::string> population_places() {
  std::vector<std::string> places{"tissue"};
  for (std::size_t pool = 0; pool < pool_count; ++pool) {
    places.emplace_back(name_of(static_cast<Compartment>(pool)));
  }
  return places;
}

/// The time series as CSV: `minutes`, then `KIND in PLACE` for each place and kind.
inline std::string population_text(const GerminalCentreCase& all, const std::vector<PopulationRow>& rows) {
  std::vector<std::string> fields{"minutes"};
  for (const std::string& place : population_places()) {
    for (const CellKind& kind : all.kinds) fields.push_back(std::string(kind.name).append(" in ").append(place));
  }
  std::string text;
  io::append_csv_row(text, fields);
  for (const PopulationRow& row : rows) {
    fields = {io::shortest_text(static_cast<double>(row.step) * all.global_step())};
    for (const std::int64_t cells : row.cells) fields.push_back(std::to_string(cells));
    io::append_csv_row(text, fields);
  }
  return text;
}

}  // namespace sporos::models
