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
    double of[4] = {0x1.3b2ac9ef30b02p-7, 0x1.c6b09b1ac2521p-5, 0x1.ebfbdff82bda8p-3, 0x1.62e42fefa3684p-1};
  };

  static constexpr std::uint32_t roots = 128;  ///< number of roots in the table
  /// Copies of each root, one for each of the 16 lanes that shared memory serves at once. If there were only one, lanes
  /// that read different roots would wait for each other.
  static constexpr std::uint32_t copies = 16;
  static constexpr int size = roots * copies;  ///< doubles in the table

  const double* table;  ///< first root for this thread; each team has its own table
  Coefficients coefficients;

  KOKKOS_FORCEINLINE_FUNCTION TeamPowers(const double* of_team, std::int32_t rank, const Coefficients& of_kernel)
      : table(of_team + sporos::impl::masked<copies - 1>(static_cast<std::uint32_t>(rank))), coefficients(of_kernel) {}

  /// Sets the copies of root j, where j is the thread's rank in a team of at least 128 threads, less a multiple of 128:
  /// 2^(j/128), with j/128 subtracted from the exponent in its bits, to which 128 x is added as an integer.
  KOKKOS_FUNCTION static void set(double* table, std::int32_t rank) {
    // Without this mask, which is opaque to nvcc, 64 likelihoods need ten registers more and take 1.04 times as long.
    const std::uint32_t j = sporos::impl::masked<roots - 1>(static_cast<std::uint32_t>(rank));
    const Halves power = halves(fast_exp2(j / static_cast<double>(roots)));
    const double root = from_halves({power.lower, power.upper - j * root_of_exponent});
    for (std::uint32_t i = 0; i < copies; ++i) {  // neighbouring lanes begin with different copies
      table[j * copies + sporos::impl::masked<copies - 1>(i + j)] = root;
    }
  }

  /// Computes 2^x = 2^k 2^(j/128) 2^r, |r| <= 1/256, with a polynomial for 2^r whose error is below 8e-17; the total
  /// error is below 2.5 ulp.
  KOKKOS_FORCEINLINE_FUNCTION PowerFactors<double> operator()(double x) const {
    constexpr double to_128ths = 0x1.8p45;  // adding it leaves 128 x, rounded, in the lowest bits
    x = bounded(x);
    const double shifted = x + to_128ths, r = x - (shifted - to_128ths);
    const std::uint32_t rounded = halves(shifted).lower;
    double p = coefficients.of[0];
    for (int i = 1; i < 4; ++i) p = multiply_add(p, r, coefficients.of[i]);
    p = multiply_add(p, r, 1.0);  // NaN if x is NaN
    const Halves root = halves(table[sporos::impl::masked<roots - 1>(rounded) * copies]);
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

  static constexpr int size = 0;

  KOKKOS_FORCEINLINE_FUNCTION TeamPowers(const double*, std::int32_t, const Coefficients&) {}

  KOKKOS_FUNCTION static void set(double*, std::int32_t) {}
  KOKKOS_FORCEINLINE_FUNCTION PowerFactors<float> operator()(float x) const { return {::exp2f(x), 1}; }
};

}  // namespace sporos::models::impl
