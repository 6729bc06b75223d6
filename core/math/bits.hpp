// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/device_code.hpp>

#include <Kokkos_Macros.hpp>

#include <cstdint>

#ifdef __FAST_MATH__
#error "Sporos promises the same bits on every backend: compile without -ffast-math and -Ofast."
#endif

/// Elementary functions that give the same bits on every backend and at every optimization level.
///
/// The functions consist of additions, subtractions, multiplications, divisions, square roots, comparisons and
/// operations on integers, each rounded as IEEE 754 requires. So the compiler must not contract them into fused
/// multiply-adds (`-ffp-contract=off`, `-fmad=false`; the target `sporos::core` sets both) or approximate them
/// (`-ffast-math` is refused; nvcc's `--use_fast_math` cannot be detected). A result that is not a number is always the
/// same quiet NaN, whatever the argument's sign and payload. Floating-point exceptions and `errno` are not set.
///
/// Error bounds are in units in the last place (ulp) of the exact result, rounding to nearest. tests/core/math checks
/// the bound of every function against Boost.Multiprecision. A float function rounds the result of its double function,
/// with an error of at most 0.5001 ulp. An integer argument is converted to double.
namespace sporos::math {}

namespace sporos::math::impl {

KOKKOS_FORCEINLINE_FUNCTION constexpr std::uint64_t to_bits(double x) { return __builtin_bit_cast(std::uint64_t, x); }
KOKKOS_FORCEINLINE_FUNCTION constexpr std::uint32_t to_bits(float x) { return __builtin_bit_cast(std::uint32_t, x); }
KOKKOS_FORCEINLINE_FUNCTION constexpr double from_bits(std::uint64_t b) { return __builtin_bit_cast(double, b); }
KOKKOS_FORCEINLINE_FUNCTION constexpr float from_bits(std::uint32_t b) { return __builtin_bit_cast(float, b); }

/// Maps doubles to integers of the same order; −0 is below +0.
KOKKOS_FORCEINLINE_FUNCTION constexpr std::uint64_t ordered_bits(double x) {
  const std::uint64_t bits = to_bits(x), sign = std::uint64_t{1} << 63;
  return (bits & sign) != 0 ? ~bits : bits | sign;
}
/// Returns the double that ordered_bits maps to `b`.
KOKKOS_FORCEINLINE_FUNCTION constexpr double from_ordered_bits(std::uint64_t b) {
  const std::uint64_t sign = std::uint64_t{1} << 63;
  return from_bits((b & sign) != 0 ? b & ~sign : ~b);
}

inline constexpr double infinity = __builtin_huge_val();
inline constexpr double quiet_nan = __builtin_nan("");
inline constexpr double smallest_normal = 0x1p-1022;
/// ln 2 in two parts: k ln2_high is exact for every exponent k of a double.
inline constexpr double ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33;
/// Adding this number rounds to an integer and leaves it in the lowest bits. AVX2 has no instruction for this
/// conversion.
inline constexpr double to_integer = 0x1.8p52;

KOKKOS_FORCEINLINE_FUNCTION constexpr bool is_nan(double x) { return x != x; }
KOKKOS_FORCEINLINE_FUNCTION constexpr double absolute(double x) {
  return from_bits(to_bits(x) & std::uint64_t{0x7fffffffffffffff});
}
KOKKOS_FORCEINLINE_FUNCTION constexpr bool is_finite(double x) { return absolute(x) < infinity; }
/// The magnitude of `x` with the sign of `sign`.
KOKKOS_FORCEINLINE_FUNCTION constexpr double with_sign_of(double x, double sign) {
  return from_bits(to_bits(absolute(x)) | (to_bits(sign) & std::uint64_t{0x8000000000000000}));
}

/// 2^k for −1022 <= k <= 1023.
KOKKOS_FORCEINLINE_FUNCTION constexpr double power_of_two(std::int64_t k) {
  return from_bits(static_cast<std::uint64_t>(k + 1023) << 52);
}

/// `x` rounded to float. A NaN becomes the one quiet NaN, since hardware differs in how it converts a NaN.
KOKKOS_FORCEINLINE_FUNCTION constexpr float narrow(double x) {
  return is_nan(x) ? __builtin_nanf("") : static_cast<float>(x);
}

}  // namespace sporos::math::impl
