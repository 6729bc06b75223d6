// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks resources against Erlang's formula, a Markov chain and days by hand, by 99.9 % intervals for three seeds where
// times are random. Each check has a faulty network that it detects.
#include "exact_values.hpp"
#include "markov_chain.hpp"

#include <harness/refusal.hpp>
#include <sporos/core/replication/failed_replications.hpp>
#include <sporos/models/networks/network_approximation.hpp>
#include <sporos/models/networks/network_load.hpp>
#include <sporos/models/networks/network_picture.hpp>
#include <sporos/models/networks/network_series.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace sporos::test {
namespace resources_tests {

// Customers who need a nurse and a room at once are those of M/M/c, where c is the smaller number.
const std::string joint = R"json({"time_unit": "h", "horizon": 2000, "warm_up": 50,
  "classes": {"patient": {"interarrival": "exponential(1.5)", "enters": "treatment"}},
  "stations": {"treatment": {"service": "exponential(1)", "seize": ["nurse", "room"], "release": ["nurse", "room"]}},
  "resources": {"nurse": 2, "room": 3}})json";

TEST(NetworkResources, SeizedTogetherLimitServicesLikeServers) {
  const double load = 1.5,
               wait = load * load / 2 / (1 - load / 2) / (1 + load + load * load / 2 / (1 - load / 2)) / (2 - load);
  const Exact exact{{"wait at treatment", wait},
                    {"number in use of nurse", load},
                    {"number in use of room", load},
                    {"utilization of nurse", load / 2},
                    {"utilization of room", load / 3},
                    {"wait for nurse", wait},
                    {"wait for room", wait}};
  expect_exact(joint, exact);
  expect_seen(with(joint, "\"nurse\": 2", "\"nurse\": 3"), exact);
}

// If servers replace resources, the results have the same bits.
TEST(NetworkResources, AreTheServersOfAStation) {
  const auto values = [](const std::string& text) {
    std::map<std::string, double> found;
    for (const auto& [name, moments] : network_moments(models::network_case_of_json("case", text), 1, 1)) {
      if (name.find(" of ") == std::string::npos && name.find(" for ") == std::string::npos) found[name] = moments.mean;
    }
    return found;
  };
  const std::string patience = with(joint, "\"service\":", "\"patience\": \"exponential(2)\", \"service\":");
  for (const std::string& text : {joint, patience}) {
    const std::string servers =
        with(with(text, "\"seize\": [\"nurse\", \"room\"], \"release\": [\"nurse\", \"room\"]", "\"servers\": 2"),
             "\"resources\": {\"nurse\": 2, \"room\": 3}", "\"resources\": {}");
    auto expected = values(servers);
    EXPECT_NE(values(with(text, "\"nurse\": 2", "\"nurse\": 1")), values(text));
    expected.erase("utilization at treatment");
    EXPECT_EQ(values(text), expected);
  }
}

// A room is held in three services, and a nurse only in the first two. Patients before triage come first, if there is a
// room. The state has the waiting and the served ones at triage and at treatment, and those in recovery.
const std::string ward = R"json({"time_unit": "h", "horizon": 1500, "warm_up": 50,
  "classes": {"new": {"interarrival": "exponential(1)", "enters": "triage"}, "seen": {"priority": 1}},
  "stations": {
    "triage": {"discipline": "priority", "room": 4, "service": "exponential(3)", "seize": ["room", "nurse"],
               "release": ["nurse"], "next": [{"to": "treatment", "becomes": "seen"}]},
    "treatment": {"discipline": "priority", "service": "exponential(2)", "seize": ["nurse"], "release": ["nurse"],
                  "next": "recovery"},
    "recovery": {"servers": "unlimited", "service": "exponential(1.5)", "release": ["room"]}},
  "resources": {"room": 3, "nurse": 1}})json";

