// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/bits.hpp>
#include <sporos/core/math/exp.hpp>
#include <sporos/core/math/log.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>

/// Losses ℓ(m, z) of a label z at a margin m = xᵀw, for GeneralizedLinear. Each has its first two derivatives with
/// respect to m, and the mean of the label that a margin predicts. They give the same bits on every backend.
namespace sporos::models {

/// Logistic loss of labels 0 and 1 with P(z = 1) = σ(m) = 1 / (1 + e^−m): ℓ = ln(1 + e^m) − z m. It does not overflow
/// at any margin, and derivatives near 0 keep their relative precision.
struct LogisticLoss {
  static constexpr const char* labels = "0 or 1";  ///< description of valid labels, for messages

  /// Whether z is a valid label.
  static bool is_label(double z) { return z == 0 || z == 1; }
  /// The mean label σ(m).
  KOKKOS_INLINE_FUNCTION static double mean(double m) {
    const double e = math::exp(-math::impl::absolute(m));
    return (m < 0 ? e : 1.0) / (1.0 + e);
  }
  /// The loss ℓ.
  KOKKOS_INLINE_FUNCTION static double value(double m, double z) {
    const double wrong = z == 0 ? m : -m;
    return (wrong > 0 ? wrong : 0.0) + math::log1p_of_fraction(math::exp(-math::impl::absolute(m)));
  }
  /// The first derivative σ(m) − z.
  KOKKOS_INLINE_FUNCTION static double derivative(double m, double z) {
    const double wrong = mean(z == 0 ? m : -m);
    return z == 0 ? wrong : -wrong;
  }
  /// The second derivative σ(m) (1 − σ(m)).
  KOKKOS_INLINE_FUNCTION static double curvature(double m, double /*z*/) {
    const double e = math::exp(-math::impl::absolute(m));
    return e / ((1.0 + e) * (1.0 + e));
  }
};

/// Squared loss: ℓ = ½ (m − z)².
struct SquaredLoss {
  static constexpr const char* labels = "a finite number";  ///< description of valid labels, for messages

  /// Whether z is a valid label.
  static bool is_label(double z) { return std::isfinite(z); }
  /// The mean label m.
  KOKKOS_INLINE_FUNCTION static double mean(double m) { return m; }
  /// The loss ℓ.
  KOKKOS_INLINE_FUNCTION static double value(double m, double z) { return 0.5 * (m - z) * (m - z); }
  /// The first derivative m − z.
  KOKKOS_INLINE_FUNCTION static double derivative(double m, double z) { return m - z; }
  /// The second derivative 1.
  KOKKOS_INLINE_FUNCTION static double curvature(double /*m*/, double /*z*/) { return 1.0; }
};

/// Poisson loss of counts z with mean e^m: ℓ = e^m − z m, without the term ln z!, which does not depend on the margin.
/// Infinite for m >= 709.79.
struct PoissonLoss {
  static constexpr const char* labels = "a whole number of at least 0";  ///< description of valid labels, for messages

  /// Whether z is a valid label.
  static bool is_label(double z) { return std::isfinite(z) && z >= 0 && std::floor(z) == z; }
  /// The mean label e^m.
  KOKKOS_INLINE_FUNCTION static double mean(double m) { return math::exp(m); }
  /// The loss ℓ.
  KOKKOS_INLINE_FUNCTION static double value(double m, double z) { return math::exp(m) - z * m; }
  /// The first derivative e^m − z.
  KOKKOS_INLINE_FUNCTION static double derivative(double m, double z) { return math::exp(m) - z; }
  /// The second derivative e^m.
  KOKKOS_INLINE_FUNCTION static double curvature(double m, double /*z*/) { return math::exp(m); }
};

}  // namespace sporos::models
