// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks cases read from JSON, and results written as CSV.
#include "cases.hpp"

#include <harness/folder.hpp>
#include <harness/refusal.hpp>

#include <sporos/models/radiation/beam_shares.hpp>
#include <sporos/models/radiation/radiation_files.hpp>
#include <sporos/models/radiation/radiation_json.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>

namespace sporos::test {
namespace files_tests {

using models::RadiationCase;

constexpr auto whole_case = R"({"layers": [{"thickness": 0.5, "extinction": 2, "albedo": 0.5, "asymmetry": 0.8,
                                            "temperature": 900, "slices": 2}, {"thickness": 1, "extinction": 0}],
  "lower": {"temperature": 1200, "emissivity": 0.9}, "upper": {"temperature": 300, "emissivity": 0.25},
  "beam": {"irradiance": 5000, "cosine": 0.5}, "widths": [2, 3], "columns": [1, 2],
  "temperatures": [1, 2, 3, 4, 5, 6]})";

TEST(RadiationFiles, HoldAllOfACase) {
  const Folder folder;
  const RadiationCase radiation = models::read_radiation_case(folder.write("case.json", whole_case));
  ASSERT_EQ(radiation.layers.size(), 2);
  const auto& [thickness, extinction, albedo, asymmetry, temperature, slices] = radiation.layers[0];
  EXPECT_EQ(thickness, 0.5);
  EXPECT_EQ(extinction, 2);
  EXPECT_EQ(albedo, 0.5);
  EXPECT_EQ(asymmetry, 0.8);
  EXPECT_EQ(temperature, 900);
  EXPECT_EQ(slices, 2);
  EXPECT_EQ(radiation.layers[1].slices, 1);
  EXPECT_EQ(radiation.lower.temperature, 1200);
  EXPECT_EQ(radiation.upper.emissivity, 0.25);
  EXPECT_EQ(radiation.beam.irradiance, 5000);
  EXPECT_EQ(radiation.beam.cosine, 0.5);
  EXPECT_EQ(radiation.widths[1], 3);
  EXPECT_EQ(radiation.columns[1], 2);
  EXPECT_EQ(radiation.temperatures[5], 6);
}

// Error message for the case with the first `old` replaced by `other`.
std::string refusal_with(const std::string& old, const std::string& other) {
  std::string text = whole_case;
  text.replace(text.find(old), old.size(), other);
  return refusal([&] { models::radiation_case_of_json("c.json", text); });
}

TEST(RadiationFiles, AreRefused) {
  EXPECT_EQ(refusal_with("\"layers\"", "\"Layers\""),
            "c.json, line 1, has a member 'Layers', expected only layers, lower, upper, beam, widths, columns, "
            "temperatures, bands");
  EXPECT_EQ(refusal([] { models::radiation_case_of_json("c.json", "{}"); }), "c.json, line 1, has no member 'layers'");
  EXPECT_EQ(refusal([] { models::radiation_case_of_json("c.json", "{\"layers\": 3}"); }),
            "c.json, line 1: layers is '3', expected a list");
  EXPECT_EQ(
      refusal([] { models::radiation_case_of_json("c.json", "{\"layers\": [3]}"); }),
      "c.json, line 1: layer 1 is '3', expected an object with the members thickness, extinction, albedo, asymmetry, "
      "temperature, slices");
  EXPECT_EQ(refusal([] { models::radiation_case_of_json("c.json", "{"); }),
            "c.json is not JSON: error at line 1, column 2");
  EXPECT_EQ(refusal_with("\"extinction\": 2, ", ""), "c.json, line 1: layer 1 has no member 'extinction'");
  EXPECT_EQ(refusal_with("\"albedo\": 0.5", "\"albedo\": \"much\""),
            "c.json, line 1: layer 1: albedo is '\"much\"', expected a number");
  EXPECT_EQ(refusal_with("\"slices\": 2", "\"slices\": 0"),
            "c.json, line 2: layer 1: slices is 0, expected a whole number from 1 to 16777216");
  EXPECT_EQ(refusal_with("[1, 2],", "[1, 1.5],"),
            "c.json, line 4: columns is 1.5, expected a whole number from 1 to 16777216");
  EXPECT_EQ(refusal_with("[2, 3]", "[2]"), "c.json, line 4: widths has 1 number, expected 2");
  EXPECT_EQ(refusal_with("\"emissivity\": 0.9", "\"emissivity\": 9"),
            "c.json: emissivity of the lower plate is 9, expected a number from 0 to 1");
  EXPECT_EQ(refusal_with("\"cosine\"", "\"angle\""),
            "c.json, line 4: beam has a member 'angle', expected only irradiance, cosine");
}

TEST(RadiationJson, IsReadAsACase) {
  const RadiationCase radiation = models::radiation_case_of_json("c.json", whole_case);
  const std::string text = models::json_of(radiation).dump();
  EXPECT_EQ(models::json_of(models::radiation_case_of_json("d.json", text)).dump(), text);
  EXPECT_EQ(text.find(R"({"layers":[{"thickness":0.5,"extinction":2.0,"albedo":0.5,"asymmetry":0.8,"temperature":900)"),
            0u);
}