TEST(NetworkResources, AreHeldOverSeveralStations) {
  const auto assigned = [](ChainState s) {
    while (s[1] + s[3] < 1) {
      const bool is_ready = s[2] > 0, can_enter = s[0] > 0 && s[1] + s[2] + s[3] + s[4] < 3;
      if (!is_ready && !can_enter) break;
      --s[can_enter ? 0 : 2];
      ++s[can_enter ? 1 : 3];
    }
    return s;
  };
  const MarkovChain chain({0, 0, 0, 0, 0}, [&](const ChainState& s) {
    ChainMoves moves;
    if (s[0] + s[1] < 4) moves.push_back({1.0, assigned({s[0] + 1, s[1], s[2], s[3], s[4]})});
    if (s[1] > 0) moves.push_back({3.0, assigned({s[0], s[1] - 1, s[2] + 1, s[3], s[4]})});
    if (s[3] > 0) moves.push_back({2.0, assigned({s[0], s[1], s[2], s[3] - 1, s[4] + 1})});
    if (s[4] > 0) moves.push_back({1.5 * s[4], assigned({s[0], s[1], s[2], s[3], s[4] - 1})});
    return moves;
  });
  const double waiting = chain.mean([](const ChainState&s) { return s[0]; }),
               ready = chain.mean([](const ChainState&s) { return s[2]; }),
               lost = chain.mean([](const ChainState&s) { return s[0] + s[1] == 4; }),
               rooms = chain.mean([](const ChainState&s) { return s[1] + s[2] + s[3] + s[4]; }),
               nurses = chain.mean([](const ChainState&s) { return s[1] + s[3]; }), flow = 1 - lost;
  const Exact exact{{"number waiting at triage", waiting},
                    {"number waiting at treatment", ready},
                    {"lost at triage", lost},
                    {"number in use of room", rooms},
                    {"utilization of nurse", nurses},
                    {"wait for room", waiting / flow},
                    {"wait for nurse", (waiting + ready) / (2 * flow)}};
  expect_exact(ward, exact);
  expect_seen(with(ward, "\"seize\": [\"nurse\"], \"release\": [\"nurse\"]", "\"servers\": 1"), exact);
  expect_seen(with(ward, "\"room\": 3", "\"room\": 2"), exact);
}

// One nurse serves at two stations. Who has waited longest comes first, at whatever station; with priorities, those of
// class b.
TEST(NetworkResources, ServeWhoHasWaitedLongest) {
  const std::string text = R"json({"time_unit": "h", "horizon": 20,
    "classes": {"a": {"arrivals": [0, 2], "enters": "x"}, "b": {"arrivals": [1, 3], "enters": "y"}},
    "stations": {"x": {"service": 5, "seize": ["nurse"], "release": ["nurse"]},
                 "y": {"service": 1, "seize": ["nurse"], "release": ["nurse"]}},
    "resources": {"nurse": 1}})json";
  const Exact exact{{"wait at x", (0 + 4) / 2.0}, {"wait at y", (4 + 8) / 2.0}, {"utilization of nurse", 12 / 20.0}};
  expect_values(text, exact);
  expect_other_values(with(text, "[1, 3]", "[1, 1.5]"), exact);
  const std::string ranked = with(with(with(text, "{\"arrivals\": [0, 2],", "{\"priority\": 1, \"arrivals\": [0, 2],"),
                                       "\"x\": {\"service\"", "\"x\": {\"discipline\": \"priority\", \"service\""),
                                  "\"y\": {\"service\"", "\"y\": {\"discipline\": \"priority\", \"service\"");
  expect_values(ranked, {{"wait at x", (0 + 5) / 2.0}, {"wait at y", (4 + 3) / 2.0}});
}

// A customer who needs two units waits until both are free and holds none before. Others who need one pass it.
TEST(NetworkResources, AreSeizedAllOrNothing) {
  const std::string text = R"json({"time_unit": "h", "horizon": 20, "maxima": true,
    "classes": {"small": {"arrivals": [0, 2], "enters": "desk"}, "big": {"arrivals": [1], "enters": "desk"}},
    "stations": {"desk": {"service": {"small": 4, "big": 3},
                          "seize": {"small": ["nurse"], "big": ["nurse", "nurse"]},
                          "release": {"small": ["nurse"], "big": ["nurse", "nurse"]}}},
    "resources": {"nurse": 2}})json";
  const Exact exact{{"wait of big at desk", 5},
                    {"wait of small at desk", 0},
                    {"number in use of nurse", (4 + 4 + 2 * 3) / 20.0},
                    {"largest number in use of nurse", 2}};
  expect_values(text, exact);
  expect_other_values(with(text, "\"nurse\", \"nurse\"]},", "\"nurse\"]},"), exact);
}

