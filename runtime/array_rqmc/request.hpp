// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/array_rqmc/task.hpp>
#include <sporos/runtime/simulation/question.hpp>

namespace sporos::runtime {

/// `sporos array-rqmc`: the mean response of a chain by array-RQMC.
extern const Question array_rqmc_question;

/// Parsed options of `sporos array-rqmc`.
struct ArrayRqmcRequest : ArrayRqmcTask {
  const ModelDescription* model = nullptr;  ///< the model
  double time_limit = 0;                    ///< time limit in seconds
};

/// Parses the options. Throws std::invalid_argument, naming the option, if the request cannot be carried out.
ArrayRqmcRequest array_rqmc_request(const ModelOptions& options);

}  // namespace sporos::runtime
