// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/kokkos_compatibility.hpp>

#include <Kokkos_Macros.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__) && !defined(__CUDACC__) && !defined(__HIPCC__)
#include <immintrin.h>
#endif

/// Error message for source code that branches on packs.
#define SPOROS_LANES_DO_NOT_BRANCH                                                                             \
  "Sporos: in lanes a comparison has one result for each replication: choose with math::select(a < b, x, y), " \
  "math::min or math::max, combine comparisons with & and |, or test them with math::any(a < b)"

namespace sporos {

namespace impl {

// A vector of doubles as wide as the processor's registers, the result of comparing two (all bits of a lane are set, or
// none), and a vector of words. Device compilers have no such vectors; their code runs one replication at a time.
#if defined(__GNUC__) && !defined(__CUDACC__) && !defined(__HIPCC__)
inline constexpr bool has_vectors = true;
#if defined(__AVX512F__)
inline constexpr int part_lanes = 8;
#elif defined(__AVX__)
inline constexpr int part_lanes = 4;
#else
inline constexpr int part_lanes = 2;
#endif
typedef double PackPart __attribute__((vector_size(part_lanes * sizeof(double))));
typedef std::int64_t MaskPart __attribute__((vector_size(part_lanes * sizeof(std::int64_t))));
typedef std::uint64_t WordPart __attribute__((vector_size(part_lanes * sizeof(std::uint64_t))));

KOKKOS_FORCEINLINE_FUNCTION PackPart part_of(double x) { return x - PackPart{}; }  // so that -0 stays -0
KOKKOS_FORCEINLINE_FUNCTION MaskPart mask_of(MaskPart mask) { return mask; }

// The words first, first + 1, …
KOKKOS_FORCEINLINE_FUNCTION WordPart lanes_from(std::uint64_t first) {
  WordPart lanes{};
  for (int i = 0; i < part_lanes; ++i) lanes[i] = static_cast<unsigned>(i);
  return lanes + first;
}

// Whether one instruction multiplies the lower 32 bits of all words of a register.
#ifdef __SSE2__
inline constexpr bool has_word_products = true;

// Returns a b for the lower 32 bits of the words b; their upper 32 bits do not matter.
//
// Compilers multiply 64-bit words even if the upper halves are 0, which takes AVX2 seven instructions or more. With
// this function, a draw of Philox takes 1.3 instead of 3.6 ns with AVX2, and 0.8 instead of 1.1 ns with AVX-512 (Zen 4,
// g++ 12).
KOKKOS_FORCEINLINE_FUNCTION WordPart product_of_32(std::uint32_t a, WordPart b) {
  const WordPart factor = WordPart{} + a;
#if defined(__AVX512F__)  // with a mask for all lanes, as in math::sqrt, because g++ 12 warns otherwise
  return reinterpret_cast<WordPart>(
      _mm512_maskz_mul_epu32(0xff, reinterpret_cast<__m512i>(factor), reinterpret_cast<__m512i>(b)));
#elif defined(__AVX2__)
  return reinterpret_cast<WordPart>(_mm256_mul_epu32(reinterpret_cast<__m256i>(factor), reinterpret_cast<__m256i>(b)));
#elif defined(__AVX__)
  return factor * (b & 0xffffffffu);
#else
  return reinterpret_cast<WordPart>(_mm_mul_epu32(reinterpret_cast<__m128i>(factor), reinterpret_cast<__m128i>(b)));
#endif
}

// The upper 32 bits of these products, and the lower 32 bits below others that do not matter.
KOKKOS_FORCEINLINE_FUNCTION WordPart high_product(std::uint32_t a, WordPart b) { return product_of_32(a, b) >> 32; }
KOKKOS_FORCEINLINE_FUNCTION WordPart low_product(std::uint32_t a, WordPart b) { return product_of_32(a, b); }
#else
inline constexpr bool has_word_products = false;
#endif
#else
inline constexpr bool has_vectors = false, has_word_products = false;
inline constexpr int part_lanes = 1;
using PackPart = double;
using MaskPart = std::int64_t;
using WordPart = std::uint64_t;

KOKKOS_FORCEINLINE_FUNCTION PackPart part_of(double x) { return x; }
KOKKOS_FORCEINLINE_FUNCTION MaskPart mask_of(bool mask) { return mask ? -1 : 0; }
KOKKOS_FORCEINLINE_FUNCTION WordPart lanes_from(std::uint64_t first) { return first; }
#endif

}  // namespace impl

/// Numbers of neighbouring replications on a host, one for each lane. Operations on packs apply to each lane, by vector
/// instructions; results are bitwise identical to those for doubles. Functions of packs are in pack_functions.hpp.
struct Pack {
  static constexpr int lanes = 8;                              ///< number of lanes
  static constexpr int part_count = lanes / impl::part_lanes;  ///< number of vector registers for a pack

