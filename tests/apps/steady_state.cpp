// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `sporos steady-state`, quantiles with a given precision, and probabilities of events.
#include "harness/folder.hpp"
#include "process.hpp"
#include "refusal.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace sporos::test {
namespace steady_state_tests {

using Json = nlohmann::ordered_json;

Json result_of(const std::string& program, const std::string& line) {
  const Outcome outcome = run(program, words(line + " --format json"));
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  return Json::parse(outcome.out);
}

Json without_machine(Json result) {
  for (const auto* name : {"machine", "seconds"}) result.erase(name);
  return result;
}

// At a confidence of 0.9999, an interval misses the exact mean with probability 10^-4 for a random seed.
TEST(SteadyState, ReachesAPrecision) {
  for (const std::string method : {"skart", "batch-means", "overlapping", "spectral", "regenerative", "replications"}) {
    const Json result = result_of("sporos",
                                  "steady-state mm1 --relative-precision 0.05 --confidence 0.9999 "
                                  "--observations 100000000 --method " +
                                      method);
    EXPECT_EQ(result["stopped_by"], "precision");
    EXPECT_EQ(result["settings"]["method"], method);
    const Json& means = result["tables"]["means"]["rows"];
    ASSERT_EQ(means.size(), 2U);
    for (const Json& response : means) {
      const double mean = response["mean"], exact = response["exact"];
      EXPECT_LE(response["half_width"].get<double>(), 0.05 * mean) << method;
      EXPECT_LE(response["low"].get<double>(), exact) << method;
      EXPECT_GE(response["high"].get<double>(), exact) << method;
      EXPECT_LE(response["used"].get<double>() + response["warm_up"].get<double>(),
                result["findings"]["observations"].get<double>() * (method == "regenerative" ? 32 : 1));
    }
  }
}

TEST(SteadyState, HasTheSameBytesOnAllBackends) {
  for (const std::string line : {"steady-state mm1 --observations 20000 --runs 5 --method replications",
                                 "steady-state mmck --from-empty 1 --observations 50000",
                                 "steady-state network --observations 16384 --runs 3 --method replications"}) {
    const Json first = without_machine(result_of(first_program, line));
    for (const std::string& program : programs()) EXPECT_EQ(without_machine(result_of(program, line)), first);
    EXPECT_NE(without_machine(result_of(first_program, line + " --seed 2")), first);
  }
}

TEST(SteadyState, WritesTableCsvAndPicture) {
  const Folder folder;
  const std::string line = "steady-state mm1 --arrival-rate 0.9 --observations 100000 --method replications";
  const Outcome table = run("sporos", words(line + " --picture " + folder / "welch.svg"));
  EXPECT_EQ(table.status, 0) << table.error;
  for (const char* words : {"95 % interval: from", "warm-up cut", "observations used", "time in system"}) {
    EXPECT_NE(table.out.find(words), std::string::npos) << table.out;
  }
  const std::string picture = contents_of(folder / "welch.svg");
  for (const char* words : {"<svg", "moving average", "end of warm-up", "time in queue"}) {
    EXPECT_NE(picture.find(words), std::string::npos) << words;
  }
  const Outcome csv = run("sporos", words(line + " --format csv"));
  EXPECT_EQ(csv.out.substr(0, csv.out.find('\n')),
            "response,mean,low,high,half_width,exact,warm_up,batch_size,batches,used,degrees_of_freedom,no_interval,"
            "stopped_by");
}

// The results are written, the half-width reached is reported, and the exit status is that of a missed precision.
TEST(SteadyState, TellsAPrecisionThatIsMissed) {
  const Outcome budget = run("sporos", words("steady-state mm1 --relative-precision 1e-4 --observations 20000"));
  EXPECT_EQ(budget.status, 2);
  EXPECT_NE(budget.error.find("sporos: precision not reached: 'time in queue' is "), std::string::npos) << budget.error;
  EXPECT_NE(budget.error.find("after 20480 observations of each run (ceiling)"), std::string::npos) << budget.error;
  EXPECT_NE(budget.out.find("time in system"), std::string::npos);
  const Outcome rare = run("sporos", words("steady-state mmck --arrival-rate 0.1 --capacity 30"));
  EXPECT_EQ(rare.status, 2);
  EXPECT_NE(rare.error.find("'blocking probability' has no interval after"), std::string::npos) << rare.error;
  EXPECT_NE(rare.error.find("the series does not vary"), std::string::npos) << rare.error;
}

class SteadyStateRefusals : public ::testing::TestWithParam<Refusal> {};

TEST_P(SteadyStateRefusals, AreOneLine) { expect_refusal(run("sporos", words(GetParam().line)), GetParam().message); }

INSTANTIATE_TEST_SUITE_P(
    All, SteadyStateRefusals,
    ::testing::Values(
        Refusal{"steady-state pi", "pi has no steady-state series: expected mm1, mmck, network"},
        Refusal{"steady-state pert", "pert has no steady state, because a project ends: expected mm1, mmck, network"},
        Refusal{
            "steady-state network --classes.patient.arrival-speed 9",
            "station 'triage' is unstable with classes.patient.arrival_speed = 9: its customers need 12.6 servers on "
            "average, and it has 2; its queue grows with the horizon, and there is no steady state; give it more "
            "servers, or less load"},
        Refusal{"steady-state mm1 --response idle",
                "--response is 'idle', which is no response: expected one of time in queue, time in system"},
        Refusal{"steady-state mm1 --arrival-rate 1",
                "arrival_rate is 1.000000, expected less than service_rate, 1.000000: the queue has no steady state"},
        Refusal{"steady-state mm1 --arrival-rate 0.5,0.6",
                "there are 2 design points, expected one value of each parameter"},
        Refusal{"steady-state mm1 --customers 5", "--customers is given, but steady-state runs have no end: omit it"},
        Refusal{
            "steady-state mm1 --quantiles 0.9",
            "unknown option '--quantiles': it is an option of `sporos simulate`; `sporos steady-state mm1 --help-all` "
            "lists the options"},
        Refusal{"simulate mm1 --steady-state",
                "unknown option '--steady-state': expected the command `sporos steady-state MODEL`"},
        Refusal{"steady-state mm1 --method skat",
                "unknown method 'skat': expected one of skart, batch-means, overlapping, spectral, regenerative, "
                "replications"},
        Refusal{"steady-state mm1 --runs 4", "runs is 4, expected 1 with method skart"},
        Refusal{"steady-state mm1 --runs 1 --method replications",
                "runs is 1, expected 2 to 1048576 with method replications"},
        Refusal{"steady-state mmck --method regenerative",
                "method is regenerative, expected another with mmck, which has no regeneration points"},
        Refusal{"steady-state mm1 --observations 1000", "observations is 1000, expected at least 16384"},
        Refusal{"steady-state mm1 --confidence 2", "confidence is 2.000000, expected a number between 0 and 1"},
        Refusal{"steady-state mm1 --relative-precision 0",
                "--relative-precision is '0', expected a positive finite number"},
        Refusal{"simulate mm1 --quantile-precision 1",
                "--quantile-precision is given without --quantiles: expected both"},
        Refusal{"simulate mm1 --quantiles 0.5 --quantile-precision 1 --precision 1",
                "--quantile-precision is given with --precision, expected one of them"},
        Refusal{"simulate mm1 --quantiles 0.5 --relative-quantile-precision -1",
                "--relative-quantile-precision is '-1', expected a positive finite number"},
        Refusal{"simulate mm1 --probability idle_time",
                "--probability is 'idle_time', expected RESPONSE < BOUND, or <=, > or >="},
        Refusal{
            "simulate mm1 --probability idle>1",
            "--probability is 'idle>1', expected one side to be a response: time in queue, time in system, idle time, "
            "queue length"},
        Refusal{"simulate mm1 --probability idle_time>1 --sampling antithetic",
                "--probability needs independent replications, because its intervals use their counts: expected random "
                "sampling in runs of 1, not 2"},
        Refusal{"replay mm1 --probability idle_time>1 --replication 0",
                "unknown option '--probability': it is an option of `sporos simulate`; `sporos replay mm1 --help-all` "
                "lists the options"}));

// The time in system of a single customer is exponential with rate 1, and the customer does not wait.
TEST(Quantiles, GoOnToAPrecision) {
  const std::string line = "simulate mm1 --customers 1 --quantiles 0.5,0.95 --quantile-precision 0.05 --seed 7";
  const Json result = result_of("sporos", line);
  for (const Json& quantile : result["tables"]["quantiles"]["rows"]) {
    if (quantile["response"] != "time in system") continue;
    EXPECT_LE(quantile["high"].get<double>() - quantile["low"].get<double>(), 0.1);
  }
  EXPECT_EQ(result["stopped_by"], "precision");
  const auto replications = result["findings"]["replications"].get<std::int64_t>();
  EXPECT_EQ(result["settings"]["replications"], replications);
  EXPECT_GT(replications, 20'000);   // half-width 1.96 √(0.95 · 0.05 / n) / 0.05
  EXPECT_LT(replications, 400'000);  // idle time has rate 0.5
  const Json again = result_of("sporos", "simulate mm1 --customers 1 --quantiles 0.5,0.95 --seed 7 --replications " +
                                             std::to_string(replications));
  EXPECT_EQ(again["findings"]["digest"], result["findings"]["digest"]);
  EXPECT_EQ(again["tables"]["quantiles"], result["tables"]["quantiles"]);
  for (const std::string& program : programs()) EXPECT_EQ(result_of(program, line)["tables"], result["tables"]);
}

TEST(Quantiles, TellAPrecisionThatIsMissed) {
  const Outcome outcome =
      run("sporos", words("simulate mm1 --customers 1 --quantiles 0.5 --quantile-precision 1e-6 --replications 1000"));
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.error.find("precision not reached: quantile 0.5 of 'idle time' is "), std::string::npos)
      << outcome.error;
  EXPECT_NE(outcome.error.find("after 1000 replications (ceiling)"), std::string::npos) << outcome.error;
}

TEST(Probabilities, AreThoseOfTheResponses) {
  const std::vector<std::string> line = words("simulate mm1 --customers 1 --service-rate 1,2 --replications 10000");
  const auto with = [&](const std::string& format) {
    auto arguments = line;
    arguments.insert(arguments.end(), {"--format", format, "--probability", "time in system > 3/service-rate",
                                       "--probability", "time in queue <= 0"});
    const Outcome outcome = run("sporos", arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    return outcome.out;
  };
  const Json result = Json::parse(with("json"));
  const Json& rows = result["tables"]["probabilities"]["rows"];
  ASSERT_EQ(rows.size(), 4U);
  for (const std::size_t first : {0U, 2U}) {  // first row of each point
    const std::vector<Json> found{rows[first], rows[first + 1]};
    EXPECT_NEAR(found[0]["probability"].get<double>(), std::exp(-3), 6 * std::sqrt(std::exp(-3) / 10000));
    EXPECT_EQ(found[0]["probability"].get<double>(), found[0]["replications_with_it"].get<double>() / 10000);
    EXPECT_LT(found[0]["low"].get<double>(), found[0]["probability"].get<double>());
    EXPECT_EQ(found[1]["replications_with_it"], 10000);
    EXPECT_EQ(found[1]["high"], 1.0);
    EXPECT_NEAR(found[1]["low"].get<double>(), std::pow(0.025, 1e-4), 1e-12);
  }
  EXPECT_NE(with("table").find("time in system > 3/service-rate"), std::string::npos);
}

}  // namespace steady_state_tests
}  // namespace sporos::test
