// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cases of practitioners from tutorials, textbooks and bug reports: each has a right answer, or is refused with the
// name of the member that cannot be expressed.
#include "markov_chain.hpp"
#include "replicated_network.hpp"

#include <harness/refusal.hpp>
#include <sporos/core/io/text_file.hpp>
#include <sporos/core/replication/failed_replications.hpp>
#include <sporos/models/networks/network_files.hpp>
#include <sporos/models/networks/network_load.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace sporos::test {
namespace field_cases_tests {

std::string path_of(const std::string& name) { return std::string(SPOROS_FIELD_CASES) + "/" + name + ".json"; }

models::NetworkDescription field_case(const std::string& name) { return models::read_network_case(path_of(name)); }

// Whether the 99.9 % interval of the replications contains a mean; negative controls expect another mean to be outside.
bool holds(const Moments& found, double mean) { return std::abs(found.mean - mean) <= half_width(found, 0.999); }

TEST(FieldCases, CafeHasProductForm) {
  const auto found = network_moments(field_case("cafe"), 1, 20);
  EXPECT_TRUE(holds(found.at("number at coldcounter"), 3.0 / 7));
  EXPECT_TRUE(holds(found.at("number at till"), 4.0 / 3));
  const double load = 0.29 / 0.4, number = load / (1 - load * load / 4);  // M/M/2
  EXPECT_NEAR(number, 0.8347, 1e-4);
  EXPECT_TRUE(holds(found.at("number at hotcounter"), number));
  EXPECT_FALSE(holds(found.at("number at hotcounter"), 1.1 * number));
}

// Exact value by Pollaczek and Khinchine, for a mixture of two exponential services.
TEST(FieldCases, ClinicHasTheMeanWaitOfMG1) {
  const auto found = network_moments(field_case("clinic4"), 1, 20);
  const double second = 1 * 2 / 16.0 + 2 * 2 / 36.0, load = 1 / 4.0 + 2 / 6.0;
  const double wait = second / 2 / (1 - load);
  EXPECT_NEAR(wait, 0.2833, 1e-4);
  EXPECT_TRUE(holds(found.at("wait at desk"), wait));
  EXPECT_FALSE(holds(found.at("wait at desk"), 1.1 * wait));
}

TEST(FieldCases, BatchesHaveTheMeanNumberOfMXM1) {
  const auto found = network_moments(field_case("batch"), 1, 10);
  EXPECT_TRUE(holds(found.at("number at s"), 0.3 * (1.5 + 2.5) / 2 / (1 - 0.45)));
}

TEST(FieldCases, BoxesHaveTheMeanNumberOfMM5FromEmpty) {
  const MarkovChain chain({0}, [](const ChainState& s) {
    ChainMoves moves;
    if (s[0] < 40) moves.push_back({5, {s[0] + 1}});
    if (s[0] > 0) moves.push_back({3.0 * std::min(s[0], 5), {s[0] - 1}});
    return moves;
  });
  const double number = chain.mean_until(100, 4000, [](const ChainState& s) { return s[0]; });
  EXPECT_TRUE(holds(network_moments(field_case("boxes"), 1, 200).at("number at w"), number));
}

// Mean delay of the first `count` customers of an M/M/c queue that starts empty, from the distribution of the number
// that each customer finds.
double mean_delay(double arrival_rate, double service_rate, int servers, int count) {
  std::vector<double> p{1};
  double sum = 0;
  for (int customer = 0; customer < count; ++customer) {
    for (std::size_t n = 0; n < p.size(); ++n)
      sum += p[n] * std::max(static_cast<int>(n) + 1 - servers, 0) / (servers * service_rate);
    std::vector<double> next(p.size() + 1);
    for (std::size_t n = 0; n < p.size(); ++n) {
      double here = p[n];  // n + 1 are present now; some leave before the next customer comes
      for (std::size_t left = n + 1; left > 0; --left) {
        const double rate = std::min<double>(static_cast<double>(left), servers) * service_rate;
        next[left] += here * arrival_rate / (arrival_rate + rate);
        here *= rate / (arrival_rate + rate);
      }
      next[0] += here;
    }
    p = next;
  }
  return sum / count;
}

// Law and Kelton, chapter 10: compares one fast server with two slow ones.
TEST(FieldCases, KlunkyHasTheDelaysOfLawAndKelton) {
  EXPECT_NEAR(mean_delay(1, 1 / 0.9, 1, 100), 4.13, 0.005);
  EXPECT_NEAR(mean_delay(1, 1 / 1.8, 2, 100), 3.70, 0.005);
  auto network = field_case("klunky");
  const auto slow = network_moments(network, 1, 1000);
  network.stations[0].servers = 1;
  network.stations[0].speed = 2;
  const auto fast = network_moments(network, 1, 1000);
  EXPECT_TRUE(holds(slow.at("wait at s"), mean_delay(1, 1 / 1.8, 2, 100)));
  EXPECT_TRUE(holds(fast.at("wait at s"), mean_delay(1, 1 / 0.9, 1, 100)));
  EXPECT_FALSE(holds(fast.at("wait at s"), mean_delay(1, 1 / 1.8, 2, 100)));
}

// Law and Kelton, chapter 2, give the limits of the utilizations.
TEST(FieldCases, JobShopHasTheLoadsOfLawAndKelton) {
  const auto network = field_case("jobshop");
  const std::map<std::string, double> limits{{"s1", 0.96}, {"s2", 0.99}, {"s3", 0.725}, {"s4", 0.973}, {"s5", 0.8}};
  const auto loads = models::station_loads(network);
  for (std::size_t s = 0; s < loads.size(); ++s) {
    EXPECT_NEAR(loads[s].needed / loads[s].servers, limits.at(network.stations[s].name), 1e-3);
    EXPECT_TRUE(loads[s].is_stable);
  }
  EXPECT_TRUE(models::instability_notes(network).empty());
  const auto found = network_moments(network, 1, 2);
  for (const auto& [name, limit] : limits) EXPECT_NEAR(found.at("utilization at " + name).mean, limit, 0.1) << name;
}

TEST(FieldCases, FaxPassesOnOneOfFive) {
  for (const auto* name : {"fax", "fax8"}) {
    const auto found = network_moments(field_case(name), 1, 40);
    const double entry = found.at("throughput at entry").mean, special = found.at("throughput at special").mean;
    EXPECT_NEAR(special / entry, 0.2, 0.005) << name;
    EXPECT_LT(found.at("utilization at entry").mean, 1) << name;
    EXPECT_TRUE(models::instability_notes(field_case(name)).empty()) << name;
  }
}

TEST(FieldCases, CriticalLoadIsReportedAsUnstable) {
  const auto network = field_case("crit");
  EXPECT_EQ(
      models::instability_notes(network),
      std::vector<std::string>{
          "station 's' is unstable with the values of the case: its customers need 1 servers on average, and it has "
          "1; its queue grows with the horizon, and there is no steady state"});
}

// The notes refer to the simulated values, not to those of the case. Checks each member that changes loads.
TEST(FieldCases, NotesAreOfTheValuesSimulated) {
  const auto network = models::network_case_of_json("case", R"json({"time_unit": "s", "horizon": 1,
      "classes": {"c": {"interarrival": "exponential(1)",
                        "enters": [{"to": "a", "probability": 0.5}, {"to": "b", "probability": 0.5}]}},
      "stations": {"a": {"service": "exponential(1.25)", "speed": 0.25, "servers": 1},
                   "b": {"service": "exponential(1.25)"}}})json");
  const auto members = models::network_members(network);
  const auto notes_with = [&](std::vector<std::pair<std::string, double>> changes) {
    std::vector<double> values;
    for (const auto& member : members) values.push_back(member.value);
    for (const auto& [name, value] : changes) {
      const auto place = std::ranges::find(members, name, &models::NetworkMember::name);
      EXPECT_NE(place, members.end()) << name;
      values[static_cast<std::size_t>(place - members.begin())] = value;
    }
    std::string text;
    for (const std::string& note : models::instability_notes(network, values))
      text += note.substr(0, note.find(" servers")) + ";";
    return text;
  };
  EXPECT_EQ(notes_with({}), "station 'a' is unstable with the values of the case: its customers need 1.6;");
  EXPECT_EQ(notes_with({{"classes.c.priority", 3}}), notes_with({}));
  EXPECT_EQ(notes_with({{"stations.a.speed", 1}}), "");
  EXPECT_EQ(notes_with({{"stations.a.servers", 2}}), "");
  EXPECT_EQ(notes_with({{"classes.c.arrival_speed", 0.5}}), "");
  EXPECT_EQ(notes_with({{"classes.c.enters.1.probability", 0.1}}), "");  // class c sends a sixth of its customers to b
  EXPECT_EQ(notes_with({{"stations.b.speed", 0.2}, {"classes.c.enters.1.probability", 0}}),
            "station 'b' is unstable with stations.b.speed = 0.2, classes.c.enters.1.probability = 0: its customers "
            "need 4;");
}

