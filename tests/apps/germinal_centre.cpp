// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `sporos simulate germinal-centre`: identical output on every backend, runs that continue, and refused input.
#include "germinal_centre_cases.hpp"
#include "refusal.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

namespace sporos::test {
namespace germinal_centre_tests {

using Json = nlohmann::ordered_json;

class GerminalCentreCommand : public ::testing::Test {
 protected:
  std::string line(const std::string& options) const { return "simulate germinal-centre " + m_path + " " + options; }

  Folder m_folder;
  std::string m_path = m_folder.write("case.json", small_germinal_centres([](auto&) {}));
};

TEST_F(GerminalCentreCommand, WritesTheSameOnEveryBackend) {
  const std::string csv = " --format csv", expected = run(first_program, words(line("--hours 1 --seed 5" + csv))).out;
  EXPECT_EQ(lines_of(expected), 28);  // names, and nine kinds at the start and after two global steps
  EXPECT_TRUE(expected.starts_with("hours,kind,tissue,blood,lymph,marrow,saliva,stopped_by\n0,naive B,1200,"))
      << expected;
  EXPECT_NE(expected.find("\n1,virus,"), std::string::npos) << expected;
  for (const std::string& program : programs()) {
    const Outcome outcome = run(program, words(line("--hours 1 --seed 5" + csv)));
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    EXPECT_EQ(outcome.out, expected);
  }
  EXPECT_NE(run(first_program, words(line("--hours 1 --seed 6" + csv))).out, expected);
}

TEST_F(GerminalCentreCommand, IsATableForPeople) {
  const std::string text = sporos(line("--hours 1")).out;
  for (const char* part : {"case.json: germinal centres\n2 centres for 1 h, 2 global steps of 30 min, seed 1\n",
                           "\nCells at the end\nkind ", "\nnaive B ", " on "}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << text;
  }
}

TEST_F(GerminalCentreCommand, LeavesSnapshotsAndPictures) {
  const Outcome outcome = sporos(line("--hours 1.5 --output " + m_folder / "series" + " --picture " +
                                      m_folder / "curves.svg" + " --section " + m_folder / "section.svg" +
                                      " --snapshots " + m_folder / "tissue" + " --snapshot-every 1"));
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  auto files = m_folder.files();
  std::sort(files.begin(), files.end());
  EXPECT_EQ(files, (std::vector<std::string>{"case.json", "curves.svg", "section.svg", "series",
                                             "tissue-0-000001.00-cells.vtk", "tissue-0-000001.00-elements.vtk",
                                             "tissue-0-000001.50-cells.vtk", "tissue-0-000001.50-elements.vtk",
                                             "tissue-1-000001.00-cells.vtk", "tissue-1-000001.00-elements.vtk",
                                             "tissue-1-000001.50-cells.vtk", "tissue-1-000001.50-elements.vtk"}));
  EXPECT_NE(contents_of(m_folder / "curves.svg").find("naive B"), std::string::npos);
  EXPECT_NE(contents_of(m_folder / "section.svg").find("CXCL13, nmol/l"), std::string::npos);
  EXPECT_TRUE(contents_of(m_folder / "tissue-1-000001.50-cells.vtk").starts_with("# vtk DataFile Version 3.0\n"));
}

// A signal stops the run once there is a checkpoint. The run then continues on another backend.
TEST_F(GerminalCentreCommand, GoesOnToTheLastBit) {
  const std::string whole = line("--hours 2 --seed 3"), state = m_folder / "state";
  const std::string expected = run(first_program, words(whole + " --format csv")).out;
  Process process(first_program, words(whole + " --format json --every 0 --checkpoint " + state), m_folder / "first");
  process.wait_for_file(state);
  process.send(SIGTERM);
  const Outcome stopped = process.wait();
  EXPECT_EQ(stopped.status, 128 + SIGTERM);
  // On a slow machine, the signal may come within a global step.
  EXPECT_TRUE(
      std::regex_search(stopped.error, std::regex("interrupted( within a global step)?: the time series [^;]*is "
                                                  "written(, but no state)?; the checkpoint is '")))
      << stopped.error;
  const Json first = Json::parse(contents_of(m_folder / "first")),
             all = Json::parse(run(first_program, words(whole + " --format json")).out);
  EXPECT_EQ(first["stopped_by"], "interrupted");
  EXPECT_EQ(all["stopped_by"], "hours");
  const Json &rows = first["tables"]["populations"]["rows"], &all_rows = all["tables"]["populations"]["rows"];
  EXPECT_LT(rows.size(), all_rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(rows[i], all_rows[i]) << i;
  const Outcome outcome = run(programs().back(), words(whole + " --format csv --checkpoint " + state));
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_EQ(outcome.out, expected);
  EXPECT_FALSE(std::filesystem::exists(state));
}

TEST_F(GerminalCentreCommand, RefusesOptionsInOneLine) {
  const std::string form = "expected sporos simulate germinal-centre CASE --hours H [OPTION...]";
  expect_refusal(sporos("simulate germinal-centre"), "no case is given: " + form);
  expect_refusal(sporos(line("")), "--hours is not given: " + form);
  expect_refusal(sporos(line("--hours 0")), "--hours is '0', expected a positive finite number");
  expect_refusal(sporos(line("--hours 1e9")), "--hours is 1e9, expected at most 17895697, which is 2^31 local steps");
  expect_refusal(sporos(line("--hours 1 --snapshot-every 2")),
                 "--snapshot-every is given, expected it only with --snapshots");
  expect_refusal(sporos(line("--hours 1 --output a.svg --picture a.svg")),
                 "--picture is 'a.svg', which --output writes: expected another file");
  expect_refusal(sporos(line("--hours 1 --hour 2")), "unknown option '--hour': did you mean '--hours'?");
  expect_refusal(sporos("simulate germinal-centre /nowhere --hours 1"),
                 "cannot read '/nowhere': No such file or directory");
}

TEST_F(GerminalCentreCommand, RefusesCasesInOneLine) {
  const std::string path = m_folder.write("bad.json", small_germinal_centres([](auto& json) { json.erase("mesh"); }));
  expect_refusal(sporos("simulate germinal-centre " + path + " --hours 1"), path + ", line 1, has no member 'mesh'");
  m_folder.write("bad.json", small_germinal_centres([](auto& json) { json["local_step"]["value"] = 20; }));
  expect_refusal(sporos("simulate germinal-centre " + path + " --hours 1"),
                 path +
                     ": motility of 'naive B' moves it past the next element at a local step of 20 min, expected a "
                     "step of at most 7.44 min");
}

}  // namespace germinal_centre_tests
}  // namespace sporos::test
