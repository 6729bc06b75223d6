// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/simulation/question.hpp>

#include <sporos/core/io/json.hpp>
#include <sporos/procedures/steady_state/steady_state.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace sporos::runtime {

/// `sporos steady-state`: steady-state means, from long runs.
extern const Question steady_state_question;

/// Parsed options of `sporos steady-state`.
struct SteadyStateRequest {
  const ModelDescription* model;        ///< model, which offers series
  ParameterValues values;               ///< values of the model's parameters
  SteadyStateGoal goal;                 ///< method, precision and length of the runs
  std::int64_t runs;                    ///< number of independent runs
  std::uint64_t seed;                   ///< seed of the random numbers
  double time_limit;                    ///< time limit in seconds
  std::vector<std::string> names = {};  ///< names of all means that the model's runs estimate
};

/// Parses the options. Throws std::invalid_argument, naming the option, if the request cannot be carried out: for
/// parameters that the model's series ignore, several design points, or a model without a steady state.
SteadyStateRequest steady_state_request(const ModelOptions& options);

/// Returns a description of the estimation, with everything that determines its result.
io::Json description_of(const SteadyStateRequest& request);

}  // namespace sporos::runtime
