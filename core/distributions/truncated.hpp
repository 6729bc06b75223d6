// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/functions.hpp>
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/distributions/score.hpp>
#include <sporos/core/math/normal.hpp>
#include <sporos/core/sampling/standard_variates.hpp>

#include <Kokkos_Macros.hpp>

#include <array>
#include <cmath>
#include <string_view>

/// Variates of distributions that are truncated to an interval, by inverse CDF. See continuous.hpp for the types of
/// `draw`.
namespace sporos {

/// Uniform between two probabilities: below + u (above − below). Pass below = F(low) and above = F(high) of a
/// distribution whose variate grows with u: the variate for this uniform then has that distribution, truncated to (low,
/// high]. If both probabilities are near 1, few uniforms are left between them.
///
///     const double x = gamma(uniform_between(inputs(service), below, above), shape, scale);
template <class Draw, class Below, class Above>
KOKKOS_FUNCTION NumberOf<UniformOf<Draw>, Below, Above> uniform_between(Draw&& draw, const Below& below,
                                                                        const Above& above) {
  return below + (NumberOf<Above>(above) - below) * standard_variate<StandardUniform>(static_cast<Draw&&>(draw));
}

/// Normal variate truncated to [low, high], low < high; both ends may be infinite. Mean and standard deviation > 0 are
/// those before truncation. Accurate in both tails: if low is above the mean, it works with the upper tail. It has
/// pathwise derivatives with respect to all four parameters.
template <class Draw, class Mean, class Deviation, class Low, class High>
KOKKOS_FUNCTION NumberOf<UniformOf<Draw>, Mean, Deviation, Low, High> truncated_normal(Draw&& draw, const Mean& mean,
                                                                                       const Deviation& deviation,
                                                                                       const Low& low,
                                                                                       const High& high) {
  static_assert(!ScoredDraw<Draw> || !DualNumber<NumberOf<Mean, Deviation, Low, High>>,
                "Sporos: a truncated normal variate has pathwise derivatives only: pass a uniform "
                "(const double u = inputs(service))");
  using Number = NumberOf<UniformOf<Draw>, Mean, Deviation, Low, High>;
  using Parameter = NumberOf<Mean, Deviation, Low, High>;
  const Parameter from = (Parameter(low) - mean) / deviation, to = (Parameter(high) - mean) / deviation;
  const double side = value_of(from) > 0.0 ? -1.0 : 1.0;  // by symmetry, always use the lower tail
  const Number p =
      uniform_between(static_cast<Draw&&>(draw), math::normal_cdf(side * from), math::normal_cdf(side * to));
  const Number x = mean + deviation * (side * math::normal_quantile(p));
  return math::min(math::max(x, low), high);
}

/// P(X <= x) of `truncated_normal`.
KOKKOS_INLINE_FUNCTION double truncated_normal_cdf(double x, double mean, double deviation, double low, double high) {
  if (!(x > low)) return 0.0;
  if (x >= high) return 1.0;
  const double side = low > mean ? -1.0 : 1.0;
  const double below = math::normal_cdf(side * (low - mean) / deviation);
  const double above = math::normal_cdf(side * (high - mean) / deviation);
  return (math::normal_cdf(side * (x - mean) / deviation) - below) / (above - below);
}

// Families of distributions; see continuous.hpp.
namespace impl {

struct TruncatedNormalFamily {
  static constexpr auto parameter_names = std::to_array<std::string_view>({"mean", "deviation", "low", "high"});
  static void check(double mean, double deviation, double low, double high) {
    check_finite("mean", mean);
    check_positive("deviation", deviation);
    check_parameter(!std::isnan(low), "low", low, "a number or -inf");
    check_parameter(!std::isnan(high), "high", high, "a number or inf");
    check_parameter(low < high, "low", low, "a number below high, " + number_text(high));
    check_parameter(share(mean, deviation, low, high) > 1e-300, "probability of [low, high] before truncation",
                    share(mean, deviation, low, high), "more than 1e-300");
  }
  // E X = μ + σ (φ(a) − φ(b)) / (Φ(b) − Φ(a)).
  static double mean(double mean, double deviation, double low, double high) {
    const double a = (low - mean) / deviation, b = (high - mean) / deviation;
    const double densities = math::impl::one_over_sqrt_two_pi * (std::exp(-a * a / 2) - std::exp(-b * b / 2));
    return mean + deviation * densities / share(mean, deviation, low, high);
  }
  static double least(double, double, double low, double) { return low; }
  KOKKOS_FUNCTION static double variate(double u, double mean, double deviation, double low, double high) {
    return truncated_normal(u, mean, deviation, low, high);
  }

 private:
  // Φ(b) − Φ(a), computed in the lower tail.
  static double share(double mean, double deviation, double low, double high) {
    const double side = low > mean ? -1.0 : 1.0, below = math::normal_cdf(side * (low - mean) / deviation);
    return std::abs(math::normal_cdf(side * (high - mean) / deviation) - below);
  }
};

}  // namespace impl

}  // namespace sporos
