// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/classification/narrow_rows.hpp>
#include <sporos/models/classification/row_selection.hpp>
#include <sporos/models/classification/sixteen_words.hpp>
#include <sporos/models/classification/subset_sums.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

/// Products of bit-packed features with vectors, on a host, by the method of the four Russians: the sixteen subset sums
/// of four columns (or rows) are looked up for sixteen rows (or columns) at once. Sums are in fixed point, so that
/// results do not depend on `Words` or on the order of additions.
///
/// Rows are read 512 columns at a time. Meanwhile, the next columns of the same rows are prefetched, one row with each
/// step: in a burst, the fetches would delay each other and the lookups.
namespace sporos::models::impl {

inline constexpr std::int64_t packed_rows = 256;     // rows of a task; the lower parts of their sums fit into 32 bits
inline constexpr std::int64_t packed_columns = 512;  // sixteen words of 32 bits, a cache line
inline constexpr std::int64_t line_words = packed_columns / 64;
inline constexpr std::size_t packed_padding = line_words - 1;  // words that may be read after the last row

/// Starts of 256 rows, and of the rows that will be read next in their places, for prefetching.
struct RowStarts {
  const std::uint64_t* now[packed_rows];
  const std::uint64_t* after[packed_rows];

  /// Selected rows from `first` to `end` − 1; the last one is repeated to fill `used` places.
  RowStarts(const std::uint64_t* words, std::int64_t words_of_row, const RowSelection& rows, std::int64_t first,
            std::int64_t end, std::int64_t used) {
    const auto start = [&](std::int64_t i) { return words + rows[std::min(i, end - 1)] * words_of_row; };
    for (std::int64_t i = 0; i < used; ++i) now[i] = start(first + i);
    for (std::int64_t i = 0; i < used; ++i) after[i] = start(first + packed_rows + i);
  }
};

/// Cache lines of rows to prefetch, beginning at word `offset` of each row.
struct NextLines {
  const std::uint64_t* const* starts;
  std::int64_t offset;

  /// Starts to fetch the first (0) or the last word (1) of the line of row i, which may lie in two cache lines. Always
  /// inlined: g++ 12 removes calls of functions that do nothing but prefetch.
  [[gnu::always_inline]] void fetch(std::int64_t i, std::int64_t which) const {
    __builtin_prefetch(starts[i] + (offset + which * (line_words - 1)));
  }
};

/// Fixed-point sums, in upper and lower parts.
template <std::int64_t size>
struct alignas(64) PartSums {
  std::uint32_t high[size], low[size];
};

// Number of rows that use a table while it is in registers: four registers of lanes.
inline constexpr std::int64_t tile_rows = 64;

/// Adds the table entries for 64 rows to the sums of these rows. bits[0], bits[1], … hold `words` words of 32 columns
/// for each row. Prefetches lines 0 to 4 `words` − 1.
template <class Words>
void add_tile(const SubsetSums* tables, const std::uint32_t (*bits)[tile_rows], std::int64_t words,
              std::uint32_t* high_sums, std::uint32_t* low_sums, const NextLines& next_lines) {
  constexpr int registers = tile_rows / 16;
  Words high[registers], low[registers], index[registers];
  for (int k = 0; k < registers; ++k) {
    high[k] = Words::load(high_sums + 16 * k);
    low[k] = Words::load(low_sums + 16 * k);
  }
  for (std::int64_t word = 0; word < words; ++word) {
    for (int k = 0; k < registers; ++k) index[k] = Words::load(bits[word] + 16 * k);
#if defined(__GNUC__) && !defined(__NVCC__)
#pragma GCC unroll 1  // unrolled, g++ 12 reorders the additions, which needs too many registers
#endif
    for (std::int64_t four = 0; four < 8; ++four) {
      next_lines.fetch(4 * word + four / 2, four % 2);
      const SubsetSums& table = tables[8 * word + four];
      const Words highs = Words::load(table.high), lows = Words::load(table.low);
      for (int k = 0; k < registers; ++k) {
        high[k] = high[k] + highs[index[k]];
        low[k] = low[k] + lows[index[k]];
        index[k] = index[k] >> 4;
      }
    }
  }
  for (int k = 0; k < registers; ++k) {  // at most 128 lower parts, and the previous remainder
    (high[k] + (low[k] >> low_bits)).store(high_sums + 16 * k);
    (low[k] & low_mask).store(low_sums + 16 * k);
  }
}

/// Adds the products of `padded` rows, which begin at `starts`, with `size` words of 32 columns to the sums of these
/// rows. The columns begin with word `first` of the line of 512 columns that starts at 64-bit word `left`. `tables`
/// holds the subset sums of their weights. Prefetches the lines `next`.
template <class Words>
void add_line(const SubsetSums* tables, const std::uint64_t* const* starts, std::int64_t left, std::int64_t first,
              std::int64_t size, std::int64_t padded, PartSums<packed_rows>& sums, const NextLines& next) {
  for (std::int64_t tile = 0; tile < padded; tile += tile_rows) {
    alignas(64) std::uint32_t bits[16][tile_rows];
    for (std::int64_t i = 0; i < tile_rows; i += 16) {
      const std::uint64_t* lines[16];
      for (std::int64_t k = 0; k < 16; ++k) lines[k] = starts[tile + i + k] + left;
      Words::transpose(lines, bits[0] + i, tile_rows);
    }
    add_tile<Words>(tables, bits + first, size, sums.high + tile, sums.low + tile, {next.starts + tile, next.offset});
  }
}

/// Returns the number of rows, a multiple of `group`, for which kernels have to have places.
inline std::int64_t padded_rows(std::int64_t count, std::int64_t group) { return (count + group - 1) / group * group; }

/// A vector in the form that multiply_packed requires: with its subset sums, unless rows are narrow.
struct PackedVector {
  const double* numbers;
  std::optional<VectorSubsetSums> sums;

