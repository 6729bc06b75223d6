// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Samplings, runs, and the questions that the command line answers with them.
#include "refusal.hpp"
#include "result_json.hpp"

#include <sporos/core/io/csv.hpp>
#include <sporos/core/sampling/sampling.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstddef>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

namespace sporos::test {
namespace samplings_tests {

using Json = nlohmann::ordered_json;

std::string out_of(const std::string& line) {
  const auto outcome = sporos(line);
  EXPECT_EQ(outcome.status, 0) << line << "\n" << outcome.error;
  EXPECT_EQ(outcome.error, "") << line;
  return outcome.out;
}

Json json_of(const std::string& line) { return Json::parse(out_of(line + " --format json")); }

std::vector<std::string> split_lines(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

void expect_text(const std::string& text, const std::vector<std::string>& parts) {
  for (const auto& part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << " is not in:\n" << text;
}

TEST(Help, NamesWhatMakesARunAndWhatCanBeAsked) {
  expect_text(out_of("compare-samplings pi --help-all"),
              {"--run-length L ", "--sample-size N ", "--primes FIRST:LAST ", "default: 3:65535", "--sub-runs NAME ",
               "equal, by-size; default: equal", "--samplings A,B,... ",
               "latin-hypercube-centred, sobol, halton, faure, lattice"});
}

// Text on one line, with a single blank between words.
std::string in_one_line(const std::string& text) {
  std::string line;
  std::istringstream stream(text);
  for (std::string word; stream >> word;) line += word + ' ';
  return line;
}

// If intervals are known to cover less often than stated (docs/benchmarks/coverage.md), the help states it.
TEST(Help, SaysWhereIntervalsCoverLessOften) {
  expect_text(in_one_line(out_of("simulate mm1 --help-all")),
              {"of 30 lognormal ones (sigma 1) in 88 % instead of 95",
               "of skewed responses, 95 % intervals cover in 91 to 93 %"});
  expect_text(in_one_line(out_of("steady-state mm1 --help-all")), {"87 to 91 % with 262144 waits at load 0.95"});
  expect_text(in_one_line(out_of("rare-event mm1 --help-all")), {"95 % intervals cover in 93 to 95 %"});
  expect_text(in_one_line(out_of("multilevel call-options --help-all")), {"the interval includes the estimated bias"});
}

// Plans with every kind of source of random numbers, each with values other than the defaults.
const std::vector<std::string> plans = {
    "simulate pi --draws 20 --run-length 8 --replications 80",
    "simulate pi --draws 20 --sampling antithetic --run-length 4 --replications 80 --engine mrg32k3a",
    "simulate pi --draws 20 --sampling descriptive --run-length 1 --replications 80",
    "simulate mmck --customers 20 --sampling descriptive --sample-size 30 --replications 80",
    "simulate pi --draws 20 --sampling descriptive --run-length 8 --replications 80",
    "simulate mmck --customers 20 --sampling refined-descriptive --primes 5:19 --replications 80",
    "simulate pi --draws 20 --sampling refined-descriptive --primes 3:40 --sub-runs by-size --run-length 16 "
    "--replications 80",
    "simulate newsboy --quantity 20:24:2 --sampling refined-descriptive --primes 3:40 --run-length 16 "
    "--replications 80 --common-random-numbers off",
    "simulate mm1 --customers 20 --sampling latin-hypercube --run-length 8 --replications 80",
    "simulate random-walk --steps 20 --sampling latin-hypercube-centred --run-length 8 --replications 80",
    "simulate pi --draws 20 --sampling sobol --run-length 16 --precision 0.1 --batch 32 --max-replications 3200",
    "simulate pi --draws 20 --sampling halton --run-length 8 --replications 80",
    "simulate pi --draws 20 --sampling faure --run-length 8 --replications 80"};

TEST(Plan, OfEverySourceRepeatsToTheLastBit) {
  const Folder folder;
  for (const auto& line : plans) {
    const auto first = json_of(line);
    const std::string path = folder.write("result.json", first.dump());
    for (const std::string& program : programs()) {
      const auto again = run(program, {"simulate", "--plan", path, "--format", "json"});
      ASSERT_EQ(again.status, 0) << line << again.error;
      EXPECT_EQ(lasting_result(Json::parse(again.out)), lasting_result(first)) << program << ": " << line;
    }
  }
}

TEST(Plan, HoldsWhatMakesARun) {
  const auto plan = json_of(plans[6])["settings"];
  EXPECT_EQ(plan["run_length"], 16);
  EXPECT_EQ(plan["primes"], "3:40");
  EXPECT_EQ(plan["sub_runs"], "by-size");
  EXPECT_EQ(plan["sample_size"], nullptr);
  EXPECT_EQ(json_of(plans[3])["settings"]["sample_size"], 30);
}

// An option for another kind of sample replaces the one of the file and all settings that belonged to it.
TEST(Plan, GivesWayToAnotherSampling) {
  const Folder folder;
  const auto changed = [&](std::size_t plan, const std::string& options) {
    const std::string path = folder.write("result.json", out_of(plans[plan] + " --format json"));
    return json_of("simulate --plan " + path + options)["settings"];
  };
  auto plan = changed(3, " --sampling random");
  EXPECT_EQ(plan["sample_size"], nullptr);
  plan = changed(2, " --run-length 16");
  EXPECT_EQ(plan["run_length"], 16);
  plan = changed(4, " --sample-size 25");
  EXPECT_EQ(plan["run_length"], nullptr);
  EXPECT_EQ(plan["sample_size"], 25);
  plan = changed(1, " --sampling sobol");
  EXPECT_EQ(plan["engine"], "philox");
  plan = changed(6, " --sampling descriptive");
  EXPECT_EQ(plan["primes"], nullptr);
}

TEST(Runs, MakeReplicationsAndBatchesWholeWhereTheyAreLeftOpen) {
  const auto json = json_of("simulate pi --draws 10 --sampling sobol --run-length 100");
  EXPECT_EQ(json["settings"]["replications"], 1100);
  EXPECT_EQ(json["settings"]["batch"], 300);
  EXPECT_EQ(rows_of(json, "means")[0]["observations"], 11);
  EXPECT_EQ(rows_of(json, "means")[0]["replications"], 1100);
}

TEST(Runs, AreNamedInTheTable) {
  expect_text(out_of("simulate pi --draws 10 --sampling refined-descriptive --run-length 20 --primes 7:97"),
              {"refined-descriptive sampling by primes from 7 to 97, runs of 20, sub-runs weighted equally\n"});
  expect_text(out_of("simulate pi --draws 10 --sampling refined-descriptive --run-length 20 --sub-runs by-size"),
              {"primes from 3 to 65535, runs of 20, sub-runs weighted by size\n"});
  expect_text(out_of("simulate pi --draws 10 --sampling descriptive --sample-size 30"),
              {"philox, descriptive sampling of 30 numbers\n"});
}

// The average profit varies only by rounding, and its decimals must not suggest more.
TEST(Runs, ShowNoDecimalsThatRoundingMade) {
  expect_text(out_of("simulate newsboy --sampling descriptive --run-length 100 --replications 1000"),
              {"profit      8.36  "});
}

TEST(Replay, OfARunGivesTheReplicationOfTheExperiment) {
  for (const std::string sampling :
       {"descriptive", "refined-descriptive --sub-runs by-size --primes 3:11", "sobol", "halton", "faure", "lattice"}) {
    const std::string line = " pi --draws 20 --sampling " + sampling + " --run-length 4";
    double sum = 0;
    for (int r = 4; r < 8; ++r) {
      const Json replayed = json_of("replay" + line + " --replication " + std::to_string(r));
      sum += rows_of(replayed, "responses")[0]["value"].get<double>();
    }
    const auto mean_of = [&](const std::string& count) {
      return rows_of(json_of("simulate" + line + " --replications " + count), "means")[0]["mean"].get<double>();
    };
    const double one = mean_of("4"), two = mean_of("8");
    EXPECT_NEAR(sum / 4, 2 * two - one, 1e-12) << sampling;
  }
  const auto replay = json_of("replay pi --draws 9 --sampling sobol --run-length 4 --replication 5");
  EXPECT_EQ(replay["settings"]["sampling"], "sobol");
  EXPECT_EQ(replay["settings"]["run_length"], 4);
  EXPECT_EQ(replay["settings"]["replication"], 5);
}

// --- Comparison.

constexpr auto comparison =
    "compare-samplings mm1 --customers 10 --run-length 50 --replications 1000 --samplings "
    "random,latin-hypercube,descriptive";

TEST(Comparison, IsAnAlignedTable) {
  const auto lines = split_lines(out_of(comparison));
  expect_text(lines[2], {"1000 replications of each sampling, seed 1"});
  const std::string& names = lines[4];
  expect_text(names, {"response", "sampling", "mean", "95 % half-width", "exact", "run", "variance of a run",
                      "ratio to random", "95 % interval: from", "random replications"});
  ASSERT_GE(lines.size(), 5u + 12u);
  const auto end_of_mean = names.find("mean") + 4, end_of_ratio = names.find("ratio to random") + 15,
             end_of_low = names.find("95 % interval: from") + 19;
  for (std::size_t i = 5; i < 5 + 12; ++i) {
    EXPECT_EQ(lines[i].size(), names.size()) << lines[i];
    EXPECT_NE(lines[i][end_of_mean - 1], ' ') << lines[i];
    EXPECT_NE(lines[i][end_of_ratio - 1], ' ') << lines[i];
    EXPECT_EQ(lines[i][end_of_low - 1] == ' ', i % 3 == 2) << "random sampling has no interval";
  }
  expect_text(out_of(comparison), {"means under descriptive sampling are biased"});
}

TEST(Comparison, IsTheSameAsCsvAndJson) {
  const auto csv = io::parse_csv("output", out_of(comparison + std::string(" --format csv")));
  const auto json = json_of(comparison);
  ASSERT_EQ(csv.rows.size(), 12u);
  EXPECT_EQ(csv.names.front(), "response");
  EXPECT_EQ(csv.names[1], "sampling");
  EXPECT_EQ(csv.names[5], "run_length");
  ASSERT_EQ(rows_of(json, "samplings").size(), 3u);
  const Json& means = rows_of(json, "means");
  ASSERT_EQ(means.size(), 12u);
  for (std::size_t row = 0; row < 12; ++row) {
    const Json& response = means[row];
    EXPECT_EQ(csv.rows[row][0], response["response"].get<std::string>());
    EXPECT_EQ(csv.rows[row][1], response["sampling"].get<std::string>());
    EXPECT_EQ(csv.rows[row][5], "50");
    EXPECT_EQ(std::stod(csv.rows[row][2]), response["mean"].get<double>());
    EXPECT_EQ(std::stod(csv.rows[row][7]), response["variance_ratio"].get<double>());
    EXPECT_EQ(response["variance_ratio_low"].is_null(), response["sampling"] == "random");
    if (response["variance_ratio_low"].is_null()) continue;
    EXPECT_EQ(std::stod(csv.rows[row][8]), response["variance_ratio_low"].get<double>());
    EXPECT_EQ(std::stod(csv.rows[row][9]), response["variance_ratio_high"].get<double>());
  }
  EXPECT_EQ(means[0]["variance_ratio"], 1.0);
  EXPECT_EQ(means[0]["random_replications"], 1000.0);
  EXPECT_EQ(means[7]["response"], "idle time");
  EXPECT_LT(means[7]["variance_ratio_high"], 1.0);
}

TEST(Comparison, OfASamplingIsTheExperimentWithIt) {
  const auto json = json_of(comparison);
  for (std::size_t i = 0; i < 3; ++i) {
    const Json &sampling = rows_of(json, "samplings")[i], &first = rows_of(json, "means")[i];
    const auto separate = json_of("simulate mm1 --customers 10 --run-length 50 --replications 1000 --sampling " +
                                  sampling["sampling"].get<std::string>());
    EXPECT_EQ(separate["findings"]["digest"], sampling["digest"]);
    EXPECT_EQ(separate["settings"]["replications"], sampling["replications"]);
    EXPECT_EQ(first["sampling"], sampling["sampling"]);
    EXPECT_EQ(rows_of(separate, "means")[0]["mean"], first["mean"]);
  }
}

TEST(Comparison, GivesOptionsToTheSamplingThatTakesThem) {
  const auto json = json_of(
      "compare-samplings pi --draws 10 --samplings refined-descriptive,descriptive,antithetic --primes 3:11 "
      "--sample-size "
      "20 --engine taus88");
  const Json& samplings = rows_of(json, "samplings");
  EXPECT_EQ(samplings[0]["primes"], "3:11");
  EXPECT_EQ(samplings[1]["sample_size"], 20);
  EXPECT_EQ(samplings[1]["engine"], "philox");
  EXPECT_EQ(samplings[2]["engine"], "taus88");
}

TEST(Comparison, OfSingleObservationsKnowsNothing) {
  const std::string line = "compare-samplings pi --draws 10 --replications 1 --run-length 1 --samplings descriptive";
  const std::string table = out_of(line);
  EXPECT_EQ(table.find("nan"), std::string::npos) << table;
  EXPECT_EQ(table.find("inf"), std::string::npos) << table;
  const auto response = rows_of(json_of(line), "means")[0];
  EXPECT_EQ(response["variance_ratio"], nullptr);
  EXPECT_EQ(response["variance_ratio_high"], nullptr);
}

// --- The best design point.

constexpr auto newsboys = "simulate newsboy --quantity 16:36:10 --replications 2000";

TEST(Best, IsNamedInEveryFormat) {
  const std::string line = newsboys + std::string(" --largest profit");
  expect_text(out_of(line), {"\nlargest profit  point 2 (quantity 26) with probability 1.000\n"});
  expect_text(out_of("simulate newsboy --quantity 24:28:2 --largest profit"), {"largest profit  point ", "; point "});
  const auto json = json_of(line);
  EXPECT_EQ(json["tables"]["best"]["title"], "Probability that a point has the largest mean of profit");
  const Json& best = rows_of(json, "best");
  ASSERT_EQ(best.size(), 3u);
  double sum = 0;
  for (const Json& point : best) sum += point["probability"].get<double>();
  EXPECT_NEAR(sum, 1, 1e-12);
  const auto csv = io::parse_csv("output", out_of(line + " --format csv --table best"));
  EXPECT_EQ(csv.names[2], "probability");
  ASSERT_EQ(csv.rows.size(), 3u);
  for (std::size_t point = 0; point < 3; ++point) {
    EXPECT_EQ(std::stod(csv.rows[point][2]), best[point]["probability"].get<double>());
  }
}

TEST(Best, OfTheSmallestIsTheOtherEnd) {
  const Json json = json_of("simulate newsboy --quantity 4:24:10 --smallest profit");
  std::vector<double> probabilities;
  for (const Json& point : rows_of(json, "best")) probabilities.push_back(point["probability"]);
  EXPECT_EQ(probabilities, (std::vector{1.0, 0.0, 0.0}));
}

TEST(Best, ChangesNothingElse) {
  auto asked = json_of(newsboys + std::string(" --largest profit")), plain = json_of(newsboys);
  EXPECT_EQ(asked["tables"].erase("best"), 1u);
  EXPECT_EQ(asked["findings"].erase("best"), 1u);
  EXPECT_EQ(lasting_result(asked), lasting_result(plain));
}

// --- Bad input.

class BadRun : public ::testing::TestWithParam<Refusal> {};

TEST_P(BadRun, IsRefusedInOneLine) { expect_refusal(sporos(GetParam().line), GetParam().message); }

const std::string count = "expected a whole number from 1 to 9223372036854775807";

INSTANTIATE_TEST_SUITE_P(
    Runs, BadRun,
    ::testing::Values(
        Refusal{"simulate pi --run-length 0", "--run-length is '0', " + count},
        Refusal{"simulate pi --run-length -4", "--run-length is '-4', " + count},
        Refusal{"simulate pi --run-length many", "--run-length is 'many', " + count},
        Refusal{"simulate pi --run-length", "--run-length is given without a value"},
        Refusal{"simulate pi --replications 100 --run-length 64",
                "replications is 100, expected a multiple of 64, the run length"},
        Refusal{"simulate pi --precision 1 --batch 100 --run-length 64",
                "batch is 100, expected a multiple of 64, the run length"},
        Refusal{"simulate pi --precision 1 --max-replications 100 --run-length 64",
                "max-replications is 100, expected a multiple of 64, the run length"},
        Refusal{"simulate pi --sampling antithetic --run-length 7 --replications 14",
                "run length is 7, expected a multiple of 2, because antithetic sampling runs replications in pairs"},
        Refusal{"simulate pi --sampling sobol", "sampling sobol requires a run length, the number of points"},
        Refusal{"simulate pi --sampling sobol --draws 5000 --run-length 8",
                "sampling sobol has 3667 dimensions, but a replication draws 10000 times"},
        Refusal{"simulate pi --sampling halton --run-length 8 --engine taus88",
                "engine is taus88, expected philox: sampling halton takes no other engine"},
        Refusal{"simulate pi --sample-size 9",
                "sample size is 9 for sampling random, expected it with descriptive only"},
        Refusal{"simulate pi --sampling descriptive --sample-size 0", "--sample-size is '0', " + count},
        Refusal{"simulate pi --sampling descriptive --sample-size 3000000000",
                "sample size is 3000000000, expected 1 to 2147483648"},
        Refusal{
            "simulate pi --sampling descriptive --sample-size 9 --run-length 8",
            "sample size is 9 next to a run length of 8, expected one of them: the draws of all replications in a run "
            "determine its sample size"},
        Refusal{
            "simulate call-options --sampling descriptive",
            "sampling descriptive requires a run length, the number of replications that share a sample, or a sample "
            "size, the size of a variable's sample within a replication"},
        Refusal{"simulate newsboy --sampling descriptive",
                "sampling descriptive requires a run length, the number of replications that share a sample, because a "
                "replication draws each variable once"},
        Refusal{"simulate mmck --sampling descriptive",
                "sampling descriptive requires a sample size, because this model states no number of draws: give about "
                "the number of draws of a variable in a replication"},
        Refusal{"simulate mmck --sampling latin-hypercube --run-length 8",
                "sampling latin-hypercube assigns a coordinate to each draw of a replication, but this model states no "
                "number of draws: expected " +
                    names_where<Sampling>([](Sampling sampling) { return !is_point_set(sampling); })},
        Refusal{"simulate pi --primes 7:97",
                "--primes is given for sampling random, expected it with refined-descriptive only"},
        Refusal{"simulate pi --sampling refined-descriptive --primes 7",
                "--primes is '7', expected a range FIRST:LAST, such as 7:97"},
        Refusal{"simulate pi --sampling refined-descriptive --primes 7:",
                "--primes is '', expected a whole number from 0 to 4294967295"},
        Refusal{"simulate pi --sampling refined-descriptive --primes -1:7",
                "--primes is '-1', expected a whole number from 0 to 4294967295"},
        Refusal{"simulate pi --sampling refined-descriptive --primes 8:10",
                "primes is 8 to 10, expected a range that contains an odd prime and ends below 2147483648"},
        Refusal{"simulate pi --sub-runs equal",
                "--sub-runs is given for sampling random, expected it with refined-descriptive only"},
        Refusal{"simulate pi --sampling refined-descriptive --sub-runs plain",
                "unknown weights of sub-runs 'plain': expected one of equal, by-size"}));

INSTANTIATE_TEST_SUITE_P(
    Questions, BadRun,
    ::testing::Values(
        Refusal{"compare-samplings pi --samplings random,lucky",
                "unknown sampling 'lucky': expected one of " + names_of<Sampling>()},
        Refusal{"compare-samplings pi --draws 1,2 --samplings random",
                "there are 2 design points, expected one value of each parameter"},
        Refusal{"compare-samplings pi --samplings random --precision 1",
                "samplings are compared over equally many replications: expected no target precision"},
        Refusal{"compare-samplings pi --sampling sobol", "unknown option '--sampling': did you mean '--samplings'?"},
        Refusal{"compare-samplings pi", "--samplings is not given: expected a list of samplings"},
        Refusal{"compare-samplings pi --draws 10 --samplings antithetic --replications 7",
                "replications is 7, expected a multiple of 2, because antithetic sampling runs replications in pairs"},
        Refusal{"compare-samplings pi --draws 10 --samplings sobol",
                "sampling sobol requires a run length, the number of points"},
        Refusal{"simulate pi --largest pi", "--largest is given for one design point, expected several to choose from"},
        Refusal{"simulate pi --draws 1:3 --largest tau", "--largest is 'tau', expected a response: pi"},
        Refusal{"simulate newsboy --quantity 1:3 --smallest profits",
                "--smallest is 'profits', expected a response: profit, lost sales"},
        Refusal{"simulate pi --draws 1:3 --largest pi --smallest pi",
                "--largest and --smallest are given, expected one of them"},
        Refusal{"simulate pi --draws 1:3 --largest pi --precision 1",
                "--largest needs the same number of replications at each design point: expected --replications instead "
                "of a precision"},
        Refusal{"simulate pi --draws 1:3 --smallest pi --replications 1",
                "--smallest is given for one observation of each design point, expected at least 2"},
        Refusal{"simulate pi --draws 1:3 --largest pi --run-length 8 --replications 8",
                "--largest is given for one observation of each design point, expected at least 2"},
        Refusal{"replay pi --draws 1:3 --largest pi --replication 1 --point 1",
                "unknown option '--largest': it is an option of `sporos simulate`, `sporos select`; `sporos replay pi "
                "--help-all` lists the options"}));

}  // namespace samplings_tests
}  // namespace sporos::test
