// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks cases read from JSON, and the output of a run.
#include "cases.hpp"

#include <harness/refusal.hpp>

#include <sporos/core/io/json_text.hpp>
#include <sporos/models/germinal_centre/germinal_centre_files.hpp>
#include <sporos/models/germinal_centre/germinal_centre_picture.hpp>
#include <sporos/models/germinal_centre/germinal_centre_state_json.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <sstream>
#include <string>

namespace sporos::test {
namespace germinal_centre_files_tests {

using models::CentreState, models::GerminalCentreCase, models::GerminalCentreRunState;

const std::string example = SPOROS_SAMPLE_DATA "/germinal_centre.json";

GerminalCentreCase read(const std::string& text) { return models::germinal_centre_case_of_json("case", text); }

// Text of the example after a change.
template <class Change>
std::string changed(const Change& change) {
  io::Json json = io::parse_json(example, io::read_text_file(example));
  change(json);
  return json.dump();
}

template <class Change>
std::string refusal_of(const Change& change) {
  return refusal([&] { read(changed(change)); });
}

TEST(GerminalCentreFile, IsRead) {
  const GerminalCentreCase all = models::read_germinal_centre_case(example);
  EXPECT_EQ(all.local_step, 0.5);
  EXPECT_EQ(all.global_step(), 30);
  EXPECT_EQ(all.mesh.count(), 2016);
  EXPECT_EQ(all.kinds[5].name, "T");
  EXPECT_EQ(all.kinds[5].motility, 57);
  EXPECT_EQ(all.kinds[0].in_tissue + all.kinds[5].in_tissue, 100'000);
  EXPECT_EQ(all.changes[6].offspring, "virus");
  EXPECT_EQ(all.mesh.surface[0], (models::ElementBox{{0, 0, 13}, {12, 12, 14}}));
}

TEST(GerminalCentreFile, IsRefusedInOneLine) {
  EXPECT_EQ(refusal_of([](auto& json) { json.erase("flows"); }), "case, line 1, has no member 'flows'");
  EXPECT_EQ(refusal_of([](auto& json) { json["mesh"].erase("width"); }), "case, line 1: mesh has no member 'width'");
  EXPECT_EQ(refusal_of([](auto& json) { json["mesh"]["height"] = 1; }),
            "case, line 1: mesh has a member 'height', expected only elements, width, vessels, drains, surface");
  EXPECT_EQ(refusal_of([](auto& json) { json["kinds"][2]["motility"]["unit"] = "um2/s"; }),
            "case, line 1: kinds[2]: motility: unit is 'um2/s', expected 'um^2/min'");
  EXPECT_EQ(refusal_of([](auto& json) { json["kinds"][2]["motility"]["source"] = ""; }),
            "case, line 1: kinds[2]: motility: source is empty, expected the source of the value");
  EXPECT_EQ(refusal_of([](auto& json) { json["kinds"][2]["motility"].erase("source"); }),
            "case, line 1: kinds[2]: motility has no member 'source'");
  EXPECT_EQ(refusal_of([](auto& json) { json["kinds"][2]["motility"]["value"] = "fast"; }),
            "case, line 1: kinds[2]: motility: value is '\"fast\"', expected a number");
  EXPECT_EQ(refusal_of([](auto& json) { json["local_step"] = 0.5; }),
            "case, line 1: local_step is '0.5', expected an object with the members value, unit, source");
  EXPECT_EQ(refusal_of([](auto& json) {
              json["mesh"]["drains"] = {{1, 2, 3}};
            }),
            "case, line 1: mesh: drains[0] is '[1,2,3]', expected two corners of a box");
  EXPECT_EQ(refusal_of([](auto& json) { json["kinds"][0]["in_tissue"]["value"] = 0.5; }),
            "case, line 1: kinds[0]: in_tissue is 0.5, expected a whole number from 0 to 2^52");
  EXPECT_EQ(refusal_of([](auto& json) { json["flows"][0]["to"] = "liver"; }),
            "case, line 1: flows[0]: to: unknown compartment 'liver': expected one of blood, lymph, marrow, saliva, "
            "tissue, outside");
  EXPECT_EQ(refusal_of([](auto& json) { json["mesh"]["vessels"] = io::Json::array(); }),
            "case: the mesh has no vessels, expected at least one box where cells enter");
  EXPECT_EQ(refusal([] { read("{"); }), "case is not JSON: error at line 1, column 2");
}

// A small centre with agents of two kinds in different elements.
GerminalCentreRunState small_state(GerminalCentreCase& all) {
  all = plain_case(2);
  all.kinds.push_back(all.kinds[0]);
  all.kinds[1].name = std::string("other kind");
  all.chemokines = {{"c", 1, 0, 0, 1, {}}};
  CentreState centre;
  centre.cells = {1, 0, 0, 2, 0, 0, 0, 0};
  centre.identity = {~std::uint64_t{0}, 1, 5};
  centre.since = {0, 3, 2};
  centre.state = {0, 1 + (7u << 8), 1};
  centre.amounts.assign(8, static_cast<std::int64_t>(models::units_at_one_nanomolar(all.mesh)));
  centre.decayed.assign(8, 4);
  centre.tallies.assign(2 * models::tally_count, 6);
  return {{3, models::PoolsState::of(all), {centre}},
          {{0, {1, 2, 0, 0, 0, 0, 0, 0, 0, 0}}, {3, {2, 4, 1, 1, 1, 1, 1, 1, 1, 1}}}};
}

TEST(GerminalCentreRunState, ComesBackFromJson) {
  GerminalCentreCase all;
  const auto state = small_state(all);
  const io::Json json = io::parse_json("text", json_of(state).dump());
  const auto back = models::germinal_centre_run_state_of_json(json, "text", all);
  EXPECT_EQ(back.centres.centres, state.centres.centres);
  EXPECT_EQ(back.centres.pools, state.centres.pools);
  EXPECT_EQ(back.centres.steps, 3);
  EXPECT_EQ(json_of(back), json);
  io::Json damaged = json;
  damaged["centres"][0].erase(3);
  EXPECT_NE(refusal([&] { models::germinal_centre_run_state_of_json(damaged, "text", all); }), "none");
  damaged = json;
  damaged["pools"][0].push_back(1);
  EXPECT_EQ(refusal([&] { models::germinal_centre_run_state_of_json(damaged, "text", all); }),
            "text is damaged, expected a list of whole numbers");
}

// Numbers after the line of a VTK file that begins with `line`.
std::vector<double> numbers_after(const std::string& text, const std::string& line, std::size_t count) {
  std::istringstream stream(text.substr(text.find('\n', text.find(line)) + 1));
  std::vector<double> numbers(count);
  for (double& number : numbers) stream >> number;
  EXPECT_TRUE(stream) << line;
  return numbers;
}

TEST(GerminalCentreSnapshot, IsLegacyVtk) {
  GerminalCentreCase all;
  const CentreState centre = small_state(all).centres.centres[0];
  const std::string elements = elements_vtk(all, centre, 30);
  EXPECT_TRUE(
      elements.starts_with("# vtk DataFile Version 3.0\nSporos germinal centre after 30 minutes\nASCII\n"
                           "DATASET STRUCTURED_POINTS\nDIMENSIONS 3 3 3\nORIGIN 0 0 0\nSPACING 50 50 50\n"
                           "CELL_DATA 8\nSCALARS c double 1\nLOOKUP_TABLE default\n"))
      << elements;
  EXPECT_NEAR(numbers_after(elements, "LOOKUP_TABLE", 8)[7], 1, 1e-8);
  const auto at = elements.find("SCALARS other_kind");
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(numbers_after(elements.substr(at), "LOOKUP_TABLE", 4), (std::vector<double>{0, 0, 0, 2}));

  const std::string agents = agents_vtk(all, centre, 30);
  const auto points = numbers_after(agents, "POINTS 3 float", 9);
  for (std::size_t i = 3; i < 9; ++i) {  // element 3: x and y above 50, z below
    EXPECT_TRUE(i % 3 == 2 ? points[i] <= 50 : points[i] >= 50) << i;
  }
  EXPECT_EQ(numbers_after(agents.substr(agents.find("SCALARS kind")), "LOOKUP_TABLE", 3),
            (std::vector<double>{0, 1, 1}));
  EXPECT_EQ(numbers_after(agents.substr(agents.find("SCALARS age")), "LOOKUP_TABLE", 3),
            (std::vector<double>{30, 27, 28}));
}

TEST(GerminalCentrePicture, NamesWhatItShows) {
  GerminalCentreCase all;
  const auto state = small_state(all);
  const std::string curves = population_picture(all, state.rows);
  EXPECT_NE(curves.find("title 'other kind'"), std::string::npos);
  EXPECT_NE(curves.find("with lines"), std::string::npos);
  const std::string section = section_picture(all, state.centres.centres[0], 30);
  EXPECT_NE(section.find("set cblabel 'c, nmol/l'"), std::string::npos);
  EXPECT_NE(section.find("$kind1 using 1:2"), std::string::npos);
  EXPECT_EQ(section.find("$kind0 using 1:2"), std::string::npos);  // no cell of this kind is in the middle
}

}  // namespace germinal_centre_files_tests
}  // namespace sporos::test
