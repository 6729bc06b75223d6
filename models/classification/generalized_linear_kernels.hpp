// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/random/drawn_index.hpp>
#include <sporos/models/classification/row_selection.hpp>
#include <sporos/models/classification/sum_tree.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// What GeneralizedLinear launches beside the products of feature_products.hpp.
namespace sporos::models::impl {

/// indices[i] = the row that replication `first` + i draws.
struct RowDrawer {
  std::uint64_t seed, first, row_count;
  std::int64_t* indices;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    indices[i] = drawn_index(seed, first + static_cast<std::uint64_t>(i), row_count);
  }
};

/// The labels of selected rows. With the first of neighbouring rows added here, the compiler makes vector code of
/// loops over them; added in operator[], it did not, and a row took twice the time.
struct RowLabels {
  const double* labels;
  const std::int64_t* indices;

  RowLabels(const double* of_all, const RowSelection& rows)
      : labels(rows.indices == nullptr ? of_all + rows.first : of_all), indices(rows.indices) {}

  KOKKOS_FORCEINLINE_FUNCTION double operator[](std::int64_t i) const {
    return labels[indices == nullptr ? i : indices[i]];
  }
};

/// A function of each row's margin and label: the loss or a derivative of it.
template <double (*function)(double, double)>
struct LabelledFinisher {
  double* out;
  RowLabels labels;

  KOKKOS_FUNCTION void operator()(std::int64_t i, double margin) const { out[i] = function(margin, labels[i]); }
};

/// The derivative of each row's loss, and the loss.
template <class Loss>
struct JointFinisher : LabelledFinisher<Loss::derivative> {
  double* losses;

  KOKKOS_FUNCTION void operator()(std::int64_t i, double margin) const {
    const double z = this->labels[i];
    this->out[i] = Loss::derivative(margin, z);
    losses[i] = Loss::value(margin, z);
  }
};

/// A direction's change of the margin, times what stands there.
struct WeightingFinisher {
  double* out;

  KOKKOS_FUNCTION void operator()(std::int64_t i, double margin) const { out[i] *= margin; }
};

/// out = `scale` times the sums of some neighbouring columns, with `penalty` x; the last coordinate is the intercept's,
/// if there is one.
template <class ExecutionSpace, class Sums>
struct SumFinisher {
  // Columns of a task: on a host a loop in vector registers, on a device a thread each.
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

/// The label that a margin predicts, on average.
template <class Loss>
struct MeanFinisher {
  double* out;

  KOKKOS_FUNCTION void operator()(std::int64_t i, double margin) const { out[i] = Loss::mean(margin); }
};

}  // namespace sporos::models::impl
