// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Design points whose model is invalid or whose replications fail. The other points continue, in every model and every
// question.
#include "process.hpp"
#include "refusal.hpp"
#include "result_json.hpp"
#include "select_results.hpp"
#include "short_models.hpp"

#include <sporos/core/io/csv.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <regex>
#include <string>
#include <vector>

namespace sporos::test {
namespace failed_points_tests {

using Json = nlohmann::ordered_json;

Json simulated(const std::string& line) {
  const Outcome outcome = run(first_program, quoted_words("simulate " + line + " --format json"));
  EXPECT_EQ(outcome.status, 0) << line << ": " << outcome.error;
  EXPECT_EQ(outcome.error, "");
  return Json::parse(outcome.out);
}

// Models without a parameter that takes a range of numbers.
const std::vector<std::string> left_out{"network", "newsboy", "pert", "empirical-risk", "noisy-quadratic"};

// First numeric parameter in the help that `model` does not set, and its default.
struct FirstParameter {
  std::string flag, default_value;
  bool is_whole;
};

FirstParameter first_parameter(const std::string& model) {
  const std::string help = run(first_program, words("simulate " + model + " --help-all")).out;
  const std::regex line("\n  (--[a-z0-9.-]+) (WHOLE|NUMBER) [\\s\\S]*?default: (\\S+)");
  for (std::sregex_iterator found(help.begin(), help.end(), line), end; found != end; ++found) {
    if (model.find((*found)[1].str() + " ") != std::string::npos) continue;
    return {(*found)[1], (*found)[3], (*found)[2] == "WHOLE"};
  }
  ADD_FAILURE() << model << " has no parameter";
  return {};
}

TEST(FailedPoints, OfAllModelsLeaveTheOthersAlone) {
  for (const std::string& model : short_models) {
    if (std::ranges::find(left_out, model) != left_out.end()) continue;
    SCOPED_TRACE(model);
    const auto [flag, default_value, is_whole] = first_parameter(model);
    const std::string bad = is_whole ? "-9000000000000000000" : "nan",
                      shown = model + " --replications 8 " + flag + " ";
    const Json both = simulated(shown + default_value + "," + bad), separate = simulated(shown + default_value);
    EXPECT_EQ(rows_of(both, "points")[0]["digest"], separate["findings"]["digest"]);
    EXPECT_EQ(rows_of(both, "means", 1), rows_of(separate, "means"));
    const Json& points = rows_of(both, "points");
    const bool is_skipped = both["tables"].contains("skipped") && rows_of(both, "skipped").size() == 1;
    const bool has_failed = points.size() == 2 && points[1]["stopped_by"] == "failed";
    EXPECT_TRUE(is_skipped || has_failed) << points.dump();
    const Outcome none = run(first_program, words("simulate " + shown + bad));
    EXPECT_TRUE(none.status == 1 || none.status == 2) << none.status;
    EXPECT_EQ(none.out, "");
    EXPECT_EQ(lines_of(none.error), 1);
  }
}

// At the second rate, the queue outgrows its storage. The third rate is invalid.
const std::string queues =
    "event-mmck --servers 1 --capacity 100000 --from-empty 1 --customers 6000 --replications 40 --arrival-rate "
    "0.1,9,-1,0.2";

TEST(FailedPoints, LoseInEveryQuestion) {
  const Json plain = simulated(queues);
  ASSERT_EQ(rows_of(plain, "points").size(), 3u);
  ASSERT_EQ(rows_of(plain, "skipped").size(), 1u);
  EXPECT_EQ(rows_of(plain, "skipped")[0]["reason"], "arrival_rate is -1, expected a positive finite number");
  const Json &failed = rows_of(plain, "points")[1], &good = rows_of(plain, "points")[2];
  EXPECT_EQ(failed["stopped_by"], "failed");
  EXPECT_EQ(failed["replications"], 40);
  EXPECT_EQ(failed["failures"], 40);
  EXPECT_EQ(failed["reason"],
            "replication 0 failed: its queue has room for 4096 entities and is full: give the "
            "model more storage, or less load");
  EXPECT_TRUE(rows_of(plain, "means", 2)[0]["mean"].is_null());
  EXPECT_TRUE(good["failures"].is_null());
  const Json asked = simulated(queues +
                               " --smallest 'mean wait' --compare 'mean wait' --compare-with smallest --require 'mean "
                               "wait < 100' --quantiles 0.5 --probability 'mean wait > 0.1' --histogram 'mean "
                               "wait=0:1:4' --density 'mean wait=0:1:4' --simultaneous bonferroni --covariances on");
  EXPECT_EQ(rows_of(asked, "points")[0]["digest"], rows_of(plain, "points")[0]["digest"]);
  EXPECT_EQ(rows_of(asked, "best")[1]["probability"], 0);
  for (const Json& difference : rows_of(asked, "differences")) {
    EXPECT_NE(difference["first"], 2);
    EXPECT_NE(difference["second"], 2);
    EXPECT_TRUE(difference["low"].is_number());
  }
  EXPECT_EQ(rows_of(asked, "requirements").back()["point"], 2);
  EXPECT_EQ(rows_of(asked, "requirements").back()["verdict"], "violates");
  for (const auto* answer : {"quantiles", "probabilities", "histograms", "densities", "correlations"}) {
    EXPECT_TRUE(rows_of(asked, answer, 2).empty()) << answer;
    EXPECT_FALSE(rows_of(asked, answer, 3).empty()) << answer;
  }
  EXPECT_TRUE(rows_of(asked, "quantiles", 3)[0]["quantile"].is_number());
}

TEST(FailedPoints, AreToldInTablesAndFiles) {
  const Folder folder;
  const std::string files = " --report " + folder / "page.html" + " --responses " + folder / "all.csv";
  const Outcome table = run(first_program, words("simulate " + queues + files));
  EXPECT_EQ(table.status, 0) << table.error;
  EXPECT_NE(
      table.out.find("\npoint 2 has no result: 40 of 40 replications have failed: replication 0 failed: its queue"),
      std::string::npos)
      << table.out;
  EXPECT_NE(table.out.find("\nskipped arrival_rate -1: arrival_rate is -1, expected a positive finite number\n"),
            std::string::npos);
  const std::string page = contents_of(folder / "page.html");
  EXPECT_NE(page.find("replication 0 failed: its queue has room for 4096 entities"), std::string::npos);
  EXPECT_NE(page.find("Invalid design points, which were skipped"), std::string::npos);
  const auto csv_of = [](const std::string& name) {
    return io::parse_csv("output",
                         run(first_program, words("simulate " + queues + " --format csv --table " + name)).out);
  };
  const auto points = csv_of("points"), skipped = csv_of("skipped");
  ASSERT_EQ(points.rows.size(), 3u);
  EXPECT_EQ(points.names[5], "reason");
  EXPECT_EQ(points.rows[0][5], "");
  EXPECT_TRUE(points.rows[1][5].starts_with("replication 0 failed"));
  ASSERT_EQ(skipped.rows.size(), 1u);
  EXPECT_EQ(skipped.rows[0][0], "-1");
}

TEST(FailedPoints, EndAPrecisionWithTheirBatch) {
  const std::string line =
      "event-mmck --servers 1 --capacity 100000 --from-empty 1 --customers 6000 --arrival-rate 0.1,9 --batch 16 "
      "--precision 10";
  const Json found = simulated(line);
  EXPECT_EQ(found["stopped_by"], "precision, failed");
  EXPECT_EQ(rows_of(found, "points")[0]["stopped_by"], "precision");
  EXPECT_EQ(rows_of(found, "points")[1]["stopped_by"], "failed");
  EXPECT_EQ(rows_of(found, "points")[1]["replications"], 16);
  const Json quantiles = simulated(queues + " --batch 16 --quantiles 0.5 --quantile-precision 10");
  EXPECT_EQ(rows_of(quantiles, "points")[0]["stopped_by"], "precision");
  EXPECT_EQ(rows_of(quantiles, "points")[1]["stopped_by"], "failed");
}

// One server, and arrivals as fast as it serves. With 300 times as many arrivals, any storage overflows.
const std::string critical = R"json({"time_unit": "min", "horizon": 1000, "wait_limits": [1],
  "classes": {"c": {"interarrival": "exponential(1)", "enters": "s"}},
  "stations": {"s": {"servers": 1, "service": "exponential(1)"}}})json";

