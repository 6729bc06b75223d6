// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/math/exp.hpp>
#include <sporos/core/replication/described_model.hpp>
#include <sporos/core/replication/replication_length.hpp>
#include <sporos/core/replication/response_properties.hpp>
#include <sporos/models/radiation/photon.hpp>
#include <sporos/models/radiation/radiation_case.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <tuple>

namespace sporos::models {

/// A slab lit by a beam, with nothing around it that reflects. A replication is one weighted photon on exact paths (see
/// Photon, which implements it). Because it has only three responses, it is an ordinary model: experiments, engines,
/// mappings and stopping rules apply.
struct LitSlab {
  static constexpr std::string_view name = "lit-slab";  ///< name on the command line
  static constexpr std::string_view title = "slab lit by a beam: reflectance and transmittance";  ///< title in lists

  double optical_thickness;  ///< extinction times thickness
  double albedo;             ///< fraction of extinction that is scattering
  double asymmetry;          ///< mean cosine of the scattering angle (Henyey and Greenstein)
  double cosine;             ///< cosine of the angle between beam and normal

  /// Input variables, which are those of Photon.
  enum Input { input_count = Photon::input_count };

  /// Fractions of the photon's energy.
  static constexpr auto response_names = std::array{"reflectance", "transmittance", "absorptance"};

  /// Descriptions of the parameters.
  static constexpr auto parameters() {
    return std::tuple{Parameter<LitSlab, double>{"optical_thickness", &LitSlab::optical_thickness, 2, "",
                                                 "extinction times thickness", check_positive},
                      Parameter<LitSlab, double>{"albedo", &LitSlab::albedo, 0.9, "",
                                                 "fraction of the extinction that is scattering", check_probability},
                      Parameter<LitSlab, double>{"asymmetry", &LitSlab::asymmetry, 0.75, "",
                                                 "mean cosine of the scattering angle", check_finite},
                      Parameter<LitSlab, double>{"cosine", &LitSlab::cosine, 1, "",
                                                 "cosine of the angle between beam and normal", check_positive}};
  }

  /// Throws std::invalid_argument if the parameters are invalid.
  void check() const {
    check_parameters(*this);
    radiation_case().check();
    // If little is absorbed, a photon performs a random walk of about (optical thickness)² scatterings.
    const double until_absorbed = 1 / (1 - albedo), until_outside = optical_thickness * optical_thickness;
    check_expected_steps("number of scatterings", std::min(until_absorbed, until_outside));
  }

  /// Range of a response: from 0 to 1. Without scattering, all photons behave the same, except for rounding to units of
  /// energy.
  ResponseRange response_range(int response) const {
    const auto exact = exact_means()[static_cast<std::size_t>(response)];
    const double unit = 1.0 / static_cast<double>(bundle_units);
    return exact ? ResponseRange{*exact - unit, *exact + unit} : ResponseRange{0, 1};
  }

  /// Returns the exact means of a slab without scattering, whose transmittance is exp(−τ/μ). Otherwise, none is known.
  ExactMeans<LitSlab> exact_means() const;

  /// Returns the slab as a case with one element 1 m thick, lit by 1 W/m².
  RadiationCase radiation_case() const {
    RadiationCase radiation;
    radiation.layers = {{1, optical_thickness, albedo, asymmetry, 0, 1}};
    radiation.beam = {1, cosine};
    return radiation;
  }

  /// Simulates one replication, which equals the contribution of photon r to the tallies of the case under the same
  /// seed.
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 3> operator()(Inputs& inputs) const;
};

namespace impl {

/// Tally of one photon: units in the element, below, above, and in the roulette.
struct SlabTally {
  Kokkos::Array<std::int64_t, 4> units;

  KOKKOS_FORCEINLINE_FUNCTION void start(int) {}
  KOKKOS_FORCEINLINE_FUNCTION void add(int tally, std::int64_t added) {
    for (int i = 0; i < 4; ++i) units[i] += i == tally ? added : 0;
  }
  KOKKOS_FORCEINLINE_FUNCTION double share(int tally) const {
    return static_cast<double>(units[tally]) / static_cast<double>(bundle_units);
  }
};

}  // namespace impl

template <class Inputs>
KOKKOS_FUNCTION Kokkos::Array<double, 3> LitSlab::operator()(Inputs& inputs) const {
  const MediumSlice slices[2] = {{0.0, (1.0 - albedo) * optical_thickness, albedo * optical_thickness, asymmetry},
                                 {1.0, 0.0, 0.0, 0.0}};
  const double beam = 3.0, certain = 1.0;  // source index of the beam, after one element and two plates
  const std::int64_t first = 0;
  const MediumPlates open{{1.0, 1.0}};
  const Medium medium{slices, 1, albedo > 0.0, {{1, 1}}, {{1.0, 1.0}}, &open, cosine, {&beam, &certain, &first, 1}};
  impl::SlabTally tally{};
  Photon{medium, {}}(inputs, tally);
  return {{tally.share(1), tally.share(2), tally.share(0)}};
}

inline ExactMeans<LitSlab> LitSlab::exact_means() const {
  if (albedo > 0) return {};
  const double passed = math::exp(-optical_thickness / cosine);
  return {0.0, passed, 1 - passed};
}

}  // namespace sporos::models
