// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process.hpp"
#include "result_json.hpp"
#include "short_models.hpp"

#include <sporos/core/io/csv.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <string>

namespace sporos::test {
namespace results_tests {

using Json = nlohmann::ordered_json;

Json json_of(const Outcome& outcome) {
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.error, "");
  return Json::parse(outcome.out);
}

Json json_of(const std::string& line) { return json_of(sporos(line + " --format json")); }

// Digest of the only design point.
std::string digest_of(const Json& json) { return json.at("findings").at("digest"); }

std::string digest_of(const Outcome& outcome) { return digest_of(json_of(outcome)); }

TEST(Tables, OfCasesAndDataCanBeChosen) {
  struct Choice {
    std::string line, table, header, names;
  };
  const std::string data = SPOROS_SAMPLE_DATA;
  for (const auto& [line, table, header, names] :
       {Choice{"simulate radiation --case " + data + "/plates.json --photons 2000", "fluxes",
               "face,flux,flux_error,stopped_by", "elements, fluxes, totals, layers"},
        Choice{"simulate germinal-centre " + data + "/germinal_centre.json --hours 0.5", "last",
               "kind,tissue,blood,lymph,marrow,saliva,stopped_by", "populations, last"},
        Choice{"optimize classification " + data + "/breast_cancer.csv --iterations 100", "scores",
               "part,rows,accuracy,area_under_curve,log_loss", "trajectory, scores"}}) {
    SCOPED_TRACE(line);
    const Outcome chosen = sporos(line + " --format csv --table " + table);
    EXPECT_EQ(chosen.status, 0) << chosen.error;
    EXPECT_TRUE(chosen.out.starts_with(header)) << chosen.out.substr(0, chosen.out.find('\n'));
    EXPECT_EQ(sporos(line + " --format csv --table none").error,
              "sporos: --table is 'none', expected one of " + names + "\n");
    EXPECT_EQ(sporos(line + " --table " + table).error,
              "sporos: --table is given without --format csv: expected both\n");
  }
}

TEST(Help, IsThereForEverything) {
  for (const auto* line :
       {"--help", "-h", "help", "--version", "list", "list --help", "describe mmck", "describe --help", "info",
        "info --help", "simulate --help", "simulate mmck --help", "simulate mmck --seed 1 -h"}) {
    const auto outcome = sporos(line);
    EXPECT_EQ(outcome.status, 0) << line;
    EXPECT_NE(outcome.out, "") << line;
    EXPECT_EQ(outcome.error, "") << line;
  }
}

TEST(Help, NamesParametersWithUnitAndUsualValue) {
  const std::string help = sporos("simulate mmck --help").out;
  EXPECT_NE(help.find("--arrival-rate"), std::string::npos);
  EXPECT_NE(help.find("customers arriving [1/time]; default: 4"), std::string::npos);
}

TEST(List, NamesEveryModel) {
  const std::string list = sporos("list").out;
  for (const std::string& model : short_models) EXPECT_NE(list.find(words(model)[0] + " "), std::string::npos) << model;
  constexpr std::size_t lines_of_head = 1, case_models = 2;
  EXPECT_EQ(static_cast<std::size_t>(std::count(list.begin(), list.end(), '\n')),
            lines_of_head + short_models.size() + case_models)
      << list;
}

TEST(Table, HoldsEstimatesExactValuesAndDigest) {
  const auto outcome = sporos("simulate mmck --replications 64");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.error, "");
  for (const auto* part : {"mean number in system", "95 % half-width", "exact", "\ndigest ", "arrival_rate 4"}) {
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part;
  }
}

TEST(Json, HoldsThePlanThePointsAndTheMachine) {
  const Json json = json_of("simulate mmck --replications 64 --seed 18446744073709551615 --confidence 0.9");
  EXPECT_EQ(json["subject"], "mmck");
  EXPECT_EQ(json["settings"]["replications"], 64);
  EXPECT_EQ(json["settings"]["seed"].get<std::uint64_t>(), 18446744073709551615u);
  EXPECT_EQ(json["settings"]["confidence"], 0.9);
  EXPECT_EQ(json["settings"]["precision"], nullptr);
  EXPECT_EQ(json["parameters"]["servers"], 3);
  EXPECT_EQ(rows_of(json, "design").at(0)["servers"], 3);
  const Json& point = rows_of(json, "points").at(0);
  EXPECT_EQ(point["stopped_by"], "replications");
  EXPECT_EQ(json["stopped_by"], "replications");
  EXPECT_EQ(json["findings"]["digest"], point["digest"]);
  EXPECT_EQ(point["digest"].get<std::string>().size(), 16u);
  const Json& response = rows_of(json, "means").at(0);
  EXPECT_EQ(response["response"], "mean number in system");
  EXPECT_EQ(response["replications"], 64);
  EXPECT_EQ(response["observations"], 64);
  EXPECT_NEAR(response["mean"], response["exact"], 5 * response["half_width"].get<double>());
  EXPECT_GT(response["variance"], 0.0);
  EXPECT_NE(json["machine"]["device"], "");
}

