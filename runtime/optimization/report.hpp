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

/// Report of an optimization by Frank–Wolfe.
struct OptimizationReport {
  const ProblemDescription& problem;
  const FrankWolfeOptions& options;
  const FrankWolfeResult& result;  ///< result with at least one point of the trajectory
  const Findings& findings;
  double seconds;
  Machine machine;
  std::vector<std::string> notes;  ///< notes for readers about the files that were read
};

/// Converts the report to a document, with tables of the nonzeros of the solution, of the resources and of the
/// trajectory. The findings are the objective and the bounds of its distance from the optimum. Equal runs give equal
/// documents except for times.
ResultDocument document_of(const OptimizationReport& report);

}  // namespace sporos::runtime
