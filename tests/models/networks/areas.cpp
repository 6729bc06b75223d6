// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks areas, deadlocks and conditions that end a replication against closed forms and Markov chains, by 99.9 %
// intervals for three seeds. Each check has a faulty network that it detects.
#include "exact_values.hpp"
#include "markov_chain.hpp"

#include <harness/refusal.hpp>
#include <sporos/core/io/text_file.hpp>
#include <sporos/core/replication/failed_replications.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace sporos::test {
namespace areas_tests {

// Value of a state's component, for MarkovChain::mean.
std::function<double(const ChainState&)> part(std::size_t i) {
  return [i](const ChainState& s) { return s[i]; };
}

// Two queues in a row with room for 4 customers together: the product form, truncated.
TEST(NetworkAreas, AnAreaHasACapacity) {
  const std::string text = R"json({"time_unit": "h", "horizon": 1500, "warm_up": 50,
    "classes": {"patient": {"interarrival": "exponential(1)", "enters": "bed"}},
    "stations": {"bed": {"service": "exponential(1.5)", "next": "exit"}, "exit": {"service": "exponential(1.2)"}},
    "areas": {"ward": {"stations": ["bed", "exit"], "room": 4}}})json";
  double sum = 0, first = 0, second = 0, full = 0;
  for (int a = 0; a <= 4; ++a) {
    for (int b = 0; a + b <= 4; ++b) {
      const double p = std::pow(1.5, -a) * std::pow(1.2, -b);
      sum += p;
      first += p * a;
      second += p * b;
      full += a + b == 4 ? p : 0;
    }
  }
  const Exact exact{{"number at bed", first / sum},
                    {"number at exit", second / sum},
                    {"number in ward", (first + second) / sum},
                    {"lost at ward", full / sum},
                    {"throughput in network", 1 - full / sum},
                    {"losses in network", full / sum}};
  expect_exact(text, exact);
  expect_seen(with(text, "\"room\": 4", "\"room\": 5"), exact);
}

// Customers of a desk with room for 3 wait on its server while the two rooms, of which one follows the other, hold 2.
// The state has the numbers at the desk and in both rooms; the desk's customer is blocked if s[3] is 1.
TEST(NetworkAreas, AnAreaBlocks) {
  const std::string text = R"json({"time_unit": "h", "horizon": 1500, "warm_up": 50,
    "classes": {"patient": {"interarrival": "exponential(1)", "enters": "desk"}},
    "stations": {"desk": {"room": 3, "service": "exponential(2)", "next": "one"},
                 "one": {"servers": "unlimited", "service": "exponential(1.5)", "next": "two"},
                 "two": {"servers": "unlimited", "service": "exponential(1.2)"}},
    "areas": {"ward": {"stations": ["one", "two"], "room": 2, "full": "block"}}})json";
  const MarkovChain chain({0, 0, 0, 0}, [](const ChainState& s) {
    const int desk = s[0], one = s[1], two = s[2], blocked = s[3];
    ChainMoves moves;
    if (desk < 3) moves.push_back({1.0, {desk + 1, one, two, blocked}});
    if (desk > 0 && !blocked) {
      moves.push_back({2.0, one + two < 2 ? ChainState{desk - 1, one + 1, two, 0} : ChainState{desk, one, two, 1}});
    }
    if (one > 0) moves.push_back({1.5 * one, {desk, one - 1, two + 1, blocked}});
    if (two > 0) {
      moves.push_back(
          {1.2 * two, blocked ? ChainState{desk - 1, one + 1, two - 1, 0} : ChainState{desk, one, two - 1, 0}});
    }
    return moves;
  });
  const Exact exact{{"number at desk", chain.mean(part(0))},
                    {"blocked servers at desk", chain.mean(part(3))},
                    {"lost at desk", chain.mean([](const ChainState& s) { return s[0] == 3; })},
                    {"number in ward", chain.mean([](const ChainState& s) { return s[1] + s[2]; })}};
  expect_exact(text, exact);
  expect_seen(with(text, "\"room\": 2", "\"room\": 3"), exact);
}