TEST(Json, HasNullForTheHalfWidthOfASingleObservation) {
  const Json json = json_of("simulate pi --replications 1");
  EXPECT_EQ(rows_of(json, "means")[0]["half_width"], nullptr);
  EXPECT_EQ(rows_of(json, "means")[0]["variance"], nullptr);
}

TEST(Csv, HasARowForEachPointAndResponse) {
  const auto outcome = sporos("simulate mmck --servers 1:3 --replications 16 --format csv");
  EXPECT_EQ(outcome.status, 0);
  const auto csv = io::parse_csv("output", outcome.out);
  EXPECT_EQ(csv.rows.size(), 12u);
  EXPECT_EQ(csv.names.front(), "point");
  EXPECT_EQ(csv.names[1], "arrival_rate");
  EXPECT_EQ(csv.names.back(), "digest");
  EXPECT_EQ(csv.rows[4][0], "2");
  EXPECT_EQ(csv.names[3], "servers");
  EXPECT_EQ(csv.rows[4][3], "2");
}

TEST(Results, AreTheSameBitsOnEveryBackendMappingAndThreadCount) {
  for (const std::string& model : short_models) {
    const std::string line = "simulate " + model + " --replications 130 --format json";
    const std::string expected = digest_of(run(first_program, words(line)));
    for (const std::string& program : programs()) {
      for (const std::string mapping : {"thread", "warp"}) {
        EXPECT_EQ(digest_of(run(program, words(line + " --mapping " + mapping))), expected) << program << line;
      }
      if (program != "sporos-openmp") continue;
      // The environment of the tests sets one thread.
      EXPECT_EQ(digest_of(run(program, words(line + " --threads 3"))), expected) << line;
    }
    EXPECT_NE(digest_of(run(first_program, words(line + " --seed 2"))), expected) << line;
  }
}

// Every option of a plan, with a value other than its default.
constexpr auto unusual_plan =
    "simulate mmck --arrival-rate 1.1:1.5:0.2 --servers 2 --customers 20 --relative-precision 0.05 --precision 0.1 "
    "--max-replications 3000 --batch 100 --time-limit 1000 --seed 9007199254740993 --engine taus88 --sampling "
    "antithetic --mapping warp --confidence 0.8 --common-random-numbers off --covariances --format json";

TEST(Plan, RepeatsAnExperimentFromItsOutput) {
  const Folder folder;
  const auto first = json_of(sporos(unusual_plan));
  EXPECT_EQ(rows_of(first, "design").size(), 3u);
  EXPECT_EQ(rows_of(first, "design")[1]["arrival_rate"], 1.3);
  EXPECT_FALSE(first["findings"].contains("digest"));
  const std::string path = folder.write("result.json", first.dump());
  for (const std::string& program : programs()) {
    const auto again = json_of(run(program, {"simulate", "--plan", path, "--format", "json"}));
    EXPECT_EQ(lasting_result(again), lasting_result(first)) << program;
  }
}

TEST(Covariances, AreInJson) {
  const std::string line = "simulate mm1 --customers 20 --replications 200";
  const Json json = json_of(line + " --covariances"), without = json_of(line + " --covariances off");
  EXPECT_EQ(json["settings"]["covariances"], true);
  const Json& means = rows_of(json, "means");
  const auto of_pair = [&](const std::string& table, std::size_t i, std::size_t j) {
    return rows_of(json, table).at(i).at(means.at(j)["response"].get<std::string>());
  };
  ASSERT_EQ(rows_of(json, "covariances").size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(of_pair("covariances", i, i), means[i]["variance"]);
    EXPECT_EQ(of_pair("correlations", i, i), 1.0);
    for (std::size_t j = 0; j < i; ++j) EXPECT_EQ(of_pair("covariances", i, j), of_pair("covariances", j, i));
  }
  const double first = of_pair("covariances", 0, 0), second = of_pair("covariances", 1, 1);
  EXPECT_GT(of_pair("covariances", 0, 1).get<double>(), 0.5 * first);
  EXPECT_NEAR(of_pair("correlations", 0, 1), of_pair("covariances", 0, 1).get<double>() / std::sqrt(first * second),
              1e-12);
  EXPECT_EQ(lasting_result(without), lasting_result(json_of(line)));
  EXPECT_FALSE(without["settings"].contains("covariances"));
  EXPECT_FALSE(without["tables"].contains("covariances"));
  const Json single = json_of("simulate mm1 --covariances --replications 1");
  EXPECT_EQ(rows_of(single, "covariances")[0]["time in system"], nullptr);
}