// A patient who comes back with its room needs only the nurse, and passes those who wait for a room.
TEST(NetworkResources, ThatACustomerHoldsAreNotSeizedAgain) {
  const std::string text = R"json({"time_unit": "h", "horizon": 20, "maxima": true,
    "classes": {"first": {"arrivals": [0, 1], "enters": "doctor"}, "again": {}},
    "stations": {"doctor": {"service": 2, "seize": ["room", "nurse"],
                            "release": {"first": ["nurse"], "again": ["room", "nurse"]},
                            "next": {"first": "x-ray", "again": "leave"}},
                 "x-ray": {"servers": "unlimited", "service": 3, "next": [{"to": "doctor", "becomes": "again"}]}},
    "resources": {"room": 1, "nurse": 1}})json";
  // The first patient sees the doctor from 0 to 2 and from 5 to 7; the second one from 7 to 9 and from 12 to 14.
  const Exact exact{{"wait of first at doctor", (0 + 6) / 2.0}, {"wait of again at doctor", 0},
                    {"utilization of room", 14 / 20.0},         {"utilization of nurse", 8 / 20.0},
                    {"largest number in use of room", 1},       {"time in network", (7 + 13) / 2.0}};
  expect_values(text, exact);
  expect_other_values(with(text, "\"room\": 1", "\"room\": 2"), exact);
}

// Customers who leave the network return what they hold: when their patience ends, when they find no place, or after
// their last service. One who is blocked has returned the nurse.
TEST(NetworkResources, AreReturnedByCustomersWhoLeave) {
  const auto text = [](int rooms, const std::string& a, const std::string& b) {
    return R"json({"time_unit": "h", "horizon": 20, "classes": {"c": {"arrivals": [0, 1, 2], "enters": "a"}},
      "stations": {"a": {"service": 1, "seize": ["room"], )json" +
           a + R"("next": "b"}, "b": {)" + b + R"(}}, "resources": {"room": )" + std::to_string(rooms) + "}}";
  };
  const std::string release = R"("release": ["room"], )";
  // The customers are in b from 1 to 4, 5 to 8 and 9 to 12.
  const Exact in_turn{{"wait at a", (0 + 3 + 6) / 3.0}, {"utilization of room", 12 / 20.0}};
  expect_values(text(1, "", R"("service": 3)"), in_turn);
  expect_values(text(1, "", R"("service": 3, "room": 1, "full": "block")"), in_turn);
  expect_other_values(text(1, release, R"("service": 3)"), in_turn);
  // The first one stays in b. The second one gives up at 4, so that the third one has its room until 7.
  expect_values(text(2, "", R"("service": 30, "patience": 2)"),
                {{"wait at a", 2 / 3.0}, {"utilization of room", 26 / 40.0}});
  expect_values(text(2, "", R"("service": 30, "room": 1)"), {{"wait at a", 0}, {"utilization of room", 22 / 40.0}});
  expect_values(text(1, "", R"("service": 3, "balking": [1])"), {{"wait at a", 0}, {"utilization of room", 3 / 20.0}});
  // Those who are blocked from 2 and 3 on have returned the room.
  expect_values(text(1, release, R"("service": 3, "room": 1, "full": "block")"),
                {{"wait at a", 0}, {"utilization of room", 3 / 20.0}, {"blocked servers at a", 0}});
}

// Whoever returns a room passes it on to customers who wait elsewhere, whatever serves it: people with roles, groups or
// shared servers. The customers are in b from 1 to 4 and from 5 to 8.
TEST(NetworkResources, AreReturnedAtStationsOfAnyKind) {
  const auto text = [](int rooms, const std::string& b, const std::string& more) {
    return R"({"time_unit": "h", "horizon": 20, "classes": {"c": {"arrivals": [0, 1], "enters": "a"}},
      "stations": {"a": {"service": 1, "seize": ["room"], "next": "b"}, "b": {"service": 3, "release": ["room"], )" +
           b + "}}, " + more + "\"resources\": {\"room\": " + std::to_string(rooms) + "}}";
  };
  const Exact exact{{"wait at a", (0 + 3) / 2.0}, {"utilization of room", 8 / 20.0}, {"throughput at b", 2 / 20.0}};
  const std::vector<std::array<std::string, 2>> kinds = {
      {R"("roles": ["clerk"])", R"("staff": {"clerk": {"starts": [1], "shift": 24}}, )"},
      {R"("group": {"most": 2, "least": 1})", ""},
      {R"("discipline": "processor-sharing")", ""}};
  for (const auto& [b, more] : kinds) {
    expect_values(text(1, b, more), exact);
    expect_other_values(text(2, b, more), exact);
  }
}

// A junior and a senior doctor see patients, for whom they need a room, and the senior also answers calls, if no
// patient can be seen. A patient keeps the room while it rests. The state has waiting patients, whether the junior sees
// one, whom the senior serves (1: a patient, 2: a call), resting patients and waiting calls.
const std::string practice = R"json({"time_unit": "h", "horizon": 1500, "warm_up": 50,
  "classes": {"patient": {"interarrival": "exponential(2)", "enters": "visit"},
              "call": {"interarrival": "exponential(0.7)", "enters": "phone"}},
  "stations": {
    "visit": {"room": 5, "service": "exponential(1.5)", "roles": ["junior", "senior"], "seize": ["room"],
              "next": "rest"},
    "rest": {"servers": "unlimited", "service": "exponential(1)", "release": ["room"]},
    "phone": {"room": 3, "service": "exponential(2)", "roles": ["senior"]}},
  "staff": {"junior": {"starts": [1], "cycle": 2000, "shift": 2000},
            "senior": {"starts": [1], "cycle": 2000, "shift": 2000, "takes": ["visit"]}},
  "resources": {"room": 3}})json";