TEST(FailedPoints, OfANetworkThatNobodyCanEnterAreSkipped) {
  const Folder folder;
  const std::string file = folder.write("ways.json", R"json({"time_unit": "min", "horizon": 100,
    "classes": {"c": {"interarrival": "exponential(1)", "enters": [{"to": "s", "probability": 0.5},
                                                                   {"to": "t", "probability": 0.5}]}},
    "stations": {"s": {"servers": 1, "service": "exponential(0.1)"}, "t": {"servers": 1, "service": "exponential(0.1)"}}})json");
  const std::string line = "network --case " + file + " --classes.c.enters.1.probability 0 --replications 4 ";
  const Json found = simulated(line + "--classes.c.enters.2.probability 0,1");
  ASSERT_EQ(rows_of(found, "points").size(), 1u);
  ASSERT_EQ(rows_of(found, "skipped").size(), 1u);
  EXPECT_EQ(rows_of(found, "skipped")[0]["reason"],
            "classes.c.enters has only probabilities of 0, expected a positive one");
  const std::string decisions = "--over classes.c.enters.1.probability=0,0.5 --over classes.c.enters.2.probability=0,1";
  const Json selected = selection_by(first_program, "select network --case " + file + " " + decisions +
                                                        " --smallest 'number at s' --delta 5 --procedure rinott");
  const Json& failed = rows_of(selected, "failed")[0];
  EXPECT_EQ(failed["failures"], 50);
  EXPECT_NE(failed["reason"].dump().find("all branches at a choice have probability 0"), std::string::npos) << failed;
}

