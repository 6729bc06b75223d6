// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/bits.hpp>
#include <sporos/core/math/exp.hpp>
#include <sporos/core/math/log.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>

/// Losses ℓ(m, z) of a label z at a margin m = xᵀw, each with its first two derivatives by m and the mean of the label
/// that the margin predicts; the same bits on every backend. What GeneralizedLinear takes.
namespace sporos::models {

/// Of labels 0 and 1 with P(z = 1) = σ(m) = 1 / (1 + e^−m): ℓ = ln(1 + e^m) − z m. Free of overflow at any margin, and
/// derivatives near 0 keep their relative precision.
struct LogisticLoss {
  static constexpr const char* labels = "0 or 1";  ///< what labels may be

  /// Whether z is a label.
  static bool is_label(double z) { return z == 0 || z == 1; }
  /// σ(m).
  KOKKOS_INLINE_FUNCTION static double mean(double m) {
    const double e = math::exp(-math::impl::absolute(m));
    return (m < 0 ? e : 1.0) / (1.0 + e);
  }
  /// ℓ.
  KOKKOS_INLINE_FUNCTION static double value(double m, double z) {
    const double wrong = z == 0 ? m : -m;
    return (wrong > 0 ? wrong : 0.0) + math::log1p_of_fraction(math::exp(-math::impl::absolute(m)));
  }
  /// σ(m) − z.
  KOKKOS_INLINE_FUNCTION static double derivative(double m, double z) {
    const double wrong = mean(z == 0 ? m : -m);
    return z == 0 ? wrong : -wrong;
  }
  /// σ(m) (1 − σ(m)).
  KOKKOS_INLINE_FUNCTION static double curvature(double m, double /*z*/) {
    const double e = math::exp(-math::impl::absolute(m));
    return e / ((1.0 + e) * (1.0 + e));
  }
};

/// Least squares: ℓ = ½ (m − z)².
struct SquaredLoss {
  static constexpr const char* labels = "a finite number";  ///< what labels may be

  /// Whether z is a label.
  static bool is_label(double z) { return std::isfinite(z); }
  /// m.
  KOKKOS_INLINE_FUNCTION static double mean(double m) { return m; }
  /// ℓ.
  KOKKOS_INLINE_FUNCTION static double value(double m, double z) { return 0.5 * (m - z) * (m - z); }
  /// m − z.
  KOKKOS_INLINE_FUNCTION static double derivative(double m, double z) { return m - z; }
  /// 1.
  KOKKOS_INLINE_FUNCTION static double curvature(double /*m*/, double /*z*/) { return 1.0; }
};

/// Of counts z with a Poisson distribution of mean e^m: ℓ = e^m − z m, less ln z!, which no margin changes. Infinite
/// from m = 709.79 on.
struct PoissonLoss {
  static constexpr const char* labels = "a whole number of at least 0";  ///< what labels may be

  /// Whether z is a label.
  static bool is_label(double z) { return std::isfinite(z) && z >= 0 && std::floor(z) == z; }
  /// e^m.
  KOKKOS_INLINE_FUNCTION static double mean(double m) { return math::exp(m); }
  /// ℓ.
  KOKKOS_INLINE_FUNCTION static double value(double m, double z) { return math::exp(m) - z * m; }
  /// e^m − z.
  KOKKOS_INLINE_FUNCTION static double derivative(double m, double z) { return math::exp(m) - z; }
  /// e^m.
  KOKKOS_INLINE_FUNCTION static double curvature(double m, double /*z*/) { return math::exp(m); }
};

}  // namespace sporos::models
