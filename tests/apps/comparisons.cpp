// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Simultaneous intervals of all means, and of differences between design points.
#include "refusal.hpp"
#include "result_json.hpp"

#include <sporos/core/io/csv.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/statistics/critical_values.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace sporos::test {
namespace comparisons_tests {

using Json = nlohmann::ordered_json;

Json json_of(const std::string& line, const std::string& program = "sporos") {
  const Outcome outcome = run(program, words(line + " --format json"));
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  return Json::parse(outcome.out);
}

const std::string queues = "simulate mm1 --customers 30 --arrival-rate 0.4:0.6:0.1 --replications 300";

// Expects identical results from all programs with all mappings, except for the machine, the time and the mapping.
void expect_same_everywhere(const std::string& line) {
  const Json expected = json_of(line, first_program);
  for (const std::string& program : programs()) {
    for (const std::string more : {"", " --mapping warp"}) {
      Json found = json_of(line + more, program);
      found["settings"]["mapping"] = expected["settings"]["mapping"];
      found["findings"]["mapping"] = expected["findings"]["mapping"];
      EXPECT_EQ(lasting_result(found), lasting_result(expected)) << program << more;
    }
  }
}

TEST(SimultaneousMeans, AreBonferronisOverAllThatVary) {
  const Json plain = json_of(queues), asked = json_of(queues + " --simultaneous bonferroni");
  EXPECT_EQ(asked["settings"]["simultaneous"], "bonferroni");
  EXPECT_EQ(rows_of(asked, "points"), rows_of(plain, "points"));
  for (const Json& response : rows_of(asked, "means")) {
    EXPECT_NEAR(response["simultaneous_half_width"].get<double>() / response["half_width"].get<double>(),
                student_t(1 - 0.05 / 12, 300) / student_t(0.95, 300), 1e-12);
  }
  // A single customer neither waits nor makes a queue: two of the four responses are constant.
  const Json constant = json_of("simulate mm1 --customers 1 --replications 300 --simultaneous bonferroni");
  const Json& stay = rows_of(constant, "means")[1];
  EXPECT_NEAR(stay["simultaneous_half_width"].get<double>() / stay["half_width"].get<double>(),
              student_t(1 - 0.05 / 2, 300) / student_t(0.95, 300), 1e-12);
  EXPECT_EQ(rows_of(constant, "means")[0]["simultaneous_half_width"], 0);
}

TEST(SimultaneousMeans, AreNarrowerByMaxT) {
  const Json asked = json_of("simulate mm1 --customers 30 --simultaneous max-t");
  EXPECT_EQ(asked["settings"]["covariances"], true) << "which it takes";
  for (const Json& response : rows_of(asked, "means")) {
    const double share = response["simultaneous_half_width"].get<double>() / response["half_width"].get<double>();
    EXPECT_GT(share, 1);
    EXPECT_LT(share, student_t(1 - 0.05 / 4, 1024) / student_t(0.95, 1024));
  }
}

TEST(Comparisons, HaveTheSameBytesEverywhere) {
  for (const std::string& line : {queues + " --compare queue-length --simultaneous max-t",
                                  queues + " --compare idle_time --compare-with largest --common-random-numbers off"}) {
    expect_same_everywhere(line);
  }
}

// Checks the intervals against paired Student intervals, computed here from the responses of all replications.
TEST(Comparisons, ArePairedUnderCommonRandomNumbers) {
  const Folder folder;
  const Json json = json_of(queues + " --compare idle_time --responses " + folder / "all.csv");
  const auto csv = io::read_csv(folder / "all.csv");
  std::vector<std::vector<double>> idle(3);  // rows are ordered by replications, then by points
  const auto column =
      static_cast<std::size_t>(std::find(csv.names.begin(), csv.names.end(), "idle time") - csv.names.begin());
  for (std::size_t row = 0; row < csv.rows.size(); ++row) {
    idle[row % 3].push_back(io::parse_number<double>("value", csv.rows[row][column]));
  }
  EXPECT_EQ(json["settings"]["compare"], "idle time");
  EXPECT_EQ(json["findings"]["compared_by"], "paired, Bonferroni over 3");
  ASSERT_EQ(rows_of(json, "differences").size(), 3u);
  for (const Json& difference : rows_of(json, "differences")) {
    const auto first = difference["first"].get<std::size_t>() - 1, second = difference["second"].get<std::size_t>() - 1;
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < 300; ++i) sum += idle[first][i] - idle[second][i];
    for (std::size_t i = 0; i < 300; ++i) squares += std::pow(idle[first][i] - idle[second][i] - sum / 300, 2);
    const double half_width = student_t(1 - 0.05 / 3, 300) * std::sqrt(squares / 299 / 300);
    EXPECT_NEAR(difference["difference"].get<double>(), sum / 300, 1e-10);
    EXPECT_NEAR(difference["low"].get<double>(), sum / 300 - half_width, 1e-9);
    EXPECT_NEAR(difference["high"].get<double>(), sum / 300 + half_width, 1e-9);
  }
}

