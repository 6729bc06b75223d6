// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/option_table.hpp>
#include <sporos/runtime/options/usage.hpp>
#include <sporos/runtime/problems/problems.hpp>
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

/// A solver in a comparison, with its settings.
struct ComparedSolver {
  std::string name;                      ///< name as the user wrote it: "adam", "adam:step=0.5"
  const SolverDescription* description;  ///< description of the solver; null for a user's own solver
  SolverSettings settings;               ///< settings that follow the solver's name
  Solver own = {};  ///< a user's own solver, which runs on each problem and whose runs are not stored
};

/// A setting of a solver, or a parameter of a problem's model, that is varied on a logarithmic scale.
struct VariedSetting {
  std::string name;  ///< step, sample-size or starts, or the name of a parameter
  double low, high;  ///< ends of its range
};

/// A solver or a problem that is varied over a design. Each design point is a separate entry among the solvers or
/// problems.
struct Farmed {
  std::string name;                         ///< name of the solver or problem
  std::vector<VariedSetting> settings;      ///< factors of the design
  std::vector<std::vector<double>> design;  ///< positions in the factors' ranges, in [0, 1], for each design point
  std::size_t first = 0;                    ///< index of the entry of the first design point
};

/// The options of `sporos compare-solvers`.
struct SolverComparisonRequest {
  std::vector<RegisteredProblem> problems;  ///< problems, without duplicates
  std::vector<ComparedSolver> solvers;      ///< solvers, without duplicates
  std::vector<Farmed> farmed;               ///< solvers whose settings are varied
  std::vector<Farmed> farmed_problems;      ///< problems whose parameters are varied
  /// Problems at the design points of farmed_problems.
  std::vector<std::shared_ptr<const DescribedProblem>> varied_problems;
  std::int64_t runs;                   ///< macro-replications of each solver on each problem
  std::optional<std::int64_t> budget;  ///< replications of a run; default: the problem's budget
  std::int64_t looks;                  ///< maximum number of recommendations kept of a run (RecordingOptions)
  PostReplications post;               ///< evaluation of points after the runs (RecordingOptions)
  SummaryOptions summary;              ///< options of the summary
  std::uint64_t seed;                  ///< seed of the random numbers
  OptionText keep;                     ///< folder in which cells are stored
  double time_limit;                   ///< limit of time in seconds
};

/// Usage of `sporos compare-solvers`.
Usage compare_solvers_usage();

/// Parses the options into a request. The user's own solvers follow those that the options name. Throws
/// std::invalid_argument, naming the option, if one is invalid.
SolverComparisonRequest compare_solvers_request(const OptionTable& options, std::vector<ComparedSolver> own = {});

/// Returns the budget of a problem's runs.
std::int64_t budget_of(const SolverComparisonRequest& request, const RegisteredProblem& problem);

}  // namespace sporos::runtime
