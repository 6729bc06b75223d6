// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/radiation/photon_rules.hpp>
#include <sporos/models/radiation/radiation_case.hpp>

#include <string>
#include <vector>

namespace sporos::bench {

/// A case of radiation and how its photons are followed.
struct PhotonCase {
  std::string name;
  models::RadiationCase radiation;
  models::PhotonRules rules;
};

/// A cube of 1 m between black plates of 1000 K and 500 K, the same again and again sideways (paper 002, section
/// 4.5.3.1), of `columns` × `columns` × `slices` elements with a gray medium of 800 K.
inline models::RadiationCase plates(double optical_thickness, double albedo, int columns, int slices) {
  models::RadiationCase radiation;
  radiation.layers = {{1, optical_thickness, albedo, 0, 800, slices}};
  radiation.lower.temperature = 1000;
  radiation.upper.temperature = 500;
  radiation.columns = {columns, columns};
  return radiation;
}

/// The paper's case, a thousand elements: exact paths, and as the paper samples them with 80, 160 and 240 points an
/// element; isotropic scattering; and homogeneous slabs of ever thinner slices.
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
  return cases;
}

}  // namespace sporos::bench
