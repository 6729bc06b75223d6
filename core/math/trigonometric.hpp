// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/bits.hpp>

#include <Kokkos_Macros.hpp>

#include <cstdint>

namespace sporos::math {
namespace impl {

/// x = quadrant π/2 + high + low, quadrant modulo 4, |high| <= π/4 and a little.
struct QuarterTurns {
  std::uint64_t quadrant;
  double high, low;
};
KOKKOS_FORCEINLINE_FUNCTION QuarterTurns reduce_quarter_turns(double x) {
  constexpr double round_to_integer = 0x1.8p52;
  const double shifted = x * 0x1.45f306dc9c883p-1 + round_to_integer;
  const double n = shifted - round_to_integer;
  const double t = x - n * 1.57079632673412561417e+00;
  const double w = n * 6.07710050630396597660e-11;
  const double high = t - w, low = ((t - high) - w) - n * 2.02226624879595063154e-21;
  return {to_bits(shifted) & 3, high + low, (high - (high + low)) + low};
}
KOKKOS_FORCEINLINE_FUNCTION double sin_kernel(double x, double y) {
  const double z = x * x, w = z * z;
  const double r = 8.33333333332248946124e-03 + z * (-1.98412698298579493134e-04 + z * 2.75573137070700676789e-06) +
                   z * w * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10);
  const double v = z * x;
  return x - ((z * (0.5 * y - v * r) - y) - v * -1.66666666666666324348e-01);
}
KOKKOS_FORCEINLINE_FUNCTION double cos_kernel(double x, double y) {
  const double z = x * x, w = z * z;
  const double r = z * (4.16666666666666019037e-02 + z * (-1.38888888888741095749e-03 + z * 2.48015872894767294178e-05)) +
                   w * w * (-2.75573143513906633035e-07 + z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11));
  const double hz = 0.5 * z, u = 1.0 - hz;
  return u + (((1.0 - u) - hz) + (z * r - x * y));
}

}  // namespace impl

/// sin x.
KOKKOS_INLINE_FUNCTION double sin(double x) {
  const impl::QuarterTurns a = impl::reduce_quarter_turns(x);
  const double y = a.quadrant & 1 ? impl::cos_kernel(a.high, a.low) : impl::sin_kernel(a.high, a.low);
  return a.quadrant & 2 ? -y : y;
}
/// cos x.
KOKKOS_INLINE_FUNCTION double cos(double x) {
  const impl::QuarterTurns a = impl::reduce_quarter_turns(x);
  const double y = a.quadrant & 1 ? impl::sin_kernel(a.high, a.low) : impl::cos_kernel(a.high, a.low);
  return (a.quadrant + 1) & 2 ? -y : y;
}
KOKKOS_FORCEINLINE_FUNCTION float sin(float x) { return impl::narrow(sin(static_cast<double>(x))); }
KOKKOS_FORCEINLINE_FUNCTION float cos(float x) { return impl::narrow(cos(static_cast<double>(x))); }

}  // namespace sporos::math