  impl::PackPart parts[part_count];  ///< the lanes in order

  /// Leaves the numbers undefined.
  Pack() = default;
  /// Sets every lane to `x`.
  KOKKOS_FORCEINLINE_FUNCTION Pack(double x) {
    for (int i = 0; i < part_count; ++i) parts[i] = impl::part_of(x);
  }

  /// Loads one number for each lane, starting at `first`.
  KOKKOS_FORCEINLINE_FUNCTION static Pack load(const double* first) {
    Pack x;
    // Each register separately: for a pack of two registers, compilers copy pieces of 16 bytes, which the processor
    // cannot forward to a load of 32 bytes.
    for (int i = 0; i < part_count; ++i) std::memcpy(&x.parts[i], first + i * impl::part_lanes, sizeof x.parts[i]);
    return x;
  }
  /// Writes the first `count` lanes, starting at `first`.
  KOKKOS_FORCEINLINE_FUNCTION void store(double* first, int count = lanes) const {
    std::memcpy(first, parts, static_cast<std::size_t>(count) * sizeof(double));
  }

  /// -x.
  KOKKOS_FORCEINLINE_FUNCTION friend Pack operator-(const Pack& x) {
    Pack result;
    for (int i = 0; i < part_count; ++i) result.parts[i] = -x.parts[i];
    return result;
  }
  /// +x.
  KOKKOS_FORCEINLINE_FUNCTION friend Pack operator+(const Pack& x) { return x; }
  /// x + y.
  KOKKOS_FORCEINLINE_FUNCTION friend Pack operator+(const Pack& x, const Pack& y) {
    Pack result;
    for (int i = 0; i < part_count; ++i) result.parts[i] = x.parts[i] + y.parts[i];
    return result;
  }
  /// x - y.
  KOKKOS_FORCEINLINE_FUNCTION friend Pack operator-(const Pack& x, const Pack& y) {
    Pack result;
    for (int i = 0; i < part_count; ++i) result.parts[i] = x.parts[i] - y.parts[i];
    return result;
  }
  /// x * y.
  KOKKOS_FORCEINLINE_FUNCTION friend Pack operator*(const Pack& x, const Pack& y) {
    Pack result;
    for (int i = 0; i < part_count; ++i) result.parts[i] = x.parts[i] * y.parts[i];
    return result;
  }
  /// x / y.
  KOKKOS_FORCEINLINE_FUNCTION friend Pack operator/(const Pack& x, const Pack& y) {
    Pack result;
    for (int i = 0; i < part_count; ++i) result.parts[i] = x.parts[i] / y.parts[i];
    return result;
  }
  /// x = x + y.
  KOKKOS_FORCEINLINE_FUNCTION Pack& operator+=(const Pack& y) { return *this = *this + y; }
  /// x = x - y.
  KOKKOS_FORCEINLINE_FUNCTION Pack& operator-=(const Pack& y) { return *this = *this - y; }
  /// x = x * y.
  KOKKOS_FORCEINLINE_FUNCTION Pack& operator*=(const Pack& y) { return *this = *this * y; }
  /// x = x / y.
  KOKKOS_FORCEINLINE_FUNCTION Pack& operator/=(const Pack& y) { return *this = *this / y; }
};

/// Whether a condition holds, for each lane.
struct PackMask {
  impl::MaskPart parts[Pack::part_count];  ///< all bits of a lane are set if the condition holds, otherwise none

  /// Does not compile: lanes may differ.
  SPOROS_UNAVAILABLE(SPOROS_LANES_DO_NOT_BRANCH) KOKKOS_FUNCTION operator bool() const;

