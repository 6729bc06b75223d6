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

/// Points at which a batch objective is wanted, a row each, in the memory of `ExecutionSpace`; rows may be of simplices
/// of different dimensions.
template <class ExecutionSpace>
struct PointBatch {
  using memory_space = typename ExecutionSpace::memory_space;  ///< of all views

  /// Row r has the coordinates of a point of simplex simplices(r); what follows them in the row is unset.
  RowMatrix<ExecutionSpace> points;
  /// The simplex that a row belongs to, by its place in the vector of starts.
  Kokkos::View<std::int32_t*, memory_space> simplices;
  /// Coordinates of a row.
  Kokkos::View<std::int32_t*, memory_space> dimensions;
  /// Evaluations that the row's simplex has had before: with `simplices` the key of noise that is independent from
  /// evaluation to evaluation. An objective that ignores it has common random numbers.
  Kokkos::View<std::int64_t*, memory_space> evaluations;

  /// Number of rows.
  std::int64_t size() const { return static_cast<std::int64_t>(simplices.extent(0)); }

  /// Memory for `rows` points of at most `width` coordinates; its numbers are unset.
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

/// What is minimized, at many points at once. An objective holds the instance of its `execution_space` on which it
/// works; `evaluate(points, values)` sets values(r) to f at row r of `points`, and need not wait. A value that is
/// infinite or NaN counts as worse than any other.
template <class Objective>
concept BatchObjective = requires(Objective& objective, const PointBatch<typename Objective::execution_space>& points,
                                  const Vector<typename Objective::execution_space>& values) {
  { objective.execution() } -> std::convertible_to<const typename Objective::execution_space&>;
  objective.evaluate(points, values);
};

/// The steps of all simplices between two looks at which of them have stopped, whose rows are then left out: `usual`,
/// or what the objective says by a constant `steps_of_round`, 1 where a row costs more than a look.
template <class Objective>
constexpr std::int64_t steps_of_round_for([[maybe_unused]] std::int64_t usual = 32) {
  if constexpr (requires { Objective::steps_of_round; }) {
    return Objective::steps_of_round;
  } else {
    return usual;
  }
}

/// An objective whose evaluation and the step behind it are one launch. `prepare(points)` is called when points were
/// written; `evaluate_then(points, values, step)` then sets values(r) and calls `step(team, r, values(r))`, by one team
/// for each row r of which `step.is_open(r)` is true, and prepares the point that this writes to the row and returns a
/// pointer to, once the threads of the team have waited for each other. The team has `step.scratch_bytes()` of scratch
/// of level 0.
template <class Objective, class Step>
concept SteppingObjective = requires(Objective& objective,
                                     const PointBatch<typename Objective::execution_space>& points,
                                     const Vector<typename Objective::execution_space>& values, const Step& step) {
  objective.prepare(points);
  objective.evaluate_then(points, values, step);
};

}  // namespace sporos