// First passage of M/M/1 from empty to 4 in the network: h_0 = 1 / lambda, h_k = (1 + mu h_(k - 1)) / lambda.
TEST(NetworkEnds, AConditionEndsAReplication) {
  const std::string text = R"json({"time_unit": "s", "horizon": 100000, "until": {"number": 4},
    "classes": {"c": {"interarrival": "exponential(0.8)", "enters": "desk"}},
    "stations": {"desk": {"service": "exponential(1)"}}})json";
  double step = 1 / 0.8, time = step;
  for (int k = 1; k < 4; ++k) {
    step = (1 + step) / 0.8;
    time += step;
  }
  const Exact exact{{"end time in network", time}, {"ended in network", 1}};
  expect_exact(text, exact, 400);
  expect_exact(with(text, "{\"number\": 4}", "{\"number\": 4, \"at\": \"desk\"}"), exact, 400);
  expect_seen(with(text, "\"number\": 4", "\"number\": 5"), exact, 400);
  // The first loss with room for 3 is the arrival that would be the fourth.
  const std::string full =
      with(with(text, "{\"number\": 4}", "{\"lost\": 1}"), "{\"service\"", "{\"room\": 3, \"service\"");
  expect_exact(full, exact, 400);
  // A horizon that comes first.
  const MarkovChain chain({0}, [](const ChainState& s) {
    ChainMoves moves;
    if (s[0] == 4) return moves;
    moves.push_back({0.8, {s[0] + 1}});
    if (s[0] > 0) moves.push_back({1.0, {s[0] - 1}});
    return moves;
  });
  const auto ended = [](const ChainState& s) { return s[0] == 4; };
  expect_exact(with(text, "100000", "10"),
               {{"end time in network", 10 - 10 * chain.mean_until(10, 1000, ended)},
                {"ended in network", chain.mean_at(10, 1000, ended)}},
               800);
}

// A shop closes at 8 and serves those inside: with services of rate 1, that takes their mean number at 8.
TEST(NetworkEnds, AReplicationEndsWhenTheLastCustomerLeaves) {
  const std::string text = R"json({"time_unit": "h", "horizon": 1000, "until": {"empty_after": 8},
    "classes": {"c": {"rates": [{"from": 0, "rate": 0.9}, {"from": 8, "rate": 0}], "enters": "desk"}},
    "stations": {"desk": {"service": "exponential(1)"}}})json";
  const MarkovChain chain({0}, [](const ChainState& s) {
    ChainMoves moves;
    if (s[0] < 40) moves.push_back({0.9, {s[0] + 1}});
    if (s[0] > 0) moves.push_back({1.0, {s[0] - 1}});
    return moves;
  });
  const Exact exact{{"end time in network", 8 + chain.mean_at(8, 1000, part(0))}, {"ended in network", 1}};
  expect_exact(text, exact, 800);
  expect_seen(with(text, "\"empty_after\": 8", "\"empty_after\": 9"), exact, 3000);
}

// An area of one station is the same as a room of the station.
TEST(NetworkAreas, OfOneStationAreItsRoom) {
  const auto values = [](const std::string& room, const std::string& area) {
    const auto network = models::network_case_of_json("case", R"json({"time_unit": "h", "horizon": 200,
      "classes": {"c": {"interarrival": "exponential(1)", "enters": [{"to": "a", "probability": 0.5},
                                                                     {"to": "b", "probability": 0.5}]}},
      "stations": {"a": {"service": "exponential(1)", "next": "b"},
                   "b": {)json" + room + R"json("service": "exponential(1.2)"}})json" +
                                                                  area + "}");
    std::map<std::string, double> found;
    for (const auto& [name, moments] : network_moments(network, 1, 1)) found[name] = moments.mean;
    return found;
  };
  for (const std::string full : {"lose", "block"}) {
    const auto expected = values("\"room\": 2, \"full\": \"" + full + "\", ", "");
    auto found = values("", R"(, "areas": {"ward": {"stations": ["b"], "room": 2, "full": ")" + full + "\"}}");
    EXPECT_EQ(found.at("number in ward"), expected.at("number at b"));
    EXPECT_EQ(found.at("lost at ward"), expected.at("lost at b"));
    EXPECT_NE(found.at("number in ward"), values("", "").at("number at b"));
    found.erase("number in ward");
    found.erase("lost at ward");
    EXPECT_EQ(found, expected) << full;
  }
}

