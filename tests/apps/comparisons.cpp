// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intervals that hold together: of all means, and of differences between design points.
#include "refusal.hpp"

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

// All programs, by all mappings, write the same but for what they tell of themselves.
void expect_same_everywhere(const std::string& line) {
  const Json expected = json_of(line, first_program);
  for (const std::string& program : programs()) {
    for (const std::string more : {"", " --mapping warp"}) {
      Json found = json_of(line + more, program);
      found["plan"]["mapping"] = expected["plan"]["mapping"];
      found["run"] = expected["run"];
      EXPECT_EQ(found, expected) << program << more;
    }
  }
}

TEST(SimultaneousMeans, AreBonferronisOverAllThatVary) {
  const Json plain = json_of(queues), asked = json_of(queues + " --simultaneous bonferroni");
  EXPECT_EQ(asked["simultaneous"], "bonferroni");
  for (std::size_t point = 0; point < 3; ++point) {
    EXPECT_EQ(asked["points"][point]["digest"], plain["points"][point]["digest"]);
    for (const Json& response : asked["points"][point]["responses"]) {
      EXPECT_NEAR(response["simultaneous_half_width"].get<double>() / response["half_width"].get<double>(),
                  student_t(1 - 0.05 / 12, 300) / student_t(0.95, 300), 1e-12);
    }
  }
  // A single customer neither waits nor makes a queue: of four responses two are constant.
  const Json constant = json_of("simulate mm1 --customers 1 --replications 300 --simultaneous bonferroni");
  const Json& stay = constant["responses"][1];
  EXPECT_NEAR(stay["simultaneous_half_width"].get<double>() / stay["half_width"].get<double>(),
              student_t(1 - 0.05 / 2, 300) / student_t(0.95, 300), 1e-12);
  EXPECT_EQ(constant["responses"][0]["simultaneous_half_width"], 0);
}

