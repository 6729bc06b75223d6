// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/machine.hpp>
#include <sporos/runtime/optimization/problem.hpp>
#include <sporos/runtime/results/result_document.hpp>

#include <sporos/optimizers/frank_wolfe/options.hpp>
#include <sporos/optimizers/frank_wolfe/result.hpp>

#include <string>
#include <vector>

namespace sporos::runtime {

/// An optimization by Frank–Wolfe and what it found.
struct OptimizationReport {
  const ProblemDescription& problem;
  const FrankWolfeOptions& options;
  const FrankWolfeResult& result;  ///< with at least one point of the trajectory
  const Findings& findings;
  double seconds;
  Machine machine;
  std::vector<std::string> notes;  ///< what readers should know of the files that were read
};

/// Tables of the solution without its zeros, of the resources and of the trajectory; as findings the objective and the
/// bounds of its distance from the optimum. Equal runs give equal documents except for times.
ResultDocument document_of(const OptimizationReport& report);

}  // namespace sporos::runtime
