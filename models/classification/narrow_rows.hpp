// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/classification/row_selection.hpp>
#include <sporos/models/classification/subset_sums.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>

#ifdef __AVX512F__
#include <immintrin.h>
#endif

/// Products of bit-packed rows of at most two words with vectors, on a host, in doubles. For 50 features they take a
/// third of the time of the kernels for wider rows, which would leave most of their lanes idle.
namespace sporos::models::impl {

inline constexpr std::int64_t narrow_words = 2;

/// The results of set_subset_sums for four doubles.
struct SubsetTable {
  alignas(64) double sums[16];

  void fill(const double* four) { set_subset_sums(four, sums); }
};

/// Adds to margins[l] the table entries for successive groups of four bits of words[l], for l = 0, …, 7.
inline void add_subsets_plainly(const SubsetTable* tables, std::int64_t count, const std::uint64_t* words,
                                double* margins) {
  for (int lane = 0; lane < 8; ++lane) {
    for (std::int64_t four = 0; four < count; ++four) margins[lane] += tables[four].sums[words[lane] >> 4 * four & 15];
  }
}

/// Like add_subsets_plainly, with the same bits, but in vector registers if the host has them. The mask is all ones;
/// without it, g++ 12 gives false warnings.
inline void add_subsets(const SubsetTable* tables, std::int64_t count, const std::uint64_t* words, double* margins) {
#ifdef __AVX512F__
  __m512i bits = _mm512_loadu_si512(words);
  __m512d sums = _mm512_loadu_pd(margins);
  for (std::int64_t four = 0; four < count; ++four) {
    const __m512d low = _mm512_load_pd(tables[four].sums), high = _mm512_load_pd(tables[four].sums + 8);
    sums = _mm512_add_pd(sums, _mm512_permutex2var_pd(low, bits, high));
    bits = _mm512_maskz_srli_epi64(0xff, bits, 4);
  }
  _mm512_storeu_pd(margins, sums);
#else
  add_subsets_plainly(tables, count, words, margins);
#endif
}

/// Sets margins[i] to the product of selected row `first` + i with w, for i = 0, …, `count` − 1. A row is W words,
/// which hold its `columns` bits.
inline void multiply_narrow(const std::uint64_t* words, std::int64_t columns, const RowSelection& rows,
                            std::int64_t first, std::int64_t count, const double* w, double* margins) {
  constexpr std::int64_t lanes = 8;
  const std::int64_t words_of_row = (columns + 63) / 64, fours = (columns + 3) / 4;
  double padded[64 * narrow_words] = {};
  SubsetTable tables[16 * narrow_words];
  std::copy_n(w, std::min<std::int64_t>(columns, std::size(padded)), padded);
  for (std::int64_t four = 0; four < fours; ++four) tables[four].fill(padded + 4 * four);
  for (std::int64_t i = 0; i < count; i += lanes) {
    double sums[lanes] = {};
    for (std::int64_t word = 0; word < words_of_row; ++word) {
      std::uint64_t of_rows[lanes];
      for (std::int64_t lane = 0; lane < lanes; ++lane) {
        of_rows[lane] = words[rows[first + std::min(i + lane, count - 1)] * words_of_row + word];
      }
      add_subsets(tables + 16 * word, std::min<std::int64_t>(16, fours - 16 * word), of_rows, sums);
    }
    std::copy_n(sums, std::min(lanes, count - i), margins + i);
  }
}

/// Sets sums[j] = Σ_i r[i] x(rows[i], j) for the selected rows i in [first, end) and all columns j, row by row.
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

}  // namespace sporos::models::impl
