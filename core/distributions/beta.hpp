// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/beta.hpp>
#include <sporos/core/derivatives/functions.hpp>
#include <sporos/core/derivatives/gamma.hpp>
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/distributions/score.hpp>
#include <sporos/core/math/incomplete_beta.hpp>
#include <sporos/core/math/log.hpp>
#include <sporos/core/sampling/standard_variates.hpp>

#include <Kokkos_Macros.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <string_view>

/// Beta and Student variates by inverse CDF. See continuous.hpp for the types of `draw`. Variates grow with u, to the
/// accuracy of sporos::math::beta_p_inverse.
namespace sporos {

namespace impl {

struct BetaFamily;
struct StudentFamily;

/// Student's quantile of u from t² = ν y / x, where x is the beta quantile of shapes ν/2 and ½ for both tails together.
template <class Degrees>
KOKKOS_INLINE_FUNCTION NumberOf<Degrees> student_quantile(double u, const Degrees& degrees) {
  using Number = NumberOf<Degrees>;
  if (u == 0.5) return 0.0;
  const double tails = 2.0 * (u < 0.5 ? u : 1.0 - u);
  const math::UnitPoint<Number> at = math::beta_p_inverse(Number(0.5 * degrees), Number(0.5), tails);
  const Number t = math::sqrt(degrees * (at.y / at.x));
  return u < 0.5 ? Number(-t) : t;
}

}  // namespace impl

/// Beta variate on (0, 1) with density ∝ x^(alpha − 1) (1 − x)^(beta − 1), alpha > 0, beta > 0, and mean
/// alpha / (alpha + beta). Rounding can return an end of the interval.
template <class Draw, class Alpha, class Beta>
KOKKOS_FUNCTION NumberOf<Alpha, Beta> beta(Draw&& draw, const Alpha& a, const Beta& b) {
  using Number = NumberOf<Alpha, Beta>;
  const double u = standard_variate<StandardUniform>(static_cast<Draw&&>(draw));
  return scored<impl::BetaFamily>(draw, math::beta_p_inverse(Number(a), Number(b), u).x, a, b);
}

/// P(X <= x) of `beta`.
KOKKOS_INLINE_FUNCTION double beta_cdf(double x, double a, double b) {
  if (!(x > 0.0)) return 0.0;
  return x < 1.0 ? math::beta_p(a, b, x) : 1.0;
}

/// Student's t variate with `degrees` degrees of freedom, shifted and scaled: location + scale T, scale > 0. `degrees`
/// is at least 1/8 and need not be whole.
template <class Draw, class Degrees, class Location, class Scale>
KOKKOS_FUNCTION NumberOf<Degrees, Location, Scale> student(Draw&& draw, const Degrees& degrees,
                                                           const Location& location, const Scale& scale) {
  const double u = standard_variate<StandardUniform>(static_cast<Draw&&>(draw));
  const NumberOf<Degrees, Location, Scale> x = location + scale * impl::student_quantile(u, degrees);
  return scored<impl::StudentFamily>(draw, x, degrees, location, scale);
}

/// P(X <= x) of `student`.
KOKKOS_INLINE_FUNCTION double student_cdf(double x, double degrees, double location, double scale) {
  const double t = (x - location) / scale, square = t * t, sum = degrees + square;
  if (square == math::impl::infinity) return t < 0.0 ? 0.0 : 1.0;
  const double tail = 0.5 * math::impl::incomplete_beta(0.5 * degrees, 0.5, degrees / sum, square / sum).lower;
  return t < 0.0 ? tail : 1.0 - tail;
}

// Families of distributions; see continuous.hpp.
namespace impl {

struct BetaFamily {
  static constexpr auto parameter_names = std::to_array<std::string_view>({"alpha", "beta"});
  static void check(double a, double b) {
    check_positive("alpha", a);
    check_positive("beta", b);
  }
  static double mean(double a, double b) { return a / (a + b); }
  KOKKOS_FUNCTION static double variate(double u, double a, double b) { return beta(u, a, b); }
  template <class Alpha, class Beta>
  KOKKOS_FUNCTION static NumberOf<Alpha, Beta> log_density(double x, const Alpha& a, const Beta& b) {
    using Number = NumberOf<Alpha, Beta>;
    return (a - 1.0) * math::log(x) + (b - 1.0) * math::log1p(-x) + math::log_gamma(Number(a + b)) -
           math::log_gamma(a) - math::log_gamma(b);
  }
};

struct StudentFamily {
  static constexpr auto parameter_names = std::to_array<std::string_view>({"degrees", "location", "scale"});
  static void check(double degrees, double location, double scale) {
    check_parameter(degrees >= 0.125 && std::isfinite(degrees), "degrees", degrees,
                    "a finite number of at least 0.125");
    check_finite("location", location);
    check_positive("scale", scale);
  }
  static double mean(double degrees, double location, double) {
    return degrees > 1 ? location : std::numeric_limits<double>::quiet_NaN();
  }
  static double least(double, double, double) { return -std::numeric_limits<double>::infinity(); }
  KOKKOS_FUNCTION static double variate(double u, double degrees, double location, double scale) {
    return student(u, degrees, location, scale);
  }
  template <class Degrees, class Location, class Scale>
  KOKKOS_FUNCTION static NumberOf<Degrees, Location, Scale> log_density(double x, const Degrees& degrees,
                                                                        const Location& location, const Scale& scale) {
    constexpr double log_pi = 1.1447298858494002;
    const NumberOf<Location, Scale> t = (x - location) / scale;
    const NumberOf<Degrees> half = 0.5 * degrees;
    return math::log_gamma(NumberOf<Degrees>(half + 0.5)) - math::log_gamma(half) -
           0.5 * (math::log(degrees) + log_pi) - math::log(scale) - (half + 0.5) * math::log1p(t * t / degrees);
  }
};

}  // namespace impl

}  // namespace sporos
