// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/random/uniform.hpp>
#include <sporos/optimizers/checks.hpp>
#include <sporos/optimizers/search/drawn_point.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
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

// Turns uniforms in (0, 1) into values of a coordinate, by inversion.
static void invert(const SearchRun& run, std::size_t coordinate, std::span<double> values) {
  const auto& [low, high, is_integer] = run.bounds()[coordinate];
  if (has_distribution(run.problem(), coordinate)) {
    run.problem().drawn_by()[coordinate](values);
    for (double& x : values)
      x = is_integer ? std::clamp(std::round(x), std::ceil(low), std::floor(high)) : std::clamp(x, low, high);
    return;
  }
  for (double& u : values) {
    u = is_integer ? std::ceil(low) + std::floor(u * (std::floor(high) - std::ceil(low) + 1)) : low + (high - low) * u;
  }
}

// Returns the points of the region with these coordinates, of which there is one column of `count` numbers each.
static std::vector<std::vector<double>> points_of(const SearchRun& run, std::size_t count,
                                                  const std::vector<double>& columns) {
  std::vector<std::vector<double>> points;
  for (std::size_t p = 0; p < count; ++p) {
    std::vector<double> x(run.dimension());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = columns[i * count + p];
    points.push_back(run.within_region(std::move(x)));
  }
  return points;
}

std::vector<std::vector<double>> drawn_points(const SearchRun& run, std::int64_t count, DecisionEngine& engine) {
  const auto rows = static_cast<std::size_t>(count);
  std::vector<double> columns(run.dimension() * rows);
  for (std::size_t p = 0; p < rows; ++p) {
    for (std::size_t i = 0; i < run.dimension(); ++i) columns[i * rows + p] = open_uniform(engine());
  }
  for (std::size_t i = 0; i < run.dimension(); ++i) invert(run, i, std::span(columns).subspan(i * rows, rows));
  return points_of(run, rows, columns);
}

std::vector<std::vector<double>> spread_points(const SearchRun& run, std::int64_t count, DecisionEngine& engine) {
  const auto rows = static_cast<std::size_t>(count);
  std::vector<double> columns(run.dimension() * rows);
  std::vector<std::size_t> parts(rows);
  for (std::size_t i = 0; i < run.dimension(); ++i) {
    const auto column = std::span(columns).subspan(i * rows, rows);
    std::iota(parts.begin(), parts.end(), std::size_t{0});
    shuffle(parts, engine);
    for (std::size_t p = 0; p < rows; ++p)
      column[p] = (static_cast<double>(parts[p]) + open_uniform(engine())) / static_cast<double>(count);
    invert(run, i, column);
  }
  return points_of(run, rows, columns);
}

}  // namespace impl

}  // namespace sporos