TEST(RadiationJson, HasBands) {
  const std::string text =
      R"({"layers": [{"thickness": 1, "extinction": 2}], "bands": [{"end": 3, "extinctions": [0.5], "albedos": [0.1],
          "emissivities": [0.9, 0.4]}, {"irradiance": 7}]})";
  const RadiationCase radiation = models::radiation_case_of_json("c.json", text);
  ASSERT_EQ(radiation.bands.size(), 2u);
  EXPECT_EQ(radiation.gray_cases()[0].layers[0].extinction, 0.5);
  EXPECT_EQ(radiation.gray_cases()[0].upper.emissivity, 0.4);
  EXPECT_EQ(radiation.gray_cases()[1].layers[0].extinction, 2);
  EXPECT_EQ(radiation.gray_cases()[1].beam.irradiance, 7);
  const std::string written = models::json_of(radiation).dump();
  EXPECT_EQ(models::json_of(models::radiation_case_of_json("d.json", written)).dump(), written);
  EXPECT_EQ(
      refusal([] {
        models::radiation_case_of_json("c.json",
                                       R"({"layers": [{"thickness": 1, "extinction": 2}], "bands": [{"start": 3}]})");
      }),
      "c.json, line 1: band 1 has a member 'start', expected only end, extinctions, albedos, emissivities, irradiance");
}

TEST(RadiationJson, HoldsCounts) {
  const models::PhotonCounts counts{2, 1, 3, {1, 2, -3, std::int64_t{1} << 62, 5, 6}};
  const auto json = models::json_of(counts);
  EXPECT_EQ(models::photon_counts_of_json(json, "counts").units, counts.units);
  const auto refusal_with_member = [&](const char* name, const io::Json& value) {
    auto other = json;
    other[name] = value;
    return refusal([&] { models::photon_counts_of_json(other, "counts"); });
  };
  EXPECT_EQ(refusal_with_member("batches", 3), "counts: units has 6 numbers, expected 9");
  EXPECT_EQ(refusal_with_member("rows", 0), "counts: rows is 0, expected a whole number from 1 to 1073741824");
  EXPECT_EQ(refusal_with_member("units", {1.5}), "counts: units has '1.5', expected whole numbers only");
}

// Shares refer to the whole beam, and exist only if nothing else emits energy and both sides are open.
TEST(BeamShares, AreThoseOfABeamAlone) {
  RadiationCase radiation;
  radiation.layers = {layer_of(1, 1)};
  models::EnergyBalance balance;
  balance.beam = 4;
  balance.lower.gained = {1, 0.5};
  balance.upper.gained = {2, 0.25};
  const auto shares = beam_shares(radiation, balance);
  ASSERT_TRUE(shares);
  EXPECT_EQ(shares->reflectance.value, 0.25);
  EXPECT_EQ(shares->transmittance.error, 0.0625);
  balance.medium.lost = 1;
  EXPECT_FALSE(beam_shares(radiation, balance));
  balance.medium.lost = 0;
  radiation.upper.emissivity = 0.9;
  EXPECT_FALSE(beam_shares(radiation, balance));
}

TEST(RadiationFiles, HoldResultsByElement) {
  RadiationCase radiation;
  radiation.layers = {layer_of(0.5, 2, 400)};
  radiation.columns = {2, 1};
  models::EnergyBalance balance;
  balance.elements = {{{1, 0.1}, 3}, {{2, 0.1}, 3}, {{3, 0.1}, 3}, {{4.5, 0.25}, 3}};
  balance.upper = {{7, 0.5}, 1};
  balance.flux = {{-1, 0.5}, {2, 0.25}, {6, 0.5}};
  EXPECT_EQ(energy_text(radiation, balance),
            "x,y,slice,bottom,top,temperature,gained,gained_error,lost,net,flux,flux_error\n"
            "0,0,0,0,0.5,400,1,0.1,3,-2,-1,0.5\n"
            "1,0,0,0,0.5,400,2,0.1,3,-1,-1,0.5\n"
            "0,0,1,0.5,1,400,3,0.1,3,0,2,0.25\n"
            "1,0,1,0.5,1,400,4.5,0.25,3,1.5,2,0.25\n"
            ",,lower,0,0,0,0,0,0,0,-1,0.5\n"
            ",,upper,1,1,0,7,0.5,1,6,6,0.5\n");
  models::RadiativeEquilibrium equilibrium;
  equilibrium.temperatures = {{300, 1}, {310.5, 2}, {std::nan(""), std::nan("")}, {1, 0}};
  EXPECT_EQ(temperatures_text(radiation, equilibrium),
            "x,y,slice,bottom,top,temperature,temperature_error\n"
            "0,0,0,0,0.5,300,1\n"
            "1,0,0,0,0.5,310.5,2\n"
            "0,0,1,0.5,1,,\n"
            "1,0,1,0.5,1,1,0\n");
}

}  // namespace files_tests
}  // namespace sporos::test
