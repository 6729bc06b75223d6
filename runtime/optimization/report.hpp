// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/machine.hpp>
#include <sporos/runtime/optimization/problem.hpp>
#include <sporos/runtime/page/document.hpp>

#include <sporos/core/io/json.hpp>
#include <sporos/optimizers/frank_wolfe/options.hpp>
#include <sporos/optimizers/frank_wolfe/result.hpp>

#include <string>
#include <vector>

namespace sporos::runtime {

/// An optimization and what came out of it.
struct OptimizationReport {
  const ProblemDescription& problem;
  const FrankWolfeOptions& options;
  const FrankWolfeResult& result;
  const Findings& findings;
  double seconds;
  Machine machine;
  std::vector<std::string> notes;  ///< what people should know of how files were read
};

/// Why it ended, as reports have it: the callback stops only where a signal came.
std::string end_of(const FrankWolfeResult& result);

/// For people: objective, gap and what it says, the largest coordinates, resources, a few points of the trajectory.
std::string table_of(const OptimizationReport& report);

/// A line for each point of the trajectory.
std::string csv_of(const OptimizationReport& report);

/// Everything:
///
///     {"sporos": version, "problem": name, "instance": {...}, "notes": [...], "options": {...}, "stopped_by",
///      "iterations", "objective", "exact_objective", "optimum", "suboptimality", "gap", "independent_gap": {...},
///      "figures": {...}, "resources": [{"name", "use", "capacity", "sense", "is_binding"}], "dimension",
///      "solution": [{"name", "value"}],
///      "trajectory": [{"epoch", "iteration", "objective", "gap", "step", "independent_gap", "seconds"}],
///      "run": {"seconds", "machine": {...}}}
///
/// `solution` holds what is not 0. Equal runs give equal bytes but for "run" and the seconds of the trajectory.
std::string json_of(const OptimizationReport& report);

/// As a page; `json` is json_of(report).
Document document_of(const OptimizationReport& report, const io::Json& json);

}  // namespace sporos::runtime
