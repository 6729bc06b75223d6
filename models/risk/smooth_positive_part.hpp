// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/classification/losses.hpp>

#include <Kokkos_Core.hpp>

namespace sporos::models {

/// Smooth approximation of u⁺ = max(u, 0): s(u) = ε ln(1 + e^{u/ε}), with derivatives of all orders (Chen and
/// Mangasarian 1996). It is convex. It exceeds u⁺ by ε ln 2 at u = 0, which is the maximum, and by at most ε e^{−|u|/ε}
/// elsewhere. It does not overflow for any u.
struct SmoothPositivePart {
  double width;  ///< ε > 0, in units of u

  /// Returns s(u).
  KOKKOS_INLINE_FUNCTION double value(double u) const { return width * LogisticLoss::value(u / width, 0); }
  /// Returns s'(u), in [0, 1].
  KOKKOS_INLINE_FUNCTION double slope(double u) const { return LogisticLoss::mean(u / width); }
  /// Returns s''(u), in [0, 1 / (4 ε)].
  KOKKOS_INLINE_FUNCTION double curvature(double u) const { return LogisticLoss::curvature(u / width, 0) / width; }
};

}  // namespace sporos::models
