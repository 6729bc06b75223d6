// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/optimization/problem.hpp>
#include <sporos/runtime/options/output_format.hpp>
#include <sporos/runtime/options/usage.hpp>

#include <sporos/optimizers/frank_wolfe/options.hpp>

#include <span>
#include <string>
#include <vector>

namespace sporos::runtime {

/// Everything that `sporos optimize` is told.
struct OptimizeOptions {
  ProblemKind kind;
  Arguments given;  ///< of the problem, the optimizer and the run
};

/// Reads the arguments behind `sporos optimize`. Throws Help where that is asked for, std::invalid_argument for what is
/// no option; values are looked at later.
OptimizeOptions parse_optimize_options(std::span<const std::string> arguments);

/// The options that every optimization has: the state, threads, and how the report is written; `csv` says what the
/// format csv has.
std::vector<OptionEntry> run_options(const std::string& csv);

/// Every kind.
std::vector<ProblemKind> problem_kinds();

/// The kind of that name. Throws std::invalid_argument where there is none.
ProblemKind problem_kind(const std::string& name);

/// All options of an optimization of that kind.
std::vector<OptionEntry> optimize_options(const ProblemKind& kind);

/// `sporos optimize` with a problem of that kind.
Usage optimize_usage(const ProblemKind& kind);

/// The options of the optimizer that are given, over what is usual for `problem`. Throws std::invalid_argument, naming
/// the option, for those that are none or do not fit the problem.
FrankWolfeOptions frank_wolfe_options(const OptionTable& table, const OptimizationProblem& problem);

}  // namespace sporos::runtime
