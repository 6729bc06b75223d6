// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/machine.hpp>
#include <sporos/runtime/optimization/problem.hpp>
#include <sporos/runtime/options/usage.hpp>
#include <sporos/runtime/results/output.hpp>
#include <sporos/runtime/results/result_document.hpp>

#include <sporos/optimizers/frank_wolfe/options.hpp>
#include <sporos/optimizers/frank_wolfe/result.hpp>

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

/// Formats a solution as CSV: name and value of each coordinate if `all`, otherwise of the nonzeros.
std::string solution_text(const ProblemDescription& problem, const std::vector<double>& solution, bool all);

/// Reads a file that solution_text has made; coordinates missing in it are 0. Appends to `notes` in which ways the file
/// is not plain CSV. Throws std::invalid_argument, naming file, line and column, if the columns are different, a name
/// is unknown to the problem or occurs twice, or a value is not a finite number.
std::vector<double> read_solution(const ProblemDescription& problem, const std::string& path,
                                  std::vector<std::string>& notes);

}  // namespace sporos::runtime