TEST(Comparisons, OfIndependentPointsAreTukeys) {
  const Json json = json_of(queues + " --compare idle_time --common-random-numbers off");
  EXPECT_EQ(json["findings"]["compared_by"], "independent points, Tukey's studentized range");
  const auto& responses = [&](std::size_t point) { return rows_of(json, "means", point + 1)[2]; };
  const Json& difference = rows_of(json, "differences")[0];
  EXPECT_NEAR(difference["difference"].get<double>(),
              responses(1)["mean"].get<double>() - responses(0)["mean"].get<double>(), 1e-10);
  const double error =
      std::sqrt((responses(1)["variance"].get<double>() + responses(0)["variance"].get<double>()) / 300);
  const double width = difference["high"].get<double>() - difference["low"].get<double>();
  EXPECT_NEAR(width / error, 2 * 3.331 / std::sqrt(2.0), 1e-2)
      << "q(0.95; 3, 299), between 3.328 at 360 and 3.35 at 120";
}

TEST(Comparisons, WithTheBestSayWhichCannotBeIt) {
  const std::string line = queues + " --compare idle_time --compare-with smallest";
  const Json json = json_of(line);
  const Json& distances = rows_of(json, "distances");
  ASSERT_EQ(distances.size(), 3u);
  EXPECT_GT(distances[0]["low"].get<double>(), 0);
  EXPECT_LT(distances[2]["high"].get<double>(), 0);
  const Outcome table = sporos(line);
  EXPECT_NE(table.out.find("not best"), std::string::npos) << table.out;
  const auto csv = io::parse_csv("output", sporos(line + " --format csv --table distances").out);
  ASSERT_EQ(csv.rows.size(), 3u);
  EXPECT_EQ(csv.names,
            (std::vector<std::string>{"point", "arrival_rate", "distance", "low", "high", "verdict", "stopped_by"}));
  EXPECT_EQ(csv.rows[0][4], io::shortest_text(distances[0]["high"].get<double>()));
  const auto all =
      io::parse_csv("output", sporos(queues + " --compare idle_time --format csv --table differences").out);
  EXPECT_EQ(all.rows.size(), 3u);
}

// The interval of Lavenberg and Welch is narrower than the plain one, and its centre is as accurate: it differs from
// the exact mean by more than 5 standard errors with probability 10^-6.
TEST(ControlVariates, MakeIntervalsNarrower) {
  for (const std::string& line : {std::string("simulate mm1 --customers 30 --control-variates"),
                                  std::string("simulate activity-network --control-variates")}) {
    const Json json = json_of(line);
    const Json plain = json_of(line.substr(0, line.rfind(' ')));
    ASSERT_EQ(rows_of(json, "controlled_means").size(), rows_of(json, "means").size());
    for (std::size_t r = 0; r < rows_of(json, "means").size(); ++r) {
      const Json &response = rows_of(json, "means")[r], &controlled = rows_of(json, "controlled_means")[r];
      EXPECT_EQ(response["mean"], rows_of(plain, "means")[r]["mean"]) << "the plain mean is as it was";
      EXPECT_LT(controlled["half_width"].get<double>(), response["half_width"].get<double>());
      EXPECT_GT(controlled["variance_ratio"].get<double>(), 1);
      EXPECT_LT(std::abs(controlled["mean"].get<double>() - response["exact"].get<double>()),
                5 / 1.96 * controlled["half_width"].get<double>());
    }
    EXPECT_EQ(rows_of(json, "controls")[0]["known"], 0);
    EXPECT_FALSE(json["tables"].contains("covariances")) << "which were not asked for";
  }
}

