// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/solver_comparison/options.hpp>

#include <sporos/core/io/json.hpp>
#include <sporos/procedures/solver_comparison/recorded_runs.hpp>

#include <optional>
#include <string>

namespace sporos::runtime {

/// Where the runs of each solver on each problem are kept: PROBLEM.SOLVER.json in a folder. A file is there with all of
/// a cell or not at all. Of several processes the first reads and writes.
class KeptCells {
 public:
  /// In that folder, which is made with the first cell where it is not there; nowhere without one. Throws
  /// io::WriteError where it could not be made or written to now.
  explicit KeptCells(const OptionText& folder);

  /// The runs of a solver on a problem; nothing where they are not kept. Throws std::invalid_argument where the file is
  /// none of a cell, or of a comparison with other options. Collective.
  std::optional<RecordedRuns> read(const SolverComparisonRequest& request, const RegisteredProblem& problem,
                                   const ComparedSolver& solver) const;

  /// Keeps them. Throws io::WriteError where that fails.
  void write(const SolverComparisonRequest& request, const RegisteredProblem& problem, const ComparedSolver& solver,
             const RecordedRuns& runs) const;

 private:
  std::string path_of(const RegisteredProblem& problem, const ComparedSolver& solver) const;

  OptionText m_folder;
};

/// As KeptCells writes them.
io::Json json_of(const RecordedRuns& runs);

/// The same read. Throws std::invalid_argument, calling it `what`, where it is none.
RecordedRuns recorded_runs_of_json(const io::Json& json, const std::string& what);

}  // namespace sporos::runtime