// A station that passes on only what its servers can serve does not make the next one unstable (Goodman and Massey).
// Limits, patience and shifts for a single day give no note, and a load of 1 gives none if no time is random.
TEST(FieldCases, NotesNameTheStationsThatAreUnstable) {
  const auto noted = [](const std::string& first, const std::string& interarrival = "\"exponential(2)\"") {
    const auto loads = models::station_loads(models::network_case_of_json(
        "case", R"json({"time_unit": "s", "horizon": 1, "classes": {"c": {"interarrival": )json" + interarrival +
                    R"json(, "enters": "a"}}, "stations": {"a": {)json" + first +
                    R"json(, "next": "b"}, "b": {"service": "exponential(1.2)"}}})json"));
    return std::string(loads[0].is_stable ? "" : "a") + (loads[1].is_stable ? "" : "b");
  };
  const std::string service = "\"service\": \"exponential(1)\"";
  EXPECT_EQ(noted(service), "a");
  EXPECT_EQ(noted(service + R"(, "servers": 2)"), "ab");
  EXPECT_EQ(noted(service + R"(, "servers": 3)"), "b");
  EXPECT_EQ(noted(service + R"(, "servers": 3, "speed": 0.3)"), "a");
  EXPECT_EQ(noted(service + R"(, "room": 5)"), "");
  EXPECT_EQ(noted(service + R"(, "patience": 5)"), "");
  EXPECT_EQ(noted(service + R"(, "shifts": [{"from": 0, "servers": 0}, {"from": 1, "servers": 1}])"), "b");
  EXPECT_EQ(noted(service + R"(, "shifts": [{"from": 0, "servers": 0}, {"from": 1, "servers": 3}], "cycle": 2)"), "ab");
  EXPECT_EQ(noted(R"("service": 0.5, "breakdowns": {"up": 1, "down": 1})", "1"), "a");
  EXPECT_TRUE(models::instability_notes(models::network_case_of_json("case", R"json({"time_unit": "s", "horizon": 1,
      "classes": {"c": {"interarrival": 1, "enters": "a"}}, "stations": {"a": {"service": 1}}})json"))
                  .empty());
}

