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

/// A slab lit by a beam, with nothing beside it that reflects: a replication is one photon, weighted, on exact paths.
/// With three responses a photon is a model like any other (see Photon, which flies here too): experiments, engines,
/// mappings and stopping rules apply.
struct LitSlab {
  static constexpr std::string_view name = "lit-slab";                                         ///< on the command line
  static constexpr std::string_view title = "slab lit by a beam: reflectance, transmittance";  ///< in lists

  double optical_thickness;  ///< extinction times thickness
  double albedo;             ///< share of extinction that is scattering
  double asymmetry;          ///< mean cosine of the scattering angle (Henyey and Greenstein)
  double cosine;             ///< of the angle between beam and normal

  /// Input variables: those of Photon.
  enum Input { input_count = Photon::input_count };

  /// Shares of the photon's energy.
  static constexpr auto response_names = std::array{"reflectance", "transmittance", "absorptance"};

  /// The parameters, described.
  static constexpr auto parameters() {
    return std::tuple{Parameter<LitSlab, double>{"optical_thickness", &LitSlab::optical_thickness, 2, "",
                                                 "extinction times thickness", check_positive},
                      Parameter<LitSlab, double>{"albedo", &LitSlab::albedo, 0.9, "",
                                                 "share of extinction that is scattering", check_probability},
                      Parameter<LitSlab, double>{"asymmetry", &LitSlab::asymmetry, 0.75, "",
                                                 "mean cosine of the scattering angle", check_finite},
                      Parameter<LitSlab, double>{"cosine", &LitSlab::cosine, 1, "",
                                                 "of the angle between beam and normal", check_positive}};
  }

  /// Throws std::invalid_argument for parameters that make no slab.
  void check() const {
    check_parameters(*this);
    radiation_case().check();
    // Where little is absorbed a photon walks at random, about as long as the slab is thick, squared.
    const double until_absorbed = 1 / (1 - albedo), until_outside = optical_thickness * optical_thickness;
    check_expected_steps("number of scatterings", std::min(until_absorbed, until_outside));
  }

  /// From 0 to 1. Where nothing scatters all photons do the same, but for rounding to their energy's units.
  ResponseRange response_range(int response) const {
    const auto exact = exact_means()[static_cast<std::size_t>(response)];
    const double unit = 1.0 / static_cast<double>(bundle_units);
    return exact ? ResponseRange{*exact - unit, *exact + unit} : ResponseRange{0, 1};
  }

  /// What passes an absorbing slab, exp(−τ/μ), and nothing where it scatters.
  ExactMeans<LitSlab> exact_means() const;

  /// The same as a case of one element 1 m thick, lit by 1 W/m².
  RadiationCase radiation_case() const {
    RadiationCase radiation;
    radiation.layers = {{1, optical_thickness, albedo, asymmetry, 0, 1}};
    radiation.beam = {1, cosine};
    return radiation;
  }

  /// One replication: what photon r of the case leaves in its tallies under the same seed.
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 3> operator()(Inputs& inputs) const;
};

namespace impl {

/// What one photon leaves in one element, below, above, and in the roulette.
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
  const double beam = 3.0, certain = 1.0;  // the source behind an element and two plates
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