// The payoff by the arithmetic mean is the larger one. The controlled and the plain mean differ by more than 5 standard
// errors with probability 10^-6.
TEST(ControlVariates, MayBeOfTheModelsOwn) {
  const Json json = json_of("simulate asian-call --replications 2000 --control-variates");
  const Json &controls = rows_of(json, "controls"), &payoff = rows_of(json, "means")[0],
             &controlled = rows_of(json, "controlled_means")[0];
  EXPECT_EQ(controls[0]["known"], 0);
  EXPECT_EQ(controls[1]["control"], "payoff by the geometric mean");
  const double known = controls[1]["known"], mean = controlled["mean"];
  EXPECT_GT(mean, known);
  EXPECT_NEAR(mean, payoff["mean"].get<double>(), 5 / 1.96 * payoff["half_width"].get<double>());
  EXPECT_GT(controlled["variance_ratio"].get<double>(), 500);
}

TEST(ControlVariates, AreTheSameBytesEverywhere) {
  const std::string line = "simulate mm1 --customers 30 --arrival-rate 0.4,0.6 --replications 3000 --control-variates";
  expect_same_everywhere(line);
}

// A queue that starts from a given state draws no initial number, so this control does not vary.
TEST(ControlVariates, ThatDoNotVaryAreToldInOneLine) {
  const std::string line = "simulate mmck --customers 50 --from-empty 1 --control-variates";
  const Json json = json_of(line);
  EXPECT_EQ(rows_of(json, "controls")[0]["is_used"], false);
  EXPECT_EQ(rows_of(json, "controls")[1]["is_used"], true);
  const Outcome table = sporos(line);
  EXPECT_NE(
      table.out.find("\ncontrol 'initial number' is left out: it does not vary, or depends on the other controls\n"),
      std::string::npos)
      << table.out;
  EXPECT_NE(table.out.find("\nMeans with control variates\n"), std::string::npos);
  EXPECT_NE(table.out.find("\ninterarrival times "), std::string::npos);
  const auto csv = io::parse_csv("output", sporos(line + " --format csv --table controlled_means").out);
  EXPECT_EQ(csv.names[4], "variance_ratio");
}

class BadComparison : public ::testing::TestWithParam<Refusal> {};

TEST_P(BadComparison, IsAnsweredByOneLine) { expect_refusal(sporos(GetParam().line), GetParam().message); }

INSTANTIATE_TEST_SUITE_P(
    Comparisons, BadComparison,
    ::testing::Values(
        Refusal{"simulate mm1 --compare idle_time",
                "--compare is given for one design point, expected several to choose from"},
        Refusal{queues + " --compare idle",
                "--compare is 'idle', expected a response: time in queue, time in system, idle time, queue length"},
        Refusal{queues + " --compare-with first", "--compare-with is given without --compare: expected both"},
        Refusal{queues + " --compare idle_time --compare-with best",
                "unknown comparison 'best': expected one of all, first, largest, smallest"},
        Refusal{"simulate pi --control-variates",
                "--control-variates is given with pi, which has no control variates, expected mm1, mmck, tandem-line, "
                "ss-inventory, activity-network, call-options, asian-call"},
        Refusal{"simulate mm1 --control-variates --precision 0.1",
                "--control-variates is given with a precision, which applies to plain means: expected --replications"},
        Refusal{"simulate mm1 --control-variates --quantiles 0.5",
                "--control-variates is given with --quantiles, expected one of them"},
        Refusal{"simulate mm1 --control-variates --probability idle_time>1",
                "--control-variates is given with --probability, expected one of them"},
        Refusal{queues + " --simultaneous tukey",
                "unknown simultaneous method 'tukey': expected one of bonferroni, max-t"},
        Refusal{"simulate mm1 --arrival-rate 0.4,0.5 --compare idle_time --precision 1",
                "--compare needs the same number of replications at each design point: expected --replications instead "
                "of a precision"},
        Refusal{queues + " --compare idle_time --quantiles 0.5 --quantile-precision 1",
                "--quantile-precision is given with --compare, expected one of them"},
        Refusal{"steady-state mm1 --simultaneous max-t",
                "unknown option '--simultaneous': it is an option of `sporos simulate`; `sporos steady-state mm1 "
                "--help-all` lists the options"}));

}  // namespace comparisons_tests
}  // namespace sporos::test
