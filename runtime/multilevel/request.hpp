// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/simulation/question.hpp>

#include <sporos/procedures/multilevel/multilevel_result.hpp>

#include <cstddef>
#include <string>

namespace sporos::runtime {

/// `sporos multilevel`: the mean of a response on ever finer levels.
extern const Question multilevel_question;

/// What the options of `sporos multilevel` ask for.
struct MultilevelRequest {
  const ModelDescription* model;  ///< one whose responses have levels
  ParameterValues values;         ///< of its parameters
  std::size_t response;           ///< which one
  std::string name;               ///< of the response
  MultilevelOptions options;      ///< how precise its mean has to be
  double time_limit;              ///< seconds
};

/// What the options ask for. Throws std::invalid_argument, naming the option, for what cannot be carried out.
MultilevelRequest multilevel_request(const ModelOptions& options);

}  // namespace sporos::runtime
