// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/log.hpp>
#include <sporos/core/math/normal.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>

namespace sporos {

/// The standard forms in which variates may be prepared ahead of their use: each is a pure function of one uniform, and
/// the distributions of a family differ from it only by shift and scale.
///
/// A form has an `index`, counted from 0, of its own; `from_uniform`, which takes a uniform in the open interval (0,
/// 1); and `from_open_uniform`, which takes one that `open_uniform` made and has on a host no branch, so that loops
/// over it vectorize. Where both apply they give the same bits.
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
};

/// A uniform not yet drawn, as `inputs(variable)` returns it: it turns into a variate of any standard form on request.
template <class Draw>
concept PendingDraw = requires(Draw&& draw) {
  { static_cast<Draw&&>(draw).template as<StandardUniform>() } -> std::convertible_to<double>;
};

/// The variate of standard form `Form` that belongs to `draw`: a uniform in (0, 1), or a pending draw, whose variate
/// may have been prepared ahead. Both give the same bits.
template <class Form, class Draw>
KOKKOS_FORCEINLINE_FUNCTION double standard_variate(Draw&& draw) {
  if constexpr (PendingDraw<Draw>) {
    return static_cast<Draw&&>(draw).template as<Form>();
  } else {
    return Form::from_uniform(draw);
  }
}

}  // namespace sporos
