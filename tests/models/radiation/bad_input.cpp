// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Impossible cases and plans are refused in one line before anything runs.
#include "cases.hpp"

#include <harness/refusal.hpp>

#include <sporos/models/radiation/trace.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace sporos::test {
namespace bad_input_tests {

using models::PhotonPlan, models::RadiationCase;

// Error message for the rich case after `change`.
template <class Change>
std::string refusal_of(const Change& change) {
  RadiationCase radiation = rich_case();
  change(radiation);
  return refusal([&] { radiation.check(); });
}

TEST(RadiationCase, IsGood) {
  EXPECT_EQ(refusal_of([](auto&) {}), "none");
  EXPECT_EQ(refusal_of([](auto& radiation) { radiation.temperatures.clear(); }), "none");
}

TEST(RadiationCase, RefusesLayers) {
  EXPECT_EQ(refusal_of([](auto& radiation) { radiation.layers.clear(); }),
            "number of layers is 0, expected at least 1");
  EXPECT_EQ(refusal_of([](auto& radiation) { radiation.layers[1].thickness = 0; }),
            "thickness of layer 2 is 0, expected a positive finite number");
  EXPECT_EQ(refusal_of([](auto& radiation) { radiation.layers[1].thickness = 1e-31; }),
            "thickness of layer 2 is 1e-31, expected a length from 1e-30 to 1e30 m");
  EXPECT_EQ(refusal_of([](auto& radiation) { radiation.layers[0].extinction = -1; }),
            "extinction of layer 1 is -1, expected a finite number of at least 0");
  EXPECT_EQ(refusal_of([](auto& radiation) { radiation.layers[0].extinction = std::nan(""); }),
            "extinction of layer 1 is nan, expected a finite number of at least 0");
  EXPECT_EQ(refusal_of([](auto& radiation) { radiation.layers[2].albedo = 1.01; }),
            "albedo of layer 3 is 1.01, expected a number from 0 to 1");
  EXPECT_EQ(refusal_of([](auto& radiation) { radiation.layers[2].asymmetry = -1; }),
            "asymmetry of layer 3 is -1, expected a number between -1 and 1");
  EXPECT_EQ(refusal_of([](auto& radiation) { radiation.layers[0].temperature = -273; }),
            "temperature of layer 1 is -273, expected a finite number of at least 0");
  EXPECT_EQ(refusal_of([](auto& radiation) { radiation.layers[0].slices = 0; }),
            "number of slices of layer 1 is 0, expected a positive integer");
  EXPECT_EQ(refusal_of([](auto& radiation) { radiation.layers[0].extinction = 3e4; }),
            "optical thickness is 15002, expected at most 10000");
}

TEST(RadiationCase, RefusesBands) {
  const auto refusal_of_bands = [](std::vector<models::SpectralBand> bands) {
    return refusal_of([&](auto& radiation) {
      radiation.beam.irradiance = 0;
      radiation.bands = std::move(bands);
    });
  };
  EXPECT_EQ(refusal_of_bands({band_to(2), band_to(3, {1, 2, 3}), {}}), "none");
  EXPECT_EQ(refusal_of_bands({band_to(2), band_to(2), {}}), "end of band 2 is 2, expected a finite wavelength above 2");
  EXPECT_EQ(refusal_of_bands({{}, {}}), "end of band 1 is inf, expected a finite wavelength above 0");
  EXPECT_EQ(refusal_of_bands({band_to(2)}), "end of band 1 is 2, expected no end of the last band");
  EXPECT_EQ(refusal_of_bands({band_to(2, {1}), {}}),
            "number of extinctions of a band is 1, expected one for each layer, 3");
  EXPECT_EQ(refusal_of_bands({{2, {}, {1, 0.5, 2}, {}, 0}, {}}),
            "band 1: albedo of layer 3 is 2, expected a number from 0 to 1");
  EXPECT_EQ(refusal_of_bands({band_to(2), band_to(no_end, {}, {{1, -1}})}),
            "band 2: emissivity of the upper plate is -1, expected a number from 0 to 1");
  EXPECT_EQ(refusal_of([](auto& radiation) { radiation.bands = {{}}; }),
            "irradiance of the beam is 20000, expected 0 in a case with bands, which have separate irradiances");
}

TEST(RadiationCase, RefusesPlatesAndBeam) {
  EXPECT_EQ(refusal_of([](auto& radiation) { radiation.lower.emissivity = 1.5; }),
            "emissivity of the lower plate is 1.5, expected a number from 0 to 1");
  EXPECT_EQ(refusal_of([](auto& radiation) { radiation.upper.emissivity = -0.1; }),
            "emissivity of the upper plate is -0.1, expected a number from 0 to 1");
  EXPECT_EQ(refusal_of([](auto& radiation) { radiation.upper.temperature = -1; }),
            "temperature of the upper plate is -1, expected a finite number of at least 0");
  EXPECT_EQ(refusal_of([](auto& radiation) { radiation.beam.irradiance = -5; }),
            "irradiance of the beam is -5, expected a finite number of at least 0");
  EXPECT_EQ(refusal_of([](auto& radiation) { radiation.beam.cosine = 0; }),
            "cosine of the beam is 0, expected a number from 1e-06 to 1");
}

TEST(RadiationCase, RefusesElements) {
  EXPECT_EQ(refusal_of([](auto& radiation) { radiation.widths[1] = 0; }),
            "width is 0, expected a positive finite number");
  EXPECT_EQ(refusal_of([](auto& radiation) { radiation.widths[0] = 2e30; }),
            "width is 2e+30, expected a length from 1e-30 to 1e30 m");
  EXPECT_EQ(refusal_of([](auto& radiation) { radiation.columns[0] = -3; }),
            "number of columns is -3, expected a positive integer");
  EXPECT_EQ(refusal_of([](auto& radiation) {
              radiation.columns = {65536, 65536};
            }),
            "number of elements is 25769803776, expected at most 16777216");
  EXPECT_EQ(refusal_of([](auto& radiation) { radiation.temperatures.pop_back(); }),
            "number of temperatures is 35, expected one for each element, 36");
  EXPECT_EQ(refusal_of([](auto& radiation) { radiation.temperatures[3] = -2; }),
            "temperature of element 3 is -2, expected a finite number of at least 0");
}

TEST(RadiationCase, RefusesWhatWouldNeverEnd) {
  const std::string never =
      "nothing absorbs photons: no layer has an albedo below 1 and an extinction above 0, and both plates have "
      "emissivity 0, expected at least one absorbing layer or plate";
  const auto without_plates = [](RadiationCase& radiation) {
    radiation.lower.emissivity = radiation.upper.emissivity = 0;
  };
  EXPECT_EQ(refusal_of([&](auto& radiation) {
              without_plates(radiation);
              for (auto& layer : radiation.layers) layer.albedo = 1;
            }),
            never);
  EXPECT_EQ(refusal_of([&](auto& radiation) {
              without_plates(radiation);
              for (auto& layer : radiation.layers) layer.extinction = 0;
            }),
            never);
  EXPECT_EQ(refusal_of([](auto& radiation) {
              radiation.lower.emissivity = radiation.upper.emissivity = 1e-9;
              for (auto& layer : radiation.layers) layer.albedo = 1;
            }),
            "largest absorption of medium and plates is 1e-09, expected at least 1e-06; otherwise photons are hardly "
            "ever absorbed");
  EXPECT_EQ(refusal_of([&](auto& radiation) { without_plates(radiation); }), "none");
  EXPECT_EQ(refusal_of([](auto& radiation) {
              for (auto& layer : radiation.layers) layer.albedo = 1;
            }),
            "none");
}

TEST(PhotonPlan, IsRefused) {
  const auto refusal_of_plan = [](const PhotonPlan& plan) { return refusal([&] { check_photon_plan(plan); }); };
  EXPECT_EQ(refusal_of_plan({}), "none");
  PhotonPlan plan;
  plan.photons = 31;
  EXPECT_EQ(refusal_of_plan(plan),
            "number of photons is 31, expected at least one for each of 32 batches, and at most 34359738368");
  plan.photons = std::int64_t{1} << 36;
  EXPECT_EQ(refusal_of_plan(plan),
            "number of photons is 68719476736, expected at least one for each of 32 batches, and at most 34359738368");
  plan = {};
  plan.batches = 1;
  EXPECT_EQ(refusal_of_plan(plan), "number of batches is 1, expected a number from 2 to 65536");
  plan = {};
  plan.rules.points = 0;
  EXPECT_EQ(refusal_of_plan(plan), "number of points is 0, expected a number from 1 to 1000000");
}

}  // namespace bad_input_tests
}  // namespace sporos::test
