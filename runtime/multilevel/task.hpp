// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/design_models.hpp>
#include <sporos/runtime/backend/parameter_values.hpp>
#include <sporos/runtime/backend/processes.hpp>

#include <sporos/core/replication/level_pair.hpp>
#include <sporos/procedures/multilevel/multilevel.hpp>
#include <sporos/procedures/multilevel/multilevel_result.hpp>

namespace sporos::runtime {

/// Estimates the mean of a response by multilevel Monte Carlo, for models with levels. Throws the same exceptions as
/// multilevel.
struct MultilevelTask {
  ParameterValues values;          ///< the model's parameters
  int response = 0;                ///< index of the response
  MultilevelOptions options = {};  ///< options, such as the root mean square error

  using Result = MultilevelResult;

  template <class ExecutionSpace, OffersLevels Model>
  MultilevelResult run() const {
    return multilevel(ExecutionSpace(), model_of<Model>(values).level_model(response), options, processes());
  }
};

}  // namespace sporos::runtime
