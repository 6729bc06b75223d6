// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/radiation/radiation_case.hpp>

#include <array>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace sporos::test {

/// A layer with a thickness of 1 m.
inline models::MediumLayer layer_of(double optical_thickness, int slices, double temperature = 0, double albedo = 0,
                                    double asymmetry = 0) {
  return {1, optical_thickness, albedo, asymmetry, temperature, slices};
}

/// End of a band without an upper limit.
inline constexpr double no_end = std::numeric_limits<double>::infinity();

/// A band up to `end` µm.
inline models::SpectralBand band_to(double end, std::vector<double> extinctions = {},
                                    std::optional<std::array<double, 2>> emissivities = {}) {
  return {end, std::move(extinctions), {}, emissivities, 0};
}

/// A case with every feature: layers that differ in all properties, gray plates, columns, a beam, hot spots.
inline models::RadiationCase rich_case() {
  models::RadiationCase radiation;
  radiation.layers = {{0.5, 1.5, 0.6, 0.8, 900, 2}, {0.25, 0, 0, 0, 500, 1}, {1, 2, 0.3, -0.4, 600, 3}};
  radiation.lower = {800, 0.7};
  radiation.upper = {300, 0.4};
  radiation.beam = {2e4, 0.6};
  radiation.widths = {0.8, 0.5};
  radiation.columns = {3, 2};
  radiation.temperatures = element_temperatures(radiation);
  radiation.temperatures[7] = 1500;
  radiation.temperatures[20] = 0;
  return radiation;
}

}  // namespace sporos::test
