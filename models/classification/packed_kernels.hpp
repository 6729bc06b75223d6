// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/classification/eight_lanes.hpp>
#include <sporos/models/classification/row_selection.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

/// Products of bit-packed features with vectors, on a host, by the method of the four Russians: four columns (or rows)
/// at a time, whose sixteen subset sums are looked up for eight rows (or columns) at once.
namespace sporos::models::impl {

inline constexpr std::int64_t packed_rows = 256;     // of a task: they share the tables
inline constexpr std::int64_t packed_columns = 512;  // a register of words
inline constexpr std::size_t packed_padding = 7;     // words that may be read beyond the last row

/// The subset sums of 64 numbers, 16 for each four.
struct WordTables {
  alignas(64) double sums[256];

  /// Of `count` numbers, and zeros after them.
  void fill(const double* numbers, std::int64_t count) {
    double padded[64] = {};
    if (count < 64) {
      std::copy(numbers, numbers + count, padded);
      numbers = padded;
    }
    for (int four = 0; four < 16; ++four) fill_subset_sums(numbers + 4 * four, sums + 16 * four);
  }
};

/// margins[i] += the product of a word of each of `count` rows with the numbers behind the tables; a multiple of 16.
inline void add_word_products(const WordTables& tables, const std::uint64_t* words, std::int64_t count,
                              double* margins) {
  constexpr int octets = 2;
  for (std::int64_t i = 0; i < count; i += 8 * octets) {
    EightWords bits[octets];
    EightDoubles sums[octets];
    for (int k = 0; k < octets; ++k) {
      bits[k] = EightWords::load(words + i + 8 * k);
      sums[k] = EightDoubles::load(margins + i + 8 * k);
    }
    for (int four = 0; four < 16; ++four) {
      const SixteenDoubles table = SixteenDoubles::load(tables.sums + 16 * four);
      for (int k = 0; k < octets; ++k) {
        sums[k] = sums[k] + table[bits[k]];
        bits[k] = bits[k] >> 4;
      }
    }
    for (int k = 0; k < octets; ++k) sums[k].store(margins + i + 8 * k);
  }
}

/// margins[i] = the product of the row of `columns` bits from starts[i] on with w, i = 0, …, `count` − 1, at most
/// packed_rows. Rows are read a line of eight words at a time, as memory has them.
inline void multiply_packed(const std::uint64_t* const* starts, std::int64_t count, std::int64_t columns,
                            const double* w, double* margins) {
  constexpr std::int64_t line = 8, ahead = 16;
  alignas(64) std::uint64_t words[line][packed_rows];
  alignas(64) double sums[packed_rows] = {};
  WordTables tables;
  const std::int64_t padded = (count + 15) / 16 * 16, words_of_row = (columns + 63) / 64;
  for (std::int64_t k = 0; k < line; ++k) std::fill(words[k] + count, words[k] + padded, 0);
  for (std::int64_t left = 0; left < words_of_row; left += line) {
    const std::int64_t width = std::min(line, words_of_row - left);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::uint64_t* const from = starts[i] + left;
      __builtin_prefetch(from + ahead);
      for (std::int64_t k = 0; k < width; ++k) words[k][i] = from[k];
    }
    for (std::int64_t k = 0; k < width; ++k) {
      tables.fill(w + 64 * (left + k), std::min<std::int64_t>(64, columns - 64 * (left + k)));
      add_word_products(tables, words[k], padded, sums);
    }
  }
  std::copy(sums, sums + count, margins);
}

/// Bits 4 i to 4 i + 3 of lane l of rows[k] become what bit 4 i + k of it was in rows 0 to 3: four columns of four rows
/// change places, everywhere.
inline void transpose_fours(EightWords* rows) {
  const auto swap = [&](int a, int b, unsigned distance, std::uint64_t mask) {
    const EightWords change = ((rows[a] >> distance) ^ rows[b]) & mask;
    rows[b] = rows[b] ^ change;
    rows[a] = rows[a] ^ (change << distance);
  };
  swap(0, 1, 1, 0x5555555555555555);
  swap(2, 3, 1, 0x5555555555555555);
  swap(0, 2, 2, 0x3333333333333333);
  swap(1, 3, 2, 0x3333333333333333);
}

inline constexpr std::int64_t packed_group = 32;  // rows of add_group

