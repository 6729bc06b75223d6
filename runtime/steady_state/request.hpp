// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/simulation/question.hpp>

#include <sporos/core/io/json.hpp>
#include <sporos/procedures/steady_state/steady_state.hpp>

#include <cstdint>

namespace sporos::runtime {

/// `sporos steady-state`: the means of runs without end.
extern const Question steady_state_question;

/// What the options of `sporos steady-state` ask for.
struct SteadyStateRequest {
  const ModelDescription* model;  ///< one with series
  ParameterValues values;         ///< of its parameters
  SteadyStateGoal goal;           ///< what is wanted
  std::int64_t runs;              ///< how many
  std::uint64_t seed;             ///< of the random numbers
  double time_limit;              ///< seconds
};

/// What `options` ask for. Throws std::invalid_argument, naming the option, for what cannot be carried out: parameters
/// that runs without end do not have, several design points, a model without steady state.
SteadyStateRequest steady_state_request(const ModelOptions& options);

/// What an estimation is of: all that decides the result.
io::Json description_of(const SteadyStateRequest& request);

}  // namespace sporos::runtime
