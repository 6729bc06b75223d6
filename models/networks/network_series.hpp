// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/replication/series_runs.hpp>
#include <sporos/models/networks/network_case.hpp>
#include <sporos/models/networks/network_data.hpp>

#include <span>
#include <string>
#include <vector>

/// Long runs of a network, for means in steady state. An observation is a time slot of constant length.
namespace sporos::models {

/// Returns the network of a long run: it has time slots and no end, and observes only responses with a steady-state
/// mean. If schedules repeat, a slot consists of whole cycles; otherwise, about as many customers as are in the
/// network, and at least ten, are served in it. `values` are those of the members. Throws std::invalid_argument, with
/// the reason and the remedy, if there is no steady state.
NetworkDescription long_run_of(const NetworkDescription& network, std::span<const double> values);

/// Series of a long run.
struct NetworkSeries {
  std::vector<NetworkSeriesTerm> terms;  ///< observed responses, in their order
  std::vector<SeriesMean> means;         ///< mean of each response
  int count = 0;                         ///< number of series
};

/// Returns the series of a network that long_run_of has returned. A response that averages over time has one series. A
/// response that averages over customers, such as a wait, is the mean of its sums divided by the mean of the numbers of
/// customers, which responses share.
NetworkSeries network_series(const NetworkDescription& network);

/// Whether a response has the same value in all slots of a long run: numbers and flows of a network without arrivals,
/// and losses where customers are always blocked instead.
bool is_constant(const NetworkDescription& network, const NetworkResponse& response);

/// Returns the description of a slot of a long run, such as "5 min".
std::string slot_text(const NetworkDescription& network);

}  // namespace sporos::models
