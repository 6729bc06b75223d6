// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/optimizers/nelder_mead/point_batch.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

namespace sporos {

namespace impl {

/// Computes f at row `row`. A separate function, because nvcc captures nothing inside `if constexpr`.
template <class ExecutionSpace, class Function>
KOKKOS_FUNCTION double value_at_row(const Function& function, const PointBatch<ExecutionSpace>& points,
                                    std::int64_t row) {
  const double* const x = &points.points(row, 0);
  const std::int64_t n = points.dimensions(row);
  if constexpr (std::is_invocable_v<const Function&, const double*, std::int64_t>) {
    return function(x, n);
  } else {
    return function(x, n, points.simplices(row), points.evaluations(row));
  }
}

}  // namespace impl

/// A function of one point as a batch objective: all points in one launch, one thread each. `Function` is a copyable
/// device functor, `double f(const double* x, std::int64_t n) const` with n coordinates at x. A functor that draws its
/// noise by simplex and evaluation (see PointBatch) has the signature `double f(x, n, std::int32_t simplex,
/// std::int64_t evaluation) const`.
template <class ExecutionSpace, class Function>
class PointwiseObjective {
 public:
  using execution_space = ExecutionSpace;  ///< Execution space of the evaluations.
  static_assert(
      std::is_invocable_r_v<double, const Function&, const double*, std::int64_t> ||
          std::is_invocable_r_v<double, const Function&, const double*, std::int64_t, std::int32_t, std::int64_t>,
      "Sporos: PointwiseObjective takes a device functor: KOKKOS_FUNCTION double operator()(const double* x, "
      "std::int64_t n) const");

  /// Uses this execution space instance.
  explicit PointwiseObjective(Function function, ExecutionSpace space = {})
      : m_function(std::move(function)), m_space(std::move(space)) {}

  /// Execution space instance.
  const ExecutionSpace& execution() const { return m_space; }

  /// Evaluates f at each point.
  void evaluate(const PointBatch<ExecutionSpace>& points, const Vector<ExecutionSpace>& values) {
    const Function function = m_function;
    Kokkos::parallel_for(
        "sporos::nelder_mead::evaluate",
        Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(m_space, 0, points.size()),
        KOKKOS_LAMBDA(std::int64_t row) { values(row) = impl::value_at_row(function, points, row); });
  }

 private:
  Function m_function;
  ExecutionSpace m_space;
};

/// A host function, `double f(std::span<const double> x)`, as a batch objective. The calling thread evaluates the
/// points one by one.
template <class Function, class ExecutionSpace = Kokkos::DefaultHostExecutionSpace>
class HostObjective {
 public:
  using execution_space = ExecutionSpace;  ///< Execution space that moves the simplices.
  /// One step per round, so that no point of a stopped simplex is evaluated.
  static constexpr std::int64_t steps_of_round = 1;
  static_assert(runs_on_host<ExecutionSpace>, "Sporos: HostObjective requires a host execution space");
  static_assert(std::is_invocable_r_v<double, Function&, std::span<const double>>,
                "Sporos: HostObjective takes a function of a point: double f(std::span<const double> x)");

  /// Uses this execution space instance.
  explicit HostObjective(Function function, ExecutionSpace space = {})
      : m_function(std::move(function)), m_space(std::move(space)) {}

  /// Execution space instance.
  const ExecutionSpace& execution() const { return m_space; }

  /// Evaluates f at each point.
  void evaluate(const PointBatch<ExecutionSpace>& points, const Vector<ExecutionSpace>& values) {
    m_space.fence();
    for (std::size_t row = 0; row < values.extent(0); ++row) {
      values(row) =
          m_function(std::span<const double>(&points.points(row, 0), static_cast<std::size_t>(points.dimensions(row))));
    }
  }

 private:
  Function m_function;
  ExecutionSpace m_space;
};

}  // namespace sporos
