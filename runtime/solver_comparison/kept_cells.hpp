// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/solver_comparison/options.hpp>

#include <sporos/core/io/json.hpp>
#include <sporos/procedures/solver_comparison/recorded_runs.hpp>

#include <optional>
#include <string>

namespace sporos::runtime {

/// A folder that stores the runs of each solver on each problem (a cell) in a file PROBLEM.SOLVER.json. A file has a
/// whole cell or does not exist. If there are several processes, the first reads and writes.
class KeptCells {
 public:
  /// Stores cells in `folder`, which is created with the first cell if it does not exist. Nothing is stored without a
  /// folder. Throws io::WriteError if the folder cannot be created or written to.
  explicit KeptCells(const OptionText& folder);

  /// Returns the runs of a solver on a problem; nothing if they are not stored. Throws std::invalid_argument if the
  /// file is not that of a cell, or is that of a comparison with other options. Collective.
  std::optional<RecordedRuns> read(const SolverComparisonRequest& request, const RegisteredProblem& problem,
                                   const ComparedSolver& solver) const;

  /// Stores the runs. Throws io::WriteError if that fails.
  void write(const SolverComparisonRequest& request, const RegisteredProblem& problem, const ComparedSolver& solver,
             const RecordedRuns& runs) const;

 private:
  std::string path_of(const RegisteredProblem& problem, const ComparedSolver& solver) const;

  OptionText m_folder;
};

/// Converts runs to the JSON that KeptCells writes.
io::Json json_of(const RecordedRuns& runs);

/// Converts JSON back to runs. Throws std::invalid_argument, in which `what` names the JSON, if it is not valid.
RecordedRuns recorded_runs_of_json(const io::Json& json, const std::string& what);

}  // namespace sporos::runtime