TEST(Plan, RepeatsAnExperimentWithAFile) {
  const Folder folder;
  const std::string network =
      folder.write("network.csv", "activity,from,to,distribution\nx,1,2,exponential(1)\ny,1,2,uniform-integer(1 3)\n");
  const std::string result = folder / "result.json";
  EXPECT_EQ(run("sporos", {"simulate", "pert", "--network", network, "--format", "json", "--output", result}).status,
            0);
  const auto saved = Json::parse(contents_of(result));
  EXPECT_EQ(saved["parameters"]["network"], network);
  EXPECT_EQ(rows_of(saved, "means")[2]["response"], "criticality of y");
  EXPECT_TRUE(rows_of(saved, "means")[0]["exact"].is_null());
  const auto again = Json::parse(run("sporos", {"simulate", "--plan", result, "--format", "json"}).out);
  EXPECT_EQ(digest_of(again), digest_of(saved));
}

TEST(Data, MayComeThroughAPipe) {
  const Folder folder;
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  Process simulation("sporos", {"simulate", "newsboy", "--demand", pipe, "--quantity", "1:2", "--format", "csv"});
  std::ofstream(pipe) << "demand,probability\n1,0.5\n3,0.5\n";
  const auto outcome = simulation.wait();
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_EQ(lines_of(outcome.out), 5);
}

TEST(Plan, GivesWayToOptionsBesideIt) {
  const Folder folder;
  const std::string path = folder.write("result.json", sporos(unusual_plan).out);
  const auto changed = json_of("simulate mmck --plan " + path + " --replications 10 --seed 3 --servers 1");
  const auto& plan = changed["settings"];
  EXPECT_EQ(plan["replications"], 10);
  EXPECT_EQ(plan["precision"], nullptr);
  EXPECT_EQ(plan["seed"], 3);
  EXPECT_EQ(plan["engine"], "taus88");
  EXPECT_EQ(rows_of(changed, "design").size(), 3u);
  EXPECT_EQ(rows_of(changed, "design")[2]["servers"], 1);
  EXPECT_EQ(rows_of(changed, "design")[2]["arrival_rate"], 1.5);
}

TEST(Design, OfAFileAndOfRangesIsTheSame) {
  const Folder folder;
  const std::string path =
      folder.write("design.csv", "servers,\"arrival-rate\"\n 1, 0.1\n1,0.2\n1,0.3\n2,0.1\n2,0.2\n2,0.3");
  const auto plan = std::string(" --customers 20 --replications 10");
  const auto from_file = json_of("simulate mmck --design " + path + plan);
  const auto from_ranges = json_of("simulate mmck --arrival-rate 0.1:0.3:0.1 --servers 1,2" + plan);
  EXPECT_EQ(rows_of(from_file, "points").size(), 6u);
  const auto means_of = [](const Json& json, std::size_t point) {
    Json rows = rows_of(json, "means", point + 1);
    for (Json& row : rows) row.erase("point");
    return rows;
  };
  for (std::size_t servers = 0; servers < 2; ++servers) {
    for (std::size_t rate = 0; rate < 3; ++rate) {
      EXPECT_EQ(means_of(from_file, 3 * servers + rate), means_of(from_ranges, 2 * rate + servers));
    }
  }
}

TEST(CommonRandomNumbers, AreOnUnlessTurnedOff) {
  const std::string line = "simulate pi --draws 10,10 --replications 10";
  const auto digests_differ = [&](const std::string& option) {
    const auto json = json_of(line + option);
    return rows_of(json, "points")[0]["digest"] != rows_of(json, "points")[1]["digest"];
  };
  EXPECT_FALSE(digests_differ(""));
  EXPECT_FALSE(digests_differ(" --common-random-numbers on"));
  EXPECT_FALSE(digests_differ(" --common-random-numbers"));
  EXPECT_TRUE(digests_differ(" --common-random-numbers off"));
}

