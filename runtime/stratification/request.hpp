// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/simulation/question.hpp>
#include <sporos/runtime/stratification/task.hpp>

#include <string>

namespace sporos::runtime {

/// `sporos stratify`: means from strata of an input variable.
extern const Question stratify_question;

/// Parsed options of `sporos stratify`.
struct StratifiedRequest : StratifiedTask {
  const ModelDescription* model = nullptr;  ///< the model
  std::string input;                        ///< name of the input variable, or its number
  double time_limit = 0;                    ///< time limit in seconds
};

/// Parses the options. Throws std::invalid_argument, naming the option, if the request cannot be carried out.
StratifiedRequest stratified_request(const ModelOptions& options);

}  // namespace sporos::runtime
