// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/simulation/options.hpp>

#include <sporos/procedures/array_rqmc/array_rqmc.hpp>

#include <vector>

namespace sporos::runtime {

/// The options of `sporos simulate MODEL --array-rqmc`.
std::vector<OptionEntry> array_rqmc_entries();

/// What `sporos simulate MODEL --array-rqmc` is told.
struct ArrayRqmcRequest {
  const ModelDescription* model;  ///< one that offers a chain
  ParameterValues values;         ///< of its parameters
  ArrayRqmcOptions options;       ///< how its chains are simulated
  double time_limit;              ///< seconds
};

/// Throws std::invalid_argument where options of array-RQMC are given and --array-rqmc is not.
void refuse_without_array_rqmc(const OptionTable& options);

/// What the options ask for. Throws std::invalid_argument, naming the option, for what cannot be carried out.
ArrayRqmcRequest array_rqmc_request(const SimulateOptions& options);

}  // namespace sporos::runtime
