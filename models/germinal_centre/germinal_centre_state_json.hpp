// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/json.hpp>
#include <sporos/models/germinal_centre/germinal_centre_table.hpp>
#include <sporos/models/germinal_centre/germinal_centres.hpp>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// State of a run of germinal centres as JSON, for checkpoints.
namespace sporos::models {

/// State of a run that was stopped.
struct GerminalCentreRunState {
  GerminalCentresState centres;     ///< state of centres and pools
  std::vector<PopulationRow> rows;  ///< time series so far
};

/// Converts a state to JSON; the same state gives the same bytes.
inline io::Json json_of(const GerminalCentreRunState& state) {
  io::Json centres = io::Json::array(), rows = io::Json::array();
  for (const CentreState& centre : state.centres.centres) centres.push_back(words_of(centre));
  for (const PopulationRow& row : state.rows) rows.push_back({{"step", row.step}, {"cells", row.cells}});
  const PoolsState& pools = state.centres.pools;
  return {{"steps", state.centres.steps}, {"pools", pools.cells}, {"produced", pools.produced},
          {"lost", pools.lost},           {"sent", pools.sent},   {"centres", std::move(centres)},
          {"series", std::move(rows)}};
}

namespace impl {

/// A list of whole numbers, which must have `count` elements unless `count` is 0.
template <class Number>
std::vector<Number> whole_numbers(const io::Json& json, const std::string& what, std::size_t count) {
  bool is_good = json.is_array() && (count == 0 || json.size() == count);
  for (std::size_t i = 0; is_good && i < json.size(); ++i) is_good = json[i].is_number_integer();
  if (!is_good) throw io::JsonError(json, what + " is damaged, expected a list of whole numbers");
  return json.get<std::vector<Number>>();
}

}  // namespace impl

/// Reads the state that json_of has written for this case; `what` names it in messages. Throws std::invalid_argument if
/// `json` is not such a state.
inline GerminalCentreRunState germinal_centre_run_state_of_json(const io::Json& json, const std::string& what,
                                                                const GerminalCentreCase& all) {
  const std::size_t kinds = all.kinds.size();
  const auto numbers = [&](const io::Json& list, std::size_t count) {
    return impl::whole_numbers<std::int64_t>(list, what, count);
  };
  const auto member = [&](const char* name) -> const io::Json& { return io::json_member<io::Json>(json, what, name); };
  GerminalCentreRunState state;
  state.centres.steps = io::json_member<std::int64_t>(json, what, "steps");
  const io::Json& pools = io::json_list(json, what, "pools");
  if (pools.size() != pool_count) throw std::invalid_argument(what + " is damaged, expected four pools");
  for (std::size_t pool = 0; pool < pool_count; ++pool) state.centres.pools.cells[pool] = numbers(pools[pool], kinds);
  state.centres.pools.produced = numbers(member("produced"), kinds);
  state.centres.pools.lost = numbers(member("lost"), kinds);
  state.centres.pools.sent = numbers(member("sent"), kinds);
  for (const io::Json& centre : io::json_list(json, what, "centres")) {
    const auto words = impl::whole_numbers<std::uint64_t>(centre, what, 0);
    try {
      state.centres.centres.push_back(centre_state_of(words, CentreShape::of(all)));
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(what + ": " + error.what());
    }
  }
  for (const io::Json& row : io::json_list(json, what, "series")) {
    state.rows.push_back({io::json_member<std::int64_t>(row, what, "step"),
                          numbers(io::json_member<io::Json>(row, what, "cells"), (pool_count + 1) * kinds)});
  }
  return state;
}

}  // namespace sporos::models
