// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `sporos rare-event`, `multilevel`, `stratify` and `array-rqmc`; `--conditional` and `--density` of `sporos simulate`.
#include "harness/folder.hpp"
#include "process.hpp"
#include "refusal.hpp"
#include "result_json.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace sporos::test {
namespace rare_event_tests {

using Json = nlohmann::ordered_json;

Json result_of(const std::string& program, std::vector<std::string> line) {
  line.insert(line.end(), {"--format", "json"});
  const Outcome outcome = run(program, line);
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  return lasting_result(Json::parse(outcome.out, nullptr, false));
}

std::vector<std::string> with(const std::string& line, const std::vector<std::string>& more) {
  auto all = words(line);
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

// Row `row` of a table of the result.
Json row_of(const Json& result, const std::string& table, std::size_t row = 0) {
  return result.at("tables").at(table).at("rows").at(row);
}

std::size_t size_of(const Json& result, const std::string& table) {
  return result.at("tables").at(table).at("rows").size();
}

// With a confidence of 1 − 10^-6, each interval fails with probability about 10^-6. At half load, P = 1 / (2^40 − 1).
TEST(RareEvents, OfAChainAreFoundByAllMethods) {
  for (const char* method : {"splitting", "adaptive", "importance"}) {
    const std::string size = method == std::string("importance") ? " --replications 20000" : " --chains 200";
    const auto line = with("rare-event mm1 --confidence 0.999999 --method " + std::string(method) + size,
                           {"--event", "number in system >= 40"});
    const Json result = result_of("sporos", line);
    const double exact = 1 / (std::exp2(40) - 1);
    const Json found = row_of(result, "probabilities");
    EXPECT_NEAR(found["exact"].get<double>(), exact, 1e-9 * exact);
    EXPECT_LT(found["low"].get<double>(), exact) << method;
    EXPECT_GT(found["high"].get<double>(), exact) << method;
    EXPECT_LT(found["half_width"].get<double>(), 2 * exact) << method;
    EXPECT_EQ(found["method"], method);
    for (const std::string& program : programs()) EXPECT_EQ(result_of(program, line), result) << program;
  }
}

// The time in system T of a single customer is exponential: P(T > 20) = e^-20.
TEST(RareEvents, OfAResponseAreFoundByImportanceSampling) {
  const auto line = with("rare-event mm1 --customers 1 --confidence 0.999999 --replications 20000",
                         {"--event", "time-in-system > 20"});
  const Json result = result_of("sporos", line);
  const double exact = std::exp(-20.0);
  const Json found = row_of(result, "probabilities");
  EXPECT_NEAR(found["probability"].get<double>(), exact, found["half_width"].get<double>());
  EXPECT_LT(found["half_width"].get<double>(), 0.3 * exact);
  EXPECT_EQ(result["notes"].size(), 0u);
  for (const std::string& program : programs()) EXPECT_EQ(result_of(program, line), result) << program;
  const Outcome table = run("sporos", line);
  EXPECT_NE(table.out.find("by importance sampling, 20000 replications"), std::string::npos) << table.out;
}

// The duration T of two activities in series has Erlang's distribution: P(T > 8) = 9 e^-8.
TEST(RareEvents, OfModelsWithFilesAreFound) {
  const Folder folder;
  const std::string network =
      folder.write("network.csv", "activity,from,to,distribution\na,1,2,exponential(1)\nb,2,3,exponential(1)\n");
  const auto line = with("rare-event pert --confidence 0.999999 --network " + network, {"--event", "duration > 8"});
  const Json result = result_of("sporos", line);
  const double exact = 9 * std::exp(-8.0);
  const Json found = row_of(result, "probabilities");
  EXPECT_NEAR(found["probability"].get<double>(), exact, found["half_width"].get<double>());
  EXPECT_LT(found["half_width"].get<double>(), 0.25 * exact);
  for (const std::string& program : programs()) EXPECT_EQ(result_of(program, line), result) << program;

  // The built-in network is compared with plain replications of an event that is not that rare.
  const std::vector<std::string> late{"--event", "time in network > 30"};
  const Json sampled = row_of(
      result_of("sporos",
                with("rare-event network --replications 4000 --pilot-replications 1000 --confidence 0.9999", late)),
      "probabilities");
  const Json seen = row_of(result_of("sporos", with("simulate network --replications 4000 --confidence 0.9999",
                                                    {"--probability", late.back()})),
                           "probabilities");
  EXPECT_LT(sampled["low"].get<double>(), seen["high"].get<double>());
  EXPECT_GT(sampled["high"].get<double>(), seen["low"].get<double>());
}

// These events cannot happen: the queue has room for 5, and a point of pi gives at most 4.
TEST(RareEvents, ThatAreNotSeenAreToldWithABound) {
  for (const auto& [line, event] : std::vector<std::pair<std::string, std::string>>{
           {"mmck --chains 10 --runs 2", "number in system > 5"},
           {"mmck --chains 10 --runs 2 --method adaptive", "number in system > 5"},
           {"mmck --replications 100 --pilot-replications 100 --method importance", "number in system > 5"},
           {"pi --draws 1 --replications 100 --pilot-replications 100", "pi > 4"}}) {
    SCOPED_TRACE(line);
    const Outcome outcome = run("sporos", with("rare-event " + line, {"--event", event}));
    EXPECT_EQ(outcome.status, 2);
    EXPECT_NE(outcome.out.find("the event was not seen: with 95 % confidence its probability is at most"),
              std::string::npos)
        << outcome.out;
    EXPECT_EQ(outcome.out.find("worth"), std::string::npos) << outcome.out;
    EXPECT_EQ(lines_of(outcome.error), 1);
    EXPECT_NE(outcome.error.find("the event was not seen: with 95 % confidence its probability is at most"),
              std::string::npos)
        << outcome.error;
  }
}

TEST(RareEvents, HaveAPageAndCsv) {
  const Folder folder;
  const std::string page = folder / "rare.html";
  const Outcome outcome = run("sporos", with("rare-event mm1 --chains 100 --format csv --report " + page,
                                             {"--event", "number in system >= 10"}));
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_EQ(outcome.out.substr(0, outcome.out.find('\n')),
            "event,method,probability,low,high,half_width,exact,stopped_by");
  const std::string html = contents_of(page);
  EXPECT_NE(html.find("Intermediate levels"), std::string::npos);
  EXPECT_NE(html.find("rare-event mm1"), std::string::npos);
}

// The tolerance of 0.3 is six times the requested root mean square error.
TEST(Multilevel, FindsThePricesOfOptions) {
  for (const char* scheme : {"0", "2"}) {
    const auto line = with("multilevel call-options --rmse 0.05 --scheme " + std::string(scheme),
                           {"--response", "geometric-Asian-call"});
    const Json result = result_of("sporos", line);
    const Json found = row_of(result, "means");
    EXPECT_NEAR(found["exact"].get<double>(), 5.546818633789201, 1e-9);  // Kemna and Vorst's formula, by SciPy 1.10
    EXPECT_NEAR(found["mean"].get<double>(), found["exact"].get<double>(), 0.3);
    EXPECT_GE(size_of(result, "levels"), 3u);
    for (const std::string& program : programs()) EXPECT_EQ(result_of(program, line), result) << program;
  }
  const Folder folder;
  const std::string page = folder / "levels.html";
  const Outcome table =
      run("sporos", with("multilevel call-options --rmse 0.1 --report " + page, {"--response", "European call"}));
  EXPECT_NE(table.out.find("bias of the finest level"), std::string::npos) << table.out << table.error;
  EXPECT_NE(contents_of(page).find("Differences between neighbouring levels"), std::string::npos);
}

TEST(Multilevel, EndsWhereTheLevelsDoNotSuffice) {
  const Outcome outcome = run("sporos", with("multilevel call-options --rmse 0.03 --max-levels 3 --sampling sobol",
                                             {"--response", "geometric Asian call"}));
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(lines_of(outcome.error), 1);
  EXPECT_EQ(outcome.error.substr(0, 27), "sporos: the bias is still 0") << outcome.error;
  EXPECT_NE(outcome.error.find(" with 3 levels, expected at most 0.0212"), std::string::npos) << outcome.error;
}

TEST(Multilevel, TakesSobolsPoints) {
  const auto line = with("multilevel call-options --rmse 0.05 --scheme 2 --sampling sobol --randomizations 16",
                         {"--response", "geometric-Asian-call"});
  const Json result = result_of("sporos", line);
  const Json found = row_of(result, "means");
  EXPECT_NEAR(found["mean"].get<double>(), found["exact"].get<double>(), 0.3);
  EXPECT_EQ(result["settings"]["sampling"], "sobol");
  EXPECT_EQ(result["settings"]["randomizations"], 16);
  for (const std::string& program : programs()) EXPECT_EQ(result_of(program, line), result) << program;
  const Outcome table = run("sporos", line);
  EXPECT_NE(table.out.find("multilevel quasi-Monte Carlo, 16 randomizations"), std::string::npos) << table.out;
}

// A point is inside the circle with probability p = sqrt(1 − x²). Narrow strata of x reduce the variance of 2.697 to
// E[16 p (1 − p)] = 4 π − 32 / 3 = 1.900.
TEST(Strata, LeaveTheVarianceWithinThem) {
  const Folder folder;
  const std::string page = folder / "strata.html";
  const auto line =
      words("stratify pi --draws 1 --strata 1:64 --replications 64000 --confidence 0.999999 --report " + page);
  const Json result = result_of("sporos", line);
  const Json pi = row_of(result, "means");
  EXPECT_NEAR(pi["mean"].get<double>(), std::numbers::pi, pi["half_width"].get<double>());
  EXPECT_NEAR(pi["variance_ratio"].get<double>(), 2.697 / 1.900, 0.05);
  EXPECT_EQ(size_of(result, "strata"), 64u);
  for (const std::string& program : programs()) EXPECT_EQ(result_of(program, line), result) << program;
  EXPECT_NE(contents_of(page).find("99.9999 % half-width"), std::string::npos);
}

TEST(Strata, AreSharedByDeviationsOfAResponse) {
  const auto line = with("stratify mm1 --customers 1 --replications 10000 --pilot-replications 32",
                         {"--strata", "service-times:50", "--neyman", "time in system"});
  const Json result = result_of("sporos", line);
  EXPECT_EQ(result["settings"]["input"], "service times");
  EXPECT_EQ(result["settings"]["neyman"], "time in system");
  const Json stay = row_of(result, "means", 1);
  EXPECT_NEAR(stay["mean"].get<double>(), 1, 0.01);
  EXPECT_GT(stay["variance_ratio"].get<double>(), 50);
  EXPECT_TRUE(row_of(result, "means")["half_width"].is_null());  // unknown, since a single customer does not wait
  // Small uniforms give long service times.
  EXPECT_GT(row_of(result, "strata")["replications"], 10 * row_of(result, "strata", 49)["replications"].get<int>());
  const Outcome table = run("sporos", words("stratify mm1 --customers 20 --replications 200 --strata 2:10"));
  EXPECT_NE(table.out.find("queue length is a ratio of means"), std::string::npos) << table.out << table.error;
  const Outcome csv = run("sporos", words("stratify pi --replications 200 --strata 1:10 --format csv"));
  EXPECT_EQ(csv.out.substr(0, csv.out.find('\n')),
            "response,mean,half_width,degrees_of_freedom,variance_ratio,exact,stopped_by");
}

TEST(ArrayRqmc, FindsTheMeanWaitOfACustomer) {
  const auto line = words("array-rqmc mm1 --chain-steps 1 --chains 256 --confidence 0.999");
  const Json result = result_of("sporos", line);
  const Json found = row_of(result, "means");
  EXPECT_NEAR(found["exact"].get<double>(), 1.0 / 3, 1e-12);  // second customer: E (S − A)⁺ = λ / (μ (λ + μ))
  EXPECT_NEAR(found["mean"].get<double>(), 1.0 / 3, found["half_width"].get<double>());
  EXPECT_LT(found["half_width"].get<double>(), 0.004);
  EXPECT_EQ(size_of(result, "randomizations"), 30u);
  for (const std::string& program : programs()) EXPECT_EQ(result_of(program, line), result) << program;
}

TEST(ArrayRqmc, FindsThePriceOfAnAsianCall) {
  const auto line = words("array-rqmc call-options --chain-steps 8 --chains 256 --confidence 0.999");
  const Json result = result_of("sporos", line);
  const Json found = row_of(result, "means");
  EXPECT_EQ(found["response"], "geometric Asian call");
  EXPECT_NEAR(found["mean"].get<double>(), found["exact"].get<double>(), found["half_width"].get<double>());
  const Json euler = result_of("sporos", words("array-rqmc call-options --scheme 1 --chain-steps 8 --chains 256"));
  EXPECT_TRUE(row_of(euler, "means")["exact"].is_null());
  for (const std::string& program : programs()) EXPECT_EQ(result_of(program, line), result) << program;
}

// Var(4 sqrt(1 − U²)) is 0.797, and the variance of a plain point is 2.697.
TEST(Conditional, HasTheMeanAndLessVariance) {
  const Json result = result_of("sporos", words("simulate pi --draws 1 --replications 20000 --conditional"));
  const Json& pi = rows_of(result, "means")[0];
  EXPECT_NEAR(pi["mean"].get<double>(), std::numbers::pi, 5 * std::sqrt(0.797 / 20000));
  EXPECT_NEAR(pi["variance"].get<double>(), 16 * 2.0 / 3 - std::numbers::pi * std::numbers::pi, 0.05);
  EXPECT_EQ(result["notes"].size(), 1u);
  const Json network = result_of("sporos", words("simulate activity-network --replications 20000 --conditional"));
  const Json plain = result_of("sporos", words("simulate activity-network --replications 20000"));
  for (std::size_t i = 0; i < 3; ++i) {
    const Json &with = rows_of(network, "means")[i], &without = rows_of(plain, "means")[i];
    EXPECT_NEAR(with["mean"].get<double>(), with["exact"].get<double>(), 2.5 * with["half_width"].get<double>());
    EXPECT_LT(with["variance"].get<double>(), 0.9 * without["variance"].get<double>());
  }
}

// The time in system of a single customer is exponential. The grid begins at the jump of its density.
TEST(Density, HasTheKnownOneInItsBand) {
  const auto line = with("simulate mm1 --customers 1 --replications 20000 --confidence 0.999999",
                         {"--density", "time in system=0:4:9"});
  const Json result = result_of("sporos", line);
  const Json& density = rows_of(result, "densities");
  EXPECT_EQ(density[0]["response"], "time in system");
  ASSERT_EQ(density.size(), 9u);
  for (const Json& point : density) {
    const double exact = std::exp(-point["at"].get<double>());
    EXPECT_LE(point["low"].get<double>(), exact);
    EXPECT_GE(point["high"].get<double>(), exact);
    EXPECT_LT(point["high"].get<double>() - point["low"].get<double>(), 0.7);
  }
  for (const std::string& program : programs()) EXPECT_EQ(result_of(program, line), result) << program;
  const Outcome table = run("sporos", with("simulate pi --draws 1", {"--density", "pi=0:4:5"}));
  EXPECT_NE(table.out.find("hardly differ"), std::string::npos) << table.out;
  const Folder folder;
  const std::string page = folder / "density.html";
  auto reported = line;
  reported.insert(reported.end(), {"--report", page});
  EXPECT_EQ(run("sporos", reported).status, 0);
  EXPECT_NE(contents_of(page).find("Densities of single replications"), std::string::npos);
}

struct SeveralWords {
  std::string line;
  std::vector<std::string> more;
  std::string message;
};

TEST(RareEvents, RefuseWhatCannotBeCarriedOut) {
  const std::vector<std::string> event{"--event", "number in system >= 30"};
  for (const auto& [line, more, message] : std::vector<SeveralWords>{
           {"rare-event mm1",
            {"--event", "wait > 3"},
            "--event is 'wait > 3', expected one side to be a response or a level: time in queue, time in system, "
            "idle time, queue length, number in system"},
           {"rare-event mm1",
            {"--event", "number in system"},
            "--event is 'number in system', expected RESPONSE < BOUND, or <=, > or >="},
           {"rare-event mm1",
            {"--event", "number in system < 3"},
            "--event is 'number in system < 3', expected number in system >= BOUND: the chain ends at low levels"},
           {"rare-event mm1",
            {"--event", "number in system >= 1/0"},
            "the bound of --event 'number in system >= 1/0' is inf, expected a finite number"},
           {"rare-event mm1",
            {"--event", "time in system > 0/0"},
            "the bound of --event 'time in system > 0/0' is nan, expected a finite number"},
           {"rare-event mm1 --method splitting",
            {"--event", "idle time > 3"},
            "--method is splitting for a response of a replication, expected importance, or an event of the 'number "
            "in system'"},
           {"rare-event mm1 --arrival-rate 0.5,0.6", event,
            "there are 2 design points, expected one value of each parameter"},
           {"rare-event mm1 --replications 100", event,
            "--replications is given, expected it only with --method importance"},
           {"rare-event mm1 --chains 1", event, "--chains is '1', expected a whole number from 2 to 1000000000"},
           {"rare-event mm1 --confidence 1.5", event, "confidence is 1.5, expected a number between 0 and 1"},
           {"rare-event mm1 --chains 10", {}, "--event is not given: expected an event such as 'RESPONSE > BOUND'"},
           {"simulate mm1 --rare-event",
            {"x"},
            "unknown option '--rare-event': expected the command `sporos rare-event MODEL`"},
           {"rare-event mm1 --method best", event,
            "unknown rare method 'best': expected one of importance, splitting, adaptive"},
           {"multilevel mm1 --response pi", {}, "mm1 has no levels: expected call-options"},
           {"multilevel call-options --response asian",
            {},
            "--response is 'asian', which is no response: expected one of European call, geometric Asian call"},
           {"multilevel call-options --rmse 0",
            {"--response", "European call"},
            "--rmse is '0', expected a positive finite number"},
           {"multilevel call-options --rmse -1",
            {"--response", "European call"},
            "--rmse is '-1', expected a positive finite number"},
           {"multilevel call-options --rmse inf",
            {"--response", "European call"},
            "--rmse is 'inf', expected a positive finite number"},
           {"multilevel call-options --scheme 3", {}, "scheme is 3, expected 0, 1 or 2"},
           {"array-rqmc mm1 --randomizations 3", {}, "--chain-steps is not given: expected a whole number"},
           {"multilevel call-options --randomizations 3",
            {"--response", "European call"},
            "--randomizations is given, expected it only with --sampling sobol"},
           {"multilevel call-options --sampling halton",
            {"--response", "European call"},
            "unknown level sampling 'halton': expected one of random, sobol"},
           {"stratify pi --strata 1:0",
            {},
            "--strata '1:0': number of strata is '0', expected a whole number from 2 to 1048576"},
           {"stratify pi --strata 16",
            {},
            "--strata is '16', expected INPUT:COUNT, an input variable and a number of strata, such as '1:16'"},
           {"stratify mm1 --strata demands:16",
            {},
            "--strata is 'demands:16', whose input 'demands' is not known, expected a number from 1 to 2, or "
            "interarrival times, service times"},
           {"stratify pi --replications 100 --strata 1:64",
            {},
            "--replications is 100, expected at least 128: two in each of 64 strata"},
           {"stratify mm1 --strata 1:16",
            {"--neyman", "queue length"},
            "--neyman is 'queue length', a ratio of means, which stratification does not estimate: expected another "
            "response"},
           {"stratify pi --neyman pi", {}, "--strata is not given: expected INPUT:COUNT, such as '1:16'"},
           {"stratify pi --strata 1:16 --pilot-replications 9",
            {},
            "--pilot-replications is given, expected it only with --neyman"},
           {"stratify pert --strata 1:16",
            {},
            "pert has a number of responses that is known only at run time: expected another model"},
           {"array-rqmc pi --chain-steps 3", {}, "pi has no chain for array-RQMC: expected mm1, call-options"},
           {"array-rqmc mm1 --chain-steps 3 --chains 100", {}, "--chains is 100, expected a power of two, such as 128"},
           {"array-rqmc mm1 --chain-steps 0", {}, "--chain-steps is '0', expected a whole number from 1 to 1000000000"},
           {"simulate mm1 --conditional",
            {},
            "--conditional is given with mm1, which has no conditional expectations, expected pi, activity-network"},
           {"simulate pi --conditional --quantiles 0.5",
            {},
            "--conditional is given with --quantiles, expected one of them"},
           {"simulate mm1 --density 3",
            {},
            "--density is '3', expected RESPONSE=LOW:HIGH:NUMBER with the number of points, such as 'time in "
            "queue=0:10:20'"},
           {"simulate mm1 --format csv --table best",
            {"--density", "idle time=0:1:5"},
            "--table is 'best', expected one of means, points, design, skipped, densities"},
           {"simulate mm1 --table means", {}, "--table is given without --format csv: expected both"},
           {"array-rqmc mm1 --chain-steps 1 --format csv --table levels",
            {},
            "--table is 'levels', expected one of means, randomizations"}}) {
    SCOPED_TRACE(line + (more.empty() ? "" : " " + more.back()));
    expect_refusal(run("sporos", with(line, more)), message);
  }
}

// A chain of more than 10 steps ends the run with one line and exit status 1, because the run has started.
TEST(RareEvents, OfAChainThatDoesNotEndAreToldSo) {
  const Outcome outcome = run("sporos", with("rare-event mm1 --chain-steps 10", {"--event", "number in system >= 40"}));
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(lines_of(outcome.error), 1);
  EXPECT_NE(outcome.error.find("a chain has made 10 steps"), std::string::npos) << outcome.error;
}

}  // namespace rare_event_tests
}  // namespace sporos::test