TEST(NetworkResources, AreSeizedTogetherWithPeople) {
  constexpr int rooms = 3;
  const auto assigned = [](ChainState s) {
    int &patients = s[0], &junior = s[1], &senior = s[2], &calls = s[4];
    const int resting = s[3];
    while (patients > 0 && junior + (senior == 1) + resting < rooms && (junior == 0 || senior == 0)) {
      --patients;
      (junior == 0 ? junior : senior) = 1;
    }
    if (senior == 0 && calls > 0) {
      --calls;
      senior = 2;
    }
    return s;
  };
  const MarkovChain chain({0, 0, 0, 0, 0}, [&](const ChainState& s) {
    const int patients = s[0], junior = s[1], senior = s[2], resting = s[3], calls = s[4];
    ChainMoves moves;
    if (patients + junior + (senior == 1) < 5)
      moves.push_back({2.0, assigned({patients + 1, junior, senior, resting, calls})});
    if (calls + (senior == 2) < 3) moves.push_back({0.7, assigned({patients, junior, senior, resting, calls + 1})});
    if (junior == 1) moves.push_back({1.5, assigned({patients, 0, senior, resting + 1, calls})});
    if (senior == 1) moves.push_back({1.5, assigned({patients, junior, 0, resting + 1, calls})});
    if (senior == 2) moves.push_back({2.0, assigned({patients, junior, 0, resting, calls})});
    if (resting > 0) moves.push_back({1.0 * resting, assigned({patients, junior, senior, resting - 1, calls})});
    return moves;
  });
  const auto mean = [&](auto value) {
    return chain.mean([&](const ChainState& s) { return double(value(s[0], s[1], s[2], s[3], s[4])); });
  };
  const double patients = mean([](int n, int, int, int, int) { return n; }),
               lost = mean([](int n, int j, int s, int, int) { return n + j + (s == 1) == 5; }),
               at_once = mean([](int n, int j, int s, int r, int) {
                 return n == 0 && j + (s == 1) + r < rooms && (j == 0 || s == 0);
               });
  const Exact exact{{"number waiting at visit", patients},
                    {"number waiting at phone", mean([](int, int, int, int, int n) { return n; })},
                    {"lost at visit", lost},
                    {"lost at phone", mean([](int, int, int s, int, int n) { return n + (s == 2) == 3; })},
                    {"wait for room", patients / (2 * (1 - lost))},
                    {"served at once at visit", at_once / (1 - lost)},
                    {"waits per day at visit", 24 * patients},
                    {"number in use of room", mean([](int, int j, int s, int r, int) { return j + (s == 1) + r; })},
                    {"utilization of junior", mean([](int, int j, int, int, int) { return j; })},
                    {"utilization of senior", mean([](int, int, int s, int, int) { return s > 0; })}};
  expect_exact(practice, exact);
  expect_seen(with(practice, "\"room\": 3}}", "\"room\": 4}}"), exact);
  expect_seen(with(practice, "\"takes\": [\"visit\"]", "\"takes\": [\"phone\"]"), exact);
  expect_seen(with(practice, "[\"junior\", \"senior\"]", "[\"senior\", \"junior\"]"), exact);
}

