// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/functions.hpp>
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/distributions/score.hpp>
#include <sporos/core/math/exp.hpp>
#include <sporos/core/math/log.hpp>
#include <sporos/core/math/normal.hpp>
#include <sporos/core/sampling/standard_variates.hpp>

#include <Kokkos_Macros.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <string_view>

/// Johnson's distributions (N. L. Johnson, Biometrika 36 (1949) 149), by inverse CDF: functions of a standard normal z
/// that reach every skewness and kurtosis; see continuous.hpp for what `draw` may be. Variates grow with u. Their
/// distribution functions take duals as parameters, too.
namespace sporos {

namespace impl {

struct JohnsonSuFamily;
struct JohnsonSbFamily;

// ln(x + √(1 + x²)), without cancellation for x < 0 or overflow.
template <class Number>
KOKKOS_FUNCTION Number inverse_sinh(const Number& x) {
  const Number size = math::abs(x), square = x * x;
  const Number value = math::select(size > 1e9, math::log(size) + 0.6931471805599453,
                                    math::log1p(size + square / (1.0 + math::sqrt(1.0 + square))));
  return math::select(x < 0.0, -value, value);
}

}  // namespace impl

/// Unbounded: location + scale sinh((z − gamma) / delta), delta > 0, scale > 0. A gamma above 0 skews to the left, a
/// small delta makes heavy tails.
template <class Draw, class Gamma, class Delta, class Location, class Scale>
KOKKOS_FUNCTION NumberOf<UniformOf<Draw>, Gamma, Delta, Location, Scale> johnson_su(Draw&& draw, const Gamma& gamma,
                                                                                    const Delta& delta,
                                                                                    const Location& location,
                                                                                    const Scale& scale) {
  const NumberOf<UniformOf<Draw>, Gamma, Delta> w =
      (standard_variate<StandardNormal>(static_cast<Draw&&>(draw)) - gamma) / delta;
  const NumberOf<UniformOf<Draw>, Gamma, Delta, Location, Scale> x =
      location + scale * (0.5 * (math::expm1(w) - math::expm1(-w)));
  return scored<impl::JohnsonSuFamily>(draw, x, gamma, delta, location, scale);
}

/// P(X <= x) of `johnson_su`: Φ(gamma + delta arsinh((x − location) / scale)).
template <class Gamma, class Delta, class Location, class Scale>
KOKKOS_FUNCTION NumberOf<Gamma, Delta, Location, Scale> johnson_su_cdf(double x, const Gamma& gamma, const Delta& delta,
                                                                       const Location& location, const Scale& scale) {
  const NumberOf<Location, Scale> w = (x - location) / scale;
  return math::normal_cdf(gamma + delta * impl::inverse_sinh(w));
}

/// Bounded: location + scale / (1 + e^(−(z − gamma) / delta)), within (location, location + scale), delta > 0,
/// scale > 0. An end can come out, by rounding.
template <class Draw, class Gamma, class Delta, class Location, class Scale>
KOKKOS_FUNCTION NumberOf<UniformOf<Draw>, Gamma, Delta, Location, Scale> johnson_sb(Draw&& draw, const Gamma& gamma,
                                                                                    const Delta& delta,
                                                                                    const Location& location,
                                                                                    const Scale& scale) {
  const NumberOf<UniformOf<Draw>, Gamma, Delta> w =
      (standard_variate<StandardNormal>(static_cast<Draw&&>(draw)) - gamma) / delta;
  const NumberOf<UniformOf<Draw>, Gamma, Delta, Location, Scale> x = location + scale / (1.0 + math::exp(-w));
  return scored<impl::JohnsonSbFamily>(draw, x, gamma, delta, location, scale);
}

/// Does not compile: no score by the ends. gamma and delta have one.
template <ScoredDraw Draw, class Gamma, class Delta, class Location, impl::DualWith<Location> Scale>
SPOROS_UNAVAILABLE(SPOROS_ENDS_HAVE_NO_SCORE)
KOKKOS_FUNCTION NumberOf<Location, Scale> johnson_sb(Draw&& draw, const Gamma& gamma, const Delta& delta,
                                                     const Location& location, const Scale& scale);

/// P(X <= x) of `johnson_sb`: Φ(gamma + delta ln(w / (1 − w))), w = (x − location) / scale.
template <class Gamma, class Delta, class Location, class Scale>
KOKKOS_FUNCTION NumberOf<Gamma, Delta, Location, Scale> johnson_sb_cdf(double x, const Gamma& gamma, const Delta& delta,
                                                                       const Location& location, const Scale& scale) {
  if (!(x > location)) return 0.0;
  const NumberOf<Location, Scale> above = x - location, below = scale - above;
  if (!(below > 0.0)) return 1.0;
  return math::normal_cdf(gamma + delta * (math::log(above) - math::log(below)));
}

// Families of distributions, as in continuous.hpp.
namespace impl {

inline constexpr double johnson_half_log_two_pi = 0.9189385332046728;

struct JohnsonSuFamily {
  static constexpr auto parameter_names = std::to_array<std::string_view>({"gamma", "delta", "location", "scale"});
  static void check(double gamma, double delta, double location, double scale) {
    check_finite("gamma", gamma);
    check_positive("delta", delta);
    check_finite("location", location);
    check_positive("scale", scale);
  }
  static double mean(double gamma, double delta, double location, double scale) {
    return location - scale * std::exp(0.5 / (delta * delta)) * std::sinh(gamma / delta);
  }
  static double least(double, double, double, double) { return -std::numeric_limits<double>::infinity(); }
  KOKKOS_FUNCTION static double variate(double u, double gamma, double delta, double location, double scale) {
    return johnson_su(u, gamma, delta, location, scale);
  }
  template <class Gamma, class Delta, class Location, class Scale>
  KOKKOS_FUNCTION static NumberOf<Gamma, Delta, Location, Scale> log_density(double x, const Gamma& gamma,
                                                                             const Delta& delta,
                                                                             const Location& location,
                                                                             const Scale& scale) {
    const NumberOf<Location, Scale> w = (x - location) / scale;
    const NumberOf<Gamma, Delta, Location, Scale> z = gamma + delta * inverse_sinh(w);
    return math::log(delta) - math::log(scale) - 0.5 * math::log1p(w * w) - 0.5 * (z * z) - johnson_half_log_two_pi;
  }
};

struct JohnsonSbFamily {
  static constexpr auto parameter_names = JohnsonSuFamily::parameter_names;
  static void check(double gamma, double delta, double location, double scale) {
    JohnsonSuFamily::check(gamma, delta, location, scale);
  }
  // E 1/(1 + e^(−(Z − γ)/δ)), by the trapezoidal rule, whose error falls as e^(−2π d / h) where the integrand is
  // analytic to d from the real line: over the normal Z for δ >= 1; else, as P(V <= (Z − γ)/δ), over the logistic V.
  static double mean(double gamma, double delta, double location, double scale) {
    constexpr double step = 0.125;
    double sum = 0;
    if (delta >= 1) {
      for (double z = -9; z <= 9; z += step) sum += std::exp(-z * z / 2) / (1 + std::exp((gamma - z) / delta));
      sum *= math::impl::one_over_sqrt_two_pi;
    } else {
      for (double v = -40; v <= 40; v += step) {
        const double density = 0.25 / (std::cosh(v / 2) * std::cosh(v / 2));
        sum += density * math::normal_cdf(-gamma - delta * v);
      }
    }
    return location + scale * (sum * step);
  }
  static double least(double, double, double location, double) { return location; }
  KOKKOS_FUNCTION static double variate(double u, double gamma, double delta, double location, double scale) {
    return johnson_sb(u, gamma, delta, location, scale);
  }
  template <class Gamma, class Delta, class Location, class Scale>
  KOKKOS_FUNCTION static NumberOf<Gamma, Delta, Location, Scale> log_density(double x, const Gamma& gamma,
                                                                             const Delta& delta,
                                                                             const Location& location,
                                                                             const Scale& scale) {
    const NumberOf<Location, Scale> above = x - location, below = scale - above;
    const NumberOf<Gamma, Delta, Location, Scale> z = gamma + delta * (math::log(above) - math::log(below));
    return math::log(delta) + math::log(scale) - math::log(above) - math::log(below) - 0.5 * (z * z) -
           johnson_half_log_two_pi;
  }
};

}  // namespace impl

}  // namespace sporos