// Without stations, an area is the whole network: M/M/1 in two halves with room for 2 is a chain of three states.
TEST(NetworkAreas, AreTheWholeNetworkByDefaultAndDecisionVariables) {
  const auto network = models::network_case_of_json("case", R"json({"time_unit": "h", "horizon": 4000,
    "classes": {"c": {"interarrival": "exponential(1)", "enters": "a"}},
    "stations": {"a": {"service": "exponential(2)", "next": "b"}, "b": {"service": "exponential(2)"}},
    "areas": {"all": {"room": 9}}})json");
  const auto members = models::network_members(network);
  ASSERT_EQ(members.back().name, "areas.all.room");
  EXPECT_EQ(members.back().value, 9);
  EXPECT_EQ(refusal([&] { members.back().check(0); }),
            "areas.all.room is 0, expected a whole number from 1 to 1000000");
  std::vector<double> values;
  for (const auto& member : members) values.push_back(member.value);
  values.back() = 1;
  // Room for one customer: a cycle has the mean 1 until the arrival and twice 1/2 until the departure.
  const auto moments = network_moments(models::with_members(network, values), 1, 15);
  EXPECT_LE(std::abs(moments.at("number in all").mean - 0.5), half_width(moments.at("number in all"), 0.999));
  EXPECT_LE(std::abs(moments.at("lost at all").mean - 0.5), half_width(moments.at("lost at all"), 0.999));
  const models::NetworkTables<Kokkos::HostSpace> tables(network);
  models::Network changed = tables.model();
  changed.set_member(static_cast<int>(members.size()) - 1, 1);
  const models::NetworkTables<Kokkos::HostSpace> others(models::with_members(network, values));
  EXPECT_EQ(network_replication(changed, 1, 0), network_replication(others.model(), 1, 0));
  EXPECT_NE(network_replication(tables.model(), 1, 0), network_replication(others.model(), 1, 0));
}

// A customer who moves inside an area needs no place in it; one who leaves it lets the next one in, in the order of the
// beginning of blocking, although both wait for different stations of the area.
TEST(NetworkAreas, AdmitBlockedCustomersInTheirOrder) {
  const std::string text = R"json({"time_unit": "min", "horizon": 20,
    "classes": {"p": {"population": 1, "enters": "x"}, "q": {"population": 1, "enters": "y"},
                "r": {"population": 1, "enters": "b"}},
    "stations": {"x": {"service": 2, "next": "a"}, "y": {"service": 3, "next": "b"},
                 "a": {"service": 4, "next": "b"}, "b": {"servers": 2, "service": 5}},
    "areas": {"ward": {"stations": ["a", "b"], "room": 1, "full": "block"}}})json";
  // Class r is in b until 5; p is blocked in x from 2 to 5, in a until 9 and in b until 14; q is blocked in y from 3 to
  // 14 and in b until 19.
  const Exact exact{{"blocked servers at x", 3 / 20.0}, {"blocked servers at y", 11 / 20.0},
                    {"number in ward", 19 / 20.0},      {"number at b", 15 / 20.0},
                    {"number at a", 4 / 20.0},          {"time of q in network", 19},
                    {"time of p in network", 14},       {"lost at ward", 0}};
  expect_values(text, exact);
  expect_other_values(with(text, "\"room\": 1", "\"room\": 2"), exact);
  // With lose, p and q find no place.
  expect_values(with(text, "block", "lose"), {{"lost at ward", 2 / 3.0}, {"losses in network", 2 / 20.0}});
}

