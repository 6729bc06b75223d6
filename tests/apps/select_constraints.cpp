// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `sporos select --subject-to`: selection of the best of the systems that satisfy constraints.
#include "kept.hpp"
#include "process.hpp"
#include "refusal.hpp"
#include "select_results.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <filesystem>
#include <string>

namespace sporos::test {
namespace select_constraints_tests {

using Json = nlohmann::ordered_json;

const std::string lines = some_lines + "--smallest 'time per job' --delta 0.02 ";
const std::string at_most = "--subject-to 'work in process <= 3' --tolerance 0.2 ";

// Expression that the first constraint compares with its limit.
Json compared_by(const Json& result) { return rows_of(result, "constraints")[0]["compared"]; }

TEST(ConstrainedSelect, FindsALineThatMeetsIt) {
  const Json free = selection_by(first_program, lines + "--procedure kn");
  EXPECT_EQ(rows_of(free, "constraints"), Json::array());
  const Json result = selection_by(first_program, lines + at_most);
  EXPECT_EQ(result["settings"]["procedure"], "constrained-kn");
  EXPECT_EQ(result["stopped_by"], "guarantee");
  EXPECT_EQ(result["findings"]["survivors"], 1);
  const Json reported = {{"constraint", "work in process <= 3"},
                         {"compared", "work in process"},
                         {"sense", "at most"},
                         {"limit", 3.0},
                         {"tolerance", 0.2}};
  EXPECT_EQ(rows_of(result, "constraints"), Json::array({reported}));
  const Json best = selected_by(result);
  EXPECT_EQ(compared_by(result), "work in process");
  EXPECT_LT(best["constraint_1"], 3.2);
  EXPECT_GT(best["mean"], selected_by(free)["mean"]) << "the control: it costs something";
  EXPECT_EQ(rows_of(result, "nearest_infeasible"), Json::array());
}

// Two ways to write one bound, and bounds on responses from above and from below.
TEST(ConstrainedSelect, TakesSumsOfResponses) {
  const auto selection = [](const std::string& constraint) {
    return selection_by(first_program, lines + "--tolerance 0.1 --subject-to '" + constraint + "'");
  };
  const Json one = selection("time in line <= 3 * time per job");
  EXPECT_EQ(compared_by(one), "time in line - (3 * time per job)");
  EXPECT_EQ(selected_by(selection("3 * time per job - time in line >= 0"))["system"], selected_by(one)["system"]);
  EXPECT_EQ(compared_by(selection("0 >= time in line - 3 * time per job")), "time in line - 3 * time per job");
  EXPECT_GT(selected_by(selection("work in process >= 4"))["constraint_1"], 3.9);
}

// The objective may depend on parameters alone, so that only the constraint is simulated. With seven servers 0.166 of
// the arrivals are lost, and with six 0.223. Control: a looser limit requires fewer servers.
TEST(ConstrainedSelect, ComparesWhatParametersAloneDecide) {
  const auto cheapest = [](const std::string& cost, const std::string& limit) {
    return selected_by(selection_by(
        first_program, "select mmck --arrival-rate 7 --capacity 9 --customers 500 --over servers=4:9 --smallest '" +
                           cost + "' --delta 0.5 --tolerance 0.01 --subject-to 'blocking probability <= " + limit +
                           "'"));
  };
  const Json tight = cheapest("3 * servers", "0.19"), loose = cheapest("servers", "0.4");
  EXPECT_EQ(tight["servers"], 7) << tight;
  EXPECT_EQ(tight["mean"], 21);
  EXPECT_EQ(tight["half_width"], 0);
  EXPECT_LT(loose["mean"], 7);
}

// The objective may also depend on members of a case alone. Control: a looser limit requires fewer servers.
TEST(ConstrainedSelect, ComparesWhatMembersOfACaseDecide) {
  const auto fewest = [](const std::string& limit) {
    return selected_by(
        selection_by(first_program,
                     "select network --over stations.doctor.servers=2:5 --smallest stations.doctor.servers "
                     "--delta 0.5 --tolerance 0.2 --subject-to 'wait at doctor <= " +
                         limit + "'"));
  };
  const Json tight = fewest("1"), loose = fewest("1000");
  EXPECT_EQ(tight["half_width"], 0) << tight;
  EXPECT_EQ(tight["mean"], tight["stations.doctor.servers"]);
  EXPECT_LE(tight["constraint_1"], 1.2);
  EXPECT_EQ(loose["mean"], 2) << loose;
  EXPECT_LT(loose["mean"], tight["mean"]);
}

TEST(ConstrainedSelect, HasTheSameBytesOnAllBackends) {
  const std::string line = lines +
                           "--subject-to 'work in process <= 3' --subject-to 'throughput >= 1' --tolerance 0.2,0.1 "
                           "--common-random-numbers on";
  const Json first = without_machine(selection_by(first_program, line));
  EXPECT_TRUE(selected_by(first)["constraint_2"].is_number());
  for (const std::string& program : programs())
    EXPECT_EQ(without_machine(selection_by(program, line)), first) << program;
}

TEST(ConstrainedSelect, SaysThatNoneIsFeasible) {
  const std::string line = lines + "--subject-to 'work in process <= 1' --tolerance 0.2";
  const Outcome outcome = run(first_program, quoted_words(line + " --format json"));
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.error,
            "sporos: no system is feasible: the results show the one that violates the constraints least\n");
  const Json result = Json::parse(outcome.out);
  EXPECT_EQ(selected_by(result), Json());
  EXPECT_EQ(result["stopped_by"], "guarantee");
  const Json nearest = rows_of(result, "nearest_infeasible")[0];
  EXPECT_EQ(nearest["constraint"], "work in process <= 1");
  EXPECT_GT(nearest["mean"].get<double>() - nearest["half_width"].get<double>(), 1);
  const std::string text = run(first_program, quoted_words(line)).out;
  const auto place = text.find("\nNo system is feasible: the one closest to feasibility\n");
  ASSERT_NE(place, std::string::npos) << text;
  EXPECT_NE(text.find(" work in process <= 1 ", place), std::string::npos) << text;
  EXPECT_NE(
      text.find("A constraint is on the mean of work in process over replications, which is not the ratio of means"),
      std::string::npos);
}

TEST(ConstrainedSelect, WritesConstraintsOfSurvivors) {
  const Folder folder;
  const Outcome outcome =
      run(first_program, quoted_words(lines + at_most + "--format csv --picture " + (folder / "picture.svg")));
  EXPECT_EQ(
      outcome.out.substr(0, outcome.out.find('\n')),
      "system,rate_1,rate_2,rate_3,buffer_2,buffer_3,mean,half_width,low,high,constraint_1,constraint_1_half_width,"
      "constraint_1_low,constraint_1_high,replications,stopped_by");
  EXPECT_TRUE(std::filesystem::exists(folder / "picture.svg"));
}

// A signal stops the run once there is a checkpoint. Another backend continues the run.
TEST(ConstrainedSelect, GoesOnFromItsCheckpoint) {
  const Folder folder;
  const std::string line = lines + "--subject-to 'work in process <= 3' --tolerance 0.02 --growth 1.02 --format json",
                    state = folder / "state";
  const Json expected = without_machine(Json::parse(run(first_program, quoted_words(line)).out));
  Process process(first_program, quoted_words(line + " --every 0 --checkpoint " + state));
  process.wait_for_file(state);
  process.send(SIGTERM);
  EXPECT_EQ(process.wait().status, 128 + SIGTERM);
  ASSERT_TRUE(std::filesystem::exists(state));
  const Outcome whole = run(programs().back(), quoted_words(line + " --checkpoint " + state));
  EXPECT_EQ(whole.status, 0) << whole.error;
  EXPECT_EQ(without_machine(Json::parse(whole.out)), expected);
}

class BadConstraint : public ::testing::TestWithParam<Refusal> {};

TEST_P(BadConstraint, IsRefused) {
  expect_refusal(
      run(first_program,
          quoted_words("select mm1 --smallest time_in_queue --over service-rate=1:2 --delta 1 " + GetParam().line)),
      GetParam().message);
}

const std::string expected_sum = "expected a sum of responses with constant weights, <= or >= and a limit";

INSTANTIATE_TEST_SUITE_P(
    ConstrainedSelect, BadConstraint,
    ::testing::Values(
        Refusal{"--tolerance 1", "--tolerance is given without --subject-to, expected both"},
        Refusal{"--subject-to 'idle time <= 1'", "--subject-to is given without --tolerance, expected both"},
        Refusal{"--subject-to 'idle time <= 1' --tolerance 0", "--tolerance is '0', expected positive numbers"},
        Refusal{"--subject-to 'idle time <= 1' --tolerance 1,x", "--tolerance is '1,x', expected positive numbers"},
        Refusal{"--subject-to 'idle time <= 1' --tolerance 1,2", "--tolerance is '1,2', expected one number or 1"},
        Refusal{"--subject-to 'idle time <= 1' --tolerance 1 --procedure kn",
                "procedure kn takes no constraints, expected constrained-kn"},
        Refusal{"--procedure constrained-kn",
                "procedure constrained-kn is for systems with constraints, expected at least one"},
        Refusal{"--tolerance 1 --subject-to 'idle time'",
                "--subject-to is 'idle time', expected two expressions with <=, >= or = between them"},
        Refusal{"--tolerance 1 --subject-to 'idle time = 1'",
                "--subject-to is 'idle time = 1', expected <= or >= in a constraint on a response"},
        Refusal{"--tolerance 1 --subject-to 'idle time^2 <= 1'", "--subject-to is 'idle time^2 <= 1', " + expected_sum},
        Refusal{"--tolerance 1 --subject-to 'idle time <= 1/0'", "--subject-to is 'idle time <= 1/0', " + expected_sum},
        Refusal{"--tolerance 1 --subject-to 'P(idle time > 1) <= 0.1'",
                "--subject-to is 'P(idle time > 1) <= 0.1', " + expected_sum},
        Refusal{"--tolerance 1 --subject-to 'customers <= 10'",
                "--subject-to is 'customers <= 10', expected a response in it"},
        Refusal{
            "--tolerance 1 --subject-to 'idle time <= service-rate'",
            "--subject-to is 'idle time <= service-rate', expected an expression without service_rate, which differs "
            "between systems"}));

}  // namespace select_constraints_tests
}  // namespace sporos::test
