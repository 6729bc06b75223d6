// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/radiation/photon_rules.hpp>
#include <sporos/models/radiation/radiation_case.hpp>

#include <string>
#include <vector>

namespace sporos::bench {

/// A radiation case and the rules by which its photons are traced.
struct PhotonCase {
  std::string name;
  models::RadiationCase radiation;
  models::PhotonRules rules;
};

/// A cube of 1 m between black plates of 1000 K and 500 K, repeated periodically to the sides. It has `columns` ×
/// `columns` × `slices` elements with a gray medium of 800 K. See Lee (2012), Hybrid parallel computing strategies for
/// scientific computing applications, section 4.5.3.1.
inline models::RadiationCase plates(double optical_thickness, double albedo, int columns, int slices) {
  models::RadiationCase radiation;
  radiation.layers = {{1, optical_thickness, albedo, 0, 800, slices}};
  radiation.lower.temperature = 1000;
  radiation.upper.temperature = 500;
  radiation.columns = {columns, columns};
  return radiation;
}

/// A cold slab of 60 mm lit by a beam, divided into cubes of 1 mm, 60 in each direction. Lengths are in mm. Absorption
/// and scattering are those of the benchmark cube of MCX (mcx.space). No surface reflects.
inline models::RadiationCase lit_cube() {
  constexpr double absorption = 0.005, scattering = 1, asymmetry = 0.01;
  constexpr int size = 60;
  models::RadiationCase radiation;
  const double extinction = absorption + scattering;
  radiation.layers = {{size, extinction, scattering / extinction, asymmetry, 0, size}};
  radiation.beam.irradiance = 1;
  radiation.widths = {size, size};
  radiation.columns = {size, size};
  return radiation;
}

/// Cases to measure: that of Lee (2012) with a thousand elements, with exact paths and with the sampled paths of the
/// paper (80, 160 and 240 points per element); isotropic scattering; homogeneous slabs of ever thinner slices; and a
/// lit cube.
inline std::vector<PhotonCase> photon_cases() {
  using models::PathTreatment;
  const auto paper = plates(1, 0, 10, 10);
  std::vector<PhotonCase> cases = {{"plates/exact", paper, {}}};
  for (const int points : {80, 160, 240}) {
    cases.push_back({"plates/sampled_" + std::to_string(points), paper, {PathTreatment::sampled, points}});
  }
  cases.push_back({"plates/scattering", plates(5, 0.9, 10, 10), {}});
  for (const int slices : {1, 100, 10'000}) {
    cases.push_back({"slab/slices_" + std::to_string(slices), plates(1, 0, 1, slices), {}});
  }
  cases.push_back({"lit/cube_60", lit_cube(), {}});
  return cases;
}

}  // namespace sporos::bench
