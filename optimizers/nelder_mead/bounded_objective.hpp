// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/linear_algebra/row_matrix.hpp>
#include <sporos/core/math/bits.hpp>
#include <sporos/core/math/trigonometric.hpp>
#include <sporos/optimizers/nelder_mead/options.hpp>
#include <sporos/optimizers/nelder_mead/point_batch.hpp>
#include <sporos/optimizers/nelder_mead/start.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sporos {

/// Maps a free y to a number between `lower` and `upper`, as in MINUIT (James and Roos 1975). With two finite bounds it
/// is lower + (upper − lower) (1 + sin y) / 2, with one lower + √(y² + 1) − 1 or upper + 1 − √(y² + 1), without bounds
/// y. Bounds can be attained.
KOKKOS_INLINE_FUNCTION double bounded_coordinate(double lower, double upper, double y) {
  const bool has_lower = lower > -math::impl::infinity, has_upper = upper < math::impl::infinity;
  if (has_lower && has_upper) {
    const double x = lower + (upper - lower) * (0.5 + 0.5 * math::sin(y));
    return x < lower ? lower : x > upper ? upper : x;
  }
  if (!has_lower && !has_upper) return y;
  const double distance = y * y / (1 + ::sqrt(y * y + 1));
  return has_lower ? lower + distance : upper - distance;
}

/// Returns a y for which bounded_coordinate is x.
inline double free_coordinate(double lower, double upper, double x) {
  const bool has_lower = std::isfinite(lower), has_upper = std::isfinite(upper);
  if (has_lower && has_upper) return std::asin(std::clamp(2 * ((x - lower) / (upper - lower)) - 1, -1.0, 1.0));
  if (!has_lower && !has_upper) return x;
  const double distance = has_lower ? x - lower : upper - x;
  return std::sqrt(distance * (distance + 2));
}

/// Maps a free point to the point within bounds.
inline std::vector<double> bounded_point(const Bounds& bounds, std::vector<double> point) {
  for (std::size_t i = 0; i < point.size(); ++i) {
    point[i] = bounded_coordinate(bounds.lower[i], bounds.upper[i], point[i]);
  }
  return point;
}

namespace impl {

/// Checks the bounds and returns those of each simplex.
inline std::vector<Bounds> bounds_of_each(const std::vector<Bounds>& given,
                                          const std::vector<std::size_t>& dimensions) {
  check_parameter(given.size() == 1 || given.size() == dimensions.size(), "number of bounds",
                  static_cast<std::int64_t>(given.size()),
                  std::string("1 or the number of starts, ").append(std::to_string(dimensions.size())));
  std::vector<Bounds> bounds;
  for (std::size_t s = 0; s < dimensions.size(); ++s) {
    bounds.push_back(given[given.size() == 1 ? 0 : s]);
    check(bounds.back(), dimensions[s]);
  }
  return bounds;
}

/// Returns `x` if it lies within the bounds; otherwise `x` mirrored at `center`, which lies within them. If that is out
/// of bounds too, returns the midpoint between `center` and the farther bound.
inline double brought_inside(double lower, double upper, double center, double x) {
  const auto is_inside = [&](double value) { return value >= lower && value <= upper; };
  if (is_inside(x)) return x;
  const double mirrored = center - (x - center);
  if (is_inside(mirrored)) return mirrored;
  return (center + (upper - center > center - lower ? upper : lower)) / 2;
}

/// Converts the state of start number `index` from bounded to free coordinates.
/// @throws std::invalid_argument if the first vertex is out of bounds.
inline void unbind(const Bounds& bounds, std::size_t index, NelderMeadState& state) {
  const std::vector<double> first = state.vertices[0];
  for (std::size_t i = 0; i < first.size(); ++i) {
    const double lower = bounds.lower[i], upper = bounds.upper[i];
    const auto name = [&] {
      return std::string("coordinate ").append(std::to_string(i)).append(" of start ").append(std::to_string(index));
    };
    check_parameter(first[i] >= lower && first[i] <= upper, name(), first[i],
                    std::string("a number from ").append(number_text(lower)).append(" to ").append(number_text(upper)));
    for (auto& vertex : state.vertices) {
      vertex[i] = free_coordinate(lower, upper, brought_inside(lower, upper, first[i], vertex[i]));
    }
  }
  state.steps = extents(state.vertices);
}

}  // namespace impl

/// Adapts an objective with bounded coordinates to free coordinates, simplex by simplex. nelder_mead uses it if its
/// options have bounds. A start's vertex out of bounds is mirrored at the first vertex, by coordinate.
template <BatchObjective Objective>
class BoundedObjective {
 public:
  using execution_space = typename Objective::execution_space;  ///< Execution space of the wrapped objective.
  /// Number of steps per round for the wrapped objective.
  static constexpr std::int64_t steps_of_round = steps_of_round_for<Objective>();

  /// Holds a reference to the objective; requires the checked bounds of each simplex.
  BoundedObjective(Objective& objective, const std::vector<Bounds>& bounds) : m_objective(objective) {
    std::size_t width = 0;
    for (const Bounds& one : bounds) width = std::max(width, one.lower.size());
    m_lower =
        RowMatrix<execution_space>(Kokkos::view_alloc(execution(), "sporos::nelder_mead::lower"), bounds.size(), width);
    m_upper =
        RowMatrix<execution_space>(Kokkos::view_alloc(execution(), "sporos::nelder_mead::upper"), bounds.size(), width);
    const auto lower = Kokkos::create_mirror_view(m_lower), upper = Kokkos::create_mirror_view(m_upper);
    for (std::size_t s = 0; s < bounds.size(); ++s) {
      for (std::size_t i = 0; i < bounds[s].lower.size(); ++i) {
        lower(s, i) = bounds[s].lower[i];
        upper(s, i) = bounds[s].upper[i];
      }
    }
    copy_elements(m_lower, lower);
    copy_elements(m_upper, upper);
  }

  /// Execution space instance of the wrapped objective.
  const execution_space& execution() const { return m_objective.execution(); }

  /// Evaluates the objective at the bounded counterparts of these points.
  void evaluate(const PointBatch<execution_space>& free, const Vector<execution_space>& values) {
    if (m_points.extent(0) != free.points.extent(0)) {
      m_points = RowMatrix<execution_space>(Kokkos::view_alloc(execution(), "sporos::nelder_mead::bounded"),
                                            free.points.extent(0), free.points.extent(1));
    }
    PointBatch<execution_space> bounded = free;
    bounded.points = m_points;
    bind(free, bounded);
    m_objective.evaluate(bounded, values);
  }

  /// Sets the points of `bounded` to the bounded counterparts of those of `free`.
  void bind(const PointBatch<execution_space>& free, const PointBatch<execution_space>& bounded) const {
    const auto lower = m_lower, upper = m_upper;
    const auto width = static_cast<std::int64_t>(free.points.extent(1));
    Kokkos::parallel_for(
        "sporos::nelder_mead::bind",
        Kokkos::RangePolicy<execution_space, Kokkos::IndexType<std::int64_t>>(execution(), 0, free.size() * width),
        KOKKOS_LAMBDA(std::int64_t entry) {
          const std::int64_t row = entry / width, i = entry % width;
          const std::int32_t s = free.simplices(row);
          if (i < free.dimensions(row)) {
            bounded.points(row, i) = bounded_coordinate(lower(s, i), upper(s, i), free.points(row, i));
          }
        });
  }

 private:
  Objective& m_objective;
  RowMatrix<execution_space> m_lower, m_upper;  // index: simplex, coordinate
  RowMatrix<execution_space> m_points;
};

}  // namespace sporos
