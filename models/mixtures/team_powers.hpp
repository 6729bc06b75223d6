// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/leaf_operations.hpp>
#include <sporos/core/math/bits.hpp>
#include <sporos/models/mixtures/fast_exp2.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// Powers of 2 for the threads of a team on a device: in double from a table of roots, which takes half of the
/// operations of fast_exp2; in float by the instruction that the device has.
namespace sporos::models::impl {

/// A power as two factors, since it is added to others by the operation that multiplies them.
template <class Real>
struct PowerFactors {
  Real root, rest;

  KOKKOS_FORCEINLINE_FUNCTION Real value() const { return root * rest; }
  KOKKOS_FORCEINLINE_FUNCTION Real added_to(Real sum) const { return multiply_add(root, rest, sum); }
};

/// 2^x for x < 1020 (float: 124), −∞ and NaN; less than 2^−1020 where x is less (float: 0).
template <class Real>
struct TeamPowers;

template <>
struct TeamPowers<double> {
  /// Of the polynomial, highest power first, without the last one, 1. They are a member of a kernel: operations read
  /// them where its arguments are, and would have to make registers of constants of 64 bits.
  struct Coefficients {
    double of[5] = {0x1.5d88578b29196p-10, 0x1.3b2b276c97fc3p-7, 0x1.c6b08d703c447p-5, 0x1.ebfbdff8098edp-3,
                    0x1.62e42fefa39efp-1};
  };

  static constexpr std::uint32_t roots = 32;  ///< in the table
  const double* table;                        ///< for each team its own
  Coefficients coefficients;

  /// Sets entry j of a table: 2^(j/32), but j 32nds of an exponent less in its bits, in which 32 x is added whole.
  KOKKOS_FUNCTION static void set(double* table, std::int32_t j) {
    const Halves root = halves(fast_exp2(j / static_cast<double>(roots)));
    table[j] = from_halves({root.lower, root.upper - static_cast<std::uint32_t>(j) * root_of_exponent});
  }

  /// By 2^x = 2^k 2^(j/32) 2^r, |r| <= 1/64, and a polynomial with an error below 9e-17 for 2^r; below 2.5 ulp.
  KOKKOS_FORCEINLINE_FUNCTION PowerFactors<double> operator()(double x) const {
    constexpr double to_32nds = 0x1.8p47;  // its addition leaves 32 x, rounded, in the lowest bits
    x = bounded(x);
    const double shifted = x + to_32nds, r = x - (shifted - to_32nds);
    const std::uint32_t rounded = halves(shifted).lower;
    double p = coefficients.of[0];
    for (int i = 1; i < 5; ++i) p = multiply_add(p, r, coefficients.of[i]);
    p = multiply_add(p, r, 1.0);  // NaN where x is
    const Halves root = halves(table[sporos::impl::masked<roots - 1>(rounded)]);
    return {from_halves({root.lower, root.upper + rounded * root_of_exponent}), p};
  }

 private:
  // The device's units for doubles have enough to do: what can be done with half of the bits is done with these.
  struct Halves {
    std::uint32_t lower, upper;
  };
  KOKKOS_FORCEINLINE_FUNCTION static Halves halves(double x) { return __builtin_bit_cast(Halves, x); }
  KOKKOS_FORCEINLINE_FUNCTION static double from_halves(Halves x) { return __builtin_bit_cast(double, x); }

  static constexpr std::uint32_t root_of_exponent = 0x00100000 / roots;  // in an upper half

  // Next to −1020 for less. A NaN that a device forms has no sign, and remains.
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