TEST(Replay, GivesTheResponsesOfTheExperiment) {
  const std::string line = " mmck --servers 1,2 --customers 30 --common-random-numbers off --sampling antithetic";
  const auto pair = json_of("simulate" + line + " --replications 2");
  for (const int point : {0, 1}) {
    const auto replay = [&](const std::string& replication) {
      return json_of("replay" + line + " --point " + std::to_string(point + 1) + " --replication " + replication);
    };
    const auto first = replay("0"), second = replay("1");
    for (const int i : {0, 1, 3}) {  // without the mean wait, a ratio of means
      const double mean = (rows_of(first, "responses")[i]["value"].get<double>() +
                           rows_of(second, "responses")[i]["value"].get<double>()) /
                          2;
      EXPECT_EQ(rows_of(pair, "means", static_cast<std::size_t>(point + 1))[i]["mean"], mean);
    }
    EXPECT_NE(rows_of(first, "responses"), rows_of(second, "responses"));
  }
}

TEST(Replay, GivesTheSameBitsEverywhereInThreeForms) {
  const std::string line = "replay mm1 --customers 50 --replication 4711 --format json";
  const Json expected = json_of(run(first_program, words(line)));
  for (const std::string& program : programs()) {
    EXPECT_EQ(lasting_result(json_of(run(program, words(line)))), lasting_result(expected)) << program;
    EXPECT_EQ(json_of(run(program, words(line + " --mapping warp")))["tables"], expected["tables"]) << program;
  }
  const auto response = rows_of(expected, "responses")[0];
  const double value = response["value"];
  EXPECT_EQ(std::strtod(response["hexadecimal"].get<std::string>().c_str(), nullptr), value);
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  EXPECT_EQ(std::stoull(response["bits"].get<std::string>(), nullptr, 16), bits);

  const auto table = sporos("replay mm1 --customers 50 --replication 4711").out;
  for (const auto* form : {"hexadecimal", "bits"}) {
    EXPECT_NE(table.find(response[form].get<std::string>()), std::string::npos) << form;
  }
}

TEST(Replay, ListsTheEventsOfATrace) {
  const std::string line = "replay event-mmck --from-empty 1 --customers 20 --capacity 100 --replication 3";
  const auto plain = json_of(line);
  const auto traced = json_of(line + " --trace");
  EXPECT_EQ(rows_of(traced, "responses"), rows_of(plain, "responses"));
  EXPECT_FALSE(plain["tables"].contains("events"));
  const Json& events = rows_of(traced, "events");
  ASSERT_EQ(events.size(), 40u);  // arrivals and departures
  EXPECT_EQ(events[0]["event"], "arrival");
  EXPECT_EQ(events[39]["event"], "departure");
  const auto csv = sporos(line + " --trace --format csv").out;
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 41);
  EXPECT_TRUE(csv.starts_with("time,event,station,entity,"));
  const auto table = sporos(line + " --trace").out;
  EXPECT_NE(table.find("longest wait"), std::string::npos);
  EXPECT_NE(table.find("departure"), std::string::npos);
}

TEST(Replay, WritesTheVisitsOfANetwork) {
  const Folder folder;
  const std::string log = folder / "visits.csv", line = "replay network --replication 3";
  const auto plain = sporos(line + " --format csv"), logged = sporos(line + " --format csv --log " + log);
  EXPECT_EQ(logged.out, plain.out);
  const std::string visits = contents_of(log);
  EXPECT_TRUE(visits.starts_with(
      "replication,customer,class,visit,station,arrival,wait,service_begin,service_end,departure,outcome\n"
      "3,0,patient,1,triage,"))
      << visits.substr(0, 200);
  const std::string trace = sporos(line + " --trace --format csv").out;
  const auto count = [](const std::string& text, const std::string& word) {
    int number = 0;
    for (auto place = text.find(word); place != text.npos; place = text.find(word, place + 1)) ++number;
    return number;
  };
  EXPECT_EQ(count(visits, "\n3,"), count(trace, ",arrival,") + count(trace, ",comes,"));
  EXPECT_EQ(count(visits, ",served\n"), count(trace, ",service ends,"));
  for (const std::string& program : programs()) {
    run(program, words(line + " --log " + log));
    EXPECT_EQ(contents_of(log), visits) << program;
  }
}

// The file has the visits until the failure.
TEST(Replay, WritesTheVisitsOfAFailedReplication) {
  const Folder folder;
  const std::string log = folder / "visits.csv";
  const auto failed = sporos("replay network --most-customers 3 --replication 0 --log " + log);
  EXPECT_EQ(failed.status, 1);
  EXPECT_EQ(failed.out, "");
  EXPECT_NE(contents_of(log).find(",present\n"), std::string::npos);
}