// With three times as many arrivals, about 2000 customers are in the queue at the end.
TEST(FailedPoints, OfANetworkSucceedWithMoreMemory) {
  const Folder folder;
  const std::string line = "network --case " + folder.write("critical.json", critical) +
                           " --classes.c.arrival-speed 3 --replications 4 --most-customers ";
  const Json sizes = simulated(line + "0,4096,5000,64");
  const Json& points = rows_of(sizes, "points");
  ASSERT_EQ(points.size(), 4u);
  for (const std::size_t failed : {0, 3}) {
    EXPECT_EQ(points[failed]["failures"], 4);
    EXPECT_NE(points[failed]["reason"].dump().find(failed == 0 ? "--most-customers 4096" : "--most-customers 256"),
              std::string::npos)
        << points[failed];
  }
  EXPECT_TRUE(points[1]["failures"].is_null()) << points[1];
  EXPECT_EQ(points[1]["digest"], points[2]["digest"]);
  EXPECT_EQ(simulated(line + "5000")["findings"]["digest"], points[2]["digest"]) << "without other points";
  EXPECT_NE(simulated(line + "5000 --seed 2")["findings"]["digest"], points[2]["digest"]) << "control";
  expect_refusal(run(first_program, quoted_words("simulate " + line + "-1")),
                 "most_customers is -1, expected a whole number from 1 to 1000000, or 0 for a default");
  expect_refusal(run(first_program, quoted_words("simulate " + line + "1.5")),
                 "--most-customers is '1.5', expected a whole number");
  const Outcome replayed = run(first_program, quoted_words("replay " + line + "4096 --replication 0 --trace"));
  EXPECT_EQ(replayed.status, 0) << replayed.error;
}

