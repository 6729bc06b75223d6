// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/exp.hpp>
#include <sporos/core/math/pow.hpp>
#include <sporos/core/sampling/standard_variates.hpp>

#include <Kokkos_Macros.hpp>

#include <cmath>

/// Variates by inverse CDF, for kernels and the host: `exponential(inputs(service), rate)` in a model, or
/// `exponential(0.3, rate)`.
///
/// `draw` is one uniform u in the open interval (0, 1), or the pending draw of one that a model's inputs give, and one
/// draw makes one variate. A variate grows with u; only `exponential` and `weibull` fall, because they are built on −ln
/// u. Equal u give the same bits on every backend. Parameters are not checked here: see parameters.hpp.
namespace sporos {

/// Uniform on [low, high]: low + (high − low) u. An end can come out, by rounding.
template <class Draw>
KOKKOS_FUNCTION double uniform(Draw&& draw, double low, double high) {
  return low + (high - low) * standard_variate<StandardUniform>(static_cast<Draw&&>(draw));
}

/// Exponential with mean 1 / rate, rate > 0: −ln u / rate, which falls as u grows, as in most published codes.
template <class Draw>
KOKKOS_FUNCTION double exponential(Draw&& draw, double rate) {
  return standard_variate<StandardExponential>(static_cast<Draw&&>(draw)) / rate;
}

/// Exponential by its mean, mean >= 0: −mean ln u, which falls as u grows.
template <class Draw>
KOKKOS_FUNCTION double exponential_by_mean(Draw&& draw, double mean) {
  return mean * standard_variate<StandardExponential>(static_cast<Draw&&>(draw));
}

/// Normal with the given mean and standard deviation >= 0: mean + deviation Φ⁻¹(u).
template <class Draw>
KOKKOS_FUNCTION double normal(Draw&& draw, double mean, double deviation) {
  return mean + deviation * standard_variate<StandardNormal>(static_cast<Draw&&>(draw));
}

/// Lognormal: e^N for a normal N of mean `log_mean` and standard deviation `log_deviation` >= 0.
/// Its own mean is e^(log_mean + log_deviation²/2).
template <class Draw>
KOKKOS_FUNCTION double lognormal(Draw&& draw, double log_mean, double log_deviation) {
  return math::exp(normal(static_cast<Draw&&>(draw), log_mean, log_deviation));
}

/// Triangular on [low, high] with its peak at mode: low <= mode <= high, low < high.
template <class Draw>
KOKKOS_FUNCTION double triangular(Draw&& draw, double low, double mode, double high) {
  const double u = standard_variate<StandardUniform>(static_cast<Draw&&>(draw));
  const double width = high - low, rise = mode - low, fall = high - mode;
  if (u * width < rise) return low + ::sqrt(u * width * rise);
  return high - ::sqrt((1.0 - u) * width * fall);
}

/// Weibull with P(X > x) = e^(−(x / scale)^shape), shape > 0, scale > 0: scale (−ln u)^(1/shape), which falls as u
/// grows.
template <class Draw>
KOKKOS_FUNCTION double weibull(Draw&& draw, double shape, double scale) {
  return scale * math::pow(standard_variate<StandardExponential>(static_cast<Draw&&>(draw)), 1.0 / shape);
}

}  // namespace sporos
