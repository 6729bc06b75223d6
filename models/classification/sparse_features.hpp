// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/distributions/tables.hpp>
#include <sporos/core/execution/memory.hpp>
#include <sporos/models/classification/row_selection.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace sporos::models {

/// Sparse features on the host, in compressed rows as in LIBSVM files.
struct SparseRows {
  std::int64_t columns = 0;                ///< n, the number of features
  std::vector<std::int64_t> starts = {0};  ///< row i has entries starts[i] to starts[i + 1] − 1
  std::vector<std::int32_t> indices;       ///< columns of the entries, from 0, ascending within a row
  std::vector<double> values;              ///< values of the entries

  /// Number N of rows.
  std::int64_t rows() const { return static_cast<std::int64_t>(starts.size()) - 1; }

  /// Calls visit(row, column, value) for all entries, row by row.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (std::size_t row = 0; row + 1 < starts.size(); ++row) {
      for (auto entry = static_cast<std::size_t>(starts[row]); entry < static_cast<std::size_t>(starts[row + 1]);
           ++entry) {
        visit(row, static_cast<std::size_t>(indices[entry]), values[entry]);
      }
    }
  }

  /// Throws std::invalid_argument if there are no rows or columns, sizes do not match, or columns do not ascend.
  void check() const;
};

/// Sparse features in memory that kernels can access.
struct SparseHandle {
  static constexpr std::int64_t columns_of_task = 8192;  ///< columns that a host thread sums together
  static constexpr std::int64_t columns_of_thread = 32;  ///< columns that a device thread sums together
  static constexpr int rows_of_team = 1;                 ///< rows that a team multiplies together
  const std::int64_t* starts;                            ///< see SparseRows::starts
  const std::int32_t* indices;                           ///< see SparseRows::indices
  const double* values;                                  ///< see SparseRows::values

  /// Number of terms in the product of a row with a vector.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t terms(std::int64_t row) const { return starts[row + 1] - starts[row]; }

  /// Term k of the product of a row with w.
  KOKKOS_FORCEINLINE_FUNCTION double term(std::int64_t row, std::int64_t k, const double* w) const {
    const std::int64_t entry = starts[row] + k;
    return values[entry] * w[indices[entry]];
  }

  /// Adds term k of the product of a row with w to a sum.
  KOKKOS_FORCEINLINE_FUNCTION void add_terms(const std::int64_t (&row)[1], std::int64_t k, const double* w,
                                             double (&sum)[1]) const {
    sum[0] += term(row[0], k, w);
  }

  /// Sets sums[j − begin] = Σ_i r[i] x(rows[i], j) for the selected rows i in [first, end) and columns j in [begin,
  /// stop).
  KOKKOS_INLINE_FUNCTION void sum_rows(const RowSelection& rows, std::int64_t first, std::int64_t end, const double* r,
                                       std::int64_t begin, std::int64_t stop, double* sums) const {
    for (std::int64_t j = begin; j < stop; ++j) sums[j - begin] = 0;
    for (std::int64_t i = first; i < end; ++i) {
      const std::int64_t row = rows[i], last = starts[row + 1];
      for (std::int64_t entry = first_entry(row, begin); entry < last && indices[entry] < stop; ++entry) {
        sums[indices[entry] - begin] += r[i] * values[entry];
      }
    }
  }

  /// Index of the first entry of a row whose column is at least `column`.
  KOKKOS_INLINE_FUNCTION std::int64_t first_entry(std::int64_t row, std::int64_t column) const {
    std::int64_t low = starts[row], high = starts[row + 1];
    if (column == 0) return low;
    while (low < high) {
      const std::int64_t middle = low + (high - low) / 2;
      if (indices[middle] < column) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
};

/// N rows of n features in `MemorySpace`, most of which are 0. Copies share the data.
template <class MemorySpace = Kokkos::DefaultExecutionSpace::memory_space>
class SparseFeatures {
 public:
  using memory_space = MemorySpace;  ///< memory space of the features

  /// Copies `rows` to `MemorySpace`. Throws like SparseRows::check, and OutOfMemory if they do not fit.
  explicit SparseFeatures(const SparseRows& rows)
      : m_columns((rows.check(), check_room(rows), rows.columns)),
        m_starts(sporos::impl::table_view<MemorySpace>("sporos::classification::row_starts", rows.starts)),
        m_indices(sporos::impl::table_view<MemorySpace>("sporos::classification::column_indices", rows.indices)),
        m_values(sporos::impl::table_view<MemorySpace>("sporos::classification::sparse_features", rows.values)) {}

  /// Number N of rows.
  std::int64_t rows() const { return static_cast<std::int64_t>(m_starts.extent(0)) - 1; }
  /// Number n of features.
  std::int64_t columns() const { return m_columns; }
  /// Size of the features in memory, in bytes.
  std::size_t bytes() const { return bytes(m_starts.extent(0), m_values.extent(0)); }
  /// The features for kernels. Valid as long as this object or a copy of it exists.
  SparseHandle handle() const { return {m_starts.data(), m_indices.data(), m_values.data()}; }

 private:
  static std::size_t bytes(std::size_t starts, std::size_t entries) {
    return starts * sizeof(std::int64_t) + entries * (sizeof(std::int32_t) + sizeof(double));
  }

  static void check_room(const SparseRows& rows) {
    const auto all = static_cast<double>(bytes(rows.starts.size(), rows.values.size()));
    check_memory<MemorySpace>({"features", rows.rows(), "rows", all / static_cast<double>(rows.rows())});
  }

  std::int64_t m_columns;
  Kokkos::View<const std::int64_t*, MemorySpace> m_starts;
  Kokkos::View<const std::int32_t*, MemorySpace> m_indices;
  Kokkos::View<const double*, MemorySpace> m_values;
};

inline void SparseRows::check() const {
  if (columns < 1 || columns > std::numeric_limits<std::int32_t>::max()) {
    sporos::impl::refuse_parameter("number of features", std::to_string(columns), "a number from 1 to 2147483647");
  }
  check_positive_integer("number of rows", rows());
  if (starts.front() != 0 || starts.back() != static_cast<std::int64_t>(values.size()) ||
      indices.size() != values.size()) {
    sporos::impl::refuse_parameter("number of entries", std::to_string(values.size()),
                                   "the number of column indices, which is the end of the last row");
  }
  for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
    if (starts[i + 1] < starts[i] || starts[i + 1] > starts.back()) {
      sporos::impl::refuse_parameter("end of row " + std::to_string(i), std::to_string(starts[i + 1]),
                                     "a number from the start of the row to the number of entries");
    }
    std::int64_t before = -1;
    for (std::int64_t entry = starts[i]; entry < starts[i + 1]; ++entry) {
      const std::int64_t column = indices[static_cast<std::size_t>(entry)];
      if (column <= before || column >= columns) {
        sporos::impl::refuse_parameter("column index " + std::to_string(column) + " of row " + std::to_string(i),
                                       "out of order", "ascending indices below " + std::to_string(columns));
      }
      before = column;
    }
  }
}

}  // namespace sporos::models