// If there are more rooms than patients, they do not change a bit of the other responses, with shifts, breaks, patience
// and priorities.
TEST(NetworkResources, InAbundanceChangeNothing) {
  const std::string text = R"json({"time_unit": "h", "horizon": 240, "warm_up": 24, "cool_down": 24, "maxima": true,
    "periods": {"every": 6, "cycle": 24},
    "classes": {"urgent": {"interarrival": "exponential(1)", "enters": "visit"},
                "normal": {"priority": 1, "interarrival": "exponential(2)", "enters": "visit"}},
    "stations": {"visit": {"discipline": "priority", "service": {"urgent": "exponential(2)", "normal": "exponential(1)"},
                           "patience": "exponential(0.2)", "roles": {"urgent": ["senior"], "normal": ["any", "senior"]},
                           "seize": ["room"], "release": ["room"]}},
    "staff": {"senior": {"starts": [1, 1, 1], "shift": 9, "breaks": [{"after": 4, "length": 1}]},
              "any": {"starts": [1, 2, 1], "shift": 10, "breaks": [{"after": 5, "length": 0.5}]}},
    "resources": {"room": 900}})json";
  const auto values = [](const std::string& json) {
    std::map<std::string, double> found;
    for (const auto& [name, moments] : network_moments(models::network_case_of_json("case", json), 1, 3)) {
      if (name.find(" room") == std::string::npos) found[name] = moments.mean;
    }
    return found;
  };
  const std::string without = with(with(text, "\"seize\": [\"room\"], \"release\": [\"room\"]", "\"speed\": 1"),
                                   "\"resources\": {\"room\": 900}", "\"resources\": {}");
  const auto people_only = values(without);
  EXPECT_EQ(values(text), people_only);
  EXPECT_NE(values(with(text, "\"room\": 900", "\"room\": 4")), people_only);
}

// A room becomes free together with the doctor, who needs it for the next patient. At 4, a scan has waited for the room
// since 1, before that patient. The doctor sees the patient from 6 on.
TEST(NetworkResources, GoToWhoHasWaitedLongestBeforePeople) {
  const std::string text = R"json({"time_unit": "h", "horizon": 24,
    "classes": {"patient": {"arrivals": [0, 2], "enters": "visit"}, "image": {"arrivals": [1], "enters": "scan"}},
    "stations": {"visit": {"service": 4, "roles": ["doctor"], "seize": ["room"], "release": ["room"]},
                 "scan": {"service": 2, "seize": ["room"], "release": ["room"]}},
    "staff": {"doctor": {"starts": [1], "shift": 24}}, "resources": {"room": 1}})json";
  expect_values(text, {{"wait at scan", 3},
                       {"wait at visit", (0 + 4) / 2.0},
                       {"served at once at visit", 1 / 2.0},
                       {"waits per day at visit", 4},
                       {"wait for room", (0 + 3 + 4) / 3.0},
                       {"utilization of doctor", 8 / 24.0}});
  // A scan that comes at 3 waits for the second patient, who came at 2.
  expect_values(with(text, "\"arrivals\": [1]", "\"arrivals\": [3]"),
                {{"wait at scan", 5}, {"wait at visit", (0 + 2) / 2.0}});
  // With a second doctor, only the room is missing.
  expect_values(with(text, "\"starts\": [1]", "\"starts\": [2]"), {{"wait at scan", 3}, {"wait at visit", 2}});
  expect_values(with(text, "\"room\": 1", "\"room\": 2"), {{"wait at scan", 0}, {"wait at visit", (0 + 2) / 2.0}});
}

// The nurse serves from 1 to 4, from 4 to 7 and from 7 on, and a clerk works besides. A wait belongs to the period in
// which it ends.
TEST(NetworkResources, AreObservedInPeriods) {
  const std::string text = R"json({"time_unit": "h", "horizon": 8, "periods": 4,
    "classes": {"c": {"arrivals": [1, 2, 6], "enters": "desk"}},
    "stations": {"desk": {"service": 3, "seize": ["nurse"], "release": ["nurse"], "next": "office"},
                 "office": {"service": 2, "roles": ["clerk"]}},
    "staff": {"clerk": {"starts": [1], "shift": 24}}, "resources": {"nurse": 1}})json";
  const Exact exact{{"utilization of nurse from 0 to 4 h", 3 / 4.0},
                    {"utilization of nurse from 4 to 8 h", 1},
                    {"wait for nurse from 0 to 4 h", 0},
                    {"wait for nurse from 4 to 8 h", (2 + 1) / 2.0},
                    {"utilization of clerk from 4 to 8 h", 3 / 4.0},
                    {"utilization of nurse", 7 / 8.0}};
  expect_values(text, exact);
  expect_other_values(with(text, "\"nurse\": 1", "\"nurse\": 2"), exact);
  expect_values(with(text, "\"horizon\": 8", "\"warm_up\": 2, \"horizon\": 8"),
                {{"utilization of nurse from 0 to 4 h", 1}, {"wait for nurse from 4 to 8 h", 1.5}});
  expect_values(with(text, "\"periods\": 4", "\"periods\": {\"every\": 2, \"cycle\": 4}"),
                {{"utilization of nurse from 0 to 2 h", (1 + 2) / 4.0},
                 {"utilization of nurse from 2 to 4 h", 1},
                 {"wait for nurse from 0 to 2 h", (0 + 2) / 2.0},
                 {"wait for nurse from 2 to 4 h", 1}});
  const auto names = [](const std::string& json) {
    const auto network = models::network_case_of_json("case", json);
    std::string all;
    for (const auto& period : models::period_responses(network)) all += period.place + " " + period.quantity + ", ";
    return all;
  };
  EXPECT_NE(names(text).find("nurse utilization, nurse utilization, nurse wait, nurse wait, "), std::string::npos);
  EXPECT_EQ(names(with(text, "\"periods\": 4", "\"periods\": {\"every\": 4, \"responses\": [\"wait\"]}")),
            "desk wait, desk wait, office wait, office wait, nurse wait, nurse wait, ");
}

