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

/// A search over parameters of a model, from its beginning to its report. Where there are several processes, all of
/// them do the same and share its samples.
class ModelSearch {
 public:
  /// Of what is asked for; of a model that these values make.
  ModelSearch(SearchRequest request, Objective objective)
      : m_request(std::move(request)), m_objective(std::move(objective)) {}

  /// What was asked for.
  const SearchRequest& request() const { return m_request; }

  /// Makes the problem on `backend`, which has been started, and chooses the solver. Throws std::invalid_argument where
  /// none would do, and where a gap is to be bounded that cannot be.
  void start(const Backend& backend);

  /// The solver that runs.
  std::string_view solver() const { return m_solver.solver->name; }
  /// All that the search was told so far, from which it can go on.
  JournaledProblem& journal() { return *m_journal; }
  /// The same.
  const JournaledProblem& journal() const { return *m_journal; }
  /// Replications of the search that has run, all runs together.
  std::int64_t replications() const;

  /// Searches until the budget is used up, or `is_enough`, which is asked again and again, or launches are asked to
  /// end (LaunchStopped). `allow_launches`, called here and by estimate, lets them go on for a while after that.
  void run(
      const std::function<bool()>& is_enough, const std::function<void()>& allow_launches = [] {});

  /// Whether the search or its estimates were asked to end.
  bool is_ended_early() const { return m_is_ended_early; }

  /// Estimates the start, the last point and some between them, on replications that the search has not seen. Where it
  /// was asked to end, before or meanwhile, the start and the last point by as many replications as there is time for.
  /// Returns a sentence why there are no such points, where the budget was too small for one, or the objective has no
  /// optimum.
  std::optional<std::string> estimate();

  /// Bounds the gap of the last point, where that is asked for and neither `is_enough`, which is asked again and again,
  /// nor a request to end launches ends it. After estimate.
  std::optional<OptimalityGap> bounded_gap(const std::function<bool()>& is_enough);

  /// Looks for better neighbours of the last point, and estimates there the responses that are neither in the objective
  /// nor in constraints. After estimate.
  void examine_end();

  /// The response surface and the path on it. After estimate.
  ResponseSurface surface();

  /// What was found, with the gap where there is one. `end` says why it ended; it took so many seconds.
  SearchReport report(StopReason end, double seconds, const Machine& machine,
                      const std::optional<OptimalityGap>& gap) const;

 private:
  EndReport end_report() const;
  void choose_solver();
  void find_start();
  void choose_starts();
  void take_other_responses(const Backend& backend);
  std::optional<std::string> fault_of_start(std::span<const double> start);
  std::optional<std::string> lack_of_feasible_end() const;
  void probe_end();
  void estimate_other_responses();
  bool are_gradients_unbiased();
  bool bounds_gap_by_frank_wolfe() const;
  std::int64_t gap_batches() const;
  void check_that_gap_is_bounded();
  std::optional<std::string> estimate_ends();
  std::optional<std::string> estimate_in_time();
  void certify_ends(const std::vector<std::uint64_t>& seeds, const std::function<bool()>& is_enough);
  std::optional<std::string> lack_of_end();
  std::optional<Certificate> certificate_of_end() const;
  std::optional<OptimalityGap> gap_of_end(const std::function<bool()>& is_enough);
  void select(SearchResult& run);
  void begin_points(const std::vector<Recommendation>& recommendations);
  void estimate_points(const std::vector<SampleMean>& means);
  std::vector<std::vector<double>> points() const;

  SearchRequest m_request;
  Objective m_objective;
  std::optional<RequestedProblem> m_requested;  // once the search has been started
  SampledProblem* m_problem = nullptr;          // that it is
  std::optional<JournaledProblem> m_journal;
  ChosenSolver m_solver{};
  Solver m_make;
  std::optional<bool> m_are_unbiased;  // pathwise gradients, once that has been checked
  std::vector<SearchResult> m_runs;
  bool m_is_ended_early = false;
  std::function<void()> m_allow_launches;
  std::int64_t m_skipped = 0;  // of the unseen replications: the best was chosen by them
  std::vector<SearchPoint> m_points;
  EstimatedMean m_improvement{};
  MacroReplications m_macro;
  std::optional<Selection> m_selection;
  std::vector<Certificate> m_certificates;      // of the runs' ends, under constraints on means
  std::unique_ptr<SampledProblem> m_responses;  // those in neither objective nor constraints, as its quantities
  std::vector<std::string> m_response_names;    // of these
  EndReport m_end;                              // as far as it is known
};

}  // namespace sporos::runtime
