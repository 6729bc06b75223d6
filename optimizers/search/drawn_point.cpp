// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/random/uniform.hpp>
#include <sporos/optimizers/checks.hpp>
#include <sporos/optimizers/search/drawn_point.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

namespace sporos {

namespace impl {

static bool is_finite(const DecisionRange& bounds) { return !std::isinf(bounds.low) && !std::isinf(bounds.high); }

static bool has_distribution(const SampledProblem& problem, std::size_t coordinate) {
  return coordinate < problem.drawn_by().size() && problem.drawn_by()[coordinate] != nullptr;
}

}  // namespace impl

DrawnProblem::DrawnProblem(SampledProblem& problem, std::vector<QuantileFunction> drawn_by)
    : ProblemOverProblem(problem), m_drawn_by(std::move(drawn_by)) {
  impl::check_parameter(m_drawn_by.size() <= dimension(), "number of distributions",
                        static_cast<std::int64_t>(m_drawn_by.size()), "at most one for each coordinate");
}

bool can_be_drawn(const SampledProblem& problem) {
  // Drawn points are projected onto constraints, which makes integers real.
  const bool has_integers = std::ranges::any_of(problem.bounds(), &DecisionRange::is_integer);
  if (has_integers && !problem.constraints().empty()) return false;
  for (std::size_t i = 0; i < problem.dimension(); ++i) {
    if (!impl::has_distribution(problem, i) && !impl::is_finite(problem.bounds()[i])) return false;
  }
  return true;
}

namespace impl {

void check_finite_bounds(const SearchRun& run, std::string_view who) {
  if (!std::ranges::all_of(run.bounds(), is_finite))
    throw std::invalid_argument(std::string("a bound is infinite, expected finite bounds for ").append(who));
}

void check_can_be_drawn(const SearchRun& run, std::string_view who) {
  if (!can_be_drawn(run.problem()))
    throw std::invalid_argument(
        std::string("a bound is infinite, expected finite bounds or a distribution of the coordinate for ")
            .append(who));
}

// Draws a coordinate by inversion. u is in (0, 1), as a distribution without bounds requires.
static double drawn_coordinate(const SearchRun& run, std::size_t coordinate, double u) {
  const auto& [low, high, is_integer] = run.bounds()[coordinate];
  if (has_distribution(run.problem(), coordinate)) {
    const double x = run.problem().drawn_by()[coordinate](u);
    return is_integer ? std::clamp(std::round(x), std::ceil(low), std::floor(high)) : std::clamp(x, low, high);
  }
  return is_integer ? std::ceil(low) + std::floor(u * (std::floor(high) - std::ceil(low) + 1)) : low + (high - low) * u;
}

std::vector<double> drawn_point(const SearchRun& run, DecisionEngine& engine) {
  std::vector<double> x;
  for (std::size_t i = 0; i < run.dimension(); ++i) x.push_back(drawn_coordinate(run, i, open_uniform(engine())));
  return run.within_region(std::move(x));
}

std::vector<std::vector<double>> spread_points(const SearchRun& run, std::int64_t count, DecisionEngine& engine) {
  std::vector<std::vector<double>> points(static_cast<std::size_t>(count));
  std::vector<std::size_t> parts(points.size());
  for (std::size_t i = 0; i < run.dimension(); ++i) {
    std::iota(parts.begin(), parts.end(), std::size_t{0});
    shuffle(parts, engine);
    for (std::size_t p = 0; p < points.size(); ++p)
      points[p].push_back(drawn_coordinate(
          run, i, (static_cast<double>(parts[p]) + open_uniform(engine())) / static_cast<double>(count)));
  }
  for (std::vector<double>& point : points) point = run.within_region(std::move(point));
  return points;
}

}  // namespace impl

}  // namespace sporos
