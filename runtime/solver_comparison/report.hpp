// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/results/result_document.hpp>
#include <sporos/runtime/solver_comparison/options.hpp>

#include <sporos/procedures/solver_comparison/bootstrap.hpp>
#include <sporos/procedures/solver_comparison/farming.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sporos::runtime {

/// What objectives of a problem are measured by. Objectives are as the problem has them.
struct MeasuredProblem {
  std::size_t problem;        ///< its place
  double start;               ///< objective at the start, by post-replications
  double optimum;             ///< that progress is measured against
  std::string_view known_by;  ///< "exact", "certified", "best known", or "best found": by these runs
};

/// A solver on a problem.
struct MeasuredCell {
  std::size_t problem, solver;  ///< their places
  double replications;          ///< that a run used, on average
  double end;                   ///< mean objective at the ends of the runs
  bool is_kept;                 ///< whether it was there already
};

/// A solver that did not run on a problem.
struct LeftOut {
  std::size_t problem, solver;  ///< their places
  std::string why;              ///< what the solver needs
};

/// What a setting or parameter that is varied does to the mean area of a solver on a problem.
struct SettingEffect {
  std::string problem;    ///< its name
  std::string solver;     ///< its name
  VariedSetting setting;  ///< and its range
  MainEffect effect;      ///< on the area, from the low end to the high end
};

/// The result of a comparison of solvers.
struct SolverComparisonReport {
  const SolverComparisonRequest& request;
  std::vector<MeasuredProblem> problems;  ///< those that a solver ran on
  std::vector<MeasuredCell> cells;        ///< in the order of problems, then solvers
  std::vector<LeftOut> left_out;          ///< solvers that do not fit a problem
  SolverComparisonSummary summary;        ///< of the cells, in their order
  std::vector<SettingEffect> effects;     ///< of settings that are varied
  std::optional<StopReason> ended_by;     ///< time_limit or interrupted; nothing if all runs were done
  double seconds;                         ///< time of the comparison
  Machine machine;                        ///< where it ran
};

/// Pictures of each problem: box plots of the progress at the ends of runs, and the areas under progress.
std::vector<PagePicture> drawings_of(const SolverComparisonReport& report);

/// The result.
ResultDocument document_of(const SolverComparisonReport& report);

}  // namespace sporos::runtime
