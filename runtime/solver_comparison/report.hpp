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

/// The scale on which objectives of a problem are measured. Objectives have the sign that the problem states.
struct MeasuredProblem {
  std::size_t problem;        ///< index of the problem
  double start;               ///< objective at the start, by post-replications
  double optimum;             ///< objective at the optimum, the reference of progress
  std::string_view known_by;  ///< "exact", "certified", "best known", or "best found" by these runs
};

/// Results of a solver on a problem.
struct MeasuredCell {
  std::size_t problem, solver;  ///< indices of the problem and the solver
  double replications;          ///< mean number of replications that a run used
  double end;                   ///< mean objective at the ends of the runs
  bool is_kept;                 ///< whether the runs were already stored
};

/// A solver that did not run on a problem.
struct LeftOut {
  std::size_t problem, solver;  ///< indices of the problem and the solver
  std::string why;              ///< requirement of the solver that is not met
};

/// Effect of a varied setting or parameter on the mean area of a solver on a problem.
struct SettingEffect {
  std::string problem;    ///< name of the problem
  std::string solver;     ///< name of the solver
  VariedSetting setting;  ///< the setting and its range
  MainEffect effect;      ///< effect on the area, from the low end to the high end
};

/// The result of a comparison of solvers.
struct SolverComparisonReport {
  const SolverComparisonRequest& request;
  std::vector<MeasuredProblem> problems;  ///< problems that a solver ran on
  std::vector<MeasuredCell> cells;        ///< results ordered by problem, then by solver
  std::vector<LeftOut> left_out;          ///< solvers that were left out, by problem
  SolverComparisonSummary summary;        ///< summaries of the cells, in their order
  std::vector<SettingEffect> effects;     ///< effects of settings that are varied
  std::optional<StopReason> ended_by;     ///< time_limit or interrupted; nothing if all runs were finished
  double seconds;                         ///< duration of the comparison
  Machine machine;                        ///< machine on which the comparison ran
};

/// Pictures of each problem: box plots of the progress at the ends of runs, and the areas under progress.
std::vector<PagePicture> drawings_of(const SolverComparisonReport& report);

/// Converts the report to a document.
ResultDocument document_of(const SolverComparisonReport& report);

}  // namespace sporos::runtime
