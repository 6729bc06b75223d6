// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/bits.hpp>
#include <sporos/models/mixtures/fast_exp2.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// Powers of 2 for the threads of a team on a device: in double from a table of roots, which takes two thirds of the
/// operations of fast_exp2; in float by the instruction that the device has.
namespace sporos::models::impl {

/// 2^x for x < 1020 (float: 124), −∞ and NaN; less than 2^−1020 where x is less (float: 0).
template <class Real>
struct TeamPowers;

template <>
struct TeamPowers<double> {
  static constexpr int roots = 16;  ///< in the table: one row of a device's banks of memory
  const double* table;              ///< 2^(j/16), for each team its own

  /// Sets entry j of a table.
  KOKKOS_FUNCTION static void set(double* table, std::int32_t j) { table[j] = fast_exp2(j / 16.0); }

  /// By 2^x = 2^k 2^(j/16) 2^r, |r| <= 1/32, and a polynomial with an error below 2e-17 for 2^r; below 2.5 ulp.
  KOKKOS_FORCEINLINE_FUNCTION double operator()(double x) const {
    constexpr double to_sixteenths = 0x1.8p48;  // its addition leaves 16 x, rounded, in the lowest bits
    x = bounded(x);
    const double shifted = x + to_sixteenths, r = x - (shifted - to_sixteenths);
    const auto sixteenths = static_cast<std::uint32_t>(__builtin_bit_cast(std::uint64_t, shifted));
    double p = 0x1.430a1d08ec681p-13;
    p = multiply_add(p, r, 0x1.5d897e525c216p-10);
    p = multiply_add(p, r, 0x1.3b2ab6fb41213p-7);
    p = multiply_add(p, r, 0x1.c6b08d6f2a289p-5);
    p = multiply_add(p, r, 0x1.ebfbdff82c590p-3);
    p = multiply_add(p, r, 0x1.62e42fefa39f3p-1);
    p = multiply_add(p, r, 1.0);
    const auto root = __builtin_bit_cast(std::uint64_t, table[sixteenths % roots]);
    const auto power = static_cast<std::uint64_t>((sixteenths & ~15U) << 16U) << 32U;  // 2^k, as what is added
    return __builtin_bit_cast(double, root + power) * p;                               // NaN where p is
  }

 private:
  // −1020 for less, by the upper half of its bits: the device's units for doubles have enough to do.
  KOKKOS_FORCEINLINE_FUNCTION static double bounded(double x) {
    constexpr std::uint32_t least = 0xc08fe001, infinite = 0xfff00000;
    const auto upper = static_cast<std::uint32_t>(__builtin_bit_cast(std::uint64_t, x) >> 32U);
    return upper - least <= infinite - least ? BinaryFormat<double>::least_exponent : x;
  }
};

template <>
struct TeamPowers<float> {
  static constexpr int roots = 0;
  const double* table = nullptr;

  KOKKOS_FUNCTION static void set(double*, std::int32_t) {}
  KOKKOS_FORCEINLINE_FUNCTION float operator()(float x) const { return ::exp2f(x); }
};

}  // namespace sporos::models::impl
