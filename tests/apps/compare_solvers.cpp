// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `sporos compare-solvers`: results, identical bits on all backends, cells kept in files, and refused input.
#include "process.hpp"
#include "refusal.hpp"

#include <harness/folder.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

namespace sporos::test {
namespace compare_solvers_tests {

using Json = nlohmann::ordered_json;

Json rows_of(const Json& result, const std::string& table) {
  const Json& tables = result["tables"];
  return tables.contains(table) ? tables[table]["rows"] : Json::array();
}

const std::string small = " --macroreplications 3 --budget 600 --post-replications 50 --bootstraps 20";

Json compared(const std::string& line, const std::string& program = first_program) {
  const auto outcome = run(program, words("compare-solvers " + line + small + " --format json"));
  EXPECT_EQ(outcome.status, 0) << line << ": " << outcome.error;
  return Json::parse(outcome.out);
}

// Text of a report without the time and the machine.
std::string lasting(Json report) {
  report.erase("seconds");
  report.erase("machine");
  return report.dump();
}

TEST(CompareSolvers, ComesNearTheOptimaThatAreKnown) {
  const Json report = compared("--solvers astro,adam --problems mm1,cntnews-1");
  const Json cells = rows_of(report, "comparison");
  ASSERT_EQ(cells.size(), 4U);
  for (const Json& cell : cells) {
    EXPECT_LT(cell["gap_left"].get<double>(), 0.5) << cell["problem"] << cell["solver"];
    EXPECT_LE(cell["area_low"].get<double>(), cell["area"].get<double>());
    EXPECT_GE(cell["area_high"].get<double>(), cell["area"].get<double>());
  }
  const Json curves = rows_of(report, "curves");
  EXPECT_EQ(curves.size(), 4U * 101);
  for (const Json& point : curves) {
    if (point["budget_used"] == 0) {
      EXPECT_EQ(point["mean"], 1) << point["problem"];
    }
  }
  EXPECT_EQ(rows_of(report, "ends").size(), 4U * 3);
  EXPECT_EQ(rows_of(report, "problems")[0]["known_by"], "exact");
  EXPECT_EQ(rows_of(report, "solvers").size(), 2U);
  EXPECT_EQ(rows_of(report, "solvers")[0]["difference"], 0);
}

TEST(CompareSolvers, HasTheSameBitsOnAllBackends) {
  const std::string line = "--solvers adam,nelder-mead --problems mm1,san-1";
  const std::string serial = lasting(compared(line));
  for (const auto& program : programs()) EXPECT_EQ(lasting(compared(line, program)), serial) << program;
}

TEST(CompareSolvers, LeavesOutSolversThatDoNotFitAndTellsWhy) {
  const Json report = compared("--solvers adam,r-spline --problems mm1,staffing");
  const Json left_out = rows_of(report, "left_out");
  ASSERT_EQ(left_out.size(), 1U);
  EXPECT_EQ(left_out[0]["solver"], "adam");
  EXPECT_EQ(left_out[0]["problem"], "staffing");
  EXPECT_EQ(rows_of(report, "comparison").size(), 3U);
}

// The budget of hotel-1 is 100 replications for 56 decision variables.
TEST(CompareSolvers, LeavesOutSolversWhoseFirstStepTakesMoreThanTheProblemsBudget) {
  const auto outcome = run(first_program, words("compare-solvers --solvers random-search,r-spline --problems hotel-1 "
                                                "--macroreplications 2 --post-replications 20 --bootstraps 5 "
                                                "--format json"));
  ASSERT_EQ(outcome.status, 0) << outcome.error;
  const Json report = Json::parse(outcome.out);
  const Json left_out = rows_of(report, "left_out");
  ASSERT_EQ(left_out.size(), 1U);
  EXPECT_EQ(left_out[0]["solver"], "r-spline");
  EXPECT_EQ(left_out[0]["needs"], "a larger budget than the problem's, 100, for its first step");
  EXPECT_EQ(rows_of(report, "comparison").size(), 1U);
}

TEST(CompareSolvers, DecisionsMayHaveNoBounds) {
  const Json report = compared("--solvers adam,frank-wolfe --problems example-1");
  ASSERT_EQ(rows_of(report, "comparison").size(), 1U);
  EXPECT_LT(rows_of(report, "comparison")[0]["gap_left"].get<double>(), 0.5);
  EXPECT_EQ(rows_of(report, "left_out")[0]["needs"], "finite bounds");
}

// A search that ignored the constraints would choose prevention at no stage.
TEST(CompareSolvers, WholeDecisionsAreSearchedUnderConstraints) {
  const Json report = compared("--solvers random-search,csa --problems contam-1");
  ASSERT_EQ(rows_of(report, "comparison").size(), 1U);
  const Json cell = rows_of(report, "comparison")[0];
  EXPECT_EQ(cell["solver"], "random-search");
  EXPECT_LT(cell["gap_left"], 0.5) << "four stages prevent, five in at most one of the runs";
  EXPECT_EQ(cell["feasible"], 1);
}

TEST(CompareSolvers, SeesFeasibilityUnderConstraints) {
  const Json report = compared("--solvers conex --problems san-2");
  EXPECT_EQ(rows_of(report, "curves").front()["feasible"], 0);  // the initial means of 8 are too long
  EXPECT_GE(rows_of(report, "comparison")[0]["feasible"].get<double>(), 0);
}

// Adding a second solver computes only that solver. The file and the numbers of the first one stay unchanged.
TEST(CompareSolvers, KeepsCellsAndGoesOnWithThem) {
  const Folder folder;
  const std::string keep = " --keep " + folder / "cells", file = folder / "cells/mm1.adam.json";
  const Json separate = compared("--solvers adam --problems mm1" + keep);
  const auto written = std::filesystem::last_write_time(file);
  const Json both = compared("--solvers adam,spsa --problems mm1" + keep);
  EXPECT_EQ(std::filesystem::last_write_time(file), written);
  EXPECT_EQ(rows_of(separate, "comparison")[0].dump(), rows_of(both, "comparison")[0].dump());
  EXPECT_EQ(lasting(compared("--solvers adam,spsa --problems mm1")), lasting(both));
  std::set<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "cells")) files.insert(entry.path().filename());
  EXPECT_EQ(files, (std::set<std::string>{"mm1.adam.json", "mm1.spsa.json"}));
}

