// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/functions.hpp>
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/distributions/score.hpp>
#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/math/exp.hpp>
#include <sporos/core/math/log.hpp>
#include <sporos/core/math/pow.hpp>
#include <sporos/core/sampling/standard_variates.hpp>

#include <Kokkos_Macros.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <string_view>

/// Variates by inverse CDF, for kernels and the host: `exponential(inputs(service), rate)` in a model, or
/// `exponential(0.3, rate)`.
///
/// `draw` is a uniform u in the open interval (0, 1), or the pending draw of one from a model's inputs. One draw gives
/// one variate. Variates grow with u, except that `exponential` and `weibull` fall, because they use −ln u. Equal u
/// give the same bits on every backend. Parameters are not checked here; see parameters.hpp.
///
/// Parameters are numbers or duals. With a dual, the variate is a dual too, with its derivatives with respect to the
/// parameters at the same u (∂F⁻¹(u; θ)/∂θ). A ScoredDraw collects the derivatives of the log density instead
/// (score.hpp).
namespace sporos {

namespace impl {
struct ExponentialFamily;
struct NormalFamily;
struct TriangularFamily;
struct WeibullFamily;
}  // namespace impl

/// Uniform variate on [low, high]: low + (high − low) u. Rounding can return an end of the interval.
template <class Draw, class Low, class High>
KOKKOS_FUNCTION NumberOf<UniformOf<Draw>, Low, High> uniform(Draw&& draw, const Low& low, const High& high) {
  return low + (NumberOf<High>(high) - low) * standard_variate<StandardUniform>(static_cast<Draw&&>(draw));
}

/// Does not compile: the ends of the interval have no score.
template <ScoredDraw Draw, class Low, impl::DualWith<Low> High>
SPOROS_UNAVAILABLE(SPOROS_ENDS_HAVE_NO_SCORE)
KOKKOS_FUNCTION NumberOf<Low, High> uniform(Draw&& draw, const Low& low, const High& high);

/// Exponential variate with mean 1 / rate, rate > 0: −ln u / rate. It falls as u grows, as in most published programs.
template <class Draw, class Rate>
KOKKOS_FUNCTION NumberOf<UniformOf<Draw>, Rate> exponential(Draw&& draw, const Rate& rate) {
  const NumberOf<UniformOf<Draw>, Rate> x = standard_variate<StandardExponential>(static_cast<Draw&&>(draw)) / rate;
  return scored<impl::ExponentialFamily>(draw, x, rate);
}

/// Exponential variate with the given mean >= 0: −mean ln u. It falls as u grows.
template <class Draw, class Mean>
KOKKOS_FUNCTION NumberOf<UniformOf<Draw>, Mean> exponential_by_mean(Draw&& draw, const Mean& mean) {
  if constexpr (ScoredDraw<Draw>) {
    const NumberOf<UniformOf<Draw>, Mean> x = mean * standard_variate<StandardExponential>(static_cast<Draw&&>(draw));
    return scored<impl::ExponentialFamily>(draw, x, 1.0 / mean);
  } else {  // `scored` would make compilers keep a copy of all slopes: 12 % of a gradient in lanes
    return mean * standard_variate<StandardExponential>(static_cast<Draw&&>(draw));
  }
}

/// Normal variate with the given mean and standard deviation >= 0: mean + deviation Φ⁻¹(u).
template <class Draw, class Mean, class Deviation>
KOKKOS_FUNCTION NumberOf<UniformOf<Draw>, Mean, Deviation> normal(Draw&& draw, const Mean& mean,
                                                                  const Deviation& deviation) {
  const NumberOf<UniformOf<Draw>, Mean, Deviation> x =
      mean + deviation * standard_variate<StandardNormal>(static_cast<Draw&&>(draw));
  return scored<impl::NormalFamily>(draw, x, mean, deviation);
}

/// Lognormal variate e^N for a normal N with mean `log_mean` and standard deviation `log_deviation` >= 0. The mean of
/// the variate is e^(log_mean + log_deviation²/2).
template <class Draw, class Mean, class Deviation>
KOKKOS_FUNCTION NumberOf<UniformOf<Draw>, Mean, Deviation> lognormal(Draw&& draw, const Mean& log_mean,
                                                                     const Deviation& log_deviation) {
  return math::exp(normal(static_cast<Draw&&>(draw), log_mean, log_deviation));
}

/// Triangular variate on [low, high] with its peak at mode: low <= mode <= high, low < high.
template <class Draw, class Low, class Mode, class High>
KOKKOS_FUNCTION NumberOf<UniformOf<Draw>, Low, Mode, High> triangular(Draw&& draw, const Low& low, const Mode& mode,
                                                                      const High& high) {
  using Number = NumberOf<UniformOf<Draw>, Low, Mode, High>;
  const UniformOf<Draw> u = standard_variate<StandardUniform>(static_cast<Draw&&>(draw));
  const NumberOf<Low, High> width = NumberOf<High>(high) - low;
  const NumberOf<Low, Mode> rise = NumberOf<Mode>(mode) - low;
  const NumberOf<Mode, High> fall = NumberOf<High>(high) - mode;
  const Number x = u * width < rise ? Number(low + math::sqrt(u * width * rise))
                                    : Number(high - math::sqrt((1.0 - u) * width * fall));
  return scored<impl::TriangularFamily>(draw, x, low, mode, high);
}

/// Does not compile: the ends of the interval have no score. The mode has one.
template <ScoredDraw Draw, class Low, class Mode, impl::DualWith<Low> High>
SPOROS_UNAVAILABLE(SPOROS_ENDS_HAVE_NO_SCORE)
KOKKOS_FUNCTION NumberOf<Low, Mode, High> triangular(Draw&& draw, const Low& low, const Mode& mode, const High& high);

/// Weibull variate, scale (−ln u)^(1/shape): P(X > x) = e^(−(x / scale)^shape), shape > 0, scale > 0. It falls as u
/// grows.
template <class Draw, class Shape, class Scale>
KOKKOS_FUNCTION NumberOf<UniformOf<Draw>, Shape, Scale> weibull(Draw&& draw, const Shape& shape, const Scale& scale) {
  const NumberOf<UniformOf<Draw>, Shape, Scale> x =
      scale * math::pow(standard_variate<StandardExponential>(static_cast<Draw&&>(draw)), 1.0 / shape);
  return scored<impl::WeibullFamily>(draw, x, shape, scale);
}

/// Families of distributions, for choices at run time. distribution_choice.hpp lists them and the members of a family.
namespace impl {

struct ConstantFamily {
  static constexpr auto parameter_names = std::to_array<std::string_view>({"value"});
  static void check(double value) { check_finite("value", value); }
  static double mean(double value) { return value; }
  static double least(double value) { return value; }
  KOKKOS_FUNCTION static double variate(double, double value) { return value; }
};

struct UniformFamily {
  static constexpr auto parameter_names = std::to_array<std::string_view>({"low", "high"});
  static void check(double low, double high) { check_not_above("low", low, "high", high); }
  static double mean(double low, double high) { return low + (high - low) / 2; }
  static double least(double low, double) { return low; }
  KOKKOS_FUNCTION static double variate(double u, double low, double high) { return uniform(u, low, high); }
};

struct TriangularFamily {
  static constexpr auto parameter_names = std::to_array<std::string_view>({"low", "mode", "high"});
  static void check(double low, double mode, double high) {
    check_not_above("low", low, "mode", mode);
    check_not_above("mode", mode, "high", high);
    check_below("low", low, "high", high);
  }
  static double mean(double low, double mode, double high) { return (low + mode + high) / 3; }
  static double least(double low, double, double) { return low; }
  KOKKOS_FUNCTION static double variate(double u, double low, double mode, double high) {
    return triangular(u, low, mode, high);
  }
  // Requires low < x < high.
  template <class Low, class Mode, class High>
  KOKKOS_FUNCTION static NumberOf<Low, Mode, High> log_density(double x, const Low& low, const Mode& mode,
                                                               const High& high) {
    using Number = NumberOf<Low, Mode, High>;
    const Number share = x < mode ? Number(math::log(x - low) - math::log(Number(mode) - low))
                                  : Number(math::log(high - x) - math::log(Number(high) - mode));
    return share + math::log(2.0 / (Number(high) - low));
  }
};

struct ExponentialFamily {
  static constexpr auto parameter_names = std::to_array<std::string_view>({"rate"});
  static void check(double rate) { check_positive("rate", rate); }
  static double mean(double rate) { return 1 / rate; }
  KOKKOS_FUNCTION static double variate(double u, double rate) { return exponential(u, rate); }
  template <class Rate>
  KOKKOS_FUNCTION static NumberOf<Rate> log_density(double x, const Rate& rate) {
    return math::log(rate) - rate * x;
  }
};

struct WeibullFamily {
  static constexpr auto parameter_names = std::to_array<std::string_view>({"shape", "scale"});
  static void check(double shape, double scale) {
    check_positive("shape", shape);
    check_positive("scale", scale);
  }
  static double mean(double shape, double scale) { return scale * std::tgamma(1 + 1 / shape); }
  KOKKOS_FUNCTION static double variate(double u, double shape, double scale) { return weibull(u, shape, scale); }
  template <class Shape, class Scale>
  KOKKOS_FUNCTION static NumberOf<Shape, Scale> log_density(double x, const Shape& shape, const Scale& scale) {
    const NumberOf<Scale> log_ratio = math::log(x) - math::log(scale);
    return math::log(shape) - math::log(x) + shape * log_ratio - math::exp(shape * log_ratio);
  }
};

struct LognormalFamily {
  static constexpr auto parameter_names = std::to_array<std::string_view>({"log_mean", "log_deviation"});
  static void check(double log_mean, double log_deviation) {
    check_finite("log_mean", log_mean);
    check_non_negative("log_deviation", log_deviation);
  }
  static double mean(double log_mean, double log_deviation) {
    return std::exp(log_mean + log_deviation * log_deviation / 2);
  }
  KOKKOS_FUNCTION static double variate(double u, double log_mean, double log_deviation) {
    return lognormal(u, log_mean, log_deviation);
  }
};

struct NormalFamily {
  static constexpr auto parameter_names = std::to_array<std::string_view>({"mean", "deviation"});
  static void check(double mean, double deviation) {
    check_finite("mean", mean);
    check_non_negative("deviation", deviation);
  }
  static double mean(double mean, double) { return mean; }
  static double least(double mean, double deviation) {
    return deviation > 0 ? -std::numeric_limits<double>::infinity() : mean;
  }
  KOKKOS_FUNCTION static double variate(double u, double mean, double deviation) { return normal(u, mean, deviation); }
  template <class Mean, class Deviation>
  KOKKOS_FUNCTION static NumberOf<Mean, Deviation> log_density(double x, const Mean& mean, const Deviation& deviation) {
    constexpr double half_log_two_pi = 0.9189385332046728;
    const NumberOf<Mean, Deviation> z = (x - mean) / deviation;
    return -0.5 * (z * z) - math::log(deviation) - half_log_two_pi;
  }
};

}  // namespace impl

}  // namespace sporos
