// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/search/unseen_objectives.hpp>

#include <sporos/core/execution/launch_stop.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/statistics/critical_values.hpp>
#include <sporos/optimizers/search/run_searches.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <stdexcept>
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

}  // namespace sporos::runtime
