// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/functions.hpp>
#include <sporos/core/derivatives/gamma.hpp>
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/distributions/score.hpp>
#include <sporos/core/math/incomplete_gamma.hpp>
#include <sporos/core/math/log.hpp>
#include <sporos/core/sampling/standard_variates.hpp>

#include <Kokkos_Macros.hpp>

#include <array>
#include <cstdint>
#include <string_view>

/// Gamma and Erlang variates by inverse CDF. See continuous.hpp for the types of `draw`. Variates grow with u, to the
/// accuracy of sporos::math::gamma_p_inverse.
namespace sporos {

namespace impl {
struct GammaFamily;
}

/// Gamma variate with mean shape · scale and variance shape · scale², shape > 0, scale > 0: scale · P⁻¹(shape, u). If
/// the shape is so small that the variate is below the smallest double, it is 0.
template <class Draw, class Shape, class Scale>
KOKKOS_FUNCTION NumberOf<Shape, Scale> gamma(Draw&& draw, const Shape& shape, const Scale& scale) {
  const NumberOf<Shape, Scale> x =
      scale * math::gamma_p_inverse(shape, standard_variate<StandardUniform>(static_cast<Draw&&>(draw)));
  return scored<impl::GammaFamily>(draw, x, shape, scale);
}

/// Gamma variate with mean shape / rate, shape > 0, rate > 0.
template <class Draw, class Shape, class Rate>
KOKKOS_FUNCTION NumberOf<Shape, Rate> gamma_by_rate(Draw&& draw, const Shape& shape, const Rate& rate) {
  const NumberOf<Shape, Rate> x =
      math::gamma_p_inverse(shape, standard_variate<StandardUniform>(static_cast<Draw&&>(draw))) / rate;
  return scored<impl::GammaFamily>(draw, x, shape, 1.0 / rate);
}

/// Erlang variate: the sum of `shape` >= 1 independent exponential variates of the given rate > 0, from one draw.
template <class Draw, class Rate>
KOKKOS_FUNCTION NumberOf<Rate> erlang(Draw&& draw, std::int64_t shape, const Rate& rate) {
  return gamma_by_rate(static_cast<Draw&&>(draw), static_cast<double>(shape), rate);
}

// Families of distributions; see continuous.hpp.
namespace impl {

struct GammaFamily {
  static constexpr auto parameter_names = std::to_array<std::string_view>({"shape", "scale"});
  static void check(double shape, double scale) {
    check_positive("shape", shape);
    check_positive("scale", scale);
  }
  static double mean(double shape, double scale) { return shape * scale; }
  KOKKOS_FUNCTION static double variate(double u, double shape, double scale) { return gamma(u, shape, scale); }
  template <class Shape, class Scale>
  KOKKOS_FUNCTION static NumberOf<Shape, Scale> log_density(double x, const Shape& shape, const Scale& scale) {
    return (shape - 1.0) * math::log(x) - x / scale - shape * math::log(scale) - math::log_gamma(shape);
  }
};

struct ErlangFamily {
  static constexpr auto parameter_names = std::to_array<std::string_view>({"shape", "rate"});
  static void check(double shape, double rate) {
    check_whole("shape", shape, 1, 0x1p50);
    check_positive("rate", rate);
  }
  static double mean(double shape, double rate) { return shape / rate; }
  KOKKOS_FUNCTION static double variate(double u, double shape, double rate) {
    return erlang(u, static_cast<std::int64_t>(shape), rate);
  }
};

}  // namespace impl

}  // namespace sporos
