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
#include <string>
#include <string_view>
#include <vector>

namespace sporos::runtime {

/// A mean with half the width of its interval.
struct EstimatedMean {
  double mean, half_width;
};

/// A point that the search recommended, and what replications that it never saw say of it.
struct SearchPoint {
  std::int64_t replications;                    ///< that the search had used
  std::vector<double> x;                        ///< the decisions
  EstimatedMean objective;                      ///< as the user wrote it
  std::vector<EstimatedMean> constraints = {};  ///< by what those on means are exceeded
};

/// Where a run of the search has ended, and what replications that no run has seen say of it.
struct RunEnd {
  std::uint64_t seed;                      ///< of its random numbers
  std::int64_t replications;               ///< that it used
  std::vector<double> x;                   ///< the decisions
  EstimatedMean objective;                 ///< as the user wrote it
  std::optional<Certificate> certificate;  ///< where there are constraints on means: it holds with those of all runs
};

/// Of some numbers.
struct Quartiles {
  double least, lower, median, upper, greatest;
};

/// Those of `numbers`, of which there is at least one: Hyndman and Fan's definition 7.
Quartiles quartiles_of(std::vector<double> numbers);

/// Where the runs are after so many replications each.
struct RunsProgress {
  std::int64_t replications;
  Quartiles objective;
  std::vector<Quartiles> constraints;  ///< by what those on means are exceeded
};

/// Several runs of a search.
struct MacroReplications {
  std::vector<RunEnd> ends;            ///< of all; none where there is but one run
  std::vector<RunsProgress> progress;  ///< from the start on
  std::size_t best = 0;                ///< the place of the best end
};

/// A mean response at the end of a search.
struct EndResponse {
  std::string name;
  EstimatedMean mean;
};

/// The scope of a search, and the results of a probe around its end.
struct EndReport {
  EndOfSearch place = {};              ///< where the end lies
  std::int64_t starts = 1;             ///< that the solver searched from
  std::int64_t tried_points = 0;       ///< all over the region
  bool is_not_convex = false;          ///< whether a check has shown so
  InfeasibleSamples infeasible = {};   ///< of the search
  NeighbourProbe neighbours = {};      ///< of the end
  std::string_view other_solver = {};  ///< what automatic would take, where a neighbour is better; empty if the same
  std::vector<EndResponse> responses = {};  ///< that are neither in the objective nor in constraints
};

/// What a search over a model's parameters found.
struct SearchReport {
  SearchRequest request;            ///< what was asked for
  std::vector<bool> are_whole;      ///< whether a decision takes whole numbers
  std::string_view solver;          ///< that ran
  std::string reason;               ///< why it was chosen; empty where the user chose it
  std::vector<SearchPoint> points;  ///< the start, of a single run some on the way, the last
  EstimatedMean improvement;        ///< how much better the last is than the start, by the same random numbers
  std::int64_t replications;        ///< that the search used, all runs together
  StopReason end;                   ///< why it ended: replications, time_limit or interrupted
  double seconds;
  Machine machine;
  MacroReplications runs = {};
  std::optional<Selection> selection = {};      ///< of the last point among some that the search visited
  std::optional<OptimalityGap> gap = {};        ///< of the last point, where it was bounded
  bool is_frank_wolfe_gap = false;              ///< and by what
  std::optional<Certificate> certificate = {};  ///< of the last point, where there are constraints on means
  EndReport last = {};                          ///< what is known around the last point
  bool was_gap_ended = false;                   ///< whether the run was asked to end before the gap was bounded
};

/// What is made small or large.
std::string objective_text(const SearchRequest& request);

/// The result as data.
ResultDocument document_of(const SearchReport& report);

/// The tables that the result of every such search has.
std::vector<std::string> table_names(const SearchRequest& request);

}  // namespace sporos::runtime
