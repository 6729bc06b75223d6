// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/backend.hpp>
#include <sporos/runtime/search/requested_problem.hpp>
#include <sporos/runtime/solver_comparison/kept_cells.hpp>
#include <sporos/runtime/solver_comparison/report.hpp>

#include <sporos/procedures/solver_comparison/progress.hpp>

#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sporos::runtime {

/// A problem of a comparison, on a backend.
class ProblemOnBackend {
 public:
  /// Makes the problem with the request's budget and seed. Throws the same exceptions as RequestedProblem.
  ProblemOnBackend(const SolverComparisonRequest& request, const RegisteredProblem& problem, const Backend& backend);
  ProblemOnBackend(const ProblemOnBackend&) = delete;
  ProblemOnBackend& operator=(const ProblemOnBackend&) = delete;

  /// The problem to be solved.
  SampledProblem& problem() { return m_requested->problem(); }
  /// Start of searches.
  std::vector<double> start() const { return m_requested->start(); }
  /// The optimum as a point of the problem, if one is known.
  std::optional<std::vector<double>> optimum();
  /// Returns the solver's requirement that the problem does not meet; nothing if the solver fits.
  std::optional<std::string> unmet_requirement(const ComparedSolver& solver) const;
  /// Makes the solver with its settings.
  Solver solver(const ComparedSolver& solver) const;
  /// Sign of the minimized objective: -1 if the problem's own objective is maximized, otherwise 1.
  double sign() const { return m_search.objective.is_maximized ? -1 : 1; }

 private:
  const RegisteredProblem& m_registered;
  SearchRequest m_search;
  std::optional<RequestedProblem> m_requested;
};

/// Progress of a comparison.
struct SolverComparisonProgress {
  std::string_view problem, solver;  ///< names of the problem and the solver at work
  std::size_t done, all;             ///< number of finished cells, number of all cells
};

/// A comparison of solvers, from its start to its report. With several processes, all of them perform the same
/// comparison and share the samples.
class SolverComparison {
 public:
  /// Takes the request.
  explicit SolverComparison(SolverComparisonRequest request) : m_request(std::move(request)), m_kept(m_request.keep) {}

  /// The request.
  const SolverComparisonRequest& request() const { return m_request; }

  /// Runs each solver on each problem, or takes the stored runs. Ends early if `is_enough`, which is polled, returns
  /// true, or if a launch stop is requested (LaunchStopped); `allow_launches` then permits launches for a while. A
  /// solver whose first step takes more than the problem's own budget is left out. Throws std::invalid_argument if the
  /// request's budget is smaller than a solver's first step, or if no solver fits any problem. Also throws the
  /// exceptions of KeptCells.
  void run(
      const Backend& backend, const std::function<bool(const SolverComparisonProgress&)>& is_enough,
      const std::function<void()>& allow_launches = [] {});

  /// Number of cells.
  std::size_t cells() const { return m_cells.size(); }

  /// Returns the report. `ended_by` is the reason why the comparison ended early; nothing if it did not.
  SolverComparisonReport report(std::optional<StopReason> ended_by, double seconds, const Machine& machine) const;

 private:
  struct Cell {
    std::size_t problem, solver;
    RecordedRuns runs;
    bool is_kept;
  };

  bool run_problem(std::size_t problem, const Backend& backend,
                   const std::function<bool(const SolverComparisonProgress&)>& is_enough);
  bool run_cell(ProblemOnBackend& on_backend, std::size_t problem, std::size_t solver,
                const std::function<bool()>& is_enough);
  bool measure_in_time(ProblemOnBackend& on_backend, std::size_t problem, bool goes_on);
  void measure(ProblemOnBackend& on_backend, std::size_t problem);

  SolverComparisonRequest m_request;
  KeptCells m_kept;
  std::function<void()> m_allow_launches;
  std::deque<Cell> m_cells;
  std::vector<LeftOut> m_left_out;
  std::vector<MeasuredProblem> m_problems;
  std::deque<ProblemScale> m_scales;  // scales of m_problems
};

}  // namespace sporos::runtime
