// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Extreme numbers in data and in every option that takes a number. A command gives a result or refuses the number in
// one line of its own words. No message of a library reaches the user.
#include "process.hpp"

#include <harness/environment_variable.hpp>
#include <harness/folder.hpp>
#include <harness/long_tests.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace sporos::test {
namespace extreme_numbers_tests {

const std::vector<std::string> extreme_numbers{
    "0",    "-1", "1e-300", "1e300", "1000000000000", "9007199254740993", "9223372036854775807", "0.9999999999999999",
    "1e-17"};

const std::string breast_cancer = SPOROS_SAMPLE_DATA "/breast_cancer.csv";
const std::string queue = "mm1 --customers 30 ", systems = "--over arrival-rate=0.5,0.6,0.7 --smallest time-in-queue ";

// Short command lines with the options that they require.
std::vector<std::string> command_lines() {
  std::vector<std::string> lines{
      "simulate " + queue + "--replications 64",
      "simulate " + queue + "--service-rate 1,2 --replications 64 --compare time-in-queue",
      "simulate " + queue + "--precision 0.5",
      "steady-state mm1 --observations 16384",
      "sensitivity " + queue + "--uncertain service-rate=1:2 --base-points 64 --replications 2",
      "optimize " + queue + "--over service-rate=1:3 --minimize time-in-queue --budget 500",
      "optimize portfolio --replications 500 --epochs 2",
      "optimize newsvendor --replications 500 --epochs 2",
      "optimize classification " + breast_cancer + " --iterations 20 --test-share 0",
      "simulate radiation --case " SPOROS_SAMPLE_DATA "/flame.json --photons 100",
      "fit " SPOROS_SAMPLE_DATA "/galaxies.csv --components 1:2 --starts 2 --bootstrap 3",
      "compare-solvers --solvers adam --problems mm1 --macroreplications 2 --budget 100 "
      "--post-replications 10 --bootstraps 5 --vary adam:step=0.1..10 --design-points 3",
      "calibrate --engine ranlux24-0 --consumers 2 --draws 4000 --rounds 1 --work 5 --memory 8",
      "sample sobol --points 4 --dimensions 2"};
  for (const std::string procedure :
       {"gsp --delta 5", "rinott --delta 5", "kn --delta 5", "kn++ --delta 5", "biz --delta 5", "kt --delta 5",
        "bi-pass", "subset", "standard --delta 5 --standard 3", "ocba --budget 3000", "fbkt --budget 3000",
        "constrained-kn --delta 5 --subject-to idle-time<=100 --tolerance 5"}) {
    lines.push_back("select " + queue + systems + "--procedure " + procedure);
  }
  return lines;
}

// Options whose values are numbers according to the help.
std::vector<std::string> number_options(const std::string& line) {
  const std::string help = run(first_program, words(line + " --help-all")).out;
  const std::regex option("\n +(--[a-z-]+) (WHOLE|NUMBER|[A-Z]|SECONDS|MEAN|MIB|NS)\\b");
  std::vector<std::string> options;
  for (std::sregex_iterator found(help.begin(), help.end(), option), end; found != end; ++found) {
    options.push_back((*found)[1]);
  }
  EXPECT_FALSE(options.empty()) << line;
  return options;
}

// Runs a command with little memory and time. A command that exceeds the time is still computing, which is no error.
Outcome bounded(std::vector<std::string> line, const std::string& option, const std::string& value) {
  const auto given = std::find(line.begin(), line.end(), option);
  if (given != line.end()) line.erase(given, given + 2);
  line.insert(line.begin(), {"-c", "ulimit -v 8000000; exec timeout 2 \"$0\" \"$@\"", path_of(first_program)});
  line.push_back(option + "=" + value);
  return run("/bin/bash", line);
}

void expect_own_words(const Outcome& outcome, const std::string& what) {
  static const std::regex foreign(
      "boost|std::|bad_alloc|basic_string|vector::|terminate|Error in function|Evaluation of|Assert|Kokkos::|muParser");
  constexpr int took_too_long = 124;
  EXPECT_EQ(outcome.signal, 0) << what;
  if (outcome.status == took_too_long) return;
  EXPECT_LE(outcome.status, 2) << what << ": " << outcome.error;
  EXPECT_FALSE(std::regex_search(outcome.error, foreign)) << what << ": " << outcome.error;
  if (outcome.status == 0) return;
  EXPECT_TRUE(outcome.error.starts_with("sporos")) << what << ": " << outcome.error;
  EXPECT_EQ(lines_of(outcome.error), 1) << what << ": " << outcome.error;
}

TEST(ExtremeNumbers, AreTakenOrRefusedInTheProgramsOwnWords) {
  if (!are_tests_long()) GTEST_SKIP() << "thousands of commands";
  const Folder folder;
  const EnvironmentVariable cache("SPOROS_CACHE", folder.path());  // `calibrate` stores constants there
  std::set<std::string> tried;
  for (const std::string& line : command_lines()) {
    for (const std::string& option : number_options(line)) {
      const bool is_selection = line.starts_with("select");  // its options differ in meaning by procedure
      const auto line_words = words(line);
      if (!tried.insert(line_words[0] + line_words[1] + option + (is_selection ? line : "")).second) continue;
      for (const std::string& value : extreme_numbers) {
        expect_own_words(bounded(words(line), option, value), line + " " + option + " " + value);
      }
    }
  }
}

TEST(ExtremeNumbers, InDataAreTakenOrRefusedInTheProgramsOwnWords) {
  if (!are_tests_long()) GTEST_SKIP() << "a hundred commands";
  const Folder folder;
  const std::string model = folder / "model.json", program = first_program;
  ASSERT_EQ(
      sporos("optimize classification " + breast_cancer + " --optimizer lbfgs --test-share 0 --model " + model).status,
      0);
  std::istringstream rows(contents_of(breast_cancer));
  std::string names, first, second;
  std::getline(std::getline(std::getline(rows, names), first), second);
  const std::string rest = second.substr(second.find(','));
  std::vector<std::string> values = extreme_numbers;
  values.insert(values.end(), {"-1e300", "1.7976931348623157e308", "5e-324", "1e400", "inf", "nan"});
  for (const std::string& value : values) {
    const std::string sample = folder.write("sample.csv", "x\n1\n2\n2.5\n3\n3.5\n4\n6\n7\n" + value + "\n");
    expect_own_words(run(program, words("fit " + sample + " --components 1:2 --starts 2")), "fit " + value);
    const std::string data = folder.write("rows.csv", names + '\n' + first + '\n' + value + rest + '\n');
    expect_own_words(run(program, words("predict " + model + ' ' + data)), "predict " + value);
  }
}

// Calls that failed in earlier versions.
TEST(ExtremeNumbers, ThatWereFoundAreRefusedOrTaken) {
  const std::string selection = "select " + queue +
                                "--over arrival-rate=0.5,0.5000001,0.500000001 --smallest time-in-queue --delta 1e-10 "
                                "--procedure ";
  for (const std::string procedure : {"gsp", "rinott"}) {
    const Outcome outcome = run(first_program, words(selection + procedure));
    EXPECT_EQ(outcome.status, 2) << procedure;
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(outcome.error.starts_with("sporos: replications of the next stage: ")) << outcome.error;
    EXPECT_NE(outcome.error.find(" are needed, expected at most 9007199254740992: raise delta"), std::string::npos);
  }
  const std::string certain = " --confidence 0.9999999999999999";
  for (const std::string method : {"skart", "batch-means", "spectral", "regenerative"}) {
    EXPECT_EQ(sporos("steady-state mm1 --observations 16384 --method " + method + certain).status, 0) << method;
  }
  const Outcome together = sporos("simulate " + queue + "--replications 20 --simultaneous bonferroni" + certain);
  EXPECT_EQ(together.error,
            "sporos: confidence is so close to 1 that simultaneous intervals would each require 1: use a smaller "
            "confidence\n");
  const std::string coarse = "select " + queue + systems + "--delta 5 --procedure ";
  for (const std::string& line : {coarse + "gsp", coarse + "rinott", coarse + "kn", coarse + "biz"}) {
    expect_own_words(bounded(words(line + " --time-limit 0.2"), "--first-stage", "1000000000000"), line);
  }
}

}  // namespace extreme_numbers_tests
}  // namespace sporos::test