// M/M/infinity that begins empty, with a load of 2: the number in use is 2 (1 - exp(-t)).
TEST(NetworkResources, HaveTheUtilizationOfEachPeriod) {
  const std::string text = R"json({"time_unit": "h", "horizon": 3, "periods": 1.5,
    "classes": {"c": {"interarrival": "exponential(2)", "enters": "ward"}},
    "stations": {"ward": {"service": "exponential(1)", "seize": ["bed"], "release": ["bed"]}},
    "resources": {"bed": 100}})json";
  const double half = std::exp(-1.5), end = std::exp(-3.0);
  const Exact exact{{"utilization of bed from 0 to 1.5 h", 0.02 * (1 - (1 - half) / 1.5)},
                    {"utilization of bed from 1.5 to 3 h", 0.02 * (1 - (half - end) / 1.5)},
                    {"wait for bed from 1.5 to 3 h", 0}};
  expect_exact(text, exact, 2000);
  expect_seen(with(text, "exponential(2)", "exponential(1.8)"), exact, 4000);
}

std::string message_of(const std::string& json) {
  const models::NetworkTables<Kokkos::HostSpace> tables(models::network_case_of_json("case", json));
  return failure_of(0, network_replication(tables.model(), 1, 0), tables.model().station_names()).value_or("none");
}

// Two customers, of whom each holds what the other one needs next, wait for ever from the end of the later service on:
// after 1 + 1/2 - 1/3 on average.
TEST(NetworkResources, MayDeadlock) {
  const std::string text = R"json({"time_unit": "h", "horizon": 100, "until": {"deadlock": true},
    "classes": {"p": {"population": 1, "enters": "x"}, "q": {"population": 1, "enters": "y"}},
    "stations": {"x": {"service": "exponential(1)", "seize": ["pen"], "next": "both"},
                 "y": {"service": "exponential(2)", "seize": ["paper"], "next": "both"},
                 "both": {"service": 1, "seize": ["pen", "paper"], "release": ["pen", "paper"]}},
    "resources": {"pen": 1, "paper": 1}})json";
  const Exact exact{{"ended in network", 1}, {"end time in network", 1 + 1 / 2.0 - 1 / 3.0}};
  expect_exact(text, exact, 400);
  expect_seen(with(text, "exponential(2)", "exponential(1)"), exact, 1000);
  EXPECT_EQ(message_of(with(text, ", \"until\": {\"deadlock\": true}", "")),
            "replication 0 failed: it deadlocked: entities at station 'both' wait for ever for the resource 'paper', "
            "whose units other waiting entities hold. Let them release these units before they wait, or seize all "
            "resources at once. To observe the time until a deadlock, use \"until\": {\"deadlock\": true}");
  // The first customer has paper and needs the pen.
  const std::string swapped = with(with(text, ", \"until\": {\"deadlock\": true}", ""),
                                   "\"enters\": \"x\"}, \"q\": {\"population\": 1, \"enters\": \"y\"}",
                                   "\"enters\": \"y\"}, \"q\": {\"population\": 1, \"enters\": \"x\"}");
  EXPECT_NE(message_of(swapped).find("wait for ever for the resource 'pen', whose"), std::string::npos);
  // Nobody waits for ever with patience, or with a second pen.
  for (const auto& [from, to] : std::vector<std::array<std::string, 2>>{
           {"\"both\": {\"service\"", "\"both\": {\"patience\": 9, \"service\""}, {"\"pen\": 1", "\"pen\": 2"}}) {
    expect_values(with(text, from, to), {{"ended in network", 0}});
  }
  EXPECT_FALSE(models::network_case_of_json("case", ward).can_deadlock());
}

