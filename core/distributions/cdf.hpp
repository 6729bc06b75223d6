// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/any_distribution.hpp>
#include <sporos/core/math/incomplete_gamma.hpp>
#include <sporos/core/math/normal.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// Distribution functions F(x) = P(X <= x) and their integrals over (−∞, x], which equal E(x − X)⁺, for kernels and the
/// host. They match the variates of the same names: u <= F(x) if the variate of u is at most x, up to relative rounding
/// errors of u and x of 1e-12. Equal arguments give the same bits on every backend. Parameters are not checked here;
/// see parameters.hpp.
namespace sporos {

/// F(x) of `normal`.
KOKKOS_INLINE_FUNCTION double normal_cdf(double x, double mean, double deviation) {
  if (deviation > 0.0) return math::normal_cdf((x - mean) / deviation);
  return x >= mean ? 1.0 : 0.0;
}

/// Integral of `normal_cdf` up to x: (x − μ) Φ(z) + σ φ(z), z = (x − μ) / σ.
KOKKOS_INLINE_FUNCTION double normal_cdf_integral(double x, double mean, double deviation) {
  const double above = x - mean;
  if (!(deviation > 0.0)) return above > 0.0 ? above : 0.0;
  const double z = above / deviation;
  return above * math::normal_cdf(z) + deviation * (math::impl::one_over_sqrt_two_pi * math::exp(-0.5 * z * z));
}

/// F(x) of `gamma`: P(shape, x / scale).
KOKKOS_INLINE_FUNCTION double gamma_cdf(double x, double shape, double scale) {
  return x > 0.0 ? math::gamma_p(shape, x / scale) : 0.0;
}

/// Integral of `gamma_cdf` up to x: x P(a, y) − a s P(a + 1, y) for shape a, scale s and y = x / s.
KOKKOS_INLINE_FUNCTION double gamma_cdf_integral(double x, double shape, double scale) {
  if (!(x > 0.0)) return 0.0;
  // P(a + 1, y) = P(a, y) − y^a e^(−y) / Γ(a + 1)
  const auto at = math::impl::incomplete_gamma(shape, x / scale);
  return (x - shape * scale) * at.lower + shape * scale * at.term;
}

/// F(x) of `poisson`: Q(⌊x⌋ + 1, mean).
KOKKOS_INLINE_FUNCTION double poisson_cdf(double x, double mean) {
  return x >= 0.0 ? math::gamma_q(::floor(x) + 1.0, mean) : 0.0;
}

/// Integral of `poisson_cdf` up to x: x F(k) − mean F(k − 1), k = ⌊x⌋.
KOKKOS_INLINE_FUNCTION double poisson_cdf_integral(double x, double mean) {
  if (!(x >= 0.0)) return 0.0;
  // F(k − 1) = F(k) − mean^k e^(−mean) / k!
  const double next = ::floor(x) + 1.0;
  const auto at = math::impl::incomplete_gamma(next, mean);
  return (x - mean) * at.upper + next * at.term;
}

/// F(x) of `empirical`: straight lines through (xᵢ, (i − 1)/(n − 1)). Takes O(ln n).
KOKKOS_INLINE_FUNCTION double empirical_cdf(double x, const EmpiricalHandle& table) {
  if (!(x >= table.sorted[0])) return 0.0;
  std::int64_t below = 0, above = table.size - 1;
  if (x >= table.sorted[above]) return 1.0;
  while (above - below > 1) {  // sorted[below] <= x < sorted[above]
    const std::int64_t middle = below + (above - below) / 2;
    (x >= table.sorted[middle] ? below : above) = middle;
  }
  const double share = (x - table.sorted[below]) / (table.sorted[above] - table.sorted[below]);
  return (static_cast<double>(below) + share) / static_cast<double>(table.size - 1);
}

/// Integral of `empirical_cdf` up to x: the sum of the areas under its lines. Takes O(n).
KOKKOS_INLINE_FUNCTION double empirical_cdf_integral(double x, const EmpiricalHandle& table) {
  const std::int64_t last = table.size - 1;
  double sum = 0.0;  // (n − 1) times the areas
  for (std::int64_t i = 0; i < last && table.sorted[i] < x; ++i) {
    const double width = table.sorted[i + 1] - table.sorted[i], covered = x - table.sorted[i];
    const bool whole = covered >= width;
    sum +=
        whole ? width * (static_cast<double>(i) + 0.5) : covered * (static_cast<double>(i) + 0.5 * (covered / width));
  }
  const double beyond = x - table.sorted[last];
  return (last > 0 ? sum / static_cast<double>(last) : 0.0) + (beyond > 0.0 ? beyond : 0.0);
}

/// Whether `cdf` and `cdf_integral` support the distribution.
constexpr bool has_cdf(DistributionKind kind) {
  return kind == DistributionKind::normal || kind == DistributionKind::gamma || kind == DistributionKind::poisson ||
         kind == DistributionKind::empirical;
}

/// F(x) of `distribution`; NaN if has_cdf is false for its kind.
KOKKOS_INLINE_FUNCTION double cdf(double x, const AnyDistribution& distribution) {
  const auto& [kind, a, b, c, d, table] = distribution;
  switch (kind) {
    case DistributionKind::normal:
      return normal_cdf(x, a, b);
    case DistributionKind::gamma:
      return gamma_cdf(x, a, b);
    case DistributionKind::poisson:
      return poisson_cdf(x, a);
    case DistributionKind::empirical:
      return empirical_cdf(x, EmpiricalHandle{table.values, table.size});
    default:
      return math::impl::quiet_nan;
  }
}

/// ∫ F from −∞ to x of `distribution`, which is E(x − X)⁺; NaN if has_cdf is false for its kind.
KOKKOS_INLINE_FUNCTION double cdf_integral(double x, const AnyDistribution& distribution) {
  const auto& [kind, a, b, c, d, table] = distribution;
  switch (kind) {
    case DistributionKind::normal:
      return normal_cdf_integral(x, a, b);
    case DistributionKind::gamma:
      return gamma_cdf_integral(x, a, b);
    case DistributionKind::poisson:
      return poisson_cdf_integral(x, a);
    case DistributionKind::empirical:
      return empirical_cdf_integral(x, EmpiricalHandle{table.values, table.size});
    default:
      return math::impl::quiet_nan;
  }
}

}  // namespace sporos