const std::string two_periods = R"json({"time_unit": "min", "horizon": "2 h", "periods": "1 h",
  "classes": {"job": {"interarrival": 10, "enters": "desk"}}, "stations": {"desk": {"service": 15}}})json";

// People see the averages of periods in a table with a row for each place and period. All formats have all responses.
TEST(Periods, HaveATable) {
  const Folder folder;
  folder.write("case.json", two_periods);
  const std::string line = "simulate network --replications 4 --case " + folder / "case.json";
  const Json result = json_of(line);
  const Json& periods = rows_of(result, "periods");
  ASSERT_EQ(periods.size(), 4U);  // of the network and the station
  EXPECT_EQ(periods[0]["place"], "network");
  EXPECT_TRUE(periods[0]["wait"].is_null());
  EXPECT_EQ(periods[3]["place"], "desk");
  EXPECT_EQ(periods[3]["from"], 60);
  EXPECT_EQ(periods[3]["to"], 120);
  const auto& means = rows_of(result, "means");
  const auto mean = std::find_if(means.begin(), means.end(), [](const Json& row) {
    return row["response"] == "utilization at desk from 60 to 120 min";
  });
  ASSERT_NE(mean, means.end());
  EXPECT_EQ(periods[3]["utilization"], (*mean)["mean"]);
  EXPECT_EQ(periods[3]["utilization"], 1);
  const std::string text = sporos(line).out;
  EXPECT_EQ(text.find("from 60 to 120"), std::string::npos) << text;
  EXPECT_NE(text.find("number waiting"), std::string::npos);
  const std::string csv = sporos(line + " --format csv --table periods").out;
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 5);
  const std::string page = folder / "page.html";
  sporos(line + " --report " + page);
  EXPECT_NE(contents_of(page).find("number waiting at desk"), std::string::npos);
}

TEST(Failure, OfReplicationsIsCountedAndTold) {
  const std::string overloaded =
      " event-mmck --arrival-rate 9 --servers 1 --capacity 100000 --from-empty 1 --customers 10000";
  const auto experiment = sporos("simulate" + overloaded + " --replications 4");
  EXPECT_EQ(experiment.status, 1);
  EXPECT_EQ(experiment.out, "");
  const std::string reason = "replication 0 failed: its queue has room for 4096 entities and is full";
  EXPECT_NE(experiment.error.find("replications have no responses; " + reason), std::string::npos) << experiment.error;
  const auto replayed = sporos("replay" + overloaded + " --replication 0");
  EXPECT_EQ(replayed.status, 1);
  EXPECT_EQ(replayed.out, "");
  EXPECT_NE(replayed.error.find(reason), std::string::npos) << replayed.error;
  const auto traced = sporos("replay" + overloaded + " --replication 0 --trace");
  EXPECT_EQ(traced.status, 1);
  EXPECT_NE(traced.out.find("arrival"), std::string::npos);
  EXPECT_EQ(traced.error, replayed.error);
}

TEST(Precision, EndsAtABatchOrAtTheCeiling) {
  const auto reached = json_of("simulate pi --draws 100 --precision 0.02 --batch 64");
  EXPECT_EQ(reached["stopped_by"], "precision");
  EXPECT_EQ(reached["findings"]["replications"].get<int>() % 64, 0);
  EXPECT_LE(rows_of(reached, "means")[0]["half_width"], 0.02);

  const auto missed = sporos("simulate pi --draws 100 --precision 1e-6 --max-replications 1000 --format json");
  EXPECT_EQ(missed.status, 2);
  EXPECT_EQ(Json::parse(missed.out)["stopped_by"], "ceiling");
  EXPECT_EQ(missed.error.find("sporos: precision not reached: 'pi' has half-width 0.01"), 0u) << missed.error;
  EXPECT_NE(missed.error.find(" after 1000 replications (ceiling)\n"), std::string::npos) << missed.error;
  EXPECT_EQ(lines_of(missed.error), 1);
}

TEST(TimeLimit, KeepsWholeBatches) {
  const auto json = json_of("simulate pi --replications 1000000000000 --time-limit 0.2");
  EXPECT_EQ(json["stopped_by"], "time limit");
  const auto replications = json["findings"]["replications"].get<std::int64_t>();
  const auto again = json_of("simulate pi --replications " + std::to_string(replications));
  EXPECT_EQ(digest_of(again), digest_of(json));

  const auto missed = sporos("simulate pi --precision 1e-9 --max-replications 1000000000000 --time-limit 0.2");
  EXPECT_EQ(missed.status, 2);
  EXPECT_NE(missed.error.find("(time limit)\n"), std::string::npos) << missed.error;
}

}  // namespace results_tests
}  // namespace sporos::test
