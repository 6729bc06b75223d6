// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/distributions/tables.hpp>
#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/execution/device_code.hpp>
#include <sporos/core/execution/memory.hpp>
#include <sporos/models/classification/feature_products.hpp>
#include <sporos/models/classification/packed_kernels.hpp>
#include <sporos/models/classification/packed_margins.hpp>
#include <sporos/models/classification/row_selection.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace sporos::models {

/// Binary features, 64 to a word, on the host. Feature j of row i is bit j mod 64 of word i W + ⌊j / 64⌋, where a row
/// has W = ⌈n / 64⌉ words. The bits of its last word beyond n are 0.
struct PackedRows {
  std::int64_t columns = 0;          ///< n, the number of features
  std::vector<std::uint64_t> words;  ///< N W words

  /// Number W of words in a row.
  std::int64_t words_of_row() const { return (columns + 63) / 64; }
  /// Number N of rows.
  std::int64_t rows() const { return columns < 1 ? 0 : static_cast<std::int64_t>(words.size()) / words_of_row(); }
  /// Whether feature `column` of `row` is 1.
  bool at(std::int64_t row, std::int64_t column) const {
    return words[static_cast<std::size_t>(row * words_of_row() + column / 64)] >> (column % 64) & 1;
  }

  /// Throws std::invalid_argument if there are no rows or columns, if the words do not fill rows, or if a bit beyond n
  /// is not 0.
  void check() const;
};

/// Packed features in memory that kernels can access.
struct PackedHandle {
  static constexpr std::int64_t rows_of_task = impl::packed_rows;  ///< rows that a host thread multiplies together
  /// Number of columns that a host thread sums together.
  static constexpr std::int64_t columns_of_task = impl::packed_columns;
  static constexpr std::int64_t columns_of_thread = 1;  ///< columns that a device thread sums together
  const std::uint64_t* words;                           ///< words of the rows, followed by seven padding words
  std::int64_t words_of_row;                            ///< W, the number of words in a row
  std::int64_t columns;                                 ///< n, the number of features

  /// Whether a row has feature k. Requires little-endian words. Reads half a word, which adjacent threads of a device
  /// share: with shifts of whole words, a gradient on an H100 takes 1.3 times as long.
  KOKKOS_FORCEINLINE_FUNCTION bool has(std::int64_t row, std::uint32_t k) const {
    typedef std::uint32_t Half __attribute__((may_alias));  // nvcc takes no attribute in `using`
    const auto* const halves = reinterpret_cast<const Half*>(words + row * words_of_row);
    return (halves[k / 32] & std::uint32_t{1} << (k % 32)) != 0;
  }

  /// Converts w to the form that `multiply` requires. w has n elements in host memory.
  impl::PackedVector prepared(const double* w) const { return {w, columns}; }

  /// Sets margins[i] to the product of row `rows[first + i]` with the prepared vector, for i = 0, …, `count` − 1.
  /// `count` is at most rows_of_task. Each margin is accurate to about 2^−54 of the sum of the vector's magnitudes. If
  /// that sum is not finite, the margin is NaN, except for narrow rows.
  void multiply(const RowSelection& rows, std::int64_t first, std::int64_t count, const impl::PackedVector& vector,
                double* margins) const {
    impl::multiply_packed<impl::HostWords>(words, columns, rows, first, count, vector, margins);
  }

  /// Sets sums[j − begin] = Σ_i r[i] x(rows[i], j) for the selected rows i in [first, end) and columns j in [begin,
  /// stop). On a host, `begin` must be a multiple of columns_of_task, and sums up to the next multiple after `stop` are
  /// overwritten.
  KOKKOS_INLINE_FUNCTION void sum_rows(const RowSelection& rows, std::int64_t first, std::int64_t end, const double* r,
                                       std::int64_t begin, std::int64_t stop, double* sums) const {
    SPOROS_IF_ON_HOST((impl::sum_packed<impl::HostWords>(words, words_of_row, rows, first, end, r, begin, stop, sums);))
    SPOROS_IF_ON_DEVICE((for (std::int64_t j = begin; j < stop; ++j) {
      const auto column = static_cast<std::uint32_t>(j);
      const auto factor = [&](std::int64_t i) { return has(rows[i], column) ? r[i] : 0.0; };
      sums[j - begin] = impl::sum_in_order(first, end, factor);
    }))
  }
};

/// for_each_margin in teams: one thread for each row if there are enough rows, otherwise eight.
template <class ExecutionSpace, class Finish>
void multiply_rows(const ExecutionSpace& space, const PackedHandle& features, const RowSelection& rows,
                   const LinearPredictor& predictor, const Finish& finish, double nanoseconds) {
  if (4 * rows.count >= space.concurrency()) {
    impl::multiply_packed_in_teams<impl::packed_lanes>(space, features, rows, predictor, finish, nanoseconds);
  } else {
    impl::multiply_packed_in_teams<1>(space, features, rows, predictor, finish, nanoseconds);
  }
}

/// N rows of n binary features in `MemorySpace`, 64 to a word. Copies share the data.
template <class MemorySpace = Kokkos::DefaultExecutionSpace::memory_space>
class PackedFeatures {
 public:
  using memory_space = MemorySpace;  ///< memory space of the features

  /// Copies `rows` to `MemorySpace`. Throws like PackedRows::check, and OutOfMemory if they do not fit.
  explicit PackedFeatures(const PackedRows& rows) : m_rows((rows.check(), rows.rows())), m_columns(rows.columns) {
    const auto bytes_of_row = static_cast<double>(rows.words_of_row()) * sizeof(std::uint64_t);
    check_memory<MemorySpace>({"features", m_rows, "rows", bytes_of_row});
    const auto size = rows.words.size();
    Kokkos::View<std::uint64_t*, MemorySpace> words(
        Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::classification::packed_features"),
        size + impl::packed_padding);
    copy_elements(first_elements(words, size), rows.words);
    const std::array<std::uint64_t, impl::packed_padding> padding{};
    copy_elements(Kokkos::subview(words, std::pair(size, words.extent(0))), padding);
    m_words = words;
  }

  /// Number N of rows.
  std::int64_t rows() const { return m_rows; }
  /// Number n of features.
  std::int64_t columns() const { return m_columns; }
  /// Size of the features in memory, in bytes.
  std::size_t bytes() const { return m_words.extent(0) * sizeof(std::uint64_t); }
  /// The features for kernels. Valid as long as this object or a copy of it exists.
  PackedHandle handle() const { return {m_words.data(), (m_columns + 63) / 64, m_columns}; }

 private:
  std::int64_t m_rows, m_columns;
  Kokkos::View<const std::uint64_t*, MemorySpace> m_words;
};

/// Whether features are packed.
template <class Features>
inline constexpr bool are_packed = false;
/// PackedFeatures are packed.
template <class MemorySpace>
inline constexpr bool are_packed<PackedFeatures<MemorySpace>> = true;

inline void PackedRows::check() const {
  check_positive_integer("number of features", columns);
  const auto width = static_cast<std::size_t>(words_of_row());
  if (words.empty() || words.size() % width != 0) {
    sporos::impl::refuse_parameter("number of words", std::to_string(words.size()),
                                   "a positive multiple of " + std::to_string(width));
  }
  if (columns % 64 == 0) return;
  for (std::size_t last = width - 1; last < words.size(); last += width) {
    if (words[last] >> (columns % 64) == 0) continue;
    sporos::impl::refuse_parameter("a bit beyond the features of row " + std::to_string(last / width), "1", "0");
  }
}

}  // namespace sporos::models