TEST(FieldCases, AnOverloadIsTheReasonOfAFailure) {
  const models::NetworkTables<Kokkos::HostSpace> tables(models::network_case_of_json("case", R"json({
      "time_unit": "s", "horizon": 2000, "classes": {"c": {"interarrival": 1, "enters": "a"}},
      "stations": {"a": {"service": 9}}})json"));
  const auto responses = network_replication(tables.model(), 1, 0);
  const std::string many = "replication 7 failed: more than 1024 entities were in the system at the same time";
  const std::string remedy =
      ". It is overloaded: give it less load, more servers, a limit on its queues, or a shorter horizon. If it is "
      "not, give it memory for more entities: --most-customers 4096";
  EXPECT_EQ(failure_of(7, responses).value(), many + remedy);
  EXPECT_EQ(failure_of(7, responses, tables.model().station_names()).value(),
            many + ", most of them at station 'a'" + remedy);
}

// Each service takes 30, begins in a shift of 10 in 100, and ends in overtime.
TEST(FieldCases, OvertimeCountsAsTimeOfServers) {
  const auto found = network_moments(field_case("net_overtime"), 1, 10);
  EXPECT_LE(found.at("utilization at s").mean, 1);
  EXPECT_GT(found.at("utilization at s").mean, 0.99);
}