std::string message_of(const std::string& json) {
  const models::NetworkTables<Kokkos::HostSpace> tables(models::network_case_of_json("case", json));
  const auto responses = network_replication(tables.model(), 1, 0);
  return failure_of(0, responses, tables.model().station_names()).value_or("none");
}

// Two customers exchange their stations: when both are served, at time 2, they wait for each other. One alone moves
// freely.
TEST(NetworkDeadlocks, OfTwoStations) {
  const std::string text = R"json({"time_unit": "h", "horizon": 10, "until": {"deadlock": true},
    "classes": {"there": {"population": 1, "enters": "x"}, "back": {"population": 1, "enters": "y"}},
    "stations": {"x": {"room": 1, "full": "block", "service": 1, "next": "y"},
                 "y": {"room": 1, "full": "block", "service": 2, "next": "x"}}})json";
  const Exact exact{{"ended in network", 1},
                    {"end time in network", 2},
                    {"blocked servers at x", 0.5},
                    {"blocked servers at y", 0},
                    {"utilization at x", 0.5}};
  expect_values(text, exact);
  expect_values(with(text, "\"population\": 1, \"enters\": \"y\"", "\"population\": 0"),
                {{"ended in network", 0}, {"end time in network", 10}});
  expect_other_values(with(text, "\"service\": 2", "\"service\": 3"), exact);
  // With services of rates 1 and 2, the later one ends after 1 + 1/2 - 1/3 on average, unless the horizon is before.
  const std::string random = with(with(text, "\"service\": 1", "\"service\": \"exponential(1)\""), "\"service\": 2",
                                  "\"service\": \"exponential(2)\"");
  const auto until = [](double rate) { return (1 - std::exp(-rate * 10)) / rate; };
  expect_exact(random, {{"end time in network", until(1) + until(2) - until(3)}}, 400);
  EXPECT_EQ(
      message_of(with(text, ", \"until\": {\"deadlock\": true}", "")),
      "replication 0 failed: it deadlocked: entities at station 'x' wait for ever for a place at station 'y', "
      "whose entities are blocked too. Give one of these stations more room or \"full\": \"lose\". To observe the "
      "time until a deadlock, use \"until\": {\"deadlock\": true}");
}

// A station with 2 servers, 3 places and feedback, whose customers need a place there: it locks when both are blocked.
// The state has the number at the station and the number of blocked ones. A place that a customer leaves goes to the
// blocked one, whose own place is then free.
TEST(NetworkDeadlocks, OfAStationWithFeedback) {
  const std::string text = R"json({"time_unit": "min", "horizon": 20, "until": {"deadlock": true},
    "classes": {"c": {"interarrival": "exponential(2)", "enters": "n"}},
    "stations": {"n": {"servers": 2, "room": 3, "full": "block", "service": "exponential(1)",
                       "next": [{"to": "n", "probability": 0.5}, {"to": "leave", "probability": 0.5}]}}})json";
  const MarkovChain chain({0, 0}, [](const ChainState& s) {
    const int number = s[0], blocked = s[1];
    ChainMoves moves;
    if (blocked == 2) return moves;
    if (number < 3) moves.push_back({2.0, {number + 1, blocked}});
    const int served = std::min(number - blocked, 2 - blocked);
    // One who leaves lets a blocked one in, so that nobody is blocked and all 2 remain at the station.
    if (served > 0) moves.push_back({0.5 * served, {number - 1, 0}});
    if (served > 0 && number == 3) moves.push_back({0.5 * served, {number, blocked + 1}});
    return moves;
  });
  const auto locked = [](const ChainState& s) { return s[1] == 2; };
  const Exact exact{{"ended in network", chain.mean_at(20, 4000, locked)},
                    {"end time in network", 20 - 20 * chain.mean_until(20, 4000, locked)}};
  expect_exact(text, exact, 400);
  expect_seen(with(text, "\"room\": 3", "\"room\": 4"), exact, 1000);
}

