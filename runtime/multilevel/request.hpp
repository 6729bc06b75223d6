// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/multilevel/task.hpp>
#include <sporos/runtime/simulation/question.hpp>

#include <string>

namespace sporos::runtime {

/// `sporos multilevel`: the mean of a response on ever finer levels.
extern const Question multilevel_question;

/// What the options of `sporos multilevel` ask for.
struct MultilevelRequest : MultilevelTask {
  const ModelDescription* model;  ///< the model
  std::string name;               ///< name of the response
  double time_limit;              ///< in seconds
};

/// What the options ask for. Throws std::invalid_argument, naming the option, for what cannot be carried out.
MultilevelRequest multilevel_request(const ModelOptions& options);

}  // namespace sporos::runtime
