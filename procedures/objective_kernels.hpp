// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/dual.hpp>
#include <sporos/core/replication/for_each_replication.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

/// The kernels of a simulated objective: rows of its quantities and of their derivatives, and moments of these.
namespace sporos::impl {

/// What is simulated: `count` weighted sums of responses.
template <int responses>
struct Quantities {
  int count = 0;
  Kokkos::Array<Kokkos::Array<double, static_cast<std::size_t>(responses)>, static_cast<std::size_t>(responses)>
      weights{};
};

// Writes of each replication the quantities: of one its value, and of a model in duals then its derivatives, a column
// each.
template <class ExecutionSpace, int responses>
struct QuantityRows {
  Kokkos::View<double**, Kokkos::LayoutLeft, typename ExecutionSpace::memory_space> rows;
  Quantities<responses> quantities;

  template <class Model, class Inputs>
  KOKKOS_FUNCTION void operator()(const Model& model, Inputs& inputs, const Replication& replication) const {
    const auto found = model(inputs);
    if (!replication.writes) return;
    using Real = std::remove_cvref_t<decltype(found[0])>;
    for (int q = 0, column = 0; q < quantities.count; ++q) {
      Real sum = 0;
      for (int i = 0; i < responses; ++i) {
        if (quantities.weights[q][i] != 0) sum += quantities.weights[q][i] * found[i];
      }
      if constexpr (DualNumber<Real>) {
        rows(replication.row, column++) = sum.value;
        for (int j = 0; j < static_cast<int>(sum.slope.size()); ++j) rows(replication.row, column++) = sum.slope[j];
      } else {
        rows(replication.row, column++) = sum;
      }
    }
  }
};

// The columns of a launch, and of which pairs of them products are summed: those of quantities' values.
struct MomentColumns {
  int quantities;   // k
  int of_quantity;  // columns of each: 1 value, then derivatives

  // Means first, then sums of products of quantities i ≤ j.
  KOKKOS_FUNCTION std::int64_t count() const { return means() + quantities * (quantities + 1) / 2; }
  KOKKOS_FUNCTION std::int64_t means() const { return std::int64_t{quantities} * of_quantity; }
  KOKKOS_FUNCTION std::int64_t product(int i, int j) const {
    return means() + i * quantities - i * (i - 1) / 2 + j - i;
  }
};

// Moments of blocks of rows; an index is a (block, point, moment) triple.
template <class ExecutionSpace>
struct BlockMoments {
  static constexpr std::int64_t block_rows = 256;

  Kokkos::View<const double**, Kokkos::LayoutLeft, typename ExecutionSpace::memory_space> rows;
  Kokkos::View<double*, typename ExecutionSpace::memory_space> moments;
  MomentColumns columns;
  std::int64_t rows_of_point, points;

  KOKKOS_FUNCTION static std::int64_t blocks_of(std::int64_t rows) { return (rows + block_rows - 1) / block_rows; }

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    const std::int64_t blocks_of_point = blocks_of(rows_of_point);
    const std::int64_t block = index % blocks_of_point, place = index / blocks_of_point;
    const std::int64_t point = place % points, moment = place / points;
    const std::int64_t first = block * block_rows, left = rows_of_point - first;
    const std::int64_t count = left < block_rows ? left : block_rows, begin = point * rows_of_point + first;
    if (moment < columns.means()) {
      moments(index) = mean_of(moment, begin, count);
      return;
    }
    int i = 0;
    while (i + 1 < columns.quantities && columns.product(i + 1, i + 1) <= moment) ++i;
    const int j = i + static_cast<int>(moment - columns.product(i, i));
    const std::int64_t column_i = std::int64_t{i} * columns.of_quantity,
                       column_j = std::int64_t{j} * columns.of_quantity;
    const double mean_i = mean_of(column_i, begin, count), mean_j = mean_of(column_j, begin, count);
    double sum = 0;
    for (std::int64_t row = begin; row < begin + count; ++row)
      sum += (rows(row, column_i) - mean_i) * (rows(row, column_j) - mean_j);
    moments(index) = sum;
  }

 private:
  KOKKOS_FUNCTION double mean_of(std::int64_t column, std::int64_t begin, std::int64_t count) const {
    double sum = 0;
    for (std::int64_t row = begin; row < begin + count; ++row) sum += rows(row, column);
    return sum / static_cast<double>(count);
  }
};

}  // namespace sporos::impl