// A customer holds a room and is blocked for a station whose customer waits for the room.
TEST(NetworkResources, MayDeadlockWithPlaces) {
  const std::string text = R"json({"time_unit": "h", "horizon": 100, "until": {"deadlock": true},
    "classes": {"p": {"arrivals": [0], "enters": "x"}, "q": {"arrivals": [1], "enters": "y"}},
    "stations": {"x": {"service": 3, "seize": ["bed"], "next": "y"},
                 "y": {"room": 1, "full": "block", "service": 2, "seize": ["bed"], "release": ["bed"]}},
    "resources": {"bed": 1}})json";
  const Exact exact{{"ended in network", 1}, {"end time in network", 3}};
  expect_values(text, exact);
  expect_values(with(text, "\"room\": 1", "\"room\": 2"), {{"ended in network", 0}});
  expect_values(with(text, "\"bed\": 1", "\"bed\": 2"), {{"ended in network", 0}});
}

TEST(NetworkResources, AreDecisionVariables) {
  const auto network = models::network_case_of_json("case", joint);
  const auto members = models::network_members(network);
  ASSERT_EQ(members.back().name, "resources.room");
  EXPECT_EQ(members.back().value, 3);
  EXPECT_TRUE(members.back().is_whole());
  EXPECT_EQ(refusal([&] { members.back().check(0); }),
            "resources.room is 0, expected a whole number from 1 to 1000000");
  std::vector<double> values;
  for (const auto& member : members) values.push_back(member.value);
  values.back() = 2;
  values[values.size() - 2] = 4;
  const models::NetworkTables<Kokkos::HostSpace> tables(network), others(models::with_members(network, values));
  models::Network changed = tables.model();
  changed.set_member(static_cast<int>(members.size()) - 1, 2);
  changed.set_member(static_cast<int>(members.size()) - 2, 4);
  EXPECT_EQ(network_replication(changed, 1, 0), network_replication(others.model(), 1, 0));
  EXPECT_NE(network_replication(tables.model(), 1, 0), network_replication(others.model(), 1, 0));
  EXPECT_FALSE(tables.model().data.is_plain);
  const auto pairs = models::network_case_of_json("case", with(joint, "[\"nurse\", ", "[\"nurse\", \"nurse\", "));
  values[values.size() - 2] = 1;
  EXPECT_EQ(refusal([&] { models::check_network_members(pairs, values); }),
            "resources.nurse is 1, expected at least 2, which customers of class 'patient' seize at 'treatment'");
}

// A room that is also held in a hall is needed for 1 + 0.5 on average.
TEST(NetworkResources, HaveALoad) {
  const std::string hall = with(with(joint, "\"release\": [\"nurse\", \"room\"]",
                                     "\"release\": [\"nurse\"], \"next\": "
                                     "\"hall\""),
                                "\"stations\": {", "\"stations\": {\"hall\": {\"service\": 0.5, \"servers\": 9}, ");
  const auto network = models::network_case_of_json("case", hall);
  const auto loads = models::resource_loads(network);
  ASSERT_EQ(loads.size(), 2U);
  EXPECT_NEAR(loads[0].needed, 1.5, 1e-12);
  EXPECT_NEAR(loads[1].needed, 2.25, 1e-12);
  EXPECT_TRUE(models::instability_notes(network).empty());
  const auto few = models::network_case_of_json("case", with(hall, "\"room\": 3}", "\"room\": 2}"));
  EXPECT_EQ(models::instability_notes(few).at(0),
            "resource 'room' is unstable with the values of the case: services need 2.25 units on average, and it has "
            "2; the queue for it grows with the horizon, and there is no steady state");
  EXPECT_NE(refusal([&] { models::long_run_of(few, {}); }).find("; give it more units, or less load"),
            std::string::npos);
  EXPECT_EQ(refusal([&] { models::long_run_of(network, {}); }), "none");
}

TEST(NetworkResources, AreBelowThePictureOfTheStations) {
  const auto network = models::network_case_of_json("case", joint);
  std::vector<double> means;
  for (const auto& response : models::network_responses(network))
    means.push_back(models::network_response_name(network, response) == "utilization of room" ? 0.25 : 0.5);
  const std::string picture = models::network_picture(network, means);
  EXPECT_NE(picture.find("nurse: 50 % of 2, room: 25 % of 3"), std::string::npos) << picture;
}