/// Adds Σ_i r[i] x_i to the sums of 512 columns, for the rows x_i of a group, whose words begin at starts[i]. The sum
/// of column 64 l + 4 p + k stands at 8 (4 p + k) + l.
inline void add_group(const std::uint64_t* const* starts, const double* r, double* sums) {
  constexpr int fours = packed_group / 4;
  EightWords bits[4][fours];
  SixteenDoubles tables[fours];
  alignas(64) double subset_sums[fours][16];
  for (int h = 0; h < fours; ++h) {
    fill_subset_sums(r + 4 * h, subset_sums[h]);
    tables[h] = SixteenDoubles::load(subset_sums[h]);
    EightWords rows[4];
    for (int k = 0; k < 4; ++k) rows[k] = EightWords::load(starts[4 * h + k]);
    transpose_fours(rows);
    for (int k = 0; k < 4; ++k) bits[k][h] = rows[k];
  }
  for (int k = 0; k < 4; ++k) {
    for (int p = 0; p < 16; ++p) {
      double* const place = sums + 8 * (4 * p + k);
      EightDoubles sum = EightDoubles::load(place);
      for (int h = 0; h < fours; ++h) {
        sum = sum + tables[h][bits[k][h]];
        bits[k][h] = bits[k][h] >> 4;
      }
      sum.store(place);
    }
  }
}

/// Puts the 512 sums that add_group made into the order of their columns.
inline void order_sums(double* sums) {
  double found[packed_columns];
  std::copy(sums, sums + packed_columns, found);
  for (std::int64_t j = 0; j < packed_columns; ++j) sums[j] = found[8 * (j % 64) + j / 64];
}

inline constexpr std::int64_t narrow_words = 2;  // a row of so few would leave most lanes of add_group idle

/// The same as sum_packed, for all columns of narrow rows: row by row.
inline void sum_narrow(const std::uint64_t* words, std::int64_t words_of_row, const RowSelection& rows,
                       std::int64_t first, std::int64_t end, const double* r, std::int64_t columns, double* sums) {
  double found[64 * narrow_words] = {};
  for (std::int64_t i = first; i < end; ++i) {
    const double factor = r[i];
    for (std::int64_t left = 0; left < words_of_row; ++left) {
      const std::uint64_t word = words[rows[i] * words_of_row + left];
      const std::int64_t width = (std::min<std::int64_t>(64, columns - 64 * left) + 7) / 8 * 8;  // whole registers
      double* const places = found + 64 * left;
      for (std::int64_t j = 0; j < width; ++j) places[j] += (word >> j & 1) != 0 ? factor : 0.0;
    }
  }
  std::copy(found, found + columns, sums);
}

/// sums[j − begin] = Σ_i r[i] x(rows[i], j) for the selected rows i in [first, end) and columns j in [begin, stop);
/// `begin` is a multiple of packed_columns, and sums up to the next multiple after `stop` are overwritten. Rows are
/// added group by group: the bits do not depend on the range of columns.
inline void sum_packed(const std::uint64_t* words, std::int64_t words_of_row, const RowSelection& rows,
                       std::int64_t first, std::int64_t end, const double* r, std::int64_t begin, std::int64_t stop,
                       double* sums) {
  if (words_of_row <= narrow_words) return sum_narrow(words, words_of_row, rows, first, end, r, stop, sums);
  const std::int64_t padded = (stop - begin + packed_columns - 1) / packed_columns * packed_columns;
  std::fill(sums, sums + padded, 0.0);
  const auto start_of = [&](std::int64_t i) {  // or of the last row
    return words + (rows[std::min(i, end - 1)] * words_of_row + begin / 64);
  };
  for (std::int64_t i = first; i < end; i += packed_group) {
    const std::uint64_t *starts[packed_group], *next[packed_group];
    double factors[packed_group];
    for (std::int64_t k = 0; k < packed_group; ++k) {
      starts[k] = start_of(i + k);
      next[k] = start_of(i + packed_group + k);
      factors[k] = i + k < end ? r[i + k] : 0.0;
    }
    for (std::int64_t left = 0; left < padded; left += packed_columns) {
      for (const std::uint64_t* const row : next) __builtin_prefetch(row + left / 64);
      add_group(starts, factors, sums + left);
      for (const std::uint64_t*& start : starts) start += packed_columns / 64;
    }
  }
  for (std::int64_t left = 0; left < padded; left += packed_columns) order_sums(sums + left);
}

}  // namespace sporos::models::impl
