// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `sporos sensitivity` and `sporos input-uncertainty`.
#include "harness/folder.hpp"
#include "process.hpp"
#include "refusal.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <string>

namespace sporos::test {
namespace sensitivity_tests {

using Json = nlohmann::ordered_json;

Json result_of(const std::string& program, const std::string& line) {
  const Outcome outcome = run(program, words(line + " --format json"));
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  Json result = Json::parse(outcome.out);
  for (const auto* name : {"machine", "seconds"}) result.erase(name);
  return result;
}

const Json& rows_of(const Json& result, const std::string& table) { return result.at("tables").at(table).at("rows"); }

// File with the observations 1 and 3 in turn, 100 of each. Their rate is 1/2.
std::string data_in(const Folder& folder) {
  const std::string path = folder / "gaps.csv";
  std::ofstream file(path);
  file << "gap\n";
  for (int i = 0; i < 200; ++i) file << (i % 2 == 0 ? "1\n" : "3\n");
  return path;
}

// The time in system of a single customer is exponential with mean 1 / service rate, whatever the arrivals.
TEST(Sensitivity, IsThatOfTheServiceAlone) {
  const std::string line =
      "sensitivity mm1 --customers 1 --uncertain arrival_rate=0.3:0.7 --uncertain service_rate=uniform(0.5,1.5) "
      "--base-points 256";
  const Json result = result_of(first_program, line);
  const Json &stay = rows_of(result, "means")[1], &indices = rows_of(result, "indices");
  EXPECT_EQ(stay["response"], "time in system");
  // E 1/μ = ln 3 and E 1/μ² = 4/3.
  const double mean = std::log(3.0), variance = 4.0 / 3 - mean * mean;
  EXPECT_NEAR(stay["mean"].get<double>(), mean, 0.05);
  EXPECT_NEAR(std::pow(stay["deviation"].get<double>(), 2), variance, 0.3 * variance);
  for (const char* index : {"first", "total"}) {
    const std::string width = std::string(index) + "_half_width";
    const Json &arrivals = indices[2], &services = indices[3];  // indices of the second response
    EXPECT_NEAR(arrivals[index].get<double>(), 0, 2 * arrivals[width].get<double>());
    EXPECT_NEAR(services[index].get<double>(), 1, 2 * services[width].get<double>());
  }
  EXPECT_EQ(result["settings"]["design_points"], 1024);
  for (const std::string& program : programs()) EXPECT_EQ(result_of(program, line), result);
}

TEST(EstimatedInputs, SetTheParameterInEveryCommand) {
  const Folder folder;
  const std::string input = " --input arrival_rate=rate(" + data_in(folder) + ")";
  for (const std::string line :
       {"simulate mm1 --customers 10 --replications 8", "replay mm1 --customers 10 --replication 3",
        "compare-samplings mm1 --customers 10 --replications 8 --samplings random",
        "steady-state mm1 --observations 16384", "sensitivity mm1 --customers 1 --uncertain service_rate=0.5:1.5",
        "stratify mm1 --customers 10 --strata 1:4 --replications 64",
        "select mm1 --customers 10 --over service_rate=1,2 --smallest time_in_queue --delta 1",
        "optimize mm1 --customers 10 --over service_rate=0.6:3 --minimize time_in_system --plus service_rate "
        "--replications 2000"}) {
    SCOPED_TRACE(line);
    const auto first_table = [](const Json& result) { return result["tables"].begin().value(); };  // has no times
    const Json estimated = result_of(first_program, line + input);
    EXPECT_EQ(first_table(estimated), first_table(result_of(first_program, line + " --arrival-rate 0.5")));
    EXPECT_NE(first_table(estimated), first_table(result_of(first_program, line + " --arrival-rate 0.25")))
        << "control";
    EXPECT_NE(estimated["notes"].dump().find("arrival_rate is 0.5, estimated by rate("), std::string::npos);
  }
}

TEST(EstimatedInputs, AreRefusedInOneLine) {
  const Folder folder;
  const std::string path = data_in(folder), text = "arrival_rate=rate(" + path + ")";
  for (const std::string command :
       {"simulate mm1 ", "select mm1 --over service_rate=1,2 --smallest time_in_queue --delta 1 ",
        "optimize mm1 --over service_rate=0.6:3 --minimize time_in_system "}) {
    SCOPED_TRACE(command);
    const std::string line = command + "--input " + text;
    expect_refusal(run(first_program, words(line + " --arrival-rate 0.5")),
                   "--arrival-rate is given, and so is --input '" + text + "': expected one of them");
    expect_refusal(run(first_program, words(line + " --input " + text)), "--input arrival-rate is given twice");
    expect_refusal(run(first_program, words(line + " --output " + path)),
                   "--output is '" + path + "', which --input arrival-rate reads: expected another file");
    expect_refusal(run(first_program, words(command + "--input customers=mean(" + path + ")")),
                   "--input is 'customers=mean(" + path +
                       ")', and customers is a whole number: expected a parameter that is a real number");
  }
}

TEST(Sensitivity, OfDataCountsBothParts) {
  const Folder folder;
  const std::string line =
      "input-uncertainty mm1 --customers 1 --input service_rate=rate(" + data_in(folder) + ",gap) --outer-samples 400";
  const Json result = result_of(first_program, line);
  const Json& input = rows_of(result, "inputs")[0];
  EXPECT_EQ(input["observations"], 200);
  EXPECT_EQ(input["estimate"], 0.5);
  const Json& stay = rows_of(result, "means")[1];
  EXPECT_LT(stay["low"].get<double>(), 2);
  EXPECT_GT(stay["high"].get<double>(), 2);
  EXPECT_FALSE(result["tables"].contains("indices"));
  EXPECT_EQ(result["settings"]["design_points"], 400);
  for (const std::string& program : programs()) EXPECT_EQ(result_of(program, line), result);
  EXPECT_NE(result_of(first_program, line + " --input-sampling posterior"), result);
  const Outcome table = run("sporos", words(line));
  EXPECT_NE(table.out.find("simulation half-width"), std::string::npos) << table.out;
  const Outcome csv = run("sporos", words(line + " --format csv"));
  EXPECT_EQ(csv.out.substr(0, csv.out.find('\n')),
            "response,mean,low,high,half_width,input_deviation,simulation_deviation,simulation_half_width,ratio,"
            "ratio_low,ratio_high,stopped_by");
}

TEST(Sensitivity, RefusesObservationsThatMakeNoRate) {
  const Folder folder;
  const std::string path = folder / "gaps.csv";
  std::ofstream(path) << "gap\n1\n-2\n";
  expect_refusal(run("sporos", words("input-uncertainty mm1 --input service_rate=rate(" + path + ")")),
                 path + ": observation 2 is -2, expected a positive number, for a rate");
  std::ofstream(path) << "gap\n";
  expect_refusal(run("sporos", words("input-uncertainty mm1 --input service_rate=rate(" + path + ")")),
                 path + ": no row follows the names, expected one for each observation");
  data_in(folder);
  expect_refusal(
      run("sporos", words("input-uncertainty mm1 --outer-samples 1 --input service_rate=rate(" + path + ")")),
      "--outer-samples is 1, expected an even number of at least 40");
  expect_refusal(
      run("sporos", words("input-uncertainty mm1 --output " + path + " --input service_rate=rate(" + path + ")")),
      "--output is '" + path + "', which --input service-rate reads: expected another file");
}

class SensitivityRefusals : public ::testing::TestWithParam<Refusal> {};

TEST_P(SensitivityRefusals, AreOneLine) { expect_refusal(run("sporos", words(GetParam().line)), GetParam().message); }

INSTANTIATE_TEST_SUITE_P(
    All, SensitivityRefusals,
    ::testing::Values(
        Refusal{"sensitivity mm1 --uncertain arrival_rate=0.9:0.5",
                "--uncertain is 'arrival_rate=0.9:0.5', expected NAME=LOW:HIGH with LOW below HIGH"},
        Refusal{"sensitivity mm1 --uncertain customers=0.5:3",
                "--uncertain is 'customers=0.5:3', expected NAME=LOW:HIGH with whole LOW below HIGH"},
        Refusal{"sensitivity mm1 --uncertain arival_rate=0.5:0.9",
                "--uncertain is 'arival_rate=0.5:0.9', and 'arival_rate' is no parameter of mm1: did you mean "
                "'arrival-rate'?"},
        Refusal{"sensitivity mm1 --uncertain arrival_rate=0.5:0.9 --uncertain arrival-rate=0.5:0.8",
                "--uncertain arrival-rate is given twice"},
        Refusal{"sensitivity mm1 --uncertain arrival_rate=0.5:0.9 --arrival-rate 0.5",
                "--arrival-rate is given, and so is --uncertain 'arrival_rate=0.5:0.9': expected one of them"},
        Refusal{"sensitivity mm1 --base-points 16",
                "--uncertain is not given: expected it for each parameter that is uncertain"},
        Refusal{"input-uncertainty mm1 --outer-samples 40",
                "--input is not given: expected it for each parameter that is estimated from data"},
        Refusal{"sensitivity mm1 --uncertain arrival_rate=0.5:0.9 --base-points 17",
                "base points is 17, expected a multiple of 16, the number of sets of Sobol's points"},
        Refusal{"sensitivity mm1 --uncertain arrival_rate=0.5:0.9 --replications 1",
                "replications is 1, expected at least 2 observations at each design point, to estimate the noise"},
        Refusal{"input-uncertainty mm1 --input arrival_rate=rte(x.csv)",
                "unknown statistic 'rte': expected one of mean, rate, deviation, probability"},
        Refusal{"input-uncertainty mm1 --input arrival_rate=gaps.csv",
                "--input is 'arrival_rate=gaps.csv', expected NAME=STATISTIC(FILE), as in arrival-rate=rate(gaps.csv)"},
        Refusal{"sensitivity mm1 --uncertain arrival_rate", "--uncertain is 'arrival_rate', expected NAME=LOW:HIGH"},
        Refusal{"sensitivity mm1 --uncertain arrival_rate=normal(1)",
                "--uncertain is 'arrival_rate=normal(1)': number of parameters is 1, expected normal(mean, "
                "deviation)"}));

}  // namespace sensitivity_tests
}  // namespace sporos::test
