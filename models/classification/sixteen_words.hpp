// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <cstring>

#ifdef __AVX512F__
#include <immintrin.h>
#endif

/// Sixteen words of 32 bits, with arithmetic modulo 2^32 and a lookup in a table of sixteen words. AVX-512 has this
/// lookup as one instruction. Other machines use plain loops, which give the same bits.
namespace sporos::models::impl {

/// Sixteen words in an array, processed by plain loops.
struct PlainWords {
  std::uint32_t lanes[16];

  static PlainWords load(const void* from) {
    PlainWords x;
    std::memcpy(x.lanes, from, sizeof x.lanes);
    return x;
  }
  void store(std::uint32_t* to) const { std::memcpy(to, lanes, sizeof lanes); }

  friend PlainWords operator+(PlainWords x, const PlainWords& y) {
    for (int i = 0; i < 16; ++i) x.lanes[i] += y.lanes[i];
    return x;
  }
  friend PlainWords operator^(PlainWords x, const PlainWords& y) {
    for (int i = 0; i < 16; ++i) x.lanes[i] ^= y.lanes[i];
    return x;
  }
  friend PlainWords operator&(PlainWords x, std::uint32_t mask) {
    for (std::uint32_t& lane : x.lanes) lane &= mask;
    return x;
  }
  friend PlainWords operator>>(PlainWords x, unsigned bits) {
    for (std::uint32_t& lane : x.lanes) lane >>= bits;
    return x;
  }
  friend PlainWords operator<<(PlainWords x, unsigned bits) {
    for (std::uint32_t& lane : x.lanes) lane <<= bits;
    return x;
  }

  /// Looks up each lane in this table: lane i of the result is the word selected by the lowest four bits of index's
  /// lane i.
  PlainWords operator[](const PlainWords& index) const {
    PlainWords found;
    for (int i = 0; i < 16; ++i) found.lanes[i] = lanes[index.lanes[i] & 15];
    return found;
  }

  /// Stores word k of row i to columns[k `stride` + i]. Row i has sixteen words, which begin at starts[i].
  static void transpose(const std::uint64_t* const* starts, std::uint32_t* columns, std::int64_t stride) {
    for (int i = 0; i < 16; ++i) {
      const PlainWords row = load(starts[i]);
      for (int k = 0; k < 16; ++k) columns[k * stride + i] = row.lanes[k];
    }
  }
};

#ifdef __AVX512F__

/// Sixteen words in one register. The masks are all ones; without them, g++ 12 gives false warnings.
struct VectorWords {
  __m512i lanes;

  static VectorWords load(const void* from) { return {_mm512_loadu_si512(from)}; }
  void store(std::uint32_t* to) const { _mm512_storeu_si512(to, lanes); }

  friend VectorWords operator+(VectorWords x, VectorWords y) { return {_mm512_add_epi32(x.lanes, y.lanes)}; }
  friend VectorWords operator^(VectorWords x, VectorWords y) { return {_mm512_xor_si512(x.lanes, y.lanes)}; }
  friend VectorWords operator&(VectorWords x, std::uint32_t mask) {
    return {_mm512_and_si512(x.lanes, _mm512_set1_epi32(static_cast<int>(mask)))};
  }
  friend VectorWords operator>>(VectorWords x, unsigned bits) { return {_mm512_maskz_srli_epi32(all, x.lanes, bits)}; }
  friend VectorWords operator<<(VectorWords x, unsigned bits) { return {_mm512_maskz_slli_epi32(all, x.lanes, bits)}; }
  VectorWords operator[](VectorWords index) const { return {_mm512_maskz_permutexvar_epi32(all, index.lanes, lanes)}; }

  static void transpose(const std::uint64_t* const* starts, std::uint32_t* columns, std::int64_t stride) {
    for (int half = 0; half < 2; ++half) {
      __m512i pairs[8], fours[8];  // in quarters of a register: four words of one row; one word of four rows
      for (int i = 0; i < 8; ++i) pairs[i] = halves(starts[i + (i & 4)] + 4 * half, starts[i + (i & 4) + 4] + 4 * half);
      for (int i = 0; i < 8; i += 4) {
        const __m512i a = low_words(pairs[i], pairs[i + 1]), b = high_words(pairs[i], pairs[i + 1]);
        const __m512i c = low_words(pairs[i + 2], pairs[i + 3]), d = high_words(pairs[i + 2], pairs[i + 3]);
        fours[i] = _mm512_maskz_unpacklo_epi64(0xff, a, c);
        fours[i + 1] = _mm512_maskz_unpackhi_epi64(0xff, a, c);
        fours[i + 2] = _mm512_maskz_unpacklo_epi64(0xff, b, d);
        fours[i + 3] = _mm512_maskz_unpackhi_epi64(0xff, b, d);
      }
      for (int k = 0; k < 4; ++k) {
        std::uint32_t* const to = columns + (8 * half + k) * stride;
        _mm512_storeu_si512(to, _mm512_maskz_shuffle_i32x4(all, fours[k], fours[4 + k], 0x88));
        _mm512_storeu_si512(to + 4 * stride, _mm512_maskz_shuffle_i32x4(all, fours[k], fours[4 + k], 0xdd));
      }
    }
  }

 private:
  static constexpr __mmask16 all = 0xffff;

  static __m512i halves(const std::uint64_t* low, const std::uint64_t* high) {
    const __m256i first = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(low));
    const __m256i second = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(high));
    return _mm512_mask_broadcast_i64x4(_mm512_maskz_broadcast_i64x4(0x0f, first), 0xf0, second);
  }
  static __m512i low_words(__m512i x, __m512i y) { return _mm512_maskz_unpacklo_epi32(all, x, y); }
  static __m512i high_words(__m512i x, __m512i y) { return _mm512_maskz_unpackhi_epi32(all, x, y); }
};

using HostWords = VectorWords;

#else

using HostWords = PlainWords;

#endif

}  // namespace sporos::models::impl