  PackedVector(const double* w, std::int64_t columns) : numbers(w) {
    if (columns > 64 * narrow_words) sums.emplace(w, columns);
  }
};

/// Sets margins[i] to the product of selected row `first` + i with the vector, for i = 0, …, `count` − 1. `count` is at
/// most packed_rows. A row is W words, which hold its `columns` bits.
template <class Words>
void multiply_packed(const std::uint64_t* words, std::int64_t columns, const RowSelection& rows, std::int64_t first,
                     std::int64_t count, const PackedVector& vector, double* margins) {
  if (!vector.sums) return multiply_narrow(words, columns, rows, first, count, vector.numbers, margins);
  const std::int64_t words_of_row = (columns + 63) / 64, padded = padded_rows(count, tile_rows);
  const RowStarts starts(words, words_of_row, rows, first, rows.count, padded);
  PartSums<packed_rows> sums = {};
  for (std::int64_t left = 0; left < words_of_row; left += line_words) {
    const std::int64_t next = left + line_words, size = std::min<std::int64_t>(16, (columns + 31) / 32 - 2 * left);
    add_line<Words>(vector.sums->tables() + 16 * left, starts.now, left, 0, size, padded, sums,
                    next < words_of_row ? NextLines{starts.now, next} : NextLines{starts.after, 0});
  }
  for (std::int64_t i = 0; i < count; ++i) margins[i] = vector.sums->fixed().value(sums.high[i], sums.low[i]);
}

/// Transposes each block of four rows and four columns: bit 4 i + j of lane l of rows[k] becomes bit 4 i + k of lane l
/// of rows[j].
template <class Words>
void transpose_fours(Words* rows) {
  const auto swap = [&](int a, int b, unsigned distance, std::uint32_t mask) {
    const Words change = ((rows[a] >> distance) ^ rows[b]) & mask;
    rows[b] = rows[b] ^ change;
    rows[a] = rows[a] ^ (change << distance);
  };
  swap(0, 1, 1, 0x55555555);
  swap(2, 3, 1, 0x55555555);
  swap(0, 2, 2, 0x33333333);
  swap(1, 3, 2, 0x33333333);
}

inline constexpr std::int64_t packed_group = 32;  // rows of a group in add_group

/// Adds Σ_i r[i] x_i to the sums of 512 columns, for the rows x_i of a group. The words of these columns begin at
/// starts[i] + `left`. `tables` holds the subset sums of r. The sum of column 32 l + 4 p + k is at index
/// 16 (4 p + k) + l, and p runs from `first` to `end` − 1. Prefetches 32 lines if p runs from 0 to 7.
template <class Words>
void add_group(const std::uint64_t* const* starts, std::int64_t left, const SubsetSums* tables, int first, int end,
               PartSums<packed_columns>& sums, const NextLines& next_lines) {
  constexpr int fours = packed_group / 4;
  Words bits[4][fours];
  for (int h = 0; h < fours; ++h) {
    Words rows[4];
    for (int k = 0; k < 4; ++k) rows[k] = Words::load(starts[4 * h + k] + left);
    transpose_fours(rows);
    for (int k = 0; k < 4; ++k) bits[k][h] = rows[k] >> static_cast<unsigned>(4 * first);
  }
  for (int k = 0; k < 4; k += 2) {  // two values of k use a table while it is in registers
#if defined(__GNUC__) && !defined(__NVCC__)
#pragma GCC unroll 1
#endif
    for (int p = first; p < end; ++p) {
      for (int i = 0; i < 4; ++i) next_lines.fetch(8 * k + 2 * p + i / 2, i % 2);
      std::uint32_t* const high_place = sums.high + 16 * (4 * p + k);
      std::uint32_t* const low_place = sums.low + 16 * (4 * p + k);
      Words high[2], low[2];
      for (int i = 0; i < 2; ++i) {
        high[i] = Words::load(high_place + 16 * i);
        low[i] = Words::load(low_place + 16 * i);
      }
      for (int h = 0; h < fours; ++h) {
        const Words highs = Words::load(tables[h].high), lows = Words::load(tables[h].low);
        for (int i = 0; i < 2; ++i) {
          high[i] = high[i] + highs[bits[k + i][h]];
          low[i] = low[i] + lows[bits[k + i][h]];
          bits[k + i][h] = bits[k + i][h] >> 4;
        }
      }
      for (int i = 0; i < 2; ++i) {
        high[i].store(high_place + 16 * i);
        low[i].store(low_place + 16 * i);
      }
    }
  }
}

/// Sorts the 512 sums of add_group in the order of their columns.
inline void order_sums(double* sums) {
  double found[packed_columns];
  std::copy(sums, sums + packed_columns, found);
  for (std::int64_t j = 0; j < packed_columns; ++j) sums[j] = found[16 * (j % 32) + j / 32];
}

/// Sets sums[j − begin] = Σ_i r[i] x(rows[i], j) for the selected rows i in [first, end) and columns j in [begin,
/// stop). `begin` must be a multiple of packed_columns, and sums up to the next multiple after `stop` are overwritten.
/// Blocks of 256 rows, each with its own fixed-point unit, are added in order, so that the range of columns does not
/// affect the result.
template <class Words>
void sum_packed(const std::uint64_t* words, std::int64_t words_of_row, const RowSelection& rows, std::int64_t first,
                std::int64_t end, const double* r, std::int64_t begin, std::int64_t stop, double* sums) {
  if (words_of_row <= narrow_words) return sum_narrow(words, words_of_row, rows, first, end, r, sums);
  const std::int64_t padded = (stop - begin + packed_columns - 1) / packed_columns * packed_columns;
  std::fill(sums, sums + padded, 0.0);
  for (std::int64_t block = first; block < end; block += packed_rows) {
    const std::int64_t count = std::min(packed_rows, end - block);
    const std::int64_t used = padded_rows(count, packed_group);
    const FixedPoint fixed(r + block, count);
    SubsetSums tables[packed_rows / 4];
    fill_subset_sums(fixed, r + block, count, tables, used / 4);
    const RowStarts starts(words, words_of_row, rows, block, end, used);
    for (std::int64_t column = 0; column < padded; column += packed_columns) {
      const std::int64_t left = (begin + column) / 64, next = left + line_words;
      const bool is_last = column + packed_columns == padded;
      PartSums<packed_columns> parts = {};
      for (std::int64_t i = 0; i < used; i += packed_group) {
        const NextLines next_lines =
            is_last ? NextLines{starts.after + i, begin / 64} : NextLines{starts.now + i, next};
        add_group<Words>(starts.now + i, left, tables + i / 4, 0, 8, parts, next_lines);
      }
      for (std::int64_t j = 0; j < packed_columns; ++j) sums[column + j] += fixed.value(parts.high[j], parts.low[j]);
    }
  }
  for (std::int64_t column = 0; column < padded; column += packed_columns) order_sums(sums + column);
}

}  // namespace sporos::models::impl
