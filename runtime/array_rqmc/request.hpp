// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/simulation/question.hpp>

#include <sporos/procedures/array_rqmc/array_rqmc.hpp>

namespace sporos::runtime {

/// `sporos array-rqmc`: the mean response of a chain by arrays of chains.
extern const Question array_rqmc_question;

/// What the options of `sporos array-rqmc` ask for.
struct ArrayRqmcRequest {
  const ModelDescription* model;  ///< one that offers a chain
  ParameterValues values;         ///< of its parameters
  ArrayRqmcOptions options;       ///< how its chains are simulated
  double time_limit;              ///< seconds
};

/// What the options ask for. Throws std::invalid_argument, naming the option, for what cannot be carried out.
ArrayRqmcRequest array_rqmc_request(const ModelOptions& options);

}  // namespace sporos::runtime