TEST(FailedPoints, OfANetworkLoseEverySelection) {
  const Folder folder;
  const std::string line = "network --case " + folder.write("critical.json", critical) + " ";
  const Json found = simulated(line + "--stations.s.servers 0:2 --classes.c.arrival-speed 1,300 --replications 4");
  EXPECT_EQ(rows_of(found, "points").size(), 4u);
  EXPECT_EQ(rows_of(found, "skipped").size(), 2u) << "without a server";
  EXPECT_EQ(rows_of(found, "points")[0]["stopped_by"], "replications");
  EXPECT_EQ(rows_of(found, "points")[1]["stopped_by"], "failed");
  const std::string at_station =
      "entities were in the system at the same time, most of them at station 's'. It is overloaded";
  const auto names_station = [&](const std::string& text) { return text.find(at_station) != text.npos; };
  EXPECT_TRUE(names_station(rows_of(found, "points")[1]["reason"]));
  const std::string systems = "select " + line +
                              "--over stations.s.servers=0:3 --over classes.c.arrival-speed=1,300 --smallest "
                              "'number at s' --delta 5 --first-stage 10 ";
  for (const std::string how :
       {"gsp", "rinott", "kn", "kn++", "biz", "kt", "bi-pass", "subset", "standard --standard 100", "ocba --budget 500",
        "fbkt --budget 500", "constrained-kn --subject-to 'utilization at s <= 2' --tolerance 0.1"}) {
    SCOPED_TRACE(how);
    const Json result = selection_by(first_program, systems + "--procedure " + how);
    EXPECT_EQ(result["findings"]["failed"], 5);
    for (const Json& failed : rows_of(result, "failed")) {
      const bool is_impossible = failed["stations.s.servers"] == 0;
      EXPECT_EQ(failed["replications"] == 0, is_impossible);
      EXPECT_TRUE(is_impossible || failed["classes.c.arrival_speed"] == 300) << failed;
      EXPECT_TRUE(is_impossible || names_station(failed["reason"])) << failed;
    }
    EXPECT_EQ(selected_by(result)["classes.c.arrival_speed"], 1);
    EXPECT_GT(selected_by(result)["stations.s.servers"], 1);
  }
  const Outcome none = run(first_program, quoted_words("select " + line +
                                                       "--over classes.c.arrival-speed=300,400 --smallest "
                                                       "'number at s' --delta 0.5 --first-stage 10"));
  EXPECT_EQ(none.status, 1);
  EXPECT_EQ(none.out, "");
  EXPECT_TRUE(none.error.starts_with("sporos: all 2 systems have failed, system 1 in 10 of 10 replications: "))
      << none.error;
  for (const std::string& command :
       {"optimize " + line + "--over classes.c.arrival-speed=300:400 --minimize 'number at s' --replications 50",
        "simulate " + line + "--classes.c.arrival-speed 300 --replications 4",
        "replay " + line + "--classes.c.arrival-speed 300 --replications 4 --replication 0",
        "select " + line + "--over classes.c.arrival-speed=300,400 --smallest 'number at s' --delta 0.5"}) {
    EXPECT_TRUE(names_station(run(first_program, quoted_words(command)).error)) << command;
  }
}

// A server costs 3, and a customer who is turned away costs 40. With λ = 5, μ = 2 and room for 8 customers, the exact
// cost of 1 to 8 servers is smallest at 3.
TEST(Select, ByACostFindsItsMinimum) {
  const std::string line =
      "select mmck --arrival-rate 5 --service-rate 2 --capacity 8 --customers 500 --over servers=1:9 --delta 2 "
      "--smallest '3 * servers + 40 * blocking probability'";
  const Json result = selection_by(first_program, line);
  EXPECT_EQ(result["settings"]["response"], "3 * servers + 40 * blocking probability");
  EXPECT_EQ(rows_of(result, "failed")[0]["reason"], "capacity is 8, expected at least the 9 servers");
  const Json means = simulated(
      "mmck --arrival-rate 5 --service-rate 2 --capacity 8 --customers 500 --servers 1:8 --require 'blocking "
      "probability < 1' --cost '3 * servers + 40 * blocking probability'");
  EXPECT_EQ(selected_by(result)["servers"], rows_of(means, "requirements")[0]["servers"]);
  EXPECT_NEAR(selected_by(result)["mean"].get<double>(), rows_of(means, "requirements")[0]["cost"].get<double>(), 0.5);
}

TEST(Select, TakesAListOfSystems) {
  const Folder folder;
  const std::string list = folder.write("systems.csv", "servers,capacity\n2,8\n9,8\n3,8\n2,4\n");
  const std::string line =
      "select mmck --customers 2000 --delta 0.05 --smallest 'blocking probability' --procedure rinott ";
  const Json listed = selection_by(first_program, line + "--design " + list);
  EXPECT_EQ(listed["settings"]["systems"], 4);
  EXPECT_EQ(selected_by(listed)["system"], 3);
  EXPECT_EQ(selected_by(listed)["servers"], 3);
  EXPECT_EQ(selected_by(listed)["capacity"], 8);
  EXPECT_EQ(rows_of(listed, "failed")[0]["system"], 2);
  const Outcome twice =
      run(first_program, quoted_words(line + "--design " + folder.write("twice.csv", "servers\n2\n3\n2\n")));
  expect_refusal(twice, folder / "twice.csv" + ": system 3 is the same as system 1, expected each system once");
}

}  // namespace failed_points_tests
}  // namespace sporos::test
