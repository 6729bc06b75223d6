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

/// The standard forms in which variates may be pre-generated. Each form is a pure function of one uniform, and the
/// distributions of a family differ from it only by shift and scale.
///
/// A form has
/// - a unique `index`, counted from 0;
/// - `from_uniform`, which takes a uniform in the open interval (0, 1);
/// - `from_open_uniform`, which takes a uniform made by `open_uniform`. It has no branch on a host, so that loops over
///   it vectorize. Where both functions apply they give the same bits;
/// - optionally `replace_open_uniforms`, if many variates can be computed faster together, and then `replaces_few`:
///   whether fewer than 64 can, too.
struct StandardUniform {
  static constexpr unsigned index = 0;  ///< index of this form

  /// Returns u, for u in (0, 1).
  KOKKOS_FORCEINLINE_FUNCTION static double from_uniform(double u) { return u; }
  /// Returns u, for u from 2^−53 to 1 − 2^−53.
  KOKKOS_FORCEINLINE_FUNCTION static double from_open_uniform(double u) { return u; }
};

/// The standard exponential form −ln u, with mean 1.
struct StandardExponential {
  static constexpr unsigned index = 1;  ///< index of this form

  /// −ln u, for u in (0, 1).
  KOKKOS_FORCEINLINE_FUNCTION static double from_uniform(double u) { return -math::log(u); }
  /// −ln u, for u from 2^−53 to 1 − 2^−53.
  KOKKOS_FORCEINLINE_FUNCTION static double from_open_uniform(double u) { return -math::log_of_uniform(u); }
  static constexpr bool replaces_few = false;  ///< a few are faster one by one
  /// Replaces values[i] by −ln(values[i]) for `count` values.
  KOKKOS_FORCEINLINE_FUNCTION static void replace_open_uniforms(double* values, int count) {
    math::replace_by_negative_logs(values, count);
  }
};

/// The standard normal form Φ⁻¹(u), with mean 0 and standard deviation 1.
struct StandardNormal {
  static constexpr unsigned index = 2;  ///< index of this form

  /// Φ⁻¹(u), for u in (0, 1).
  KOKKOS_FORCEINLINE_FUNCTION static double from_uniform(double u) { return math::normal_quantile(u); }
  /// Φ⁻¹(u), for u from 2^−53 to 1 − 2^−53.
  KOKKOS_FORCEINLINE_FUNCTION static double from_open_uniform(double u) { return math::normal_quantile_of_uniform(u); }
  static constexpr bool replaces_few = true;  ///< a few are faster together, too
  /// Replaces values[i] by Φ⁻¹(values[i]) for `count` values.
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

/// A uniform not drawn yet, as returned by `inputs(variable)`. It converts to a variate of any standard form on
/// request. With packs, it stands for one uniform of each lane's replication.
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

/// The type of the uniforms that `Draw` is or converts to: double, or Pack if each lane runs a replication.
template <class Draw>
using UniformOf = typename impl::UniformOfDraw<Draw>::type;

/// The variate of standard form `Form` for `draw`. `draw` is a uniform in (0, 1) or a pending draw, whose variate may
/// have been pre-generated. Both give the same bits.
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

/// Returns f(u) for the uniform u of `draw`; for a pack, computes it in each lane.
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
