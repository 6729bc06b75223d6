// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `sporos select`: selection of the best of many systems of a model.
#include "kept.hpp"
#include "process.hpp"
#include "refusal.hpp"
#include "select_results.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <string>

namespace sporos::test {
namespace select_tests {

using Json = nlohmann::ordered_json;

const std::string& lines = some_lines;
const std::string largest = lines + "--largest throughput --delta 0.2 ";

TEST(Select, FindsTheBestLine) {
  for (const std::string procedure : {"gsp", "rinott", "kn", "kn++", "biz", "kt", "standard --standard 1"}) {
    const Json result = selection_by(first_program, largest + "--procedure " + procedure);
    EXPECT_EQ(result["settings"]["systems"], 105);
    EXPECT_EQ(result["stopped_by"], "guarantee");
    const Json best = selected_by(result);
    EXPECT_EQ(best["rate_1"].get<int>() + best["rate_2"].get<int>() + best["rate_3"].get<int>(), 8) << procedure;
    for (const auto* rate : {"rate_1", "rate_2", "rate_3"}) {
      EXPECT_GE(best[rate].get<int>(), 2) << procedure;
      EXPECT_LE(best[rate].get<int>(), 3) << procedure;
    }
    EXPECT_NE(result["findings"]["guarantee"], Json());
    EXPECT_GE(result["findings"]["replications"], 105 * 20);
    EXPECT_EQ(rows_of(result, "stages").back()["replications"], result["findings"]["replications"]);
  }
}

TEST(Select, FindsTheSmallest) {
  const Json result = selection_by(first_program, lines + "--smallest time-per-job --delta 0.05");
  EXPECT_EQ(result["settings"]["best"], "smallest");
  EXPECT_GT(selected_by(result)["mean"].get<double>(), 0.3);
  EXPECT_LT(selected_by(result)["mean"].get<double>(), 0.6);
}

TEST(Select, HasTheSameBytesOnAllBackends) {
  const std::string coarse = lines + "--largest throughput --delta 0.4 ";
  for (const std::string procedure : {"gsp", "kt --common-random-numbers on", "bi-pass --max-replications 50", "biz",
                                      "subset", "ocba --budget 4000", "fbkt --budget 4000"}) {
    const Json first = without_machine(selection_by(first_program, coarse + "--procedure " + procedure));
    for (const std::string& program : programs()) {
      if (program == first_program) continue;
      EXPECT_EQ(without_machine(selection_by(program, coarse + "--procedure " + procedure)), first) << program;
    }
    EXPECT_NE(without_machine(selection_by(first_program, coarse + "--seed 2 --procedure " + procedure)), first);
  }
}

TEST(Select, WritesSurvivors) {
  const Outcome outcome = run(first_program, words(largest + "--procedure bi-pass --max-replications 20 --format csv"));
  const Json result = selection_by(first_program, largest + "--procedure bi-pass --max-replications 20");
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 1 + result["findings"]["survivors"].get<int>());
  EXPECT_EQ(outcome.out.substr(0, outcome.out.find('\n')),
            "system,rate_1,rate_2,rate_3,buffer_2,buffer_3,mean,half_width,low,high,replications,stopped_by");
  EXPECT_EQ(rows_of(result, "survivors").size(), result["findings"]["survivors"]);
  EXPECT_EQ(without_machine(
                selection_by(first_program, lines + "--largest throughput --procedure bi-pass --max-replications 20")),
            without_machine(result))
      << "delta is not used";
}

TEST(Select, TellsWhatItGuarantees) {
  const std::string text = run(first_program, words(largest)).out;
  EXPECT_NE(text.find("\nguarantee "), std::string::npos) << text;
  EXPECT_NE(text.find(" with probability 95 % no other mean is better by more than 0.2"), std::string::npos);
  EXPECT_NE(
      text.find("Systems are compared by the mean of throughput over replications, which is not the ratio of means"),
      std::string::npos);
  const std::string last = text.substr(text.rfind('\n', text.size() - 2) + 1);
  EXPECT_NE(text.find("replications of all systems"), std::string::npos) << text;
  EXPECT_NE(last.find(" s on " + std::string(first_program).substr(7)), std::string::npos) << last;
}

TEST(Select, DividesABudget) {
  for (const std::string procedure : {"ocba", "fbkt"}) {
    const std::string line = largest + "--budget 5000 --procedure " + procedure;
    const Json result = selection_by(first_program, line);
    EXPECT_EQ(result["stopped_by"], "budget");
    EXPECT_EQ(result["findings"]["guarantee"], Json());
    EXPECT_EQ(result["settings"]["budget"], 5000);
    EXPECT_LE(result["findings"]["replications"], 5000);
    EXPECT_GT(result["findings"]["replications"], 5000 - 105);
    EXPECT_EQ(result["findings"]["estimated_correct_selection"].is_number(), procedure == "ocba");
    const std::string text = run(first_program, words(line)).out;
    EXPECT_NE(text.find("There is no guarantee: the procedure allocates a budget of 5000 replications.\n"),
              std::string::npos)
        << text;
    EXPECT_EQ(text.find("estimated probability") != std::string::npos, procedure == "ocba") << text;
  }
}

TEST(Select, ComparesWithAStandard) {
  const std::string smallest = lines + "--smallest time-per-job --delta 0.05 --procedure standard --standard ";
  for (const std::string& line : {largest + "--procedure standard --standard 9", smallest + "0.01"}) {
    const Json none = selection_by(first_program, line);
    EXPECT_EQ(none["findings"]["survivors"], 0);
    EXPECT_EQ(selected_by(none), Json());
    EXPECT_EQ(none["stopped_by"], "guarantee");
    const std::string text = run(first_program, words(line)).out;
    EXPECT_NE(text.find("No system is better: the standard is retained.\n"), std::string::npos) << text;
    EXPECT_TRUE(none["findings"]["guarantee"].get<std::string>().starts_with("with probability 95 % ")) << none;
  }
  const Json some = selection_by(first_program, smallest + "1");
  EXPECT_EQ(some["findings"]["survivors"], 1);
  EXPECT_EQ(some["settings"]["standard"], 1);
}

TEST(Select, EndsWithItsTime) {
  const Json result =
      selection_by(first_program, lines + "--largest throughput --delta 0.0001 --procedure rinott --time-limit 1");
  EXPECT_EQ(result["stopped_by"], "time limit");
  EXPECT_EQ(result["findings"]["guarantee"], Json());
}

TEST(Select, NeedsNoDeltaWhereItUsesNone) {
  const Json result = selection_by(first_program, lines + "--largest throughput --procedure bi-pass");
  EXPECT_EQ(result["settings"]["delta"], Json());
  EXPECT_EQ(result["stopped_by"], "guarantee");
}

// A signal stops the run once there is a checkpoint. Another backend continues the run.
TEST(Select, GoesOnFromItsCheckpoint) {
  const Folder folder;
  const std::string line = lines + "--largest throughput --delta 0.025 --procedure rinott --format json",
                    state = folder / "state";
  const Json expected = without_machine(Json::parse(run(first_program, words(line)).out));
  Process process(first_program, words(line + " --every 0 --checkpoint " + state));
  process.wait_for_file(state);
  process.send(SIGTERM);
  const Outcome stopped = process.wait();
  EXPECT_EQ(stopped.status, 128 + SIGTERM) << stopped.error;
  EXPECT_NE(stopped.error.find(" replications, whose results are written; the checkpoint is '" + state + "'\n"),
            std::string::npos)
      << stopped.error;
  const Json part = Json::parse(stopped.out);
  EXPECT_EQ(part["findings"]["guarantee"], Json());
  EXPECT_LT(part["findings"]["replications"].get<int>(), expected["findings"]["replications"].get<int>());
  ASSERT_TRUE(std::filesystem::exists(state));
  expect_refusal(run(first_program, words(line + " --seed 2 --checkpoint " + state)),
                 "'" + state + "' is the checkpoint of another run: options.seed is missing in it, expected '2'");
  const Outcome whole = run(programs().back(), words(line + " --checkpoint " + state));
  EXPECT_EQ(whole.status, 0) << whole.error;
  EXPECT_EQ(without_machine(Json::parse(whole.out)), expected);
  EXPECT_FALSE(std::filesystem::exists(state));
}

// Results that cannot be written are in the checkpoint, so that nothing is computed twice.
TEST(Select, KeepsWhatItCannotWrite) {
  const Folder folder;
  const std::string line = largest + "--procedure kt --format csv", state = folder / "state";
  const std::string expected = run(first_program, words(line)).out;
  const Outcome failed = run(first_program, words(line + " --checkpoint " + state), "/dev/full");
  EXPECT_EQ(failed.status, 2) << failed.error;
  ASSERT_TRUE(std::filesystem::exists(state)) << failed.error;
  EXPECT_EQ(run(first_program, words(line + " --checkpoint " + state)).out, expected);
  EXPECT_FALSE(std::filesystem::exists(state));
}

TEST(Select, TellsATerminalHowFarItIs) {
  std::string screen;
  const std::string line = lines + "--largest throughput --delta 0.0001 --procedure rinott";
  EXPECT_EQ(interrupted_on_terminal(words(line), screen), 128 + SIGINT);
  for (const auto* part : {"tandem-line, after first stage: 105 survivors, ", "/s, at least ", " left"}) {
    EXPECT_NE(screen.find(part), std::string::npos) << screen;
  }
}

class BadSelection : public ::testing::TestWithParam<Refusal> {};

TEST_P(BadSelection, IsRefused) { expect_refusal(run(first_program, words(GetParam().line)), GetParam().message); }

INSTANTIATE_TEST_SUITE_P(
    Select, BadSelection,
    ::testing::Values(
        Refusal{"select",
                "no model is given: expected sporos select MODEL --over NAME=VALUES --largest RESPONSE --delta "
                "D [OPTION...]; `sporos select --help` lists the models"},
        Refusal{"select pert", "pert has a parameter that names a file, expected a model with numeric parameters only"},
        Refusal{"select mm1", "expected --largest or --smallest with a response"},
        Refusal{"select mm1 --largest time_in_queue --smallest time_in_queue",
                "--largest and --smallest are given, expected one of them"},
        Refusal{"select mm1 --largest time",
                "--largest is 'time', expected a response: time in queue, time in system, idle time, queue length"},
        Refusal{"select mmck --largest utilization --servers 2:4",
                "--servers is '2:4', expected one value; --over varies a parameter"},
        Refusal{"select mm1 --largest idle_time",
                "systems do not differ, expected --over NAME=VALUES or --design FILE"},
        Refusal{"select mm1 --largest idle_time --over service-rate",
                "--over is 'service-rate', expected NAME=VALUES, as in arrival-rate=1:10"},
        Refusal{"select mm1 --largest idle_time --over service-rate=",
                "--over is 'service-rate=', expected NAME=VALUES, as in arrival-rate=1:10"},
        Refusal{"select mm1 --largest idle_time --over service-rat=1:2",
                "--over is 'service-rat=1:2', and 'service-rat' is no parameter of mm1: did you mean 'service-rate'?"},
        Refusal{
            "select mm1 --largest idle_time --over service-rate=2:1",
            "--service-rate is '2:1', expected FIRST:LAST or FIRST:LAST:STEP with FIRST at most LAST and a positive "
            "STEP"},
        Refusal{"select mm1 --largest idle_time --over service-rate=1,1 --delta 1", "service_rate takes a value twice"},
        Refusal{"select mm1 --largest idle_time --over service-rate=1 --delta 1",
                "number of systems is 1, expected at least 2"},
        Refusal{"select mm1 --largest idle_time --over service-rate=1:2 --service-rate 3 --delta 1",
                "--service-rate is given, and so is --over service-rate: expected one of them"},
        Refusal{"select mm1 --largest idle_time --over service-rate=1:2",
                "procedure gsp requires the smallest difference worth detecting: expected --delta"},
        Refusal{"select mm1 --largest idle_time --over service-rate=1:2 --delta 0",
                "--delta is '0', expected a positive finite number"},
        Refusal{"select mm1 --largest idle_time --over service-rate=1:2 --delta -1",
                "--delta is '-1', expected a positive finite number"},
        Refusal{"select mm1 --largest idle_time --over service-rate=1:2 --delta 1 --confidence 1",
                "confidence is 1, expected a number between 1 / 2 and 1"},
        Refusal{"select mm1 --largest idle_time --over service-rate=1:2 --procedure ocba",
                "procedure ocba requires a budget of replications: expected --budget"},
        Refusal{"select mm1 --largest idle_time --over service-rate=1:2 --procedure fbkt --budget 30",
                "budget is 30, expected at least 38, 19 replications of each system"},
        Refusal{"select mm1 --largest idle_time --over service-rate=1:2 --procedure fbkt --budget 0",
                "--budget is '0', expected a whole number from 1 to 9223372036854775807"},
        Refusal{"select mm1 --largest idle_time --over service-rate=1:2 --procedure fbkt --budget 90 --phi 1",
                "--phi is '1', expected a finite number of at least 2"},
        Refusal{"select mm1 --largest idle_time --over service-rate=1:2 --procedure standard --delta 1",
                "procedure standard requires a known mean to compare with: expected --standard"},
        Refusal{"select mm1 --largest idle_time --over service-rate=1:2 --procedure standard --delta 1 --standard inf",
                "--standard is 'inf', expected a finite number"},
        Refusal{"select mm1 --largest idle_time --over service-rate=1:2 --procedure biz --delta 1 "
                "--common-random-numbers on",
                "procedure biz is for independent systems, expected no common random numbers"},
        Refusal{"select mm1 --largest idle_time --over service-rate=1:2 --delta 1 --procedure gps",
                "unknown procedure 'gps': did you mean 'gsp'?"},
        Refusal{"select mm1 --largest idle_time --over service-rate=1:2 --delta 1 --common-random-numbers on",
                "procedure gsp is for independent systems, expected no common random numbers"},
        Refusal{"select mm1 --largest idle_time --over service-rate=1:2 --delta 1 --sum service-rate=3",
                "--sum is 'service-rate=3', expected NAME+NAME=TOTAL with a whole TOTAL"},
        Refusal{"select mm1 --largest idle_time --over service-rate=1:2 --delta 1 --sum service-rate+customers=3",
                "a sum has customers, which is the same in all systems"},
        Refusal{"select mm1 --largest idle_time --over service-rate=1:90000 --over arrival-rate=1:90000 --over "
                "customers=1:90000 --delta 1",
                "there are more than 2^40 systems, expected at most 1099511627776"},
        Refusal{"select mmck --smallest mean_wait --over servers=6:9 --delta 1",
                "capacity is 5, expected at least the 6 servers, in system 1"},
        Refusal{"select mmck --smallest mean_wait*utilization --over servers=1:3 --delta 1",
                "--smallest is 'mean_wait*utilization', expected a weighted sum of responses: the mean of any other "
                "expression is not the expression of the means"},
        Refusal{"select mmck --smallest 3*servers --over servers=1:3 --delta 1",
                "--smallest is '3*servers', which contains no response and requires no simulation: add "
                "--subject-to with a response, or compare the values of the systems by hand"},
        Refusal{"select mmck --largest servers --over servers=1:3 --delta 1",
                "--largest is 'servers', which contains no response and requires no simulation: add "
                "--subject-to with a response, or compare the values of the systems by hand"},
        Refusal{"select mmck --smallest mean_wait --over servers=1:3 --design /nowhere.csv --delta 1",
                "--design and --over are given: expected one of them"}));

// An error that appears only during the run gives one line, exit status 1 and no output.
TEST(Select, NamesSystemsWithConstantResponses) {
  const Outcome outcome =
      run(first_program, words("select mmck --smallest mean_wait --over capacity=3 --over servers=3 --over "
                               "arrival-rate=1:3 --delta 1 --customers 100"));
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.error,
            "sporos: all 3 systems are left out, system 1 since its 50 responses of the first stage are all equal, so "
            "their variance is unknown: use a longer first stage (--first-stage)\n");
}

