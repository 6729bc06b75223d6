// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/leaf_operations.hpp>
#include <sporos/core/math/bits.hpp>
#include <sporos/models/mixtures/fast_exp2.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// Powers of 2 for the threads of a team on a device. In double, a table of roots halves the operations of fast_exp2;
/// in float, the device has an instruction.
namespace sporos::models::impl {

/// A power as two factors, so that a fused multiply-add can add it to a sum.
template <class Real>
struct PowerFactors {
  Real root, rest;

  KOKKOS_FORCEINLINE_FUNCTION Real value() const { return root * rest; }
  KOKKOS_FORCEINLINE_FUNCTION Real added_to(Real sum) const { return multiply_add(root, rest, sum); }
};

/// 2^x for x < 1020 (float: 124), −∞ and NaN. For x < −1020 it is at most 2^−1020 (float: 0).
template <class Real>
struct TeamPowers;

template <>
struct TeamPowers<double> {
  /// Coefficients of the polynomial, highest power first, without the last one, 1. They are a member of the kernel,
  /// since operations can read its arguments directly; 64-bit constants would have to be moved to registers.
  struct Coefficients {
    double of[5] = {0x1.5d88578b29196p-10, 0x1.3b2b276c97fc3p-7, 0x1.c6b08d703c447p-5, 0x1.ebfbdff8098edp-3,
                    0x1.62e42fefa39efp-1};
  };

  static constexpr std::uint32_t roots = 32;  ///< number of roots in the table
  const double* table;                        ///< a separate one for each team
  Coefficients coefficients;

  /// Sets entry j of a table: 2^(j/32), with j/32 subtracted from the exponent in its bits, to which 32 x is added as
  /// an integer.
  KOKKOS_FUNCTION static void set(double* table, std::int32_t j) {
    const Halves root = halves(fast_exp2(j / static_cast<double>(roots)));
    table[j] = from_halves({root.lower, root.upper - static_cast<std::uint32_t>(j) * root_of_exponent});
  }

  /// Computes 2^x = 2^k 2^(j/32) 2^r, |r| <= 1/64, with a polynomial for 2^r whose error is below 9e-17; the total
  /// error is below 2.5 ulp.
  KOKKOS_FORCEINLINE_FUNCTION PowerFactors<double> operator()(double x) const {
    constexpr double to_32nds = 0x1.8p47;  // adding it leaves 32 x, rounded, in the lowest bits
    x = bounded(x);
    const double shifted = x + to_32nds, r = x - (shifted - to_32nds);
    const std::uint32_t rounded = halves(shifted).lower;
    double p = coefficients.of[0];
    for (int i = 1; i < 5; ++i) p = multiply_add(p, r, coefficients.of[i]);
    p = multiply_add(p, r, 1.0);  // NaN if x is NaN
    const Halves root = halves(table[sporos::impl::masked<roots - 1>(rounded)]);
    return {from_halves({root.lower, root.upper + rounded * root_of_exponent}), p};
  }

 private:
  // The device's units for doubles are the bottleneck, so operations on half of the bits use 32-bit units.
  struct Halves {
    std::uint32_t lower, upper;
  };
  KOKKOS_FORCEINLINE_FUNCTION static Halves halves(double x) { return __builtin_bit_cast(Halves, x); }
  KOKKOS_FORCEINLINE_FUNCTION static double from_halves(Halves x) { return __builtin_bit_cast(double, x); }

  static constexpr std::uint32_t root_of_exponent = 0x00100000 / roots;  // in an upper half

  // Returns about −1020 for a smaller x. NaN is preserved: a NaN that a device produces has no sign.
  KOKKOS_FORCEINLINE_FUNCTION static double bounded(double x) {
    constexpr std::uint32_t least = 0xc08fe000;
    const Halves bits = halves(x);
    return from_halves({bits.lower, bits.upper < least ? bits.upper : least});
  }
};

template <>
struct TeamPowers<float> {
  struct Coefficients {};

  static constexpr std::uint32_t roots = 0;
  const double* table;
  Coefficients coefficients;

  KOKKOS_FUNCTION static void set(double*, std::int32_t) {}
  KOKKOS_FORCEINLINE_FUNCTION PowerFactors<float> operator()(float x) const { return {::exp2f(x), 1}; }
};

}  // namespace sporos::models::impl