TEST(SimultaneousMeans, AreNarrowerByMaxT) {
  const Json asked = json_of("simulate mm1 --customers 30 --simultaneous max-t");
  EXPECT_EQ(asked["plan"]["covariances"], true) << "which it takes";
  for (const Json& response : asked["responses"]) {
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

// Paired Student intervals, from the responses of all replications.
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
  const Json& found = json["comparison"];
  EXPECT_EQ(found["response"], "idle time");
  EXPECT_EQ(found["by"], "paired, Bonferroni over 3");
  ASSERT_EQ(found["differences"].size(), 3u);
  for (const Json& difference : found["differences"]) {
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
  EXPECT_EQ(json["comparison"]["by"], "independent points, Tukey's studentized range");
  const auto& responses = [&](std::size_t point) { return json["points"][point]["responses"][2]; };
  const Json& difference = json["comparison"]["differences"][0];
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
  ASSERT_EQ(json["comparison"]["distances"].size(), 3u);
  EXPECT_GT(json["comparison"]["distances"][0]["low"].get<double>(), 0);
  EXPECT_LT(json["comparison"]["distances"][2]["high"].get<double>(), 0);
  const Outcome table = sporos(line);
  EXPECT_NE(table.out.find("not best"), std::string::npos) << table.out;
  const auto csv = io::parse_csv("output", sporos(line + " --format csv").out);
  EXPECT_EQ(csv.names.back(), "difference_smallest_high");
  EXPECT_EQ(csv.rows[2].back(), io::shortest_text(json["comparison"]["distances"][0]["high"].get<double>()));
  EXPECT_EQ(csv.rows[0].back(), "") << "another response";
  const auto all = io::parse_csv("output", sporos(queues + " --compare idle_time --format csv").out);
  EXPECT_EQ(std::count_if(all.names.begin(), all.names.end(),
                          [](const std::string& name) { return name.starts_with("difference_"); }),
            9);
}

// Lavenberg and Welch's interval is narrower than the plain one, and as true: 5 standard errors are exceeded with
// probability 10^-6.
TEST(ControlVariates, MakeIntervalsNarrower) {
  for (const std::string& line : {std::string("simulate mm1 --customers 30 --control-variates"),
                                  std::string("simulate activity-network --control-variates")}) {
    const Json json = json_of(line);
    const Json plain = json_of(line.substr(0, line.rfind(' ')));
    for (std::size_t r = 0; r < json["responses"].size(); ++r) {
      const Json &response = json["responses"][r], &controlled = response["with_controls"];
      EXPECT_EQ(response["mean"], plain["responses"][r]["mean"]) << "the plain mean is as it was";
      EXPECT_LT(controlled["half_width"].get<double>(), response["half_width"].get<double>());
      EXPECT_GT(controlled["variance_ratio"].get<double>(), 1);
      EXPECT_LT(std::abs(controlled["mean"].get<double>() - response["exact"].get<double>()),
                5 / 1.96 * controlled["half_width"].get<double>());
    }
    EXPECT_EQ(json["points"][0]["controls"][0]["known"], 0);
    EXPECT_FALSE(json["points"][0].contains("covariances")) << "which were not asked for";
  }
}

// The arithmetic mean is the larger one. 5 standard errors are exceeded with probability 10^-6.
TEST(ControlVariates, MayBeOfTheModelsOwn) {
  const Json json = json_of("simulate asian-call --replications 2000 --control-variates");
  const Json &controls = json["points"][0]["controls"], &payoff = json["responses"][0];
  EXPECT_EQ(controls[0]["known"], 0);
  EXPECT_EQ(controls[1]["name"], "payoff by the geometric mean");
  const double known = controls[1]["known"], mean = payoff["with_controls"]["mean"];
  EXPECT_GT(mean, known);
  EXPECT_NEAR(mean, payoff["mean"].get<double>(), 5 / 1.96 * payoff["half_width"].get<double>());
  EXPECT_GT(payoff["with_controls"]["variance_ratio"].get<double>(), 500);
}

TEST(ControlVariates, AreTheSameBytesEverywhere) {
  const std::string line = "simulate mm1 --customers 30 --arrival-rate 0.4,0.6 --replications 3000 --control-variates";
  expect_same_everywhere(line);
}

// From a given state no initial number is drawn.
TEST(ControlVariates, ThatDoNotVaryAreToldInOneLine) {
  const std::string line = "simulate mmck --customers 50 --from-empty 1 --control-variates";
  const Json json = json_of(line);
  EXPECT_EQ(json["points"][0]["controls"][0]["is_used"], false);
  EXPECT_EQ(json["points"][0]["controls"][1]["is_used"], true);
  const Outcome table = sporos(line);
  EXPECT_NE(table.out.find("\ncontrol 'initial number' is left out: it does not vary, or others explain it\n"),
            std::string::npos)
      << table.out;
  EXPECT_NE(table.out.find("\nmeans with control variates: initial number, interarrival times, service times\n"),
            std::string::npos);
  const auto csv = io::parse_csv("output", sporos(line + " --format csv").out);
  EXPECT_EQ(csv.names.back(), "variance_ratio");
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
                "--control-variates is given with pi, which names no controls, expected mm1, mmck, tandem-line, "
                "ss-inventory, activity-network, call-options, asian-call"},
        Refusal{"simulate mm1 --control-variates --precision 0.1",
                "--control-variates is given beside a precision, which plain means decide: expected --replications"},
        Refusal{"simulate mm1 --control-variates --quantiles 0.5",
                "--control-variates is given beside --quantiles, expected one of them"},
        Refusal{"simulate mm1 --control-variates --probability idle_time>1",
                "--control-variates is given beside --probability, expected one of them"},
        Refusal{queues + " --simultaneous tukey",
                "unknown simultaneous method 'tukey': expected one of bonferroni, max-t"},
        Refusal{"simulate mm1 --arrival-rate 0.4,0.5 --compare idle_time --precision 1",
                "--compare needs equally many replications of each design point: expected --replications instead of a "
                "precision"},
        Refusal{queues + " --compare idle_time --quantiles 0.5 --quantile-precision 1",
                "--quantile-precision is given beside --compare, expected one of them"},
        Refusal{queues + " --compare idle_time --replay 0",
                "--responses, --report, --quantiles, --probability, --histogram, --density, --require, --compare or "
                "--simultaneous is given beside "
                "--replay or --compare-sampling, expected one of them"},
        Refusal{"simulate mm1 --steady-state --simultaneous max-t",
                "--simultaneous is given with --steady-state, whose runs do not end: expected it without"}));

}  // namespace comparisons_tests
}  // namespace sporos::test
