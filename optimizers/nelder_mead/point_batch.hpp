// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/linear_algebra/row_matrix.hpp>
#include <sporos/core/linear_algebra/vector.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>

namespace sporos {

/// Points at which a batch objective is to be evaluated, one per row, in the memory of `ExecutionSpace`. Rows may
/// belong to simplices of different dimensions.
template <class ExecutionSpace>
struct PointBatch {
  using memory_space = typename ExecutionSpace::memory_space;  ///< Memory space of all views.

  /// Row r has the coordinates of a point of simplex simplices(r); the rest of the row is not initialized.
  RowMatrix<ExecutionSpace> points;
  /// Simplex to which a row belongs, as an index into the vector of starts.
  Kokkos::View<std::int32_t*, memory_space> simplices;
  /// Number of coordinates of a row.
  Kokkos::View<std::int32_t*, memory_space> dimensions;
  /// Number of earlier evaluations of the row's simplex. Together with `simplices` it is the key of noise that is
  /// independent between evaluations. An objective that ignores it uses common random numbers.
  Kokkos::View<std::int64_t*, memory_space> evaluations;

  /// Number of rows.
  std::int64_t size() const { return static_cast<std::int64_t>(simplices.extent(0)); }

  /// Allocates memory for `rows` points of at most `width` coordinates, without initializing it.
  static PointBatch allocated(std::size_t rows, std::size_t width) {
    const auto unset = [](const char* label) {
      return Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string(label));
    };
    return {RowMatrix<ExecutionSpace>(unset("sporos::nelder_mead::points"), rows, width),
            decltype(simplices)(unset("sporos::nelder_mead::simplices"), rows),
            decltype(dimensions)(unset("sporos::nelder_mead::dimensions"), rows),
            decltype(evaluations)(unset("sporos::nelder_mead::evaluations"), rows)};
  }
};

/// An objective that is evaluated at many points at once. It holds the `execution_space` instance on which it works.
/// `evaluate(points, values)` sets values(r) to f at row r of `points` and need not block. A value that is infinite or
/// NaN counts as worse than any other.
template <class Objective>
concept BatchObjective = requires(Objective& objective, const PointBatch<typename Objective::execution_space>& points,
                                  const Vector<typename Objective::execution_space>& values) {
  { objective.execution() } -> std::convertible_to<const typename Objective::execution_space&>;
  objective.evaluate(points, values);
};

/// Number of steps of all simplices between two checks for stopped simplices, whose rows are then removed. It is the
/// objective's constant `steps_of_round`, if it has one, else `usual`. Use 1 if a row costs more than a check.
template <class Objective>
constexpr std::int64_t steps_of_round_for([[maybe_unused]] std::int64_t default_value = 32) {
  if constexpr (requires { Objective::steps_of_round; }) {
    return Objective::steps_of_round;
  } else {
    return default_value;
  }
}

/// An objective that evaluates points and runs the following step in one launch. `prepare(points)` is called after
/// points were written. `evaluate_then(points, values, step)` uses one team for each row r for which `step.is_open(r)`
/// is true. The team sets values(r) and calls `step(team, r, values(r))`, which writes the next point to the row and
/// returns a pointer to it. After a barrier of the team it prepares this point. The team has `step.scratch_bytes()` of
/// scratch memory of level 0.
template <class Objective, class Step>
concept SteppingObjective = requires(Objective& objective,
                                     const PointBatch<typename Objective::execution_space>& points,
                                     const Vector<typename Objective::execution_space>& values, const Step& step) {
  objective.prepare(points);
  objective.evaluate_then(points, values, step);
};

}  // namespace sporos
