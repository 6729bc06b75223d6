// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/bits.hpp>
#include <sporos/core/math/quotient.hpp>
#include <sporos/core/math/trigonometric.hpp>

#include <Kokkos_Core.hpp>

/// Random directions by inversion from uniforms in (0, 1), with identical bits on every backend.
namespace sporos::models {

/// A unit vector. Its last component is the cosine of the angle to the upward normal of the plates.
using Direction = Kokkos::Array<double, 3>;

namespace impl {

/// Returns √(1 − c²), or 0 if rounding has made |c| greater than 1.
KOKKOS_FORCEINLINE_FUNCTION double sine_of(double cosine) {
  const double square = (1.0 - cosine) * (1.0 + cosine);
  return square > 0.0 ? ::sqrt(square) : 0.0;
}

inline constexpr double full_turn = 0x1.921fb54442d18p+2;  // 2π

/// Cosine and sine of an angle.
struct Turn {
  double cosine, sine;
};

/// Returns cosine and sine of 2π · share for `share` in [0, 2]. Results are bitwise identical to those of math::cos and
/// math::sin, but both share one argument reduction, which omits the steps for larger angles.
KOKKOS_FORCEINLINE_FUNCTION Turn turn_of(double share) {
  const math::impl::QuarterTurns turns = math::impl::reduce_moderate_angle(full_turn * share);
  const double sine = math::impl::sin_of_rest(turns.rest), cosine = math::impl::cos_of_rest(turns.rest);
  const bool is_odd = (turns.quadrant & 1) != 0, is_lower = (turns.quadrant & 2) != 0;
  const double across = is_odd ? sine : cosine, along = is_odd ? cosine : sine;
  return {is_odd != is_lower ? -across : across, is_lower ? -along : along};
}

}  // namespace impl

/// Returns the direction whose angle to the normal has cosine `cosine` and whose azimuth is the fraction `turn` of a
/// full turn.
KOKKOS_FORCEINLINE_FUNCTION Direction direction_about_normal(double cosine, double turn) {
  const double sine = impl::sine_of(cosine);
  const impl::Turn azimuth = impl::turn_of(turn);
  return {{sine * azimuth.cosine, sine * azimuth.sine, cosine}};
}

/// Cosine of the angle to the normal of radiation that a gray diffuse plate emits or reflects. It is √u because such a
/// plate radiates in proportion to the projected area (Lambert's law).
KOKKOS_FORCEINLINE_FUNCTION double diffuse_cosine(double u) { return ::sqrt(u); }

/// Cosine of the scattering angle by Henyey and Greenstein's phase function, p(c) ∝ (1 + g² − 2gc)^(−3/2), for g in
/// (−1, 1). It inverts the CDF in a form that does not divide by g. With t = 2u − 1: c = (t + g (t² + 3) / 2 + g² t +
/// g³ (t² − 1) / 2) / (1 + g t)², which for g = 0 is t, isotropic scattering.
KOKKOS_FORCEINLINE_FUNCTION double scattering_cosine(double g, double u) {
  const double t = 2.0 * u - 1.0, square = t * t, denominator = 1.0 + g * t;
  const double numerator = t + g * (0.5 * (square + 3.0) + g * (t + g * (0.5 * (square - 1.0))));
  const double cosine = math::quotient(numerator, denominator * denominator);
  return cosine > 1.0 ? 1.0 : (cosine < -1.0 ? -1.0 : cosine);
}

/// Returns `direction` deflected by an angle with cosine `cosine`, at the azimuth given by the fraction `turn` of a
/// full turn. The orthonormal basis is that of T. Duff et al. (Building an orthonormal basis, revisited; JCGT 6, 2017).
KOKKOS_FORCEINLINE_FUNCTION Direction deflected(const Direction& direction, double cosine, double turn) {
  const double x = direction[0], y = direction[1], z = direction[2];
  const double sign = math::impl::with_sign_of(1.0, z), a = math::quotient(-1.0, sign + z), b = x * y * a;
  const double sine = impl::sine_of(cosine);
  const impl::Turn azimuth = impl::turn_of(turn);
  const double across = sine * azimuth.cosine, along = sine * azimuth.sine;
  return {{across * (1.0 + sign * x * x * a) + along * b + cosine * x,
           across * (sign * b) + along * (sign + y * y * a) + cosine * y,
           across * (-sign * x) - along * y + cosine * z}};
}

}  // namespace sporos::models
