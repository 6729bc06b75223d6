// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/optimizers/frank_wolfe/active_set.hpp>
#include <sporos/optimizers/frank_wolfe/options.hpp>
#include <sporos/optimizers/frank_wolfe/result.hpp>
#include <sporos/optimizers/stochastic_problem.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sporos {

namespace impl {

/// Nonzero entries of a vector, in the form that a vertex stores.
inline std::vector<VertexEntry> nonzero_entries(const std::vector<double>& values) {
  std::vector<VertexEntry> entries;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] != 0) entries.push_back({static_cast<std::int64_t>(i), values[i]});
  }
  return entries;
}

/// Computes Σ λ_v v.
inline std::vector<double> point_of(const ActiveSet& active_set, std::int64_t dimension) {
  std::vector<double> point(static_cast<std::size_t>(dimension));
  for (const ActiveVertex& vertex : active_set.vertices()) {
    for (const VertexEntry& entry : vertex.entries) {
      check_parameter(entry.index >= 0 && entry.index < dimension, "index in an active vertex", entry.index,
                      std::string("a coordinate below ").append(std::to_string(dimension)));
      point[static_cast<std::size_t>(entry.index)] += vertex.weight * entry.value;
    }
  }
  return point;
}

}  // namespace impl

/// A start at Σ λ_v v in a space of `dimension` coordinates, for away-step and pairwise.
/// @throws std::invalid_argument if the weights are not positive numbers that sum to 1, or an index is out of range.
inline FrankWolfeState convex_combination(std::int64_t dimension, const std::vector<ActiveVertex>& vertices) {
  const ActiveSet active_set(vertices);
  FrankWolfeState state;
  state.solution = impl::point_of(active_set, dimension);
  state.active_set = active_set.vertices();
  return state;
}

namespace impl {

/// Throws std::invalid_argument if the step rule requires a member that the problem does not have.
template <class Problem>
void check_step_rule(StepRule rule) {
  if (rule == StepRule::exact && !QuadraticProblem<Problem>) {
    refuse_parameter("step rule", "exact", "another one: the problem is not quadratic");
  }
  if (rule == StepRule::short_step && !SmoothProblem<Problem>) {
    refuse_parameter("step rule", "short-step", "another one: the problem has no Lipschitz constant of its gradient");
  }
}

inline void check_active_set(const FrankWolfeState& state) {
  if (state.active_set.empty()) {
    refuse_parameter("active set of the start", "empty", "vertices whose convex combination is the point");
  }
  const auto dimension = static_cast<std::int64_t>(state.solution.size());
  const std::vector<double> point = point_of(ActiveSet(state.active_set), dimension);
  constexpr double tolerance = 1e-6;
  for (std::size_t i = 0; i < point.size(); ++i) {
    const double off = std::abs(point[i] - state.solution[i]);
    check_parameter(off <= tolerance * std::max(1.0, std::abs(point[i])), "distance of the start from its active set",
                    off, "0");
  }
}

/// Throws std::invalid_argument if a run cannot start from `state`.
template <class Problem, class Region>
void check_start(Problem& problem, Region& region, const FrankWolfeState& state, const FrankWolfeOptions& options) {
  using Space = typename Problem::execution_space;
  const auto dimension = static_cast<std::int64_t>(problem.dimension());
  check_dimension("region", region.dimension(), dimension);
  check_start_point(state.solution, dimension);
  constexpr double tolerance = 1e-9;
  const Space& space = problem.execution();
  const double violation = region.violation(space, to_device<Space>(space, state.solution));
  check_parameter(violation <= tolerance, "violation of a constraint by the start", violation,
                  "0: the start lies outside the region");
  check_parameter(state.epoch >= 0 && state.epoch <= options.epochs, "epoch of the start", state.epoch,
                  "at most the number of epochs, " + std::to_string(options.epochs));
  check_parameter(state.iteration >= 0 && state.iteration < options.iterations, "iteration of the start",
                  state.iteration, "less than the number of iterations, " + std::to_string(options.iterations));
  const auto averaged = static_cast<std::int64_t>(state.averaged_gradient.size());
  if (averaged != 0) check_dimension("averaged gradient", averaged, dimension);
  if (options.variant != FrankWolfeVariant::vanilla) check_active_set(state);
}

}  // namespace impl

}  // namespace sporos