// With 12 servers no customer is lost, so that the variance is unknown. Every procedure that uses variances compares
// the other systems nevertheless.
TEST(Select, GoesOnWithoutSystemsOfUnknownVariance) {
  const std::string line =
      "select mmck --over servers=2,3,4,12 --capacity 40 --arrival-rate 2 --customers 200 --smallest '3*servers + "
      "100*blocking probability' --procedure ";
  for (const std::string procedure : {"gsp --delta 0.3", "rinott --delta 0.3", "kn --delta 0.3", "kn++ --delta 0.3",
                                      "biz --delta 0.3", "kt --delta 0.3", "subset", "ocba --budget 2000"}) {
    const auto found = selection_by(first_program, line + procedure);
    ASSERT_GE(rows_of(found, "failed").size(), 1U) << procedure;
    const auto& last = rows_of(found, "failed").back();
    EXPECT_EQ(last["servers"], 12) << procedure;
    EXPECT_EQ(last["failures"], 0) << procedure;
    EXPECT_NE(last["reason"].get<std::string>().find("are all equal, so their variance is unknown"), std::string::npos)
        << procedure;
    EXPECT_EQ(selected_by(found)["servers"], 2) << procedure;
    if (!found["findings"]["guarantee"].is_null()) {
      EXPECT_NE(found["findings"]["guarantee"].get<std::string>().find("of unknown variance"), std::string::npos);
    }
  }
}

// With 12 servers, the constraint does not vary.
TEST(Select, GoesOnWithoutSystemsOfUnknownVarianceOfAConstraint) {
  const auto found = selection_by(
      first_program,
      "select mmck --over servers=2,3,12 --capacity 12 --arrival-rate 2 --customers 200 --smallest 'utilization' "
      "--delta 0.05 --subject-to 'blocking probability <= 0.05' --tolerance 0.02");
  ASSERT_EQ(rows_of(found, "failed").size(), 1U);
  EXPECT_EQ(rows_of(found, "failed")[0]["servers"], 12);
  EXPECT_NE(rows_of(found, "failed")[0]["reason"].get<std::string>().find("values of constraint 1"), std::string::npos);
  EXPECT_EQ(selected_by(found)["servers"], 3);
}

}  // namespace select_tests
}  // namespace sporos::test
