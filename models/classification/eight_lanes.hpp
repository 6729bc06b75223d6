// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <cstring>

#ifdef __AVX512F__
#include <immintrin.h>
#endif

/// Eight 64-bit lanes of a host's vector unit and a lookup in a table of sixteen doubles, which AVX-512 has as one
/// instruction; elsewhere as plain loops, with the same bits.
namespace sporos::models::impl {

#ifdef __AVX512F__

/// Eight words of 64 bits. (The masks are all ones: without them g++ 12 warns falsely.)
struct EightWords {
  __m512i lanes;

  static EightWords load(const std::uint64_t* from) { return {_mm512_loadu_si512(from)}; }
  friend EightWords operator>>(EightWords x, unsigned bits) { return {_mm512_maskz_srli_epi64(0xff, x.lanes, bits)}; }
  friend EightWords operator<<(EightWords x, unsigned bits) { return {_mm512_maskz_slli_epi64(0xff, x.lanes, bits)}; }
  friend EightWords operator^(EightWords x, EightWords y) { return {_mm512_xor_si512(x.lanes, y.lanes)}; }
  friend EightWords operator&(EightWords x, std::uint64_t mask) {
    return {_mm512_and_si512(x.lanes, _mm512_set1_epi64(static_cast<long long>(mask)))};
  }
};

/// Eight doubles.
struct EightDoubles {
  __m512d lanes;

  static EightDoubles load(const double* from) { return {_mm512_loadu_pd(from)}; }
  void store(double* to) const { _mm512_storeu_pd(to, lanes); }
  friend EightDoubles operator+(EightDoubles x, EightDoubles y) { return {_mm512_add_pd(x.lanes, y.lanes)}; }
};

/// Sixteen doubles; the lowest four bits of a lane say which one is looked up.
struct SixteenDoubles {
  __m512d low, high;

  static SixteenDoubles load(const double* from) { return {_mm512_loadu_pd(from), _mm512_loadu_pd(from + 8)}; }
  EightDoubles operator[](EightWords x) const { return {_mm512_permutex2var_pd(low, x.lanes, high)}; }
};

#else

struct EightWords {
  std::uint64_t lanes[8];

  static EightWords load(const std::uint64_t* from) {
    EightWords x;
    std::memcpy(x.lanes, from, sizeof x.lanes);
    return x;
  }
  friend EightWords operator>>(EightWords x, unsigned bits) {
    for (std::uint64_t& lane : x.lanes) lane >>= bits;
    return x;
  }
  friend EightWords operator<<(EightWords x, unsigned bits) {
    for (std::uint64_t& lane : x.lanes) lane <<= bits;
    return x;
  }
  friend EightWords operator^(EightWords x, const EightWords& y) {
    for (int i = 0; i < 8; ++i) x.lanes[i] ^= y.lanes[i];
    return x;
  }
  friend EightWords operator&(EightWords x, std::uint64_t mask) {
    for (std::uint64_t& lane : x.lanes) lane &= mask;
    return x;
  }
};

struct EightDoubles {
  double lanes[8];

  static EightDoubles load(const double* from) {
    EightDoubles x;
    std::memcpy(x.lanes, from, sizeof x.lanes);
    return x;
  }
  void store(double* to) const { std::memcpy(to, lanes, sizeof lanes); }
  friend EightDoubles operator+(EightDoubles x, const EightDoubles& y) {
    for (int i = 0; i < 8; ++i) x.lanes[i] += y.lanes[i];
    return x;
  }
};

struct SixteenDoubles {
  const double* entries;

  static SixteenDoubles load(const double* from) { return {from}; }
  EightDoubles operator[](const EightWords& x) const {
    EightDoubles found;
    for (int i = 0; i < 8; ++i) found.lanes[i] = entries[x.lanes[i] & 15];
    return found;
  }
};

#endif

/// All sums of a subset of four numbers: bit k of the index says whether number k is in it. The four ways of asking for
/// fewer are the same bits as adding 0 instead.
inline void fill_subset_sums(const double* numbers, double* sums) {
  sums[0] = 0;
  sums[1] = numbers[0];
  sums[2] = numbers[1];
  sums[3] = numbers[0] + numbers[1];
  for (int i = 0; i < 4; ++i) sums[4 + i] = sums[i] + numbers[2];
  for (int i = 0; i < 8; ++i) sums[8 + i] = sums[i] + numbers[3];
}

}  // namespace sporos::models::impl
