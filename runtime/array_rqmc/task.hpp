// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/design_models.hpp>
#include <sporos/runtime/backend/parameter_values.hpp>
#include <sporos/runtime/backend/processes.hpp>

#include <sporos/core/replication/array_chain.hpp>
#include <sporos/procedures/array_rqmc/array_rqmc.hpp>

namespace sporos::runtime {

/// Estimates the mean response of the model's chain by array-RQMC, for models that offer a chain. Throws the same
/// exceptions as array_rqmc.
struct ArrayRqmcTask {
  ParameterValues values;         ///< the model's parameters
  ArrayRqmcOptions options = {};  ///< options of array-RQMC

  using Result = ArrayRqmcResult;

  template <class ExecutionSpace, OffersArrayChain Model>
  ArrayRqmcResult run() const {
    return array_rqmc(ExecutionSpace(), model_of<Model>(values).array_chain(options.steps), options, processes());
  }
};

}  // namespace sporos::runtime
