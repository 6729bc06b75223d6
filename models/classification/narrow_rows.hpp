// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/classification/row_selection.hpp>
#include <sporos/models/classification/subset_sums.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>

#ifdef __AVX512F__
#include <immintrin.h>
#endif

/// Products of bit-packed rows of at most two words with vectors, on a host, in doubles. For 50 features they take a
/// third of the time of the kernels for wider rows, which would leave most of their lanes idle.
namespace sporos::models::impl {

inline constexpr std::int64_t narrow_words = 2;

/// The sums of the subsets of four doubles. Bit k of the index is set if number k is in the subset.
struct SubsetTable {
  alignas(64) double sums[16];

  void fill(const double* four) {
    std::int64_t bits[3];
    std::memcpy(bits, four, sizeof bits);
    EightDoubles found = reinterpret_cast<EightDoubles>(has_0 & bits[0]);
    found += reinterpret_cast<EightDoubles>(has_1 & bits[1]);
    found += reinterpret_cast<EightDoubles>(has_2 & bits[2]);
    std::memcpy(sums, &found, sizeof found);
    found += four[3];
    std::memcpy(sums + 8, &found, sizeof found);
  }
};

inline constexpr std::int64_t narrow_lanes = 16;  // rows that are multiplied together

/// Adds to margins[l] the table entries for successive groups of four bits of words[l], for l = 0, …, 15.
inline void add_subsets_plainly(const SubsetTable* tables, std::int64_t count, const std::uint64_t* words,
                                double* margins) {
  for (int lane = 0; lane < narrow_lanes; ++lane) {
    for (std::int64_t four = 0; four < count; ++four) margins[lane] += tables[four].sums[words[lane] >> 4 * four & 15];
  }
}

/// Like add_subsets_plainly, with the same bits, but in vector registers if the host has them. The mask is all ones;
/// without it, g++ 12 gives false warnings.
inline void add_subsets(const SubsetTable* tables, std::int64_t count, const std::uint64_t* words, double* margins) {
#ifdef __AVX512F__
  __m512i bits = _mm512_loadu_si512(words), more_bits = _mm512_loadu_si512(words + 8);
  __m512d sums = _mm512_loadu_pd(margins), more_sums = _mm512_loadu_pd(margins + 8);
  for (std::int64_t four = 0; four < count; ++four) {
    const __m512d low = _mm512_load_pd(tables[four].sums), high = _mm512_load_pd(tables[four].sums + 8);
    sums = _mm512_add_pd(sums, _mm512_permutex2var_pd(low, bits, high));
    more_sums = _mm512_add_pd(more_sums, _mm512_permutex2var_pd(low, more_bits, high));
    bits = _mm512_maskz_srli_epi64(0xff, bits, 4);
    more_bits = _mm512_maskz_srli_epi64(0xff, more_bits, 4);
  }
  _mm512_storeu_pd(margins, sums);
  _mm512_storeu_pd(margins + 8, more_sums);
#else
  add_subsets_plainly(tables, count, words, margins);
#endif
}

/// Sets margins[i] to the product of selected row `first` + i with w, for i = 0, …, `count` − 1. A row is W words,
/// which hold its `columns` bits.
inline void multiply_narrow(const std::uint64_t* words, std::int64_t columns, const RowSelection& rows,
                            std::int64_t first, std::int64_t count, const double* w, double* margins) {
  const std::int64_t words_of_row = (columns + 63) / 64, fours = (columns + 3) / 4;
  SubsetTable tables[16 * narrow_words];
  for (std::int64_t four = 0; four < columns / 4; ++four) tables[four].fill(w + 4 * four);
  if (columns % 4 != 0) {
    double rest[4] = {};
    for (std::int64_t k = 0; k < columns % 4; ++k) rest[k] = w[columns / 4 * 4 + k];
    tables[columns / 4].fill(rest);
  }
  for (std::int64_t i = 0; i < count; i += narrow_lanes) {
    const std::int64_t used = std::min(narrow_lanes, count - i);
    double sums[narrow_lanes] = {};
    for (std::int64_t word = 0; word < words_of_row; ++word) {
      std::uint64_t of_rows[narrow_lanes] = {};
      for (std::int64_t lane = 0; lane < used; ++lane)
        of_rows[lane] = words[rows[first + i + lane] * words_of_row + word];
      add_subsets(tables + 16 * word, std::min<std::int64_t>(16, fours - 16 * word), of_rows, sums);
    }
    for (std::int64_t lane = 0; lane < used; ++lane) margins[i + lane] = sums[lane];
  }
}

/// Adds `factor` to the sums of the columns whose bits in `word` are set.
inline void add_to_columns_plainly(std::uint64_t word, double factor, double* sums) {
  for (int j = 0; j < 64; ++j) sums[j] += (word >> j & 1) != 0 ? factor : 0.0;
}

/// Sets sums[j] = Σ_i r[i] x(rows[i], j) for the 64 columns j of word `left`, row by row.
inline void sum_word(const std::uint64_t* words, std::int64_t words_of_row, std::int64_t left, const RowSelection& rows,
                     std::int64_t first, std::int64_t end, const double* r, double* sums) {
#ifdef __AVX512F__
  __m512d found[8] = {};  // in registers; otherwise every row would wait for the sums of the previous one
  for (std::int64_t i = first; i < end; ++i) {
    // Compilers extract the bytes of a word by slow shifts of masks.
    const auto* const bytes = reinterpret_cast<const unsigned char*>(words + rows[i] * words_of_row + left);
    const __m512d factor = _mm512_set1_pd(r[i]);
    for (int k = 0; k < 8; ++k) found[k] = _mm512_mask_add_pd(found[k], __mmask8{bytes[k]}, found[k], factor);
  }
  for (int k = 0; k < 8; ++k) _mm512_storeu_pd(sums + 8 * k, found[k]);
#else
  for (int j = 0; j < 64; ++j) sums[j] = 0;
  for (std::int64_t i = first; i < end; ++i) add_to_columns_plainly(words[rows[i] * words_of_row + left], r[i], sums);
#endif
}

/// Sets sums[j] = Σ_i r[i] x(rows[i], j) for the selected rows i in [first, end) and all columns j, row by row. `sums`
/// has room for 64 numbers per word of a row.
inline void sum_narrow(const std::uint64_t* words, std::int64_t words_of_row, const RowSelection& rows,
                       std::int64_t first, std::int64_t end, const double* r, double* sums) {
  for (std::int64_t left = 0; left < words_of_row; ++left) {
    sum_word(words, words_of_row, left, rows, first, end, r, sums + 64 * left);
  }
}

}  // namespace sporos::models::impl
