// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/multilevel/task.hpp>
#include <sporos/runtime/simulation/question.hpp>

#include <string>

namespace sporos::runtime {

/// `sporos multilevel`: the mean of a response by multilevel Monte Carlo.
extern const Question multilevel_question;

/// Parsed options of `sporos multilevel`.
struct MultilevelRequest : MultilevelTask {
  const ModelDescription* model = nullptr;  ///< the model
  std::string name;                         ///< name of the response
  double time_limit = 0;                    ///< time limit in seconds
};

/// Parses the options. Throws std::invalid_argument, naming the option, if the request cannot be carried out.
MultilevelRequest multilevel_request(const ModelOptions& options);

}  // namespace sporos::runtime
