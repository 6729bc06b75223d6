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

/// Arguments of `sporos optimize`.
struct OptimizeOptions {
  ProblemKind kind;
  Arguments given;  ///< options of the problem, the optimizer and the run
};

/// Parses the arguments after `sporos optimize`. Throws Help if they request help, and std::invalid_argument if an
/// argument is not an option; values are checked later.
OptimizeOptions parse_optimize_options(std::span<const std::string> arguments);

/// The options that every optimization has: the state, threads, and the format of the report. `csv` describes the
/// contents of the format csv.
std::vector<OptionEntry> run_options(const std::string& csv);

/// All kinds of problems.
std::vector<ProblemKind> problem_kinds();

/// Returns the kind called `name`. Throws std::invalid_argument if there is none.
ProblemKind problem_kind(const std::string& name);

/// All options of an optimization of that kind.
std::vector<OptionEntry> optimize_options(const ProblemKind& kind);

/// Usage of `sporos optimize` with a problem of that kind.
Usage optimize_usage(const ProblemKind& kind);

/// Parses the options of the optimizer over the defaults for `problem`. Throws std::invalid_argument, naming the
/// option, if one is invalid or does not fit the problem.
FrankWolfeOptions frank_wolfe_options(const OptionTable& table, const OptimizationProblem& problem);

}  // namespace sporos::runtime
