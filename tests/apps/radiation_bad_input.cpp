// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `sporos simulate radiation`: bad input is refused with one line.
#include "refusal.hpp"

#include <sporos/core/random/engine.hpp>

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

namespace sporos::test {
namespace radiation_bad_input_tests {

const std::string form = "expected sporos simulate radiation --case FILE [OPTION...]";

/// Checks that invalid options are refused before a file is written.
class BadRadiationOptions : public ::testing::TestWithParam<Refusal> {};

TEST_P(BadRadiationOptions, AreRefusedInOneLine) {
  const Folder folder;
  const std::string path = SPOROS_SAMPLE_DATA "/plates.json";
  expect_refusal(sporos("simulate radiation --case " + path + " --output " + folder / "out " + GetParam().line),
                 GetParam().message);
  EXPECT_EQ(folder.files(), std::vector<std::string>{});
}

INSTANTIATE_TEST_SUITE_P(
    Radiation, BadRadiationOptions,
    ::testing::Values(
        Refusal{"--photons 0", "--photons is '0', " + positive_number},
        Refusal{"--photons 31",
                "number of photons is 31, expected at least one for each of 32 batches, and at most 34359738368"},
        Refusal{"--batches 1", "number of batches is 1, expected a number from 2 to 65536"},
        Refusal{"--question why", "unknown question 'why': expected one of balance, equilibrium"},
        Refusal{"--engine dice", "unknown engine 'dice': expected one of " + names_of<Engine>()},
        Refusal{"--paths long", "unknown path treatment 'long': expected one of exact, sampled"},
        Refusal{"--points 3", "--points is given, expected it only with --paths sampled"},
        Refusal{"--paths sampled --points 2000000", "number of points is 2e+06, expected a number from 1 to 1000000"},
        Refusal{"--weighting heavy", "unknown weighting 'heavy': expected one of weighted, analogue"},
        Refusal{"--precision 0", "--precision is '0', expected a positive finite number"},
        Refusal{"--tolerance 1", "--tolerance is given, expected it only with --question equilibrium"},
        Refusal{"--question equilibrium --iterations 0", "--iterations is '0', " + positive_number},
        Refusal{"--seed one", "--seed is 'one', expected a whole number from 0 to 18446744073709551615"},
        Refusal{"--format xml", "unknown format 'xml': expected one of table, json, csv"},
        Refusal{"--profile /nowhere/p.csv", "cannot write '/nowhere/p.csv': No such file or directory"},
        Refusal{"--picture p.pdf", "picture is 'p.pdf', expected a file name that ends with .svg or .png"},
        Refusal{"--profile p.svg --picture p.svg",
                "--picture is 'p.svg', which --profile writes: expected another file"},
        Refusal{"--every 3", "--every is given without --checkpoint: expected both"},
        Refusal{"--cases p", "unknown option '--cases': did you mean '--case'?"},
        Refusal{"more", "unexpected 'more': " + form}));

TEST(BadRadiation, NeedsACase) {
  expect_refusal(sporos("simulate radiation"), "no case is given: " + form);
  expect_refusal(sporos("simulate radiation --photons 100"), "no case is given: " + form);
  expect_refusal(sporos("simulate radiation --case /nowhere/c.json"),
                 "cannot read '/nowhere/c.json': No such file or directory");
  expect_refusal(sporos("simulate radiatoin"), "unknown model 'radiatoin': did you mean 'radiation'?");
}

/// A case, options, and the expected message after its path.
struct BadCase {
  std::string text;     ///< contents of the file
  std::string options;  ///< further options
  std::string message;  ///< expected message after the file's path
};

void PrintTo(const BadCase& bad, std::ostream* stream) { *stream << bad.text << ' ' << bad.options; }

class BadCases : public ::testing::TestWithParam<BadCase> {};

TEST_P(BadCases, AreRefusedInOneLine) {
  const Folder folder;
  const std::string path = folder.write("case.json", GetParam().text);
  expect_refusal(sporos("simulate radiation --case " + path + " --output " + folder / "out " + GetParam().options),
                 path + GetParam().message);
  EXPECT_EQ(folder.files(), std::vector<std::string>{"case.json"});
}

const std::string slab = R"("layers": [{"thickness": 1, "extinction": 1}])";

// Text of a case with one layer.
std::string with_layer(const std::string& members) { return "{\"layers\": [{" + members + "}]}"; }

INSTANTIATE_TEST_SUITE_P(
    Radiation, BadCases,
    ::testing::Values(
        BadCase{"{", "", " is not JSON: error at line 1, column 2"},
        BadCase{"{}", "", ", line 1, has no member 'layers'"},
        BadCase{R"({"layers": []})", "", ": number of layers is 0, expected at least 1"},
        BadCase{with_layer(R"("extinction": 1)"), "", ", line 1: layer 1 has no member 'thickness'"},
        BadCase{with_layer(R"("thickness": 1, "extinction": 1, "omega": 1)"), "",
                ", line 1: layer 1 has a member 'omega', expected only thickness, extinction, albedo, asymmetry, "
                "temperature, "
                "slices"},
        BadCase{"{" + slab + R"(, "left": {}})", "",
                ", line 1, has a member 'left', expected only layers, lower, upper, beam, widths, columns, "
                "temperatures, bands"},
        BadCase{"{" + slab + R"(, "bands": [{"end": 2}]})", "",
                ": end of band 1 is 2, expected no end of the last band"},
        BadCase{"{" + slab + R"(, "lower": {"temperature": 900}, "bands": [{"end": 2}, {}]})", "--question equilibrium",
                ": the case has bands, expected a gray case: the equilibrium is computed from σT⁴ only"},
        BadCase{with_layer(R"("thickness": 0, "extinction": 1)"), "",
                ": thickness of layer 1 is 0, expected a positive finite number"},
        BadCase{with_layer(R"("thickness": 1, "extinction": -1)"), "",
                ": extinction of layer 1 is -1, expected a finite number of at least 0"},
        BadCase{with_layer(R"("thickness": 200, "extinction": 100)"), "",
                ": optical thickness is 20000, expected at most 10000"},
        BadCase{with_layer(R"("thickness": 1, "extinction": 1, "albedo": 1.5)"), "",
                ": albedo of layer 1 is 1.5, expected a number from 0 to 1"},
        BadCase{with_layer(R"("thickness": 1, "extinction": 1, "temperature": -3)"), "",
                ": temperature of layer 1 is -3, expected a finite number of at least 0"},
        BadCase{"{" + slab + R"(, "lower": {"emissivity": 1.2}})", "",
                ": emissivity of the lower plate is 1.2, expected a number from 0 to 1"},
        BadCase{"{" + slab + R"(, "upper": {"temperature": -1}})", "",
                ": temperature of the upper plate is -1, expected a finite number of at least 0"},
        BadCase{"{" + slab + R"(, "temperatures": [1, 2]})", "",
                ": number of temperatures is 2, expected one for each element, 1"},
        BadCase{
            R"({"layers": [{"thickness": 1, "extinction": 1, "albedo": 1}], "lower": {"emissivity": 0}, "upper": {"emissivity": 0}})",
            "",
            ": nothing absorbs photons: no layer has an albedo below 1 and an extinction above 0, and both plates have "
            "emissivity 0, expected at least one absorbing layer or plate"},
        BadCase{"{" + slab + R"(, "lower": {"emissivity": 0}, "upper": {"emissivity": 0}})", "--question equilibrium",
                ": both plates have emissivity 0, expected at least one above 0: at equilibrium only plates absorb net "
                "energy"},
        BadCase{"{" + slab + "}", "",
                ": no source emits energy, expected a beam or an absorber with a temperature above 0"},
        BadCase{R"({"layers": [{"thickness": 1, "extinction": 1, "temperature": 9, "slices": 20001}]})",
                "--picture a.svg", ": number of elements is 20001, expected at most 20000 for a picture"}));

}  // namespace radiation_bad_input_tests
}  // namespace sporos::test
