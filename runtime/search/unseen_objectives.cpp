// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/search/unseen_objectives.hpp>

#include <sporos/core/execution/launch_stop.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/statistics/critical_values.hpp>
#include <sporos/optimizers/search/distinct_points.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <span>
#include <utility>

namespace sporos::runtime {

namespace {

// Adds `more` replications of `quantities` quantities, with their values, to `all`.
void append(const SampleMoments& more, std::size_t quantities, SampleMoments& all) {
  if (all.count == 0) {
    all = more;
    return;
  }
  const auto before = static_cast<std::size_t>(all.count), count = static_cast<std::size_t>(more.count);
  std::vector<double> values;
  for (std::size_t i = 0; i < quantities; ++i) {
    const auto first = all.values.begin() + static_cast<std::ptrdiff_t>(i * before);
    const auto next = more.values.begin() + static_cast<std::ptrdiff_t>(i * count);
    values.insert(values.end(), first, first + static_cast<std::ptrdiff_t>(before));
    values.insert(values.end(), next, next + static_cast<std::ptrdiff_t>(count));
  }
  all.add(more);
  all.values = std::move(values);
}

// Whether the objective improves all the way along this decision variable. `x` is then the last point examined.
bool improves_without_end(SampledProblem& problem, std::vector<double>& x, std::size_t decision,
                          const SearchRequest& request) {
  const auto at = [&] { return unseen_objectives(problem, {x}, request, 0).front(); };
  const double start = x[decision], sign = request.objective.is_maximized ? 1 : -1;
  EstimatedMean last = at();
  for (const double reach : {1, 4, 16, 64, 256}) {
    x[decision] = start + reach * std::max(1.0, std::abs(start));
    const EstimatedMean next = at();
    if (!(sign * (next.mean - last.mean) > next.half_width + last.half_width)) return false;
    last = next;
  }
  return true;
}

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

ObjectiveIntervals::ObjectiveIntervals(const SearchRequest& request)
    : m_sign(request.objective.is_maximized ? -1 : 1),
      m_critical(student_t(request.confidence, request.final_replications)),
      m_constraints(request.constraints_on_means.size()) {}

EstimatedMean ObjectiveIntervals::operator()(const SampleMean& mean) const {
  return {m_sign * mean.mean, m_critical * std::sqrt(mean.variance_of_mean())};
}

EstimatedMean ObjectiveIntervals::improvement(const SampleMean& first, const SampleMean& second) const {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  if (first.count == 0 || second.count == 0) return {unknown, unknown};
  const PairedDifference better = paired_difference(first, second);
  return {better.mean, m_critical * std::sqrt(better.variance_of_mean)};
}

std::vector<EstimatedMean> ObjectiveIntervals::constraints(const SampleMean& mean) const {
  const auto n = static_cast<double>(mean.count);
  std::vector<EstimatedMean> found;
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  if (mean.count == 0) return std::vector<EstimatedMean>(m_constraints, {unknown, unknown});
  for (const ConstraintMean& h : mean.constraints)
    found.push_back({h.mean, m_critical * std::sqrt(h.squared_deviation / (n - 1) / n)});
  return found;
}

std::vector<UnseenPoint> unseen_points(SampledProblem& problem, const std::vector<std::vector<double>>& points,
                                       const SearchRequest& request, std::int64_t skipped) {
  constexpr std::int64_t replications_of_call = 1 << 22;  // limit, since results stay in memory until the call ends
  const std::int64_t count = request.final_replications;
  const ObjectiveIntervals interval(request);
  const auto samples = unseen_samples(points, count, request.seed, skipped);
  const auto part = static_cast<std::size_t>(std::max<std::int64_t>(replications_of_call / count, 1));
  std::vector<UnseenPoint> found;
  for (std::size_t first = 0; first < samples.size(); first += part) {
    const auto of_call = std::span(samples).subspan(first, std::min(part, samples.size() - first));
    auto moments = problem.simulate(of_call);
    for (std::size_t i = 0; i < of_call.size(); ++i) {
      const SampleMean mean = problem.estimate(of_call[i].x, std::move(moments[i]));
      found.push_back({interval(mean), interval.constraints(mean)});
    }
  }
  return found;
}

std::vector<EstimatedMean> unseen_objectives(SampledProblem& problem, const std::vector<std::vector<double>>& points,
                                             const SearchRequest& request, std::int64_t skipped) {
  std::vector<EstimatedMean> found;
  for (const UnseenPoint& point : unseen_points(problem, points, request, skipped)) found.push_back(point.objective);
  return found;
}

std::vector<SampleMean> unseen_means_in_time(SampledProblem& problem, const std::vector<std::vector<double>>& points,
                                             const SearchRequest& request, std::int64_t skipped) {
  std::vector<SampleMoments> all(points.size());
  std::int64_t done = 0;
  try {
    while (done < request.final_replications) {
      constexpr std::int64_t fewest = 2;
      const std::int64_t count = std::min(std::max(done, fewest), request.final_replications - done);
      const auto samples = unseen_samples(points, count, request.seed, skipped + done, true);
      const std::vector<SampleMoments> more = problem.simulate(samples);
      for (std::size_t i = 0; i < all.size(); ++i) append(more[i], problem.quantities(), all[i]);
      done += count;
    }
  } catch (const LaunchStopped&) {
  }
  if (done == 0) return {};
  std::vector<SampleMean> means;
  for (std::size_t i = 0; i < all.size(); ++i) means.push_back(problem.estimate(points[i], std::move(all[i])));
  return means;
}

std::optional<std::string> reason_without_optimum(SampledProblem& problem, const std::vector<double>& x,
                                                  const SearchRequest& request) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto holds = [&](const LinearConstraint& constraint) { return constraint.weights[i] != 0; };
    if (std::ranges::any_of(request.constraints, holds)) continue;
    std::vector<double> far = x;
    if (!std::isinf(problem.bounds()[i].high) || !improves_without_end(problem, far, i, request)) continue;
    const bool is_maximized = request.objective.is_maximized;
    return fmt::format(
        "the objective still {} at {} = {:.6g}: expected an objective with a {}, or a finite upper bound of {}",
        is_maximized ? "grows" : "falls", problem.coordinate_name(i), far[i], is_maximized ? "maximum" : "minimum",
        problem.coordinate_name(i));
  }
  return std::nullopt;
}

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
