// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/statistics/critical_values.hpp>
#include <sporos/optimizers/checks.hpp>
#include <sporos/optimizers/search/neighbour_probe.hpp>
#include <sporos/optimizers/search/replication_numbers.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

namespace sporos {

namespace {

struct Neighbour {
  std::size_t coordinate;
  double step;
  std::vector<double> x;
};

double step_length(const DecisionRange& range, double at, bool is_long) {
  if (range.is_integer) return is_long ? std::floor(std::abs(at) / 5) : 1;
  const double size = std::max(1.0, std::abs(at)), width = range.high - range.low;
  return (is_long ? 0.4 : 0.1) * std::min(size, width);
}

// Returns the neighbours within the region along each coordinate.
std::vector<Neighbour> neighbours_of(const SampledProblem& problem, const std::vector<double>& x,
                                     std::size_t coordinates, bool has_long_steps) {
  std::vector<Neighbour> found;
  for (std::size_t i = 0; i < coordinates; ++i) {
    const DecisionRange& range = problem.bounds()[i];
    for (const bool is_long : {false, true}) {
      const double length = step_length(range, x[i], is_long);
      if (is_long && (!has_long_steps || (range.is_integer && length < 2))) continue;
      for (const double side : {1.0, -1.0}) {
        Neighbour next{i, 0, x};
        next.x[i] = std::clamp(x[i] + side * length, range.low, range.high);
        next.step = next.x[i] - x[i];
        if (next.step != 0 && problem.region().violation(next.x) == 0) found.push_back(std::move(next));
      }
    }
  }
  return found;
}

// Whether no constraint on means is violated, or none by more than at x.
bool meets_constraints(const SampleMean& next, const SampleMean& at) {
  for (std::size_t j = 0; j < next.constraints.size(); ++j) {
    if (next.constraints[j].mean > std::max(0.0, at.constraints[j].mean)) return false;
  }
  return true;
}

// Indices of the neighbours with the best estimate along each coordinate, the best first.
std::vector<std::size_t> most_promising(const std::vector<Neighbour>& neighbours,
                                        const std::vector<SampleMean>& means) {
  std::vector<std::size_t> places;
  const SampleMean& at = means.front();
  for (std::size_t i = 0; i < neighbours.size(); ++i) {
    const SampleMean& next = means[i + 1];
    if (next.count == 0 || !(next.mean < at.mean) || !meets_constraints(next, at)) continue;
    const auto same = std::ranges::find_if(
        places, [&](std::size_t place) { return neighbours[place].coordinate == neighbours[i].coordinate; });
    if (same == places.end()) {
      places.push_back(i);
    } else if (next.mean < means[*same + 1].mean) {
      *same = i;
    }
  }
  std::ranges::stable_sort(places, {}, [&](std::size_t place) { return means[place + 1].mean; });
  return places;
}

// Estimates x and then the neighbours on the same `count` replications, starting at index `first`.
std::vector<SampleMean> means_at(SampledProblem& problem, const std::vector<double>& x,
                                 const std::vector<Neighbour>& neighbours, std::uint64_t seed, std::int64_t first,
                                 std::int64_t count) {
  std::vector<Sample> samples{{x, seed, impl::replications_of_neighbours + first, count, false, true}};
  for (const Neighbour& neighbour : neighbours) {
    samples.push_back(samples.front());
    samples.back().x = neighbour.x;
  }
  return problem.evaluate(samples);
}

}  // namespace

NeighbourProbe probe_neighbours(SampledProblem& problem, const std::vector<double>& x, std::size_t coordinates,
                                const NeighbourProbeOptions& options) {
  impl::check_dimension("point", static_cast<std::int64_t>(x.size()), static_cast<std::int64_t>(problem.dimension()));
  const std::int64_t least = std::max<std::int64_t>(options.min_replications, 2);
  std::vector<Neighbour> neighbours;
  std::int64_t count = 0;
  for (const bool has_long_steps : {true, false}) {
    neighbours = neighbours_of(problem, x, coordinates, has_long_steps);
    count = options.replications / (1 + static_cast<std::int64_t>(neighbours.size()));
    if (count >= least) break;
  }
  if (count < least || neighbours.empty()) return {};
  const std::vector<SampleMean> seen = means_at(problem, x, neighbours, options.seed, 0, count);
  if (seen.front().count == 0) return {};
  std::vector<std::size_t> places = most_promising(neighbours, seen);
  places.resize(std::min<std::size_t>(places.size(), options.confirmed));
  NeighbourProbe found{static_cast<std::int64_t>(neighbours.size()), count, 0, {}};
  if (places.empty()) return found;
  std::vector<Neighbour> promising;
  for (const std::size_t place : places) promising.push_back(neighbours[place]);
  const std::int64_t others =
      std::max(2 * options.replications / (1 + static_cast<std::int64_t>(places.size())), least);
  const std::vector<SampleMean> means = means_at(problem, x, promising, options.seed, count, others);
  found.confirmed_by = others;
  // Student's two-sided quantile of 1 - 2a has probability a on one side.
  const double level = 1 - 2 * (1 - options.confidence) / static_cast<double>(promising.size());
  const double critical = level > 0 ? student_t(level, others) : 0;
  for (std::size_t i = 0; i < promising.size(); ++i) {
    const SampleMean &at = means.front(), &next = means[i + 1];
    if (at.count == 0 || next.count == 0 || !meets_constraints(next, at)) continue;
    const PairedDifference lower = paired_difference(at, next);
    const double half_width = critical * std::sqrt(lower.variance_of_mean);
    const double rounding = 1e-12 * std::max(std::abs(at.mean), std::abs(next.mean));
    if (lower.mean > half_width + rounding)
      found.better.push_back({promising[i].coordinate, promising[i].step, lower.mean, half_width});
  }
  std::ranges::stable_sort(found.better, std::greater<>(), &BetterNeighbour::improvement);
  return found;
}

}  // namespace sporos
