// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/checks.hpp>
#include <sporos/optimizers/nelder_mead/result.hpp>
#include <sporos/optimizers/nelder_mead/simplex_gradient.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace sporos {

/// Start simplex of n dimensions: a point with edges along the axes, or given vertices.
struct SimplexStart {
  std::vector<double> point;  ///< First vertex.
  /// Steps to the other vertices: vertex i differs from the first by step i in coordinate i. If empty, steps are a
  /// twentieth of the coordinate, or 0.00025 if the coordinate is 0.
  std::vector<double> steps = {};
  /// All n + 1 vertices, instead of the other two members. The step of a restart along each axis is then the longest
  /// distance from the first vertex.
  std::vector<std::vector<double>> vertices = {};
};

namespace impl {

/// Throws std::invalid_argument if `point` has a coordinate that is infinite or NaN, or not `dimension` coordinates.
inline void check_point(const std::string& name, const std::vector<double>& point, std::size_t dimension) {
  check_parameter(point.size() == dimension && dimension > 0, std::string("dimension of ").append(name),
                  static_cast<std::int64_t>(point.size()),
                  dimension > 0 ? std::to_string(dimension) : std::string("at least 1"));
  for (std::size_t i = 0; i < dimension; ++i) {
    check_finite(std::string("coordinate ").append(std::to_string(i)).append(" of ").append(name), point[i]);
  }
}

/// Steps of MATLAB and SciPy, which users may know.
inline std::vector<double> default_steps(const std::vector<double>& point) {
  std::vector<double> steps;
  for (const double x : point) steps.push_back(x != 0 ? 0.05 * x : 0.00025);
  return steps;
}

/// Longest distances from the first vertex, along each axis.
inline std::vector<double> extents(const std::vector<std::vector<double>>& vertices) {
  std::vector<double> steps(vertices[0].size());
  for (const auto& vertex : vertices) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      steps[i] = std::max(steps[i], std::abs(vertex[i] - vertices[0][i]));
    }
  }
  return steps;
}

/// Returns a state without evaluations.
inline NelderMeadState state_of(std::vector<std::vector<double>> vertices, std::vector<double> steps) {
  NelderMeadState state;
  state.values.assign(vertices.size(), std::numeric_limits<double>::infinity());
  state.value_evaluations.assign(vertices.size(), 0);
  state.centroid.assign(steps.size(), 0.0);
  state.vertices = std::move(vertices);
  state.steps = std::move(steps);
  return state;
}

/// Throws std::invalid_argument unless these are the n + 1 vertices of a simplex.
inline void check_vertices(const std::string& of_start, const std::vector<std::vector<double>>& vertices) {
  const std::size_t n = vertices.size() - 1, stride = n + 1;
  std::vector<double> edges;  // equations with right-hand sides 1
  for (std::size_t v = 0; v <= n; ++v) {
    check_point(std::string("vertex ").append(std::to_string(v)).append(of_start), vertices[v], n);
    for (std::size_t i = 0; i < n && v > 0; ++i) edges.push_back(vertices[v][i] - vertices[0][i]);
    if (v > 0) edges.push_back(1);
  }
  const LinearEquations equations{edges.data(), static_cast<std::int32_t>(n), static_cast<std::int32_t>(stride)};
  equations.solve();
  for (std::size_t i = 0; i < n; ++i) {
    check_parameter(std::isfinite(equations.solution(static_cast<std::int32_t>(i))),
                    std::string("volume of the simplex").append(of_start), std::int64_t{0},
                    "vertices that do not lie in one plane");
  }
}

/// Returns the state of a start with given vertices.
inline NelderMeadState started_at_vertices(const SimplexStart& start, const std::string& of_start) {
  const auto given = static_cast<std::int64_t>(start.point.size() + start.steps.size());
  check_parameter(given == 0, std::string("number of coordinates and steps given with the vertices").append(of_start),
                  given, "0");
  check_vertices(of_start, start.vertices);
  return state_of(start.vertices, extents(start.vertices));
}

/// Returns the state of `start`, number `index`.
/// @throws std::invalid_argument if it is not a simplex.
inline NelderMeadState started(const SimplexStart& start, std::size_t index) {
  const std::string of_start = std::string(" of start ").append(std::to_string(index));
  if (!start.vertices.empty()) return started_at_vertices(start, of_start);
  const std::size_t n = start.point.size();
  check_point(std::string("the point").append(of_start), start.point, n);
  const std::vector<double> steps = start.steps.empty() ? default_steps(start.point) : start.steps;
  check_point(std::string("the steps").append(of_start), steps, n);
  std::vector<std::vector<double>> vertices(n + 1, start.point);
  for (std::size_t i = 0; i < n; ++i) {
    const auto name = std::string("step ").append(std::to_string(i)).append(of_start);
    check_parameter(steps[i] != 0, name, steps[i], "a number other than 0");
    vertices[i + 1][i] += steps[i];
  }
  return state_of(std::move(vertices), steps);
}

/// Throws std::invalid_argument if a run cannot resume from `state`, number `index`.
inline void check_state(const NelderMeadState& state, std::size_t index) {
  const std::string of_state = std::string(" of state ").append(std::to_string(index));
  const std::size_t n = state.dimension();
  check_point(std::string("the steps").append(of_state), state.steps, n);
  check_point(std::string("the centroid").append(of_state), state.centroid, n);
  const auto check_count = [&](const char* name, std::size_t count) {
    check_parameter(count == n + 1, std::string(name).append(of_state), static_cast<std::int64_t>(count),
                    std::to_string(n + 1));
  };
  check_count("number of vertices", state.vertices.size());
  check_count("number of values", state.values.size());
  check_count("number of evaluation counts", state.value_evaluations.size());
  for (const auto& vertex : state.vertices) check_point(std::string("a vertex").append(of_state), vertex, n);
  check_parameter(state.status.position >= 0 && static_cast<std::size_t>(state.status.position) <= n,
                  std::string("position of the requested vertex").append(of_state), std::int64_t{state.status.position},
                  std::string("from 0 to ").append(std::to_string(n)));
}

}  // namespace impl

}  // namespace sporos
