// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/backend.hpp>
#include <sporos/runtime/backend/machine.hpp>
#include <sporos/runtime/search/journaled_problem.hpp>
#include <sporos/runtime/search/options.hpp>
#include <sporos/runtime/search/report.hpp>
#include <sporos/runtime/search/solvers.hpp>

#include <sporos/optimizers/search/run_searches.hpp>
#include <sporos/optimizers/search/sampled_problem.hpp>
#include <sporos/optimizers/search/search.hpp>
#include <sporos/procedures/objective.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sporos::runtime {

/// A search over parameters of a model, from its beginning to its report.
class ModelSearch {
 public:
  /// Of what is asked for; of a model that these values make.
  ModelSearch(SearchRequest request, Objective objective)
      : m_request(std::move(request)), m_objective(std::move(objective)) {}

  /// What was asked for.
  const SearchRequest& request() const { return m_request; }

  /// Makes the problem on `backend`, which has been started, and chooses the solver. Throws std::invalid_argument where
  /// none would do.
  void start(const Backend& backend);

  /// The solver that runs.
  std::string_view solver() const { return m_solver.solver->name; }
  /// All that the search was told so far, from which it can go on.
  JournaledProblem& journal() { return *m_journal; }
  /// The same.
  const JournaledProblem& journal() const { return *m_journal; }
  /// Replications of the search that has run.
  std::int64_t replications() const { return m_found.replications; }

  /// Searches until the budget is used up, or `is_enough`, which is asked again and again.
  void run(const std::function<bool()>& is_enough);

  /// Estimates the start, the last point and some between them, on replications that the search has not seen. Returns a
  /// sentence why there are no such points, where the budget was too small for one.
  std::optional<std::string> estimate();

  /// What was found. `end` says why it ended; it took so many seconds.
  SearchReport report(std::string_view end, double seconds, const Machine& machine) const;

 private:
  std::vector<double> start_of_search() const;
  bool are_gradients_unbiased();

  SearchRequest m_request;
  Objective m_objective;
  std::unique_ptr<SampledProblem> m_problem;
  std::optional<JournaledProblem> m_journal;
  ChosenSolver m_solver{};
  Solver m_make;
  SearchResult m_found;
  bool m_is_ended_early = false;
  std::vector<SearchPoint> m_points;
  EstimatedMean m_improvement{};
};

}  // namespace sporos::runtime
