// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/log.hpp>
#include <sporos/core/math/normal.hpp>
#include <sporos/core/math/normal_quantiles.hpp>
#include <sporos/core/math/pack.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

namespace sporos {

/// The standard forms in which variates may be prepared ahead of their use: each is a pure function of one uniform, and
/// the distributions of a family differ from it only by shift and scale.
///
/// A form has an `index`, counted from 0, of its own; `from_uniform`, which takes a uniform in the open interval (0,
/// 1); and `from_open_uniform`, which takes one that `open_uniform` made and has on a host no branch, so that loops
/// over it vectorize. Where both apply they give the same bits. A form that is made faster for many at once has
/// `replace_open_uniforms`, too.
struct StandardUniform {
  static constexpr unsigned index = 0;  ///< of this form

  /// u itself, for u in (0, 1).
  KOKKOS_FORCEINLINE_FUNCTION static double from_uniform(double u) { return u; }
  /// The same, for u from 2^−53 to 1 − 2^−53.
  KOKKOS_FORCEINLINE_FUNCTION static double from_open_uniform(double u) { return u; }
};

/// −ln u, exponential with mean 1.
struct StandardExponential {
  static constexpr unsigned index = 1;  ///< of this form

  /// −ln u, for u in (0, 1).
  KOKKOS_FORCEINLINE_FUNCTION static double from_uniform(double u) { return -math::log(u); }
  /// The same, for u from 2^−53 to 1 − 2^−53.
  KOKKOS_FORCEINLINE_FUNCTION static double from_open_uniform(double u) { return -math::log_of_uniform(u); }
};

/// Φ⁻¹(u), normal with mean 0 and deviation 1.
struct StandardNormal {
  static constexpr unsigned index = 2;  ///< of this form

  /// Φ⁻¹(u), for u in (0, 1).
  KOKKOS_FORCEINLINE_FUNCTION static double from_uniform(double u) { return math::normal_quantile(u); }
  /// The same, for u from 2^−53 to 1 − 2^−53.
  KOKKOS_FORCEINLINE_FUNCTION static double from_open_uniform(double u) { return math::normal_quantile_of_uniform(u); }
  /// values[i] = Φ⁻¹(values[i]) for `count` of them.
  KOKKOS_FORCEINLINE_FUNCTION static void replace_open_uniforms(double* values, int count) {
    math::replace_by_normal_quantiles(values, count);
  }
};

namespace impl {

template <class Form>
concept ReplacesUniforms = requires(double* values) {
  Form::replace_open_uniforms(values, 1);
};

}  // namespace impl

/// A uniform not yet drawn, as `inputs(variable)` returns it: it turns into a variate of any standard form on request.
/// In lanes it is one of each replication.
template <class Draw>
concept PendingDraw = requires(Draw&& draw) {
  { static_cast<Draw&&>(draw).template as<StandardUniform>() } -> std::convertible_to<Pack>;
};

namespace impl {

template <class Draw>
struct UniformOfDraw {
  using type = std::conditional_t<std::is_same_v<std::remove_cvref_t<Draw>, Pack>, Pack, double>;
};
template <PendingDraw Draw>
struct UniformOfDraw<Draw> {
  using type = decltype(std::declval<Draw>().template as<StandardUniform>());
};

}  // namespace impl

/// The type of the uniforms that `Draw` is, or turns into: double, or in lanes Pack.
template <class Draw>
using UniformOf = typename impl::UniformOfDraw<Draw>::type;

/// The variate of standard form `Form` that belongs to `draw`: a uniform in (0, 1), or a pending draw, whose variate
/// may have been prepared ahead. Both give the same bits.
template <class Form, class Draw>
KOKKOS_FORCEINLINE_FUNCTION UniformOf<Draw> standard_variate(Draw&& draw) {
  if constexpr (PendingDraw<Draw>) {
    return static_cast<Draw&&>(draw).template as<Form>();
  } else if constexpr (std::is_same_v<UniformOf<Draw>, Pack>) {
    return math::impl::of_each_lane([](double u) { return Form::from_uniform(u); }, draw);
  } else {
    return Form::from_uniform(draw);
  }
}

/// f(u) for the uniform u that belongs to `draw`; in lanes for each of them.
template <class Draw, class F>
KOKKOS_FORCEINLINE_FUNCTION UniformOf<Draw> of_uniform(Draw&& draw, const F& f) {
  const UniformOf<Draw> u = standard_variate<StandardUniform>(static_cast<Draw&&>(draw));
  if constexpr (std::is_same_v<UniformOf<Draw>, Pack>) {
    return math::impl::of_each_lane(f, u);
  } else {
    return f(u);
  }
}

}  // namespace sporos
