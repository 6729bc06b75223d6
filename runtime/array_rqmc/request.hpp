// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/array_rqmc/task.hpp>
#include <sporos/runtime/simulation/question.hpp>

namespace sporos::runtime {

/// `sporos array-rqmc`: the mean response of a chain by arrays of chains.
extern const Question array_rqmc_question;

/// What the options of `sporos array-rqmc` ask for.
struct ArrayRqmcRequest : ArrayRqmcTask {
  const ModelDescription* model;  ///< the model
  double time_limit;              ///< in seconds
};

/// What the options ask for. Throws std::invalid_argument, naming the option, for what cannot be carried out.
ArrayRqmcRequest array_rqmc_request(const ModelOptions& options);

}  // namespace sporos::runtime
