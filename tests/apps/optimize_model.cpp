// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `sporos optimize MODEL`: parameters of a model that minimize an expression of its responses.
#include "optimizations.hpp"
#include "refusal.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

namespace sporos::test {
namespace optimize_model_tests {

const std::string rate_of_service =
    "optimize mm1 --customers 100 --over service-rate=0.6:10 --minimize 'time in "
    "system' --plus '0.1 * service-rate^2' ";

// Whatever stands in quotes is one word.
std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words(1);
  bool is_quoted = false;
  for (const char c : line) {
    if (c == '\'') {
      is_quoted = !is_quoted;
    } else if (c == ' ' && !is_quoted) {
      if (!words.back().empty()) words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

Outcome run_line(const std::string& program, const std::string& line) { return run(program, words_of(line)); }

Json result_of(const std::string& program, const std::string& line) {
  const Outcome outcome = run_line(program, line + " --format json");
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  return Json::parse(outcome.out);
}

Json without_machine(Json result) {
  result.erase("machine");
  result.erase("seconds");
  return result;
}

// In the limit of many customers the mean time in system is 1 / (μ − 1/2), and its sum with μ² / 10 is least at μ
// = 2.1.
TEST(OptimizeModel, FindsTheRateOfService) {
  for (const std::string solver :
       {"automatic", "l-bfgs", "nelder-mead", "adam", "astro-df", "robbins-monro", "random-search"}) {
    const Json result = result_of(programs().front(), rate_of_service + "--replications 20000 --solver " + solver);
    EXPECT_NEAR(result["decisions"]["service_rate"].get<double>(), 2.07, 0.2) << solver;
    EXPECT_NEAR(result["estimate"]["mean"].get<double>(), 1.067, 0.01) << solver;
    EXPECT_LT(result["estimate"]["half_width"].get<double>(), 0.01);
    EXPECT_GT(result["improvement"]["mean"].get<double>(), 10 * result["improvement"]["half_width"].get<double>());
    EXPECT_LE(result["replications"].get<int>(), 20000);
    EXPECT_EQ(result["solver"], solver == "automatic" ? "astro" : solver);
    EXPECT_EQ(result["reason"] == "", solver != "automatic");
  }
}

TEST(OptimizeModel, TakesWholeNumbers) {
  const std::string line =
      "optimize mmck --customers 200 --capacity 20 --over servers=1:20 --minimize '3 * servers + 40 * blocking "
      "probability'";
  const Json result = result_of(programs().front(), line);
  EXPECT_EQ(result["solver"], "random-search");
  EXPECT_EQ(result["reason"], "a decision is a whole number");
  const Json servers = result["decisions"]["servers"];
  ASSERT_TRUE(servers.is_number_integer());
  double least = 1e9, best = 0;  // of all twenty, by experiments of their own
  for (int s = 1; s <= 20; ++s) {
    const Json all = Json::parse(
        run_line(programs().front(),
                 "simulate mmck --customers 200 --capacity 20 --replications 2000 --format json --servers " +
                     std::to_string(s))
            .out);
    for (const Json& response : all["points"][0]["responses"]) {
      if (response["name"] != "blocking probability") continue;
      const double cost = 3 * s + 40 * response["mean"].get<double>();
      if (cost < least) {
        least = cost;
        best = s;
      }
    }
  }
  EXPECT_EQ(servers.get<double>(), best);
}

// E[time in queue] / E[time in system] of 50 customers falls with the rate of service, and 0.01 rate² grows.
TEST(OptimizeModel, TakesFunctionsOfMeans) {
  const Json result = result_of(programs().front(),
                                "optimize mm1 --customers 50 --over service-rate=0.6:10 --minimize 'time in queue / "
                                "time in system' --plus '0.01 * service-rate^2' --replications 20000");
  EXPECT_EQ(result["solver"], "astro");
  const double rate = result["decisions"]["service_rate"], at = result["estimate"]["mean"];
  const double half_width = result["estimate"]["half_width"];
  for (const double other : {rate - 0.6, rate, rate + 0.6}) {  // by an experiment
    const Json times = Json::parse(run_line(programs().front(),
                                            "simulate mm1 --customers 50 --replications 50000 --format json "
                                            "--service-rate " +
                                                std::to_string(other))
                                       .out)["points"][0]["responses"];
    const double ratio = times[0]["mean"].get<double>() / times[1]["mean"].get<double>() + 0.01 * other * other;
    if (other == rate) {
      EXPECT_NEAR(at, ratio, 2 * half_width);
    } else {
      EXPECT_GT(ratio, at + half_width) << other;
    }
  }
}

TEST(OptimizeModel, EndsWhereTheObjectiveIsNoNumber) {
  const Outcome outcome =
      run_line(programs().front(), "optimize mm1 --over service-rate=0.6:10 --minimize 'log(0 - idle time)'");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.error, "sporos: objective or gradient at service_rate = 1 is nan, not a finite number\n");
}

TEST(OptimizeModel, MaximizesWhatMinimizationMakesLeast) {
  const std::string line = "optimize mm1 --customers 50 --over arrival-rate=0.1:0.9 --replications 2000 --solver adam ";
  const Json least = result_of(programs().front(), line + "--minimize '2 * time in queue - arrival-rate'");
  const Json most = result_of(programs().front(), line + "--maximize 'arrival-rate - 2 * time in queue'");
  EXPECT_EQ(least["decisions"], most["decisions"]);
  EXPECT_EQ(least["estimate"]["mean"].get<double>(), -most["estimate"]["mean"].get<double>());
  EXPECT_EQ(least["improvement"], most["improvement"]);
}

TEST(OptimizeModel, HasTheSameBitsOnEveryBackend) {
  const Json expected = without_machine(result_of(programs().front(), rate_of_service + "--replications 3000"));
  for (const auto& program : programs()) {
    for (const std::string threads : {"1", "2", "4"}) {
      const std::string more = program == "sporos-openmp" ? " --threads " + threads : "";
      EXPECT_EQ(without_machine(result_of(program, rate_of_service + "--replications 3000" + more)), expected);
    }
  }
  EXPECT_NE(without_machine(result_of(programs().front(), rate_of_service + "--replications 3000 --seed 2")), expected);
}

// A run that a signal ends goes on from its checkpoint to the bits of one that nothing ended.
TEST(OptimizeModel, GoesOnToTheLastBit) {
  const Folder folder;
  const std::string kept = folder / "kept.json";
  const std::string line =
      "optimize mm1 --customers 20000 --over service-rate=0.6:10 --minimize 'time in system' --plus '0.1 * "
      "service-rate^2' --solver adam --replications 6000";
  const Json expected = without_machine(result_of(programs().front(), line));
  const Outcome stopped =
      run_line(programs().front(), line + " --format json --checkpoint " + kept + " --every 0 --time-limit 0.3");
  EXPECT_EQ(stopped.status, 0) << stopped.error;
  EXPECT_EQ(Json::parse(stopped.out)["stopped_by"], "time");
  EXPECT_LT(Json::parse(stopped.out)["replications"].get<int>(), 6000);
  const Outcome whole = run_line(programs().front(), line + " --format json --checkpoint " + kept);
  EXPECT_EQ(without_machine(Json::parse(whole.out)), expected);
  EXPECT_EQ(contents_of(kept), "");  // it is gone
}

TEST(OptimizeModel, ShowsATableAndALineForEachPoint) {
  const Outcome table = run_line(programs().front(), rate_of_service + "--replications 500");
  for (const std::string part :
       {"mm1: M/M/1 queue", "minimize time in system + 0.1 * service-rate^2", "solver astro, chosen because",
        "at these decisions", "better by", "How far this is from the best decisions is not known."}) {
    EXPECT_NE(table.out.find(part), std::string::npos) << part;
  }
  const Outcome csv = run_line(programs().front(), rate_of_service + "--replications 500 --format csv");
  EXPECT_TRUE(csv.out.starts_with("replications,service_rate,objective,half_width\n0,1,")) << csv.out;
}

const std::string over = "--over service-rate=1:2 ", idle = "--minimize 'idle time' ";

class BadModelOptimization : public ::testing::TestWithParam<Refusal> {};

TEST_P(BadModelOptimization, IsRefusedInOneLine) {
  expect_refusal(run_line(programs().front(), "optimize mm1 --customers 50 " + GetParam().line), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    All, BadModelOptimization,
    ::testing::Values(
        Refusal{over, "no objective is given, expected --minimize or --maximize with an expression"},
        Refusal{idle, "nothing is to be decided, expected --over NAME=LOW:HIGH"},
        Refusal{over + idle + "--maximize 1", "--maximize is given beside --minimize, expected one of them"},
        Refusal{"--over service-rate=2:1 " + idle,
                "--over is 'service-rate=2:1', expected NAME=LOW:HIGH with LOW below HIGH, as in arrival-rate=1:10"},
        Refusal{"--over service-rate=a:1 " + idle,
                "--over is 'service-rate=a:1', expected NAME=LOW:HIGH with LOW below HIGH, as in arrival-rate=1:10"},
        Refusal{"--over service-rat=1:2 " + idle,
                "--over is 'service-rat=1:2', and 'service-rat' is no parameter of mm1: did you mean 'service-rate'?"},
        Refusal{over + over + idle, "--over service_rate is given twice"},
        Refusal{"--over service-rate=-1:2 " + idle,
                "--over service-rate goes to -1, where service_rate is -1, expected a positive finite number"},
        Refusal{"--over customers=1.2:1.8 " + idle,
                "--over is 'customers=1.2:1.8', expected bounds with a whole number between them"},
        Refusal{over + "--minimize 'idle tim'",
                "--minimize is 'idle tim', expected an expression: it cannot be read (character 6)"},
        Refusal{over + "--minimize 'idle time +'",
                "--minimize is 'idle time +', expected an expression: it ends too early (character 12)"},
        Refusal{over + "--minimize service-rate",
                "--minimize is 'service-rate', expected an expression in which a response stands"},
        Refusal{
            over + idle + "--solver newton",
            "--solver is 'newton', expected one of automatic, astro, astro-df, l-bfgs, adam, adagrad, robbins-monro, "
            "spsa, nelder-mead, random-search"},
        Refusal{"--over customers=1:9 " + idle + "--solver adam",
                "--solver adam needs decisions that are real numbers; solvers that would do: random-search"},
        Refusal{"--over service-rate=1:inf " + idle + "--solver random-search",
                "--solver random-search needs finite bounds; solvers that would do: astro, astro-df, l-bfgs, adam, "
                "adagrad, robbins-monro, spsa, nelder-mead"},
        Refusal{over + idle + "--replications 0", "--replications is '0', " + positive_number},
        Refusal{over + idle + "--confidence 1", "--confidence is 1, expected a number between 0 and 1"}));

TEST(OptimizeModel, SaysThatABudgetIsTooSmall) {
  const Outcome outcome =
      run_line(programs().front(), "optimize mm1 --customers 50 " + over + idle + "--replications 10 --solver adam");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.error,
            "sporos: 10 replications are too few for adam: expected a larger budget, or a smaller sample\n");
}

}  // namespace optimize_model_tests
}  // namespace sporos::test
