// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/backend.hpp>
#include <sporos/runtime/backend/machine.hpp>
#include <sporos/runtime/search/constrained_search.hpp>
#include <sporos/runtime/search/journaled_problem.hpp>
#include <sporos/runtime/search/options.hpp>
#include <sporos/runtime/search/report.hpp>
#include <sporos/runtime/search/requested_problem.hpp>
#include <sporos/runtime/search/response_surface.hpp>
#include <sporos/runtime/search/solvers.hpp>

#include <sporos/optimizers/search/optimality_gap.hpp>
#include <sporos/optimizers/search/run_searches.hpp>
#include <sporos/optimizers/search/sampled_problem.hpp>
#include <sporos/optimizers/search/search.hpp>
#include <sporos/procedures/objective.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sporos::runtime {

/// A search over parameters of a model, from its start to its report. With several processes, all of them perform the
/// same search and share its samples.
class ModelSearch {
 public:
  /// Takes a request, whose parameter values must be valid for the model, and its objective.
  ModelSearch(SearchRequest request, Objective objective)
      : m_request(std::move(request)), m_objective(std::move(objective)) {}

  /// The request.
  const SearchRequest& request() const { return m_request; }

  /// Makes the problem on `backend`, which must have been started, and chooses the solver. `wrap`, if it is not empty,
  /// wraps the simulated problem. Throws std::invalid_argument
  /// if no solver fits, or if a bound of the optimality gap is requested that is not available.
  void start(const Backend& backend, const RequestedProblem::Wrap& wrap = {});

  /// Name of the solver that runs.
  std::string_view solver() const { return m_solver.solver->name; }
  /// Journal of all samples so far, from which the search can be resumed.
  JournaledProblem& journal() { return *m_journal; }
  /// Journal of all samples so far.
  const JournaledProblem& journal() const { return *m_journal; }
  /// Number of replications used by all runs of the search together.
  std::int64_t replications() const;

  /// Searches until the budget is used up, `is_enough` returns true, or a launch stop is requested (LaunchStopped).
  /// `is_enough` is polled. `allow_launches`, called here and by estimate, permits launches for a while after that.
  void run(
      const std::function<bool()>& is_enough, const std::function<void()>& allow_launches = [] {});

  /// Whether the search or its estimates were asked to stop early.
  bool is_ended_early() const { return m_is_ended_early; }

  /// Estimates the start, the last point and some between them, on replications that the search has not seen. If a stop
  /// is requested, before or during the call, only the start and the last point are estimated, by as many replications
  /// as time permits. Returns an error message if there are no such estimates, if the budget was too small for a point,
  /// or if the objective has no optimum.
  std::optional<std::string> estimate();

  /// Bounds the optimality gap of the last point. Returns nothing if no bound is requested, `is_enough`, which is
  /// polled, returns true, or a launch stop is requested. Call after estimate.
  std::optional<OptimalityGap> bounded_gap(const std::function<bool()>& is_enough);

  /// Looks for better neighbours of the last point, and estimates there the responses that are neither in the objective
  /// nor in constraints. Call after estimate.
  void examine_end();

  /// Returns the response surface and the path on it. Call after estimate.
  ResponseSurface surface();

  /// Returns the report. `end` is the reason why the search ended, `seconds` its duration, `gap` the bound of the gap
  /// if there is one.
  SearchReport report(StopReason end, double seconds, const Machine& machine,
                      const std::optional<OptimalityGap>& gap) const;

 private:
  EndReport end_report() const;
  void choose_solver();
  void find_start();
  void choose_starts();
  void take_other_responses(const Backend& backend);
  std::optional<std::string> fault_of_start(std::span<const double> start);
  std::optional<std::string> reason_without_feasible_end() const;
  void probe_end();
  void estimate_other_responses();
  bool are_gradients_unbiased();
  bool bounds_gap_by_frank_wolfe() const;
  std::int64_t gap_batches() const;
  void check_that_gap_is_bounded();
  std::optional<std::string> estimate_ends();
  std::optional<std::string> estimate_in_time();
  void certify_ends(const std::vector<std::uint64_t>& seeds, const std::function<bool()>& is_enough);
  std::optional<std::string> reason_without_end();
  std::optional<Certificate> certificate_of_end() const;
  std::optional<OptimalityGap> gap_of_end(const std::function<bool()>& is_enough);
  void select(SearchResult& run);
  void begin_points(const std::vector<Recommendation>& recommendations);
  void estimate_points(const std::vector<SampleMean>& means);
  std::vector<std::vector<double>> points() const;

  SearchRequest m_request;
  Objective m_objective;
  std::optional<RequestedProblem> m_requested;  // set once the search has been started
  SampledProblem* m_problem = nullptr;          // points to the problem of m_requested
  std::optional<JournaledProblem> m_journal;
  ChosenSolver m_solver{};
  Solver m_make;
  std::optional<bool> m_are_unbiased;  // whether pathwise gradients are unbiased, once that has been checked
  std::vector<SearchResult> m_runs;
  bool m_is_ended_early = false;
  std::function<void()> m_allow_launches;
  std::int64_t m_skipped = 0;  // number of unseen replications that chose the best end, to be skipped
  std::vector<SearchPoint> m_points;
  EstimatedMean m_improvement{};
  MacroReplications m_macro;
  std::optional<Selection> m_selection;
  std::vector<Certificate> m_certificates;      // certificates of the runs' ends, if there are constraints on means
  std::unique_ptr<SampledProblem> m_responses;  // its quantities are the responses in neither objective nor constraints
  std::vector<std::string> m_response_names;    // names of the quantities of m_responses
  EndReport m_end;                              // the findings so far
};

}  // namespace sporos::runtime
