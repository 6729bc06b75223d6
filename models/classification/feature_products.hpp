// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/linear_algebra/reserve.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/models/classification/row_selection.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

/// Products of selected rows of a table of features with vectors. A table's handle says how a task does its part; every
/// sum has an order that depends on the sizes alone: the same bits from run to run on a backend, with any number of
/// threads.
namespace sporos::models {

/// Margins xᵀw + c for kernels.
struct LinearPredictor {
  const double* weights;    ///< w
  const double* intercept;  ///< c, or null

  /// The margin of a row whose product with w this is.
  KOKKOS_FORCEINLINE_FUNCTION double margin(double product) const {
    return intercept == nullptr ? product : product + *intercept;
  }
};

namespace impl {

/// finish(i, mᵢ) for the margin of each selected row of a block, on a host, the weights as the features want them.
template <class Handle, class Vector, class Finish>
struct BlockMultiplier {
  Handle features;
  RowSelection rows;
  Vector weights;
  LinearPredictor predictor;
  Finish finish;

  void operator()(std::int64_t block) const {
    double margins[Handle::rows_of_task];
    const std::int64_t first = block * Handle::rows_of_task;
    const std::int64_t count = std::min(rows.count - first, Handle::rows_of_task);
    features.multiply(rows, first, count, weights, margins);
    for (std::int64_t i = 0; i < count; ++i) margins[i] = predictor.margin(margins[i]);
#pragma GCC ivdep
    for (std::int64_t i = 0; i < count; ++i) finish(first + i, margins[i]);
  }
};

/// The same by a team for each row, on a device.
template <class Handle, class Finish>
struct TeamMultiplier {
  Handle features;
  RowSelection rows;
  LinearPredictor predictor;
  Finish finish;

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::int64_t i = team.league_rank(), row = rows[i];
    double product = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, features.terms(row)),
        [&](const std::int64_t k, double& sum) { sum += features.term(row, k, predictor.weights); }, product);
    Kokkos::single(Kokkos::PerTeam(team), [&]() { finish(i, predictor.margin(product)); });
  }
};

/// Columns of sums that features may use beyond their own are up to the next multiple of this.
inline constexpr std::int64_t column_padding = 512;

/// Sums over parts of the selected rows, of a few columns: part p's of column j at p `width` + j, that of the factors
/// at the end of the part.
template <class Handle>
struct ColumnAdder {
  Handle features;
  RowSelection rows;
  const double* factors;
  std::int64_t columns, columns_of_task, ranges, rows_of_part, width;
  double* parts;

  KOKKOS_FUNCTION void operator()(std::int64_t task) const {
    const std::int64_t part = task / ranges, begin = task % ranges * columns_of_task;
    const std::int64_t first = part * rows_of_part, left = rows.count - first;
    const std::int64_t end = first + (left < rows_of_part ? left : rows_of_part);
    const std::int64_t stop = begin + columns_of_task < columns ? begin + columns_of_task : columns;
    double* const sums = parts + part * width;
    features.sum_rows(rows, first, end, factors, begin, stop, sums + begin);
    if (begin > 0) return;
    double sum = 0;
    for (std::int64_t i = first; i < end; ++i) sum += factors[i];
    sums[width - 1] = sum;
  }
};

}  // namespace impl

/// Calls finish(i, mᵢ) for the margin of each selected row, in any order; `finish` is for kernels.
template <class ExecutionSpace, class Features, class Finish>
void for_each_margin(const ExecutionSpace& space, const Features& features, const RowSelection& rows,
                     const LinearPredictor& predictor, const Finish& finish) {
  using Handle = decltype(features.handle());
  if constexpr (runs_on_host<ExecutionSpace>) {
    const auto handle = features.handle();
    const auto weights = handle.prepared(predictor.weights);
    const std::int64_t blocks = (rows.count + Handle::rows_of_task - 1) / Handle::rows_of_task;
    Kokkos::parallel_for(
        "sporos::classification::multiply_rows",
        Kokkos::RangePolicy<ExecutionSpace, Kokkos::Schedule<Kokkos::Dynamic>>(space, 0, blocks),
        impl::BlockMultiplier<Handle, decltype(weights), Finish>{handle, rows, weights, predictor, finish});
  } else {
    Kokkos::parallel_for("sporos::classification::multiply_rows",
                         Kokkos::TeamPolicy<ExecutionSpace>(space, static_cast<int>(rows.count), Kokkos::AUTO),
                         impl::TeamMultiplier<Handle, Finish>{features.handle(), rows, predictor, finish});
  }
}

