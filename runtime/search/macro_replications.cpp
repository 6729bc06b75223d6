// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/search/macro_replications.hpp>

#include <sporos/runtime/search/unseen_objectives.hpp>

#include <sporos/optimizers/search/distinct_points.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <utility>

namespace sporos::runtime {

namespace {

// Returns the numbers of replications at which runs are compared: 0, then about twice as many each time, up to the end.
std::vector<std::int64_t> looks_at(const std::vector<SearchResult>& runs) {
  constexpr int most = 11;
  const std::int64_t end = std::ranges::max_element(runs, {}, &SearchResult::replications)->replications;
  std::vector<std::int64_t> looks{0};
  for (int k = most - 1; k >= 0; --k) {
    if (const std::int64_t look = end >> k; look > looks.back()) looks.push_back(look);
  }
  return looks;
}

// Returns the point at which a run would have ended after this many replications.
const std::vector<double>& point_after(const SearchResult& run, std::int64_t replications,
                                       const std::vector<double>& start) {
  const auto later = std::ranges::upper_bound(run.recommendations, replications, {}, &Recommendation::replications);
  return later == run.recommendations.begin() ? start : std::prev(later)->x;
}

}  // namespace

MacroReplications macro_replications(SampledProblem& problem, const std::vector<SearchResult>& runs,
                                     const std::vector<Certificate>& certificates,
                                     const std::vector<std::uint64_t>& seeds, const std::vector<double>& start,
                                     const SearchRequest& request) {
  const auto looks = looks_at(runs);
  DistinctPoints points;
  std::vector<std::vector<std::size_t>> places;  // indices of the runs' points, at each look
  for (const std::int64_t look : looks) {
    auto& of_runs = places.emplace_back();
    for (const SearchResult& run : runs) of_runs.push_back(points.add(point_after(run, look, start)));
  }
  const auto seen = unseen_points(problem, points.points(), request, 0);
  MacroReplications found;
  for (std::size_t i = 0; i < looks.size(); ++i) {
    const auto quartiles = [&](const auto& mean) {
      std::vector<double> means;
      for (const std::size_t place : places[i]) means.push_back(mean(seen[place]));
      return quartiles_of(std::move(means));
    };
    found.progress.push_back({looks[i], quartiles([](const UnseenPoint& point) { return point.objective.mean; }), {}});
    for (std::size_t j = 0; j < request.constraints_on_means.size(); ++j)
      found.progress.back().constraints.push_back(
          quartiles([j](const UnseenPoint& point) { return point.constraints[j].mean; }));
  }
  std::vector<double> to_minimize;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const EstimatedMean& objective = seen[places.back()[r]].objective;
    std::vector<double> decisions = runs[r].x;
    decisions.resize(request.decisions.size());  // without thresholds of CVaR
    found.ends.push_back({seeds[r], runs[r].replications, std::move(decisions), objective, std::nullopt});
    if (!certificates.empty()) found.ends.back().certificate = certificates[r];
    to_minimize.push_back(request.objective.is_maximized ? -objective.mean : objective.mean);
  }
  found.best = certificates.empty()
                   ? static_cast<std::size_t>(std::ranges::min_element(to_minimize) - to_minimize.begin())
                   : best_certified(to_minimize, certificates);
  return found;
}

}  // namespace sporos::runtime
