// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/optimizers/linear_programs/linear_program.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sporos::impl {

// Number of blocks of neighbouring columns. It does not depend on the hardware, so the result of a block does not
// depend on the number of threads.
inline constexpr std::int64_t column_blocks = 256;

// Range of columns in one block.
struct ColumnBlock {
  std::int64_t begin;
  std::int64_t end;

  KOKKOS_FUNCTION ColumnBlock(std::int64_t columns, std::int64_t block)
      : begin(columns * block / column_blocks), end(columns * (block + 1) / column_blocks) {}
};

// Largest power of two that is at most `value`.
inline double power_of_two_below(double value) { return std::ldexp(1.0, std::ilogb(value)); }

// Computes a number for each block and row of the constraints. `Fold` adds an entry a_ij to its number.
template <class ExecutionSpace, class Fold>
struct BlockRowFolder {
  ConstraintColumns<ExecutionSpace> columns;
  Fold fold;
  Kokkos::View<double**, Kokkos::LayoutRight, typename ExecutionSpace::memory_space> results;

  KOKKOS_FUNCTION void operator()(std::int64_t place) const {
    const auto rows = static_cast<std::int64_t>(columns.extent(1));
    const ColumnBlock block(columns.extent(0), place / rows);
    double result = 0;
    for (std::int64_t j = block.begin; j < block.end; ++j) fold(result, columns(j, place % rows), j);
    results(place / rows, place % rows) = result;
  }
};

// Folds every row of the constraints, starting from 0: first over the columns of each block, then over the blocks by
// `join(double& to, double from)`, both in order.
template <class ExecutionSpace, class Fold, class Join>
std::vector<double> fold_rows(const ExecutionSpace& space, const ConstraintColumns<ExecutionSpace>& columns,
                              const Fold& fold, const Join& join) {
  const std::size_t rows = columns.extent(1);
  const Kokkos::View<double**, Kokkos::LayoutRight, typename ExecutionSpace::memory_space> results(
      Kokkos::view_alloc(space, "sporos::linear_programs::rows"), static_cast<std::size_t>(column_blocks), rows);
  Kokkos::parallel_for("sporos::linear_programs::fold_rows",
                       Kokkos::RangePolicy<ExecutionSpace>(space, 0, column_blocks * static_cast<std::int64_t>(rows)),
                       BlockRowFolder<ExecutionSpace, Fold>{columns, fold, results});
  const auto fetched = Kokkos::create_mirror_view(results);
  copy_elements(space, fetched, results);
  space.fence();
  std::vector<double> folded(rows);
  for (std::int64_t block = 0; block < column_blocks; ++block) {
    for (std::size_t i = 0; i < rows; ++i) join(folded[i], fetched(block, i));
  }
  return folded;
}

// Keeps the largest magnitude of an entry.
struct LargestSize {
  KOKKOS_FUNCTION void operator()(double& largest, double entry, std::int64_t) const {
    const double size = entry < 0 ? -entry : entry;
    if (size > largest) largest = size;
  }
};

// Factors, powers of two, that scale the largest entry of each row to [1, 2); 1 for a row of zeros.
template <class ExecutionSpace>
std::vector<double> row_scales(const ExecutionSpace& space, const ConstraintColumns<ExecutionSpace>& columns) {
  std::vector<double> scales =
      fold_rows(space, columns, LargestSize{}, [](double& to, double from) { to = std::max(to, from); });
  for (double& scale : scales) scale = scale > 0 ? 1 / power_of_two_below(scale) : 1;
  return scales;
}

// Reciprocals of the largest magnitude of each column's entries after scaling the rows; 1 for a column of zeros.
template <class ExecutionSpace>
Vector<ExecutionSpace> column_weights(const ExecutionSpace& space, const ConstraintColumns<ExecutionSpace>& columns,
                                      const std::vector<double>& row_scales) {
  const Vector<ExecutionSpace> scales = to_device(space, row_scales);
  const Vector<ExecutionSpace> weights(Kokkos::view_alloc(space, "sporos::linear_programs::weights"),
                                       columns.extent(0));
  Kokkos::parallel_for(
      "sporos::linear_programs::weights",
      Kokkos::RangePolicy<ExecutionSpace>(space, 0, static_cast<std::int64_t>(columns.extent(0))),
      KOKKOS_LAMBDA(std::int64_t j) {
        double largest = 0;
        for (std::size_t i = 0; i < columns.extent(1); ++i) LargestSize{}(largest, columns(j, i) * scales(i), j);
        weights(j) = largest > 0 ? 1 / largest : 1;
      });
  space.fence();
  return weights;
}

// Throws std::invalid_argument, naming the first entry that is not finite.
template <class ExecutionSpace>
void check_finite_entries(const ExecutionSpace& space, const ConstraintColumns<ExecutionSpace>& columns) {
  const auto rows = static_cast<std::int64_t>(columns.extent(1));
  std::int64_t first = 0;
  Kokkos::parallel_reduce(
      "sporos::linear_programs::check_entries",
      Kokkos::RangePolicy<ExecutionSpace>(space, 0, static_cast<std::int64_t>(columns.extent(0))),
      KOKKOS_LAMBDA(std::int64_t j, std::int64_t & least) {
        for (std::int64_t i = 0; i < rows; ++i) {
          const double entry = columns(j, i);
          if (!(entry - entry == 0) && j * rows + i < least) least = j * rows + i;
        }
      },
      Kokkos::Min<std::int64_t>(first));
  if (first == Kokkos::reduction_identity<std::int64_t>::min()) return;
  double entry = 0;
  copy_elements(space, std::span(&entry, 1), Kokkos::subview(columns, first / rows, first % rows));
  space.fence();
  refuse_parameter(std::string("entry of column ")
                       .append(std::to_string(first / rows + 1))
                       .append(" in row ")
                       .append(std::to_string(first % rows + 1)),
                   number_text(entry), "a finite number");
}

}  // namespace sporos::impl