/// Σᵢ rᵢ xᵢ over selected rows, in parts of the rows that are still to be added up; keeps the memory for them.
template <class ExecutionSpace>
class ColumnSums {
 public:
  /// The sums for kernels, the parts added in order.
  struct Handle {
    const double* parts;  ///< part p's numbers from p `width` on
    std::int64_t count;   ///< number of parts
    std::int64_t width;   ///< distance between parts

    /// found[k] = Σᵢ rᵢ xᵢⱼ for j = `first` + k, k = 0, …, `size` − 1.
    KOKKOS_INLINE_FUNCTION void columns(std::int64_t first, std::int64_t size, double* found) const {
      for (std::int64_t k = 0; k < size; ++k) found[k] = 0;
      for (std::int64_t part = 0; part < count; ++part) {
        const double* const of_part = parts + part * width + first;
        for (std::int64_t k = 0; k < size; ++k) found[k] += of_part[k];
      }
    }
    /// Σᵢ rᵢ xᵢⱼ.
    KOKKOS_INLINE_FUNCTION double column(std::int64_t j) const {
      double sum;
      columns(j, 1, &sum);
      return sum;
    }
    /// Σᵢ rᵢ.
    KOKKOS_INLINE_FUNCTION double factors() const { return column(width - 1); }
  };

  /// Adds up the selected rows times `factors`, which has rows.count elements that kernels can reach.
  template <class Features>
  void add_up(const ExecutionSpace& space, const Features& features, const RowSelection& rows, const double* factors);

  /// Valid until the next add_up.
  Handle handle() const { return m_handle; }

 private:
  // Few enough parts for their memory, and rows enough in one for a minibatch to be one part.
  static constexpr std::int64_t most_parts = 64, most_numbers = std::int64_t{1} << 22, least_rows = 2048;

  Vector<ExecutionSpace> m_parts;
  Handle m_handle{nullptr, 0, 0};
};

template <class ExecutionSpace>
template <class Features>
void ColumnSums<ExecutionSpace>::add_up(const ExecutionSpace& space, const Features& features, const RowSelection& rows,
                                        const double* factors) {
  using FeaturesHandle = decltype(features.handle());
  const std::int64_t columns = features.columns();
  const std::int64_t padding = impl::column_padding, width = (columns + padding - 1) / padding * padding + 1;
  const std::int64_t parts_wanted = std::max<std::int64_t>(1, std::min(most_parts, most_numbers / width));
  const std::int64_t share = ((rows.count + parts_wanted - 1) / parts_wanted + 31) / 32 * 32;
  const std::int64_t rows_of_part = std::max(least_rows, share);
  const std::int64_t parts = (rows.count + rows_of_part - 1) / rows_of_part;
  // No bits depend on how many columns a task has: where there are parts enough, all of them, which reads rows as they
  // lie.
  std::int64_t columns_of_task = FeaturesHandle::columns_of_thread;
  if (runs_on_host<ExecutionSpace>) {
    columns_of_task = parts < 4 * space.concurrency() ? FeaturesHandle::columns_of_task : columns;
  }
  const std::int64_t ranges = (columns + columns_of_task - 1) / columns_of_task;
  reserve(m_parts, "sporos::classification::column_parts", parts * width);
  m_handle = {m_parts.data(), parts, width};
  Kokkos::parallel_for("sporos::classification::add_columns",
                       Kokkos::RangePolicy<ExecutionSpace, Kokkos::Schedule<Kokkos::Dynamic>>(space, 0, parts * ranges),
                       impl::ColumnAdder<FeaturesHandle>{features.handle(), rows, factors, columns, columns_of_task,
                                                         ranges, rows_of_part, width, m_parts.data()});
}

}  // namespace sporos::models
