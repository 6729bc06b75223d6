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
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sporos::runtime {

/// A problem of a comparison, on a backend.
class ProblemOnBackend {
 public:
  /// With the request's budget and seed. Throws as RequestedProblem does.
  ProblemOnBackend(const SolverComparisonRequest& request, const RegisteredProblem& problem, const Backend& backend);
  ProblemOnBackend(const ProblemOnBackend&) = delete;
  ProblemOnBackend& operator=(const ProblemOnBackend&) = delete;

  /// To be solved.
  SampledProblem& problem() { return m_requested->problem(); }
  /// Where searches begin.
  std::vector<double> start() const { return m_requested->start(); }
  /// The optimum as a point of the problem, where one is known.
  std::optional<std::vector<double>> optimum();
  /// What the problem lacks for the solver; nothing where that fits.
  std::optional<std::string> lack_of(const ComparedSolver& solver) const;
  /// The solver as its settings say.
  Solver solver(const ComparedSolver& solver) const;
  /// Of the objective that is minimized: -1 where the problem's own is maximized.
  double sign() const { return m_search.objective.is_maximized ? -1 : 1; }

 private:
  const RegisteredProblem& m_registered;
  SearchRequest m_search;
  std::optional<RequestedProblem> m_requested;
};

/// Progress of a comparison.
struct SolverComparisonProgress {
  std::string_view problem, solver;  ///< that are at work
  std::size_t done, all;             ///< cells
};

/// A comparison of solvers, from its beginning to its report. Several processes all do the same and share the samples.
class SolverComparison {
 public:
  /// A comparison as requested.
  explicit SolverComparison(SolverComparisonRequest request) : m_request(std::move(request)), m_kept(m_request.keep) {}

  /// What was asked for.
  const SolverComparisonRequest& request() const { return m_request; }

  /// Runs each solver on each problem, or takes what is kept, until `is_enough`, which is asked again and again, says
  /// so. A solver whose first step takes more than the problem's own budget is left out. Throws std::invalid_argument
  /// where the request's budget is below a solver's first step, where no solver fits any problem, and as KeptCells
  /// does. Also ends where launches are asked to end (LaunchStopped); `allow_launches` then lets them go on for a
  /// while.
  void run(
      const Backend& backend, const std::function<bool(const SolverComparisonProgress&)>& is_enough,
      const std::function<void()>& allow_launches = [] {});

  /// How many cells there are.
  std::size_t cells() const { return m_cells.size(); }

  /// The result. `ended_by` says why the comparison ended early; nothing if it did not.
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
  std::deque<ProblemScale> m_scales;  // of m_problems
};

}  // namespace sporos::runtime
