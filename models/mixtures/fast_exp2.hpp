// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/device_code.hpp>
#include <sporos/core/math/bits.hpp>

#include <Kokkos_Macros.hpp>

#include <cmath>
#include <concepts>
#include <cstdint>

/// Powers of 2 for likelihoods, which promise a tolerance and not bits. They take half of the operations of math::exp.
namespace sporos::models::impl {

/// a b + c, rounded once if there is an instruction for it.
template <std::floating_point Real>
KOKKOS_FORCEINLINE_FUNCTION Real multiply_add(Real a, Real b, Real c) {
#ifdef SPOROS_IMPL_HAS_FMA
  return std::fma(a, b, c);
#else
  return a * b + c;
#endif
}

/// Constants of a floating-point type for fast_exp2: an integer type of its size, the number whose addition rounds to
/// an integer and leaves it in the lowest bits, the smallest exponent, the number of fraction bits, and a polynomial
/// for 2^x, |x| <= ½. The polynomial interpolates at Chebyshev nodes, is 1 at 0, and has an error below 2e-17 (float:
/// 6e-9).
template <class Real>
struct BinaryFormat;
template <>
struct BinaryFormat<double> {
  using Bits = std::uint64_t;
  static constexpr double to_integer = 0x1.8p52, min_exponent = -1020;
  static constexpr int fraction_bits = 52, degree = 11;
  static constexpr double coefficients[] = {1,
                                            0x1.62e42fefa39efp-1,
                                            0x1.ebfbdff82c598p-3,
                                            0x1.c6b08d704a0c2p-5,
                                            0x1.3b2ab6fba1ddap-7,
                                            0x1.5d87fe78a5276p-10,
                                            0x1.430913096fd9fp-13,
                                            0x1.ffcbfc670dcd4p-17,
                                            0x1.62bfd47773353p-20,
                                            0x1.b524fae627834p-24,
                                            0x1.e6063f7217bc6p-28,
                                            0x1.e9d3fe3952179p-32};
};
template <>
struct BinaryFormat<float> {
  using Bits = std::uint32_t;
  static constexpr float to_integer = 0x1.8p23f, min_exponent = -124;
  static constexpr int fraction_bits = 23, degree = 6;
  static constexpr float coefficients[] = {
      1, 0x1.62e430p-1f, 0x1.ebfbe0p-3f, 0x1.c6af6cp-5f, 0x1.3b2a54p-7f, 0x1.5f0890p-10f, 0x1.441388p-13f};
};

/// Evaluates at x, by Horner's rule, the part of the polynomial that starts at coefficient i. This is a recursion,
/// since a loop would keep g++ from vectorizing the loop around it.
template <std::floating_point Real, int i = 0>
KOKKOS_FORCEINLINE_FUNCTION Real exp2_polynomial(Real x) {
  constexpr Real coefficient = BinaryFormat<Real>::coefficients[i];
  if constexpr (i == BinaryFormat<Real>::degree) {
    return coefficient;
  } else {
    return multiply_add(exp2_polynomial<Real, i + 1>(x), x, coefficient);
  }
}

/// The larger one of x and the smallest exponent.
template <std::floating_point Real>
KOKKOS_FORCEINLINE_FUNCTION Real bounded_exponent_of_2(Real x) {
  return x < BinaryFormat<Real>::min_exponent ? BinaryFormat<Real>::min_exponent : x;
}

/// 2^x for x from the smallest exponent to 1020 (float: 124), without a branch, with an error below 1.5 ulp.
template <std::floating_point Real>
KOKKOS_FORCEINLINE_FUNCTION Real exp2_of_bounded(Real x) {
  using Format = BinaryFormat<Real>;
  using Bits = typename Format::Bits;
  const Real shifted = x + Format::to_integer, fraction = x - (shifted - Format::to_integer);
  const auto power = __builtin_bit_cast(Bits, exp2_polynomial(fraction));
  const auto result = __builtin_bit_cast(Real, power + (__builtin_bit_cast(Bits, shifted) << Format::fraction_bits));
  // A device's float NaN also has low bits, which would be shifted into the exponent.
  if constexpr (sporos::impl::on_device()) return x == x ? result : x;
  return result;
}

/// 2^x for x < 1020 (float: 124), without a branch, with an error below 1.5 ulp. A smaller x counts as the smallest
/// exponent.
template <std::floating_point Real>
KOKKOS_FORCEINLINE_FUNCTION Real fast_exp2(Real x) {
  return exp2_of_bounded(bounded_exponent_of_2(x));
}

}  // namespace sporos::models::impl
