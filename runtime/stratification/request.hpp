// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/simulation/question.hpp>
#include <sporos/runtime/stratification/task.hpp>

#include <string>

namespace sporos::runtime {

/// `sporos stratify`: means from strata of an input variable.
extern const Question stratify_question;

/// What the options of `sporos stratify` ask for.
struct StratifiedRequest : StratifiedTask {
  const ModelDescription* model;  ///< the model
  std::string input;              ///< name of the input variable, or its number
  double time_limit;              ///< in seconds
};

/// What the options ask for. Throws std::invalid_argument, naming the option, for what cannot be carried out.
StratifiedRequest stratified_request(const ModelOptions& options);

}  // namespace sporos::runtime
