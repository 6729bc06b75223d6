// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/option_table.hpp>
#include <sporos/runtime/options/usage.hpp>
#include <sporos/runtime/problems/registry.hpp>
#include <sporos/runtime/search/solvers.hpp>

#include <sporos/procedures/solver_comparison/bootstrap.hpp>
#include <sporos/procedures/solver_comparison/recorded_runs.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sporos::runtime {

/// A solver that is compared, with its settings.
struct ComparedSolver {
  std::string name;                      ///< as the user wrote it: "adam", "adam:step=0.5"
  const SolverDescription* description;  ///< the solver; null where it is one of the user's
  SolverSettings settings;               ///< as they are written behind its name
  Solver own = {};                       ///< of the user's: runs on each problem, and is not kept
};

/// A setting of a solver, or a parameter of a problem's model, that is varied on a logarithmic scale.
struct VariedSetting {
  std::string name;  ///< step, sample-size or starts; the parameter's
  double low, high;  ///< ends of its range
};

/// A solver or a problem that is varied over a design: it stands once for each of its points among the solvers, or
/// problems.
struct Farmed {
  std::string name;                         ///< of the solver or problem
  std::vector<VariedSetting> settings;      ///< factors
  std::vector<std::vector<double>> design;  ///< their places in their ranges, in [0, 1], at each point
  std::size_t first = 0;                    ///< place of the first point's among all
};

/// The options of `sporos compare-solvers`.
struct SolverComparisonRequest {
  std::vector<RegisteredProblem> problems;                               ///< different ones
  std::vector<ComparedSolver> solvers;                                   ///< different ones
  std::vector<Farmed> farmed;                                            ///< those among them whose settings are varied
  std::vector<Farmed> farmed_problems;                                   ///< problems whose parameters are varied
  std::vector<std::shared_ptr<const DescribedProblem>> varied_problems;  ///< these, at the points of their designs
  std::int64_t runs;                   ///< macro-replications of each solver on each problem
  std::optional<std::int64_t> budget;  ///< replications of a run; the problem's own where nothing is said
  std::int64_t looks;                  ///< as RecordingOptions has it
  PostReplications post;               ///< the same
  SummaryOptions summary;              ///< of results
  std::uint64_t seed;                  ///< names the random numbers
  OptionText keep;                     ///< the folder where cells are kept
  double time_limit;                   ///< seconds
};

/// Usage of `sporos compare-solvers`.
Usage compare_solvers_usage();

/// What the options ask for, with solvers of the user's behind those that they name. Throws std::invalid_argument,
/// naming the option.
SolverComparisonRequest compare_solvers_request(const OptionTable& options, std::vector<ComparedSolver> own = {});

/// The budget of a problem's runs.
std::int64_t budget_of(const SolverComparisonRequest& request, const RegisteredProblem& problem);

}  // namespace sporos::runtime
