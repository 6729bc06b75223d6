// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/option_table.hpp>
#include <sporos/runtime/simulation/model_description.hpp>

#include <sporos/core/io/json.hpp>
#include <sporos/procedures/steady_state/steady_state.hpp>

#include <cstdint>
#include <vector>

namespace sporos::runtime {

/// The options of `sporos simulate MODEL --steady-state` beside those that it shares with replications. Models without
/// series have the first one alone, which then says why.
std::vector<OptionEntry> steady_state_entries(bool has_series);

/// What `sporos simulate MODEL --steady-state` is told.
struct SteadyStateRequest {
  const ModelDescription* model;  ///< one with series
  ParameterValues values;         ///< of its parameters
  SteadyStateGoal goal;           ///< what is wanted
  std::int64_t runs;              ///< how many
  std::uint64_t seed;             ///< of the random numbers
  double time_limit;              ///< seconds
};

/// Throws std::invalid_argument where options of steady-state means are given and --steady-state is not.
void refuse_without_steady_state(const OptionTable& options);

/// What `options` ask for, of the model at `design`. Throws std::invalid_argument, naming the option, for what cannot
/// be carried out: options of replications, several design points, a model without series or without steady state.
SteadyStateRequest steady_state_request(const ModelDescription& model, const std::vector<ParameterValues>& design,
                                        const OptionTable& options);

/// What an estimation is of: all that decides the result.
io::Json description_of(const SteadyStateRequest& request);

}  // namespace sporos::runtime