TEST(CompareSolvers, RefusesCellsOfOtherExperimentsAndBrokenOnes) {
  const Folder folder;
  const std::string line = "compare-solvers --solvers adam --problems mm1 --keep " + folder / "cells" + small;
  const std::string file = folder / "cells/mm1.adam.json";
  ASSERT_EQ(run(first_program, words(line)).status, 0);
  expect_refusal(run(first_program, words(line + " --seed 2")),
                 "'" + file +
                     "' is from a comparison with seed 1, expected 2; use another folder in --keep, or remove the "
                     "file");
  std::ofstream(file) << "{\"cell\": 1";
  expect_refusal(run(first_program, words(line)), "'" + file + "' is not JSON: error at line 1, column 11");
}

// On mm1, longer first steps of Adam are better: the area decreases as the step grows from 0.02 to 1.
TEST(CompareSolvers, TellsWhatSettingsDo) {
  const Json report = compared("--solvers adam --problems mm1 --vary adam:step=0.02..1 --design-points 6");
  EXPECT_EQ(rows_of(report, "comparison").size(), 6U);
  const Json effects = rows_of(report, "effects");
  ASSERT_EQ(effects.size(), 1U);
  EXPECT_EQ(effects[0]["setting"], "step");
  EXPECT_LT(effects[0]["effect"].get<double>(), 0);
}

TEST(CompareSolvers, TellsWhatParametersOfAProblemDo) {
  const Json report = compared("--solvers adam,spsa --problems mm1 --vary mm1:arrival_rate=0.5..4 --design-points 4");
  EXPECT_EQ(rows_of(report, "comparison").size(), 8U);
  EXPECT_EQ(rows_of(report, "problems").size(), 4U);
  EXPECT_EQ(rows_of(report, "problems")[0]["known_by"], "best found");
  const Json effects = rows_of(report, "effects");
  ASSERT_EQ(effects.size(), 2U);
  EXPECT_EQ(effects[0]["problem"], "mm1");
  EXPECT_EQ(effects[0]["solver"], "adam");
  EXPECT_EQ(effects[0]["setting"], "arrival_rate");
  EXPECT_NE(effects[0]["effect"], effects[1]["effect"]);
}

class CompareSolversRefusal : public ::testing::TestWithParam<Refusal> {};

TEST_P(CompareSolversRefusal, SaysWhatWouldBeRight) {
  expect_refusal(sporos("compare-solvers " + GetParam().line), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    All, CompareSolversRefusal,
    ::testing::Values(
        Refusal{"", "no solvers are given, expected --solvers with names, or all"},
        Refusal{"--solvers adam", "no problems are given, expected --problems with names, or all"},
        Refusal{"--solvers adan --problems mm1", "unknown solver 'adan': did you mean 'adam'?"},
        Refusal{"--solvers adam --problems mm2",
                "unknown problem 'mm2': did you mean 'mm1'? (`sporos problems` lists the problems)"},
        Refusal{"--solvers adam,adam --problems mm1", "--solvers is 'adam,adam', expected 'adam' once"},
        Refusal{"--solvers adam,, --problems mm1", "--solvers is 'adam,,', expected names separated by commas"},
        Refusal{"--solvers adam:speed=1 --problems mm1",
                "--solvers is 'adam:speed=1', expected step=S, sample-size=N or starts=K after the colon"},
        Refusal{"--solvers adam --problems mm1 --vary adam:step=1..0.1",
                "--vary is 'adam:step=1..0.1', expected NAME:SETTING=LOW..HIGH, as in adam:step=0.1..10"},
        Refusal{"--solvers adam --problems mm1 --vary spsa:step=0.1..1",
                "--vary is 'spsa', expected one of --solvers or of --problems"},
        Refusal{"--solvers adam --problems mm1 --vary mm1:service_rate=1..2",
                "--vary is 'mm1:service_rate', expected a parameter of mm1 that is no decision variable"},
        Refusal{"--solvers adam --problems mm1 --design-points 9",
                "--design-points is given, expected it only with --vary"},
        Refusal{"--solvers adam --problems mm1 --reference spsa", "--reference is 'spsa', expected one of --solvers"},
        Refusal{"--solvers adam --problems mm1 --solved-below 1",
                "--solved-below is '1', expected a number between 0 and 1"},
        Refusal{"--solvers adam --problems mm1 --budget 1",
                "--budget of mm1 is 1, too small for the first step of adam, expected a larger budget"},
        Refusal{"--solvers adam --problems staffing",
                "no solver of --solvers fits a problem of --problems: adam on staffing needs decisions that are real "
                "numbers"}));

TEST(Problems, AreListedAndDescribed) {
  const auto table = sporos("problems");
  EXPECT_NE(table.out.find("san-1"), std::string::npos);
  const Json all = Json::parse(sporos("problems --format json").out);
  EXPECT_EQ(lines_of(sporos("problems --format csv").out), static_cast<std::ptrdiff_t>(all.size()) + 1);
  EXPECT_NE(sporos("describe san-1").out.find("optimum 18.0492706, exact"), std::string::npos);
}

}  // namespace compare_solvers_tests
}  // namespace sporos::test
