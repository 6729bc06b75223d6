// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/distributions/tables.hpp>
#include <sporos/core/execution/memory.hpp>
#include <sporos/core/math/lane_sums.hpp>
#include <sporos/models/classification/row_selection.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sporos::models {

/// Dense features on the host, row-major.
struct DenseRows {
  std::int64_t columns = 0;    ///< n, the number of features
  std::vector<double> values;  ///< feature j of row i is at index i n + j

  /// Number N of rows.
  std::int64_t rows() const { return columns < 1 ? 0 : static_cast<std::int64_t>(values.size()) / columns; }
};

/// Dense features in memory that kernels can access, row-major: row i begins at `values` + i · `columns`.
template <std::floating_point Real>
struct DenseHandle {
  static constexpr std::int64_t rows_of_task = 16;      ///< rows that a host thread multiplies together
  static constexpr std::int64_t columns_of_task = 512;  ///< columns that a host thread sums together
  static constexpr std::int64_t columns_of_thread = 1;  ///< columns that a device thread sums together
  static constexpr int rows_of_team = 8;                ///< rows that a device team multiplies together
  const Real* values;                                   ///< the features
  std::int64_t columns;                                 ///< n, the number of features

  /// Number of terms in the product of a row with a vector.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t terms(std::int64_t) const { return columns; }

  /// For each of these rows, adds term k of its product with w to its sum.
  template <int count>
  KOKKOS_FORCEINLINE_FUNCTION void add_terms(const std::int64_t (&rows)[count], std::int64_t k, const double* w,
                                             double (&sums)[count]) const {
    const double weight = w[k];
    for (int i = 0; i < count; ++i) sums[i] += static_cast<double>(values[rows[i] * columns + k]) * weight;
  }

  /// Converts w to the form that `multiply` requires.
  const double* prepared(const double* w) const { return w; }

  /// Sets margins[i] to the product of row `rows[first + i]` with w, for i = 0, …, `count` − 1, by eight interleaved
  /// sums.
  void multiply(const RowSelection& rows, std::int64_t first, std::int64_t count, const double* w,
                double* margins) const {
    constexpr int lanes = 8;
    for (std::int64_t i = 0; i < count; ++i) {
      const Real* const x = values + rows[first + i] * columns;
      double sums[lanes] = {};
      std::int64_t j = 0;
      for (; j + lanes <= columns; j += lanes) {
        for (int lane = 0; lane < lanes; ++lane) sums[lane] += static_cast<double>(x[j + lane]) * w[j + lane];
      }
      for (int lane = 0; j < columns; ++j, ++lane) sums[lane] += static_cast<double>(x[j]) * w[j];
      margins[i] = sporos::impl::sum_of_lanes(sums);
    }
  }

  /// Sets sums[j − begin] = Σ_i r[i] x(rows[i], j) for the selected rows i in [first, end) and columns j in [begin,
  /// stop).
  KOKKOS_INLINE_FUNCTION void sum_rows(const RowSelection& rows, std::int64_t first, std::int64_t end, const double* r,
                                       std::int64_t begin, std::int64_t stop, double* sums) const {
    if (stop - begin == 1) {  // on a device, where adjacent threads have adjacent columns
      sums[0] = impl::sum_in_order(
          first, end, [&](std::int64_t i) { return r[i] * static_cast<double>(values[rows[i] * columns + begin]); });
      return;
    }
    for (std::int64_t j = begin; j < stop; ++j) sums[j - begin] = 0;
    for (std::int64_t i = first; i < end; ++i) {
      const Real* const x = values + rows[i] * columns;
      const double factor = r[i];
      for (std::int64_t j = begin; j < stop; ++j) sums[j - begin] += factor * static_cast<double>(x[j]);
    }
  }
};

/// N rows of n real features in `MemorySpace`, as float or double. Sums are in double. Copies share the data.
template <std::floating_point Real, class MemorySpace = Kokkos::DefaultExecutionSpace::memory_space>
class DenseFeatures {
 public:
  using memory_space = MemorySpace;  ///< memory space of the features

  /// Copies row-major `values` to `MemorySpace`. Throws std::invalid_argument if there are no columns, or if the values
  /// do not fill rows, and OutOfMemory if they do not fit.
  DenseFeatures(std::int64_t columns, const std::vector<Real>& values) : m_columns(columns) {
    check_positive_integer("number of features", columns);
    if (values.empty() || values.size() % static_cast<std::size_t>(columns) != 0) {
      sporos::impl::refuse_parameter("number of feature values", std::to_string(values.size()),
                                     "a positive multiple of " + std::to_string(columns));
    }
    const std::int64_t rows = static_cast<std::int64_t>(values.size()) / columns;
    check_memory<MemorySpace>({"features", rows, "rows", static_cast<double>(columns) * sizeof(Real)});
    m_values = sporos::impl::table_view<MemorySpace>("sporos::classification::dense_features", values);
  }

  /// Copies `rows`, rounded to `Real`. Throws like the constructor above.
  explicit DenseFeatures(const DenseRows& rows)
      : DenseFeatures(rows.columns, std::vector<Real>(rows.values.begin(), rows.values.end())) {}

  /// Number N of rows.
  std::int64_t rows() const { return static_cast<std::int64_t>(m_values.extent(0)) / m_columns; }
  /// Number n of features.
  std::int64_t columns() const { return m_columns; }
  /// Size of the features in memory, in bytes.
  std::size_t bytes() const { return m_values.extent(0) * sizeof(Real); }
  /// The features for kernels. Valid as long as this object or a copy of it exists.
  DenseHandle<Real> handle() const { return {m_values.data(), m_columns}; }

 private:
  Kokkos::View<const Real*, MemorySpace> m_values;
  std::int64_t m_columns;
};

}  // namespace sporos::models
