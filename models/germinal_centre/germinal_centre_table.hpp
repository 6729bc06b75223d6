// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/germinal_centre/germinal_centres.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sporos::models {

/// Populations at one time: all centres together, then each pool.
struct PopulationRow {
  std::int64_t step;                ///< number of global steps so far
  std::vector<std::int64_t> cells;  ///< by place (tissue, blood, lymph, marrow, saliva) and kind
};

/// Row of a census.
inline PopulationRow population_row(std::int64_t step, const CellCensus& census) {
  std::vector<std::int64_t> cells(census.tissue.front().size(), 0);
  for (const auto& centre : census.tissue) {
    for (std::size_t kind = 0; kind < centre.size(); ++kind) cells[kind] += centre[kind];
  }
  for (const auto& pool : census.pools.cells) cells.insert(cells.end(), pool.begin(), pool.end());
  return {step, cells};
}

/// Names of the places of a row, in order.
inline std::vector<std::string> population_places() {
  std::vector<std::string> places{"tissue"};
  for (std::size_t pool = 0; pool < pool_count; ++pool) {
    places.emplace_back(name_of(static_cast<Compartment>(pool)));
  }
  return places;
}

}  // namespace sporos::models
