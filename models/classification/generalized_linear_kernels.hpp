// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/math/pack.hpp>
#include <sporos/core/random/drawn_index.hpp>
#include <sporos/models/classification/row_selection.hpp>
#include <sporos/models/classification/sum_tree.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// Kernels of GeneralizedLinear, in addition to the products of feature_products.hpp.
namespace sporos::models::impl {

/// Sets indices[i] to the row that replication `first` + i draws.
template <class ExecutionSpace>
struct RowDrawer {
  static constexpr std::int64_t width = runs_on_host<ExecutionSpace> ? Pack::lanes : 1;  // rows of a task

  std::uint64_t seed, first, row_count;
  std::int64_t drawn;  // number of rows to draw
  std::int64_t* indices;

  KOKKOS_FUNCTION void operator()(std::int64_t task) const {
    const std::int64_t i = task * width, left = drawn - i;
    draw_indices(seed, first + static_cast<std::uint64_t>(i), left < width ? left : width, row_count, indices + i);
  }
};

/// The labels of selected rows. The constructor adds the offset of a contiguous range, so that the compiler vectorizes
/// loops over the labels. With the addition in operator[], it did not, and a row took twice the time.
struct RowLabels {
  const double* labels;
  const std::int64_t* indices;

  RowLabels(const double* of_all, const RowSelection& rows)
      : labels(rows.indices == nullptr ? of_all + rows.first : of_all), indices(rows.indices) {}

  KOKKOS_FORCEINLINE_FUNCTION double operator[](std::int64_t i) const {
    return labels[indices == nullptr ? i : indices[i]];
  }
};

/// Sets out[i] to a function of the margin and label of row i: the loss or one of its derivatives.
template <double (*function)(double, double)>
struct LabelledFinisher {
  double* out;
  RowLabels labels;

  KOKKOS_FUNCTION void operator()(std::int64_t i, double margin) const { out[i] = function(margin, labels[i]); }
};

/// Computes the loss of each row and its derivative.
template <class Loss>
struct JointFinisher : LabelledFinisher<Loss::derivative> {
  double* losses;

  KOKKOS_FUNCTION void operator()(std::int64_t i, double margin) const {
    const double z = this->labels[i];
    this->out[i] = Loss::derivative(margin, z);
    losses[i] = Loss::value(margin, z);
  }
};

/// Multiplies out[i] by the margin of row i, which is the change of the margin in a direction.
struct WeightingFinisher {
  double* out;

  KOKKOS_FUNCTION void operator()(std::int64_t i, double margin) const { out[i] *= margin; }
};

/// Sets out to `scale` times the sums of adjacent columns, plus `penalty` x. The last coordinate is that of the
/// intercept, if there is one.
template <class ExecutionSpace, class Sums>
struct SumFinisher {
  // Number of columns of a task: a loop in vector registers on a host, one column for each thread on a device.
  static constexpr int width = runs_on_host<ExecutionSpace> ? 256 : 1;
  Sums sums;
  std::int64_t columns, dimension;
  double scale, penalty;
  const double* x;
  double* out;

  KOKKOS_FUNCTION void operator()(std::int64_t task) const {
    const std::int64_t first = task * width, count = columns - first < width ? columns - first : width;
    SumStack<width> found;
    sums.add_up(first, count, found);
    for (std::int64_t k = 0; k < count; ++k) out[first + k] = scale * found.sums[0][k] + penalty * x[first + k];
    if (task > 0 || columns == dimension) return;
    SumStack<1> factors;
    sums.add_up_factors(factors);
    out[columns] = scale * factors.sums[0][0];
  }
};

/// Computes the mean of the label that a margin predicts.
template <class Loss>
struct MeanFinisher {
  double* out;

  KOKKOS_FUNCTION void operator()(std::int64_t i, double margin) const { out[i] = Loss::mean(margin); }
};

}  // namespace sporos::models::impl
