// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/machine.hpp>
#include <sporos/runtime/results/result_document.hpp>
#include <sporos/runtime/search/journaled_problem.hpp>
#include <sporos/runtime/search/options.hpp>

#include <sporos/optimizers/constrained/certificate.hpp>
#include <sporos/optimizers/search/neighbour_probe.hpp>
#include <sporos/optimizers/search/optimality_gap.hpp>
#include <sporos/optimizers/search/run_searches.hpp>
#include <sporos/optimizers/search/selection.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sporos::runtime {

/// A mean and the half-width of its interval.
struct EstimatedMean {
  double mean, half_width;
};

/// A point that the search recommended, estimated on replications that the search has not seen.
struct SearchPoint {
  std::int64_t replications;                    ///< replications that the search had used by then
  std::vector<double> x;                        ///< decision variables
  EstimatedMean objective;                      ///< objective as the user wrote it
  std::vector<EstimatedMean> constraints = {};  ///< excess of each constraint on means
};

/// The end of a run of the search, estimated on replications that no run has seen.
struct RunEnd {
  std::uint64_t seed;         ///< seed of its random numbers
  std::int64_t replications;  ///< number of replications used
  std::vector<double> x;      ///< decision variables
  EstimatedMean objective;    ///< objective as the user wrote it
  /// Certificate, if there are constraints on means; it holds simultaneously with those of all runs.
  std::optional<Certificate> certificate;
};

/// Quartiles of a set of numbers.
struct Quartiles {
  double least, lower, median, upper, greatest;
};

/// Computes the quartiles of `numbers`, which must not be empty, by Hyndman and Fan's definition 7.
Quartiles quartiles_of(std::vector<double> numbers);

/// Quartiles over the runs after a number of replications in each.
struct RunsProgress {
  std::int64_t replications;
  Quartiles objective;
  std::vector<Quartiles> constraints;  ///< excess of each constraint on means
};

/// Results of several runs of a search.
struct MacroReplications {
  std::vector<RunEnd> ends;            ///< ends of all runs; empty if there is only one run
  std::vector<RunsProgress> progress;  ///< progress of the runs, including the start
  std::size_t best = 0;                ///< index of the best end
};

/// A mean response at the end of a search.
struct EndResponse {
  std::string name;
  EstimatedMean mean;
};

/// The scope of a search, and the results of a probe around its end.
struct EndReport {
  EndOfSearch place = {};             ///< position of the end relative to the start and the bounds
  std::int64_t starts = 1;            ///< number of starts of the solver
  std::int64_t tried_points = 0;      ///< number of points that a random search tried
  bool is_not_convex = false;         ///< whether a check has shown that the objective is not convex
  InfeasibleSamples infeasible = {};  ///< infeasible samples of the search
  NeighbourProbe neighbours = {};     ///< probe of the end's neighbours
  /// Solver that "automatic" would choose, if a neighbour is better; empty if it is the solver that ran.
  std::string_view other_solver = {};
  std::vector<EndResponse> responses = {};  ///< responses that are neither in the objective nor in constraints
};

/// Results of a search over a model's parameters.
struct SearchReport {
  SearchRequest request;            ///< the request
  std::vector<bool> are_whole;      ///< whether each decision variable takes whole numbers only
  std::string_view solver;          ///< name of the solver that ran
  std::string reason;               ///< why the solver was chosen; empty if the user chose it
  std::vector<SearchPoint> points;  ///< the start, for a single run some points on the way, and the last point
  EstimatedMean improvement;        ///< improvement from the start to the last point, with common random numbers
  std::int64_t replications;        ///< replications used by all runs of the search together
  StopReason end;                   ///< why the search ended: replications, time_limit or interrupted
  double seconds;
  Machine machine;
  MacroReplications runs = {};
  std::optional<Selection> selection = {};      ///< selection of the last point among some that the search visited
  std::optional<OptimalityGap> gap = {};        ///< optimality gap of the last point, if it was bounded
  bool is_frank_wolfe_gap = false;              ///< whether the gap is a Frank-Wolfe gap
  std::optional<Certificate> certificate = {};  ///< certificate of the last point, if there are constraints on means
  EndReport last = {};                          ///< findings about the last point
  bool was_gap_ended = false;                   ///< whether the run was asked to stop before the gap was bounded
};

/// Returns the objective as "minimize …" or "maximize …".
std::string objective_text(const SearchRequest& request);

/// Converts the report to a document.
ResultDocument document_of(const SearchReport& report);

/// Names of the tables that every result of a search with this request has.
std::vector<std::string> table_names(const SearchRequest& request);

/// Explains why decisions x are infeasible. `moments` are those of `replications` replications at x.
std::string fault_text(const SearchRequest& request, std::span<const double> x, std::int64_t replications,
                       const SampleMoments& moments);

/// Whether the start may satisfy the constraints on means: no unseen replications show that one of them is violated
/// there. An improvement over an infeasible start would say nothing about the decisions.
bool may_start_be_feasible(const SearchReport& report);

/// Whether the last point is certified to violate a constraint on means. Its objective is then meaningless.
bool is_end_infeasible(const SearchReport& report);

/// The confidence with which the bounds of all constraints on means hold simultaneously.
double confidence_of_constraints(const SearchRequest& request);

/// Returns sentences about feasibility, the scope of the search, where it ended, better neighbours and the optimality
/// gap.
std::vector<std::string> notes_of(const SearchReport& report);

}  // namespace sporos::runtime
