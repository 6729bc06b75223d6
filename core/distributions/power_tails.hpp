// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/functions.hpp>
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/distributions/score.hpp>
#include <sporos/core/math/exp.hpp>
#include <sporos/core/math/log.hpp>
#include <sporos/core/sampling/standard_variates.hpp>

#include <Kokkos_Macros.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <string_view>

/// Variates of distributions whose upper tail falls as a power of x, by inverse CDF: Pareto, log-logistic and Burr. See
/// continuous.hpp for the types of `draw`. Variates grow with u. Their relative error is a few ulps, times
/// |ln(x / scale)| if that is larger than 1. A variate beyond the largest double, possible for shapes below 0.06, is
/// infinite. Each distribution also has a distribution function, whose parameters may be duals.
namespace sporos {

namespace impl {
struct ParetoFamily;
struct LogLogisticFamily;
struct BurrFamily;
}  // namespace impl

/// Pareto variate, scale (1 − u)^(−1/shape): P(X > x) = (scale / x)^shape for x >= scale, shape > 0, scale > 0.
template <class Draw, class Shape, class Scale>
KOKKOS_FUNCTION NumberOf<UniformOf<Draw>, Shape, Scale> pareto(Draw&& draw, const Shape& shape, const Scale& scale) {
  const UniformOf<Draw> u = standard_variate<StandardUniform>(static_cast<Draw&&>(draw));
  const NumberOf<UniformOf<Draw>, Shape, Scale> x = scale * math::exp(-math::log1p(-u) / shape);
  return scored<impl::ParetoFamily>(draw, x, shape, scale);
}

/// Does not compile: the scale is the lower end of the values, which has no score. The shape has one.
template <ScoredDraw Draw, class Shape, DualNumber Scale>
SPOROS_UNAVAILABLE(SPOROS_ENDS_HAVE_NO_SCORE)
KOKKOS_FUNCTION NumberOf<Shape, Scale> pareto(Draw&& draw, const Shape& shape, const Scale& scale);

/// P(X <= x) of `pareto`.
template <class Shape, class Scale>
KOKKOS_FUNCTION NumberOf<Shape, Scale> pareto_cdf(double x, const Shape& shape, const Scale& scale) {
  if (!(x > scale)) return 0.0;
  return -math::expm1(-shape * (math::log(x) - math::log(scale)));
}

/// Log-logistic variate, scale (u / (1 − u))^(1/shape): P(X > x) = 1 / (1 + (x / scale)^shape), shape > 0, scale > 0.
/// The scale is the median.
template <class Draw, class Shape, class Scale>
KOKKOS_FUNCTION NumberOf<UniformOf<Draw>, Shape, Scale> log_logistic(Draw&& draw, const Shape& shape,
                                                                     const Scale& scale) {
  const UniformOf<Draw> u = standard_variate<StandardUniform>(static_cast<Draw&&>(draw));
  const NumberOf<UniformOf<Draw>, Shape, Scale> x = scale * math::exp((math::log(u) - math::log1p(-u)) / shape);
  return scored<impl::LogLogisticFamily>(draw, x, shape, scale);
}

/// P(X <= x) of `log_logistic`.
template <class Shape, class Scale>
KOKKOS_FUNCTION NumberOf<Shape, Scale> log_logistic_cdf(double x, const Shape& shape, const Scale& scale) {
  if (!(x > 0.0)) return 0.0;
  return 1.0 / (1.0 + math::exp(-shape * (math::log(x) - math::log(scale))));
}

/// Burr XII variate, scale ((1 − u)^(−1/tail) − 1)^(1/shape): P(X > x) = (1 + (x / scale)^shape)^(−tail), all three
/// parameters > 0.
template <class Draw, class Shape, class Tail, class Scale>
KOKKOS_FUNCTION NumberOf<UniformOf<Draw>, Shape, Tail, Scale> burr(Draw&& draw, const Shape& shape, const Tail& tail,
                                                                   const Scale& scale) {
  const UniformOf<Draw> u = standard_variate<StandardUniform>(static_cast<Draw&&>(draw));
  const NumberOf<UniformOf<Draw>, Shape, Tail, Scale> x =
      scale * math::exp(math::log(math::expm1(-math::log1p(-u) / tail)) / shape);
  return scored<impl::BurrFamily>(draw, x, shape, tail, scale);
}

/// P(X <= x) of `burr`.
template <class Shape, class Tail, class Scale>
KOKKOS_FUNCTION NumberOf<Shape, Tail, Scale> burr_cdf(double x, const Shape& shape, const Tail& tail,
                                                      const Scale& scale) {
  if (!(x > 0.0)) return 0.0;
  return -math::expm1(-tail * math::log1p(math::exp(shape * (math::log(x) - math::log(scale)))));
}

// Families of distributions; see continuous.hpp.
namespace impl {

struct ParetoFamily {
  static constexpr auto parameter_names = std::to_array<std::string_view>({"shape", "scale"});
  static void check(double shape, double scale) {
    check_positive("shape", shape);
    check_positive("scale", scale);
  }
  static double mean(double shape, double scale) {
    return shape > 1 ? scale / (1 - 1 / shape) : std::numeric_limits<double>::infinity();
  }
  static double least(double, double scale) { return scale; }
  KOKKOS_FUNCTION static double variate(double u, double shape, double scale) { return pareto(u, shape, scale); }
  template <class Shape, class Scale>
  KOKKOS_FUNCTION static NumberOf<Shape, Scale> log_density(double x, const Shape& shape, const Scale& scale) {
    return math::log(shape) - math::log(x) - shape * (math::log(x) - math::log(scale));
  }
};

struct LogLogisticFamily {
  static constexpr auto parameter_names = std::to_array<std::string_view>({"shape", "scale"});
  static void check(double shape, double scale) { ParetoFamily::check(shape, scale); }
  static double mean(double shape, double scale) {
    return shape > 1 ? scale * (M_PI / shape) / std::sin(M_PI / shape) : std::numeric_limits<double>::infinity();
  }
  KOKKOS_FUNCTION static double variate(double u, double shape, double scale) { return log_logistic(u, shape, scale); }
  template <class Shape, class Scale>
  KOKKOS_FUNCTION static NumberOf<Shape, Scale> log_density(double x, const Shape& shape, const Scale& scale) {
    const NumberOf<Shape, Scale> power = shape * (math::log(x) - math::log(scale));
    return math::log(shape) - math::log(x) + power - 2.0 * math::log1p(math::exp(power));
  }
};

struct BurrFamily {
  static constexpr auto parameter_names = std::to_array<std::string_view>({"shape", "tail", "scale"});
  static void check(double shape, double tail, double scale) {
    check_positive("shape", shape);
    check_positive("tail", tail);
    check_positive("scale", scale);
  }
  // E X = scale tail B(tail − 1/shape, 1 + 1/shape).
  static double mean(double shape, double tail, double scale) {
    if (!(tail * shape > 1)) return std::numeric_limits<double>::infinity();
    return scale * std::exp(std::lgamma(tail - 1 / shape) + std::lgamma(1 + 1 / shape) - std::lgamma(tail));
  }
  KOKKOS_FUNCTION static double variate(double u, double shape, double tail, double scale) {
    return burr(u, shape, tail, scale);
  }
  template <class Shape, class Tail, class Scale>
  KOKKOS_FUNCTION static NumberOf<Shape, Tail, Scale> log_density(double x, const Shape& shape, const Tail& tail,
                                                                  const Scale& scale) {
    const NumberOf<Shape, Scale> power = shape * (math::log(x) - math::log(scale));
    return math::log(shape) + math::log(tail) - math::log(x) + power - (tail + 1.0) * math::log1p(math::exp(power));
  }
};

}  // namespace impl

}  // namespace sporos
