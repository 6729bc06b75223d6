// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `sporos simulate radiation`: results and reports. Each comparison with a known value rejects a correct program with
// probability 10^-5 for a random seed. The seeds are fixed.
#include "kept.hpp"
#include "process.hpp"

#include <models/radiation/integral_equation.hpp>

#include <sporos/core/statistics/confidence.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace sporos::test {
namespace radiation_tests {

using Json = nlohmann::ordered_json;

const std::string plates = SPOROS_SAMPLE_DATA "/plates.json", flame = SPOROS_SAMPLE_DATA "/flame.json",
                  cloud = SPOROS_SAMPLE_DATA "/cloud.json";

// Report of a run, which must succeed.
std::string text_of(const std::string& line, const std::string& format, const std::string& program = "sporos") {
  const auto outcome = run(program, words("simulate radiation --case " + line + " --format " + format));
  EXPECT_EQ(outcome.status, 0) << line;
  EXPECT_EQ(outcome.error, "") << line;
  return outcome.out;
}

Json json_of(const std::string& line) { return Json::parse(text_of(line, "json")); }

void expect_parts(const std::string& text, const std::vector<std::string>& parts) {
  for (const auto& part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << "\nis not in\n" << text;
}

Json rows_of(const Json& result, const char* table) { return result.at("tables").at(table).at("rows"); }

// An estimate in a row: {"value", "error"}.
Json estimate_of(const Json& row, const std::string& column) {
  return {{"value", row.at(column)}, {"error", row.at(column + "_error")}};
}

// The rows of the elements, without those of the plates.
Json elements_of(const Json& result) {
  Json rows = rows_of(result, "elements");
  EXPECT_EQ(rows.front()["place"], "lower plate");
  EXPECT_EQ(rows.back()["place"], "upper plate");
  rows.erase(rows.size() - 1);
  rows.erase(0);
  return rows;
}

double value_of(const Json& estimate) { return estimate["value"].get<double>(); }
double error_of(const Json& estimate) { return estimate["error"].get<double>(); }

// Distance of an estimate from the exact value in quantiles of Student's t. It is at most 1 for a correct program.
double misfit(const Json& estimate, double exact, double digit = 0, int batches = 32) {
  return std::abs(value_of(estimate) - exact) / (student_t(1 - 1e-5, batches) * error_of(estimate) + digit);
}

// The report of a case with bands of wavelengths contains the bands.
TEST(Radiation, InBandsIsTold) {
  const std::string furnace = SPOROS_SAMPLE_DATA "/furnace.json";
  expect_parts(text_of(furnace + " --photons 5000", "table"),
               {"lower_temperature 900, ", "upper_temperature 500, ", "\nBands of wavelengths\nup to [µm]",
                "\n       2.5              0.025 "});
  const Json bands = rows_of(json_of(furnace + " --photons 5000"), "bands");
  EXPECT_EQ(bands.size(), 3u);
  EXPECT_EQ(bands[0]["end"], 2.5);
  EXPECT_TRUE(bands[2]["end"].is_null());
}

// Reference: H. C. van de Hulst's values for the slab of examples/data/cloud.json, to five digits.
TEST(Radiation, OfABeamIsReflectedAndTransmitted) {
  Json shares;
  for (const Json& row : rows_of(json_of(cloud + " --photons 200000"), "beam_shares")) {
    shares[row["share"].get<std::string>()] = estimate_of(row, "value");
  }
  constexpr double last_digit = 5e-6;
  EXPECT_LE(misfit(shares["reflectance"], 0.09739, last_digit), 1);
  EXPECT_LE(misfit(shares["transmittance"], 0.66096, last_digit), 1);
  EXPECT_GT(misfit(shares["reflectance"], 0.11, last_digit), 1) << "control: another asymmetry";
  const double sum =
      value_of(shares["reflectance"]) + value_of(shares["transmittance"]) + value_of(shares["absorptance"]);
  EXPECT_NEAR(sum, 1, 1e-3);  // up to the roulette
  EXPECT_FALSE(json_of(flame + " --photons 1000")["tables"].contains("beam_shares"));
}

// The model lit-slab simulates the slab of cloud.json.
TEST(Radiation, OfABeamIsAModelToo) {
  const auto outcome = sporos("simulate lit-slab --replications 200000 --format json");
  ASSERT_EQ(outcome.status, 0) << outcome.error;
  const auto responses = Json::parse(outcome.out)["tables"]["means"]["rows"];
  const double error = responses[0]["deviation"].get<double>() / std::sqrt(2e5);
  EXPECT_LE(std::abs(responses[0]["mean"].get<double>() - 0.09739), student_t(1 - 1e-5, 200000) * error + 5e-6);
}

// A medium between two plates of one temperature settles at this temperature.
TEST(Radiation, AtOneTemperatureStaysThere) {
  const Folder folder;
  const std::string path = folder.write(
      "case.json",
      R"({"layers": [{"thickness": 1, "extinction": 1, "slices": 3}], "lower": {"temperature": 700}, "upper": {"temperature": 700}})");
  const Json elements = elements_of(json_of(path + " --question equilibrium --photons 20000"));
  EXPECT_EQ(elements.size(), 3u);
  for (const auto& element : elements) EXPECT_NEAR(element["temperature"].get<double>(), 700, 1e-6);
}

// Reference: the integral equation solved by quadrature for ten slices.
TEST(Radiation, AtEquilibriumSolvesTheIntegralEquation) {
  const Folder folder;
  const std::string path = folder.write(
      "case.json",
      R"({"layers": [{"thickness": 2, "extinction": 0.5, "slices": 10}], "lower": {"temperature": 1000}})");
  const Json found = json_of(path + " --question equilibrium --photons 400000"), elements = elements_of(found);
  const Json flux = estimate_of(rows_of(found, "fluxes")[0], "flux");
  constexpr double hot_power = 5.670374419e-8 * 1e12;
  const auto exact = slab_equilibrium(even_faces(1, 10));
  EXPECT_LE(misfit(flux, exact.flux * hot_power), 1);
  EXPECT_GT(misfit(flux, slab_equilibrium(even_faces(1.1, 10)).flux * hot_power), 1)
      << "control: a tenth too much of the medium";
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_LE(misfit(estimate_of(elements[i], "temperature"), 1000 * std::pow(exact.powers[i], 0.25)), 1) << i;
  }
}

TEST(Radiation, IsTheSameOnEveryBackend) {
  for (const std::string& line :
       {flame + " --photons 20000 --engine mrg32k3a", plates + " --question equilibrium --photons 20000 --batches 8",
        flame + " --photons 5000 --paths sampled --points 5 --weighting analogue"}) {
    const std::string expected = lasting_part_of(text_of(line, "json"));
    for (const auto& program : programs()) EXPECT_EQ(lasting_part_of(text_of(line, "json", program)), expected);
    EXPECT_NE(lasting_part_of(text_of(line + " --seed 2", "json")), expected) << "control";
  }
}

TEST(Radiation, IsATableForPeople) {
  expect_parts(
      text_of(flame + " --photons 20000", "table"),
      {flame + ": radiation between two plates\n",
       "lower_temperature 400, lower_emissivity 0.9, upper_temperature 700, upper_emissivity 0.7, ",
       "\nEnergy at the temperatures of the case: 20 elements in 3 layers, optical thickness 1.75; 20000 photons, "
       "weighted, exact paths, 32 batches, seed 1, philox\n",
       "lower plate", "slice 19", "upper plate", "temperature [K]", "gained [W]", "standard error [W]",
       "past the upper plate", "s on "});
  expect_parts(text_of(plates + " --photons 40000 --question equilibrium --paths sampled --points 3", "table"),
               {"\nTemperatures at radiative equilibrium: 20 elements in 1 layer, optical thickness 2; 40000 photons, "
                "weighted, sampled paths of 3 points, 32 batches, seed 1, philox\n",
                "\niterations until convergence  3", "\nUpwards flux\n", "relative to σT⁴ of lower minus upper plate"});
  expect_parts(text_of(cloud + " --photons 20000", "table"),
               {", irradiance 1361, cosine 1, ", "share of the beam", "\nreflectance         0.0"});
}

// The table of a large case shows only the first elements. The JSON result contains all of them.
TEST(Radiation, ShowsTheFirstOfManyElements) {
  const Folder folder;
  const std::string path = folder.write(
      "case.json", R"({"layers": [{"thickness": 1, "extinction": 1, "slices": 100}], "lower": {"temperature": 700}})");
  const std::string text = text_of(path + " --photons 1000", "table");
  expect_parts(text, {"\nslice 8 ", "\nand 92 more\n"});
  EXPECT_EQ(text.find("slice 9"), std::string::npos);
  EXPECT_EQ(elements_of(json_of(path + " --photons 1000")).size(), 100u);
}

// Runs the case of docs/how-to/radiation.md.
TEST(Radiation, IsAsTheReadmeHasIt) {
  const Folder folder;
  const std::string picture = folder / "t.svg";
  expect_parts(text_of(plates + " --question equilibrium --photons 200000 --picture " + picture, "table"),
               {": 20 elements in 1 layer, optical thickness 2; ", "\niterations until convergence  32\n",
                "\nslice 0         0.000   0.025          1421.60                0.38\n",
                "\nslice 19        0.475   0.500          1192.41                0.67\n",
                "\npast the upper plate        74397                     85 ", " 0.26241 ", " 0.00030\n"});
  EXPECT_TRUE(std::filesystem::exists(picture));
}

TEST(Radiation, LeavesAProfileAndPictures) {
  const Folder folder;
  const std::string profile = folder / "profile.csv", svg = folder / "a.svg", png = folder / "a.png";
  const std::string line = plates + " --question equilibrium --photons 40000";
  text_of(line + " --profile " + profile + " --picture " + svg + " --picture " + png, "table");
  const std::string csv = text_of(line, "csv");
  EXPECT_EQ(lines_of(csv), 23);
  EXPECT_EQ(csv.find("place,x,y,slice,bottom,top,height,temperature,temperature_error,stopped_by\nlower plate,"), 0u);
  EXPECT_NE(csv.find("\nslice 0,0,0,0,0,0.025,0.0125,"), std::string::npos) << csv;
  EXPECT_EQ(lines_of(contents_of(profile)), 21);
  EXPECT_EQ(contents_of(profile).find("x,y,slice,bottom,top,temperature,temperature_error\n0,0,0,0,0.025,"), 0u);
  expect_parts(contents_of(svg), {"Temperatures at radiative equilibrium, plates.json", "temperature in K",
                                  "height above the lower plate in m"});
  EXPECT_EQ(contents_of(png).find("PNG"), 1u);
  text_of(flame + " --photons 20000 --picture " + svg, "table");
  expect_parts(contents_of(svg), {"Energy between plates, flame.json", "net gain in MW/m³", "upward flux in kW/m²"});
}

TEST(Radiation, EndsOnceItIsPrecise) {
  const std::string line = plates + " --question equilibrium --photons 4000000 --precision ";
  const auto precise = json_of(line + "1");
  const auto photons = precise["findings"]["photons"].get<int>();
  EXPECT_LT(photons, 4000000);
  EXPECT_EQ(photons % 65536, 0);
  EXPECT_EQ(precise["stopped_by"], "precision");
  for (const auto& element : elements_of(precise)) EXPECT_LE(error_of(estimate_of(element, "temperature")), 1);
  const auto missed = sporos("simulate radiation --case " + flame + " --photons 100000 --precision 1e-3");
  EXPECT_EQ(missed.status, 2);
  expect_parts(missed.error, {"sporos: precision not reached: the largest standard error is ", " W/m², ",
                              " times the requested one, after 100000 photons\n"});
  expect_parts(missed.out, {"; 100000 photons, "});
}

TEST(Radiation, GoesOnFromItsCheckpoint) {
  const Folder folder;
  const std::string line = plates + " --question equilibrium --photons 200000", checkpoint = folder / "state";
  const std::string expected = lasting_part_of(text_of(line, "json"));
  Process process("sporos", words("simulate radiation --case " + line + " --every 0 --checkpoint " + checkpoint));
  process.wait_for_file(checkpoint);
  process.send(SIGTERM);
  const Outcome outcome = process.wait();
  EXPECT_EQ(outcome.status, 128 + SIGTERM) << outcome.error;
  expect_parts(outcome.error, {"sporos: interrupted after ",
                               " photons, whose results are written; the checkpoint is '" + checkpoint + "'\n"});
  ASSERT_TRUE(std::filesystem::exists(checkpoint));
  EXPECT_EQ(lasting_part_of(text_of(line + " --checkpoint " + checkpoint, "json")), expected);
  EXPECT_FALSE(std::filesystem::exists(checkpoint));
}

TEST(Radiation, TellsATerminalHowFarItIs) {
  std::string screen;
  const std::string line = "simulate radiation --photons 1000000000 --case " + plates;
  EXPECT_EQ(interrupted_on_terminal(words(line), screen), 128 + SIGINT);
  const std::string share = starts_gpu() ? "" : "0 %, ";  // a GPU simulates some percent at once
  expect_parts(screen, {"radiation: ", " of at most 1000000000 photons, " + share, "sporos: interrupted after "});
}

TEST(Radiation, IsListed) {
  expect_parts(sporos("list").out, {"radiation ", "photons between two plates, from a case file\n"});
  expect_parts(sporos("simulate --help").out, {"  radiation ", "photons between two plates, from a case file\n"});
  expect_parts(sporos("describe radiation").out, {"sporos simulate radiation --help"});
  expect_parts(sporos("simulate radiation --help-all").out, {"--case FILE", "--question NAME", "\"layers\": ["});
}

}  // namespace radiation_tests
}  // namespace sporos::test