TEST(NetworkResources, HaveNoApproximation) {
  const auto network = models::network_case_of_json("case", R"json({"time_unit": "h", "horizon": 50,
    "classes": {"c": {"interarrival": "exponential(1)", "enters": "desk"}},
    "stations": {"desk": {"service": 1, "roles": ["clerk"], "next": "hall"}, "hall": {"service": 1, "seize": ["key"]}},
    "staff": {"clerk": {"starts": [3], "shift": 24}}, "resources": {"key": 1}})json");
  const auto members = models::network_members(network);
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (members[i].kind != models::NetworkMember::Kind::starts) continue;
    EXPECT_FALSE(models::approximate_means(network, std::vector<std::size_t>{i}));
  }
}

TEST(NetworkResources, FaultsAreSaidByTheirPath) {
  const std::string station = "\"seize\": [\"nurse\", \"room\"]";
  const auto also = [&](const std::string& member) { return station + ", " + member; };
  const std::vector<std::array<std::string, 3>> faults = {
      {"\"nurse\": 2", "\"nurse\": 0", "resources.nurse is '0', expected a whole number from 1 to 1000000"},
      {"\"nurse\": 2", "\"nurse\": 2.5", "resources.nurse is '2.5', expected a whole number from 1 to 1000000"},
      {"\"nurse\": 2", "\"nurse\": 2, \"porter\": 1", "resources.porter is never seized, expected its name in the"},
      {"\"nurse\": 2", "\"a nurse\": 2", "resources.a nurse has an invalid name"},
      {", \"room\": 3}", "}", "stations.treatment.release[1] is '\"room\"', expected a resource: nurse"},
      {",\n  \"resources\": {\"nurse\": 2, \"room\": 3}", "",
       "stations.treatment.release is given for a case without resources, expected both"},
      {"\"nurse\": 2", "\"nurse\": 1", "none"},
      {"[\"nurse\", \"room\"], \"release\"", "[\"nurse\", \"nurse\", \"nurse\", \"room\"], \"release\"",
       "resources.nurse is 2, expected at least 3, which customers of class 'patient' seize at 'treatment'"},
      {station, "\"seize\": []", "stations.treatment.seize is '[]', expected a list of resources, or such lists by"},
      {station, "\"seize\": \"nurse\"", "stations.treatment.seize is '\"nurse\"', expected a list of resources"},
      {station, "\"seize\": {\"guest\": [\"nurse\"]}", "stations.treatment.seize.guest is not a class of the case"},
      {station, "\"seize\": [\"nurse\"]",
       "resources.room is never seized, expected its name in the member seize of a station"},
      {station, also("\"discipline\": \"preemptive\""),
       "stations.treatment.discipline is given with seize, expected first-in-first-out or priority"},
      {station, also("\"group\": {\"most\": 2}"), "stations.treatment has seize and group, expected one of them"},
      {station, also("\"servers\": 2, \"breakdowns\": {\"up\": 1, \"down\": 1}"),
       "stations.treatment has seize and breakdowns, expected one of them"},
      {station, also("\"servers\": 2, \"waiting\": 1"), "stations.treatment has seize and waiting, expected one of"},
      {station, also("\"balking_wait\": 1"), "stations.treatment has seize and balking_wait, expected one of them"},
      {"\"enters\": \"treatment\"",
       "\"enters\": [{\"to\": [\"treatment\", \"treatment\"], \"choice\": \"first-free\"}]",
       "stations.treatment has seize and is one of several stations of a choice first-free, expected the choice"},
      {"\"horizon\": 2000, \"warm_up\": 50", "\"horizon\": 2000, \"until\": {\"deadlock\": true}",
       "until.deadlock is given for a network that cannot deadlock"},
  };
  for (const auto& [from, to, said] : faults) {
    const std::string message = refusal([&] { models::network_case_of_json("case", with(joint, from, to)); });
    EXPECT_NE(message.find(said), message.npos) << message << "\ninstead of: " << said;
  }
  const std::string unheld = with(ward, "\"seize\": [\"nurse\"], \"release\"", "\"release\"");
  EXPECT_EQ(refusal([&] { models::network_case_of_json("case", unheld); }),
            "case, line 6: stations.treatment.release (new) names 'nurse', which customers do not hold there, expected "
            "a resource that they have seized");
}

}  // namespace resources_tests
}  // namespace sporos::test
