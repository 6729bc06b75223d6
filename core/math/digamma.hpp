// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/log.hpp>

#include <Kokkos_Core.hpp>

namespace sporos::math {

/// ψ(x) = Γ'(x) / Γ(x) for x > 0, with an error of at most 2·10⁻¹⁵ times the larger of 1 and |ψ(x)|. Uses the
/// recurrence ψ(x) = ψ(x + 1) − 1/x up to x ≥ 12, then the asymptotic series in 1/x² (Abramowitz and Stegun, Handbook
/// of mathematical functions, 6.3.5 and 6.3.18).
KOKKOS_INLINE_FUNCTION double digamma(double x) {
  double below = 0;
  for (; x < 12.0; x += 1.0) below += 1.0 / x;
  const double s = 1.0 / (x * x);
  const double series =
      s * (1.0 / 12 - s * (1.0 / 120 - s * (1.0 / 252 - s * (1.0 / 240 - s * (1.0 / 132 - s * (691.0 / 32760))))));
  return log(x) - 0.5 / x - series - below;
}

/// ψ'(x) for x > 0, with a relative error of at most 2·10⁻¹⁵. Uses ψ'(x) = ψ'(x + 1) + 1/x² up to x ≥ 12, then the
/// asymptotic series (Abramowitz and Stegun, 6.4.6 and 6.4.12).
KOKKOS_INLINE_FUNCTION double trigamma(double x) {
  double below = 0;
  for (; x < 12.0; x += 1.0) below += 1.0 / (x * x);
  const double r = 1.0 / x, s = r * r;
  const double series =
      s * (1.0 / 6 -
           s * (1.0 / 30 - s * (1.0 / 42 - s * (1.0 / 30 - s * (5.0 / 66 - s * (691.0 / 2730 - s * (7.0 / 6)))))));
  return below + (r + 0.5 * s + series * r);
}

}  // namespace sporos::math