// Blocked customers who may still move are no deadlock: patience, a later shift, a repair or a third station frees a
// place. Station x is blocked from 1 on in each case.
TEST(NetworkDeadlocks, AreNotReportedWhileSomebodyWillMove) {
  const auto with_y = [](const std::string& y) {
    return R"json({"time_unit": "min", "horizon": 50, "until": {"deadlock": true},
      "classes": {"p": {"population": 1, "enters": "x"}, "q": {"population": 2, "enters": "y"}},
      "stations": {"x": {"room": 1, "full": "block", "service": 1, "next": "y"},
                   "y": {"room": 2, "full": "block", "service": 2, "next": {"q": "x"}, )json" +
           y + "}}}";
  };
  // One q is blocked for x from 2 on, and the other q waits: a deadlock, unless the other leaves or is served.
  expect_values(with_y("\"servers\": 1"), {{"ended in network", 1}, {"end time in network", 2}});
  expect_values(with_y("\"patience\": 9"), {{"ended in network", 0}, {"blocked servers at x", 8 / 50.0}});
  expect_values(with_y("\"shifts\": [{\"from\": 0, \"servers\": 1}, {\"from\": 8, \"servers\": 2}]"),
                {{"ended in network", 1}, {"end time in network", 10}});
  expect_values(with_y("\"shifts\": [{\"from\": 0, \"servers\": 2}, {\"from\": 1, \"servers\": 1}]"),
                {{"ended in network", 1}, {"end time in network", 2}});
  expect_values(with_y("\"servers\": 2, \"breakdowns\": {\"up\": 1.5, \"down\": 5}"),
                {{"ended in network", 1}, {"end time in network", 7}});
}

// The case deadlock.json: a customer who returns to the full station waits for its own place. A locked replication
// fails, or ends at the deadlock.
TEST(FieldCases, DeadlockHasTheTimeOfAnAbsorbingChain) {
  const std::string text = io::read_text_file(std::string(SPOROS_FIELD_CASES) + "/deadlock.json");
  EXPECT_EQ(message_of(text).rfind("replication 0 failed: it deadlocked: entities at station 'n' wait for ever for a "
                                   "place at station 'n', whose entities are blocked too. Give",
                                   0),
            0U);
  std::vector<double> time(5);  // mean time to the deadlock from n customers, by sweeps
  for (int sweep = 0; sweep < 4000; ++sweep) {
    for (std::size_t n = 0; n <= 4; ++n) {
      const double up = n < 4 ? 6 : 0, down = n > 0 ? 2.5 : 0, lock = n == 4 ? 2.5 : 0;
      time[n] = (1 + up * (n < 4 ? time[n + 1] : 0) + down * (n > 0 ? time[n - 1] : 0)) / (up + down + lock);
    }
  }
  EXPECT_NEAR(time[0], 1.6220293, 1e-6);
  const Exact exact{{"ended in network", 1}, {"end time in network", time[0]}};
  const std::string ended = with(text, "\"horizon\"", "\"until\": {\"deadlock\": true}, \"horizon\"");
  expect_exact(ended, exact, 400);
  expect_seen(with(ended, "\"waiting\":3", "\"waiting\":4"), exact, 1000);
}

// Each member of `areas` and `until` is refused where it is inconsistent, with its path and the line.
TEST(NetworkAreas, InconsistentMembersAreRefused) {
  const std::string good = R"json({"time_unit": "h", "horizon": 9, "until": {"number": 2, "at": "a"},
    "classes": {"c": {"interarrival": 1, "enters": "a"}},
    "stations": {"a": {"service": 1, "next": [{"to": ["b", "d"]}]}, "b": {"service": 1}, "d": {"service": 1}},
    "areas": {"ward": {"stations": ["b", "d"], "room": 3, "full": "block"}}})json";
  EXPECT_EQ(refusal([&] { models::network_case_of_json("case", good); }), "none");
  const std::vector<std::array<std::string, 3>> faults = {
      {"\"room\": 3", "\"room\": 0", "areas.ward.room is '0', expected a whole number from 1"},
      {"\"room\": 3, ", "", "areas.ward.room is missing"},
      {"[\"b\", \"d\"], \"room\"", "[], \"room\"", "areas.ward.stations is empty"},
      {"[\"b\", \"d\"], \"room\"", "[\"b\", \"b\"], \"room\"", "areas.ward.stations names a station twice"},
      {"[\"b\", \"d\"], \"room\"", "[\"b\", \"e\"], \"room\"",
       "areas.ward.stations[1] is '\"e\"', expected a station: a, b, d"},
      {"\"block\"", "\"wait\"", "areas.ward.full is '\"wait\"', expected one of"},
      {"\"ward\"", "\"network\"", "areas.network has the name of the network or of a station"},
      {"\"ward\"", "\"b\"", "areas.b has the name of the network or of a station"},
      {"\"ward\"", "\"a b\"", "areas.a b has an invalid name"},
      {"\"block\"}", "\"block\"}, \"desk\": {\"stations\": [\"d\"], \"room\": 1}",
       "areas.desk.full differs from that of 'ward'"},
      {"\"a\": {\"service\"", "\"a\": {\"discipline\": \"processor-sharing\", \"service\"",
       "areas.ward.full is block for customers from 'a', which shares its servers"},
      {"\"number\": 2", "\"number\": 0", "until.number is '0', expected a whole number from 1"},
      {"\"at\": \"a\"", "\"at\": \"z\"", "until.at is '\"z\"', expected a station: a, b, d"},
      {"\"number\": 2, \"at\"", "\"lost\": 1, \"at\"", "until.at is given without number, expected both"},
      {"\"number\": 2", "\"number\": 2, \"lost\": 1",
       "until is '{\"number\":2,\"lost\":1,\"at\":\"a\"}', expected one of the members number, empty_after, lost and "
       "deadlock"},
      {"{\"number\": 2, \"at\": \"a\"}", "{\"deadlock\": true}",
       "until.deadlock is given for a network that cannot deadlock"},
      {"{\"number\": 2, \"at\": \"a\"}", "{\"deadlock\": false}", "until.deadlock is 'false', expected true"},
      {"{\"number\": 2, \"at\": \"a\"}", "{\"empty_after\": 9}",
       "until.empty_after is 9, expected less than horizon, 9"},
      {"\"horizon\": 9", "\"horizon\": 9, \"warm_up\": 1", "warm_up is 1, expected 0 with until"},
      {"\"horizon\": 9", "\"customers\": 9", "until is given without horizon, expected both"}};
  for (const auto& [from, to, said] : faults) {
    const std::string message =
        refusal([&, f = from, t = to] { models::network_case_of_json("case", with(good, f, t)); });
    EXPECT_EQ(message.rfind("case, line ", 0), 0U) << message;
    EXPECT_NE(message.find(": " + said), message.npos) << message << "\ninstead of: " << said;
  }
  const std::string lossless =
      with(with(good, "{\"number\": 2, \"at\": \"a\"}", "{\"lost\": 1}"),
           "\"areas\": {\"ward\": {\"stations\": [\"b\", \"d\"], \"room\": 3, \"full\": \"block\"}}", "\"areas\": {}");
  EXPECT_NE(refusal([&] {
              models::network_case_of_json("case", lossless);
            }).find("until.lost is given for a network that loses no customers"),
            std::string::npos);
}

}  // namespace areas_tests
}  // namespace sporos::test