TEST(FieldCases, MostArrivalsAreCustomers) {
  const auto found = network_moments(field_case("net_mostbatch"), 1, 1);
  EXPECT_EQ(found.at("throughput at s").mean, 6.0 / 1000);
  const std::string message = refusal([] { field_case("net_mostbatch2"); });
  EXPECT_EQ(message.rfind(path_of("net_mostbatch2") + ", line ", 0), 0U) << message;
  EXPECT_TRUE(message.ends_with(": customers is 18, expected at most the number of customers that ever arrive, 6"))
      << message;
}

TEST(FieldCases, WhatCannotBeExpressedIsRefused) {
  const std::vector<std::array<std::string, 2>> refused = {
      {"net_cap", "stations.s.service is 'Exponential(2)': unknown distribution 'Exponential': expected one of "}};
  for (const auto& [name, said] : refused) {
    const std::string message = refusal([&, of = name] { field_case(of); });
    EXPECT_EQ(message.rfind(path_of(name) + ", line ", 0), 0U) << message;
    EXPECT_NE(message.find(": " + said), message.npos) << message << "\ninstead of: " << said;
  }
}

// Members of other simulators at each level of a case are unknown.
TEST(FieldCases, UnknownMembersAreNamedWithTheKnownOnes) {
  const std::string good = R"json({"time_unit": "s", "horizon": 9,
    "classes": {"c": {"interarrival": 1, "enters": [{"to": "s"}]}},
    "stations": {"s": {"service": 1, "breakdowns": {"up": 1, "down": 1}}}})json";
  struct Level {
    std::string after, path, known;
    std::vector<std::string> members;
  };
  const std::vector<Level> levels = {
      {"{\"time_unit\"", "", "time_unit, horizon, customers, warm_up", {"capacity", "transporters", "pools"}},
      {"{\"interarrival\"", "classes.c.", "interarrival, rates, cycle, batch", {"balking", "due_date", "reneging"}},
      {"{\"service\"",
       "stations.s.",
       "servers, roles, discipline, service, speed",
       {"due_date", "baulking", "resources", "batch_service", "pool", "capacity", "setup", "time_limits"}},
      {"{\"to\"", "classes.c.enters[0].", "to, choice, probability, becomes", {"weight"}},
      {"{\"up\"", "stations.s.breakdowns.", "up, down", {"crew"}}};
  int count = 0;
  for (const Level& level : levels) {
    for (const std::string& member : level.members) {
      std::string text = good;
      const auto place = text.find(level.after);
      ASSERT_NE(place, std::string::npos);
      text.insert(place + 1, "\"" + member + "\": 1, ");
      const std::string said = refusal([&] { models::network_case_of_json("case", text); });
      EXPECT_NE(said.find(level.path + member + " is unknown"), std::string::npos) << said;
      EXPECT_NE(said.find(level.known), std::string::npos) << said;
      ++count;
    }
  }
  EXPECT_EQ(count, 16);
}

// Each file runs or is refused.
TEST(FieldCases, AreAllKnownHere) {
  int count = 0;
  for (const auto& file : std::filesystem::directory_iterator(SPOROS_FIELD_CASES)) {
    const std::string said = refusal([&] { models::read_network_case(file.path().string()); });
    EXPECT_TRUE(said == "none" || said.starts_with(file.path().string() + ", line ")) << said;
    ++count;
  }
  EXPECT_EQ(count, 19);
}

}  // namespace field_cases_tests
}  // namespace sporos::test