  /// Lanes in which `x` does not hold.
  KOKKOS_FORCEINLINE_FUNCTION friend PackMask operator!(const PackMask& x) {
    PackMask result;
    for (int i = 0; i < Pack::part_count; ++i) result.parts[i] = ~x.parts[i];
    return result;
  }
  /// Lanes in which both conditions hold.
  KOKKOS_FORCEINLINE_FUNCTION friend PackMask operator&(const PackMask& x, const PackMask& y) {
    PackMask result;
    for (int i = 0; i < Pack::part_count; ++i) result.parts[i] = x.parts[i] & y.parts[i];
    return result;
  }
  /// Lanes in which at least one condition holds.
  KOKKOS_FORCEINLINE_FUNCTION friend PackMask operator|(const PackMask& x, const PackMask& y) {
    PackMask result;
    for (int i = 0; i < Pack::part_count; ++i) result.parts[i] = x.parts[i] | y.parts[i];
    return result;
  }
};

/// Lanes in which x < y.
KOKKOS_FORCEINLINE_FUNCTION PackMask operator<(const Pack& x, const Pack& y) {
  PackMask result;
  for (int i = 0; i < Pack::part_count; ++i) result.parts[i] = impl::mask_of(x.parts[i] < y.parts[i]);
  return result;
}
/// Lanes in which x <= y.
KOKKOS_FORCEINLINE_FUNCTION PackMask operator<=(const Pack& x, const Pack& y) {
  PackMask result;
  for (int i = 0; i < Pack::part_count; ++i) result.parts[i] = impl::mask_of(x.parts[i] <= y.parts[i]);
  return result;
}
/// Lanes in which x > y.
KOKKOS_FORCEINLINE_FUNCTION PackMask operator>(const Pack& x, const Pack& y) {
  PackMask result;
  for (int i = 0; i < Pack::part_count; ++i) result.parts[i] = impl::mask_of(x.parts[i] > y.parts[i]);
  return result;
}
/// Lanes in which x >= y.
KOKKOS_FORCEINLINE_FUNCTION PackMask operator>=(const Pack& x, const Pack& y) {
  PackMask result;
  for (int i = 0; i < Pack::part_count; ++i) result.parts[i] = impl::mask_of(x.parts[i] >= y.parts[i]);
  return result;
}
/// Lanes in which x == y.
KOKKOS_FORCEINLINE_FUNCTION PackMask operator==(const Pack& x, const Pack& y) {
  PackMask result;
  for (int i = 0; i < Pack::part_count; ++i) result.parts[i] = impl::mask_of(x.parts[i] == y.parts[i]);
  return result;
}
/// Lanes in which x != y.
KOKKOS_FORCEINLINE_FUNCTION PackMask operator!=(const Pack& x, const Pack& y) {
  PackMask result;
  for (int i = 0; i < Pack::part_count; ++i) result.parts[i] = impl::mask_of(x.parts[i] != y.parts[i]);
  return result;
}

namespace math {

/// Whether the condition holds.
KOKKOS_FORCEINLINE_FUNCTION bool any(bool condition) { return condition; }
/// Whether the condition holds in at least one lane.
KOKKOS_FORCEINLINE_FUNCTION bool any(const PackMask& condition) {
  // Compilers would extract the lanes of a register one by one, although one instruction tests all of them.
#if defined(__AVX512F__) && !defined(__CUDACC__) && !defined(__HIPCC__)
  const __m512i lanes = reinterpret_cast<__m512i>(condition.parts[0]);
  return _mm512_test_epi64_mask(lanes, lanes) != 0;
#elif defined(__AVX__) && !defined(__CUDACC__) && !defined(__HIPCC__)
  const __m256i lanes = reinterpret_cast<__m256i>(condition.parts[0] | condition.parts[1]);
  return _mm256_testz_si256(lanes, lanes) == 0;
#else
  std::int64_t lanes[Pack::lanes], found = 0;
  std::memcpy(lanes, condition.parts, sizeof lanes);
  for (const std::int64_t lane : lanes) found |= lane;
  return found != 0;
#endif
}

namespace impl {

// Returns x in the lanes in which the condition holds, and y in the others.
KOKKOS_FORCEINLINE_FUNCTION Pack chosen(const PackMask& condition, const Pack& x, const Pack& y) {
  Pack result;
  for (int i = 0; i < Pack::part_count; ++i) result.parts[i] = condition.parts[i] ? x.parts[i] : y.parts[i];
  return result;
}

// Applies f to each lane.
template <class F>
KOKKOS_FORCEINLINE_FUNCTION Pack of_each_lane(const F& f, const Pack& x) {
  double lanes[Pack::lanes];
  x.store(lanes);
  for (double& lane : lanes) lane = f(lane);
  return Pack::load(lanes);
}

}  // namespace impl

}  // namespace math

}  // namespace sporos
