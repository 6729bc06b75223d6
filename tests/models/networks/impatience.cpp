// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks customers who balk, renege to other stations, jockey, or change their class against closed forms and Markov
// chains, by 99.9 % intervals for three seeds, and by hand where no time is random.
#include "exact_values.hpp"
#include "markov_chain.hpp"

#include <harness/refusal.hpp>
#include <sporos/core/io/text_file.hpp>
#include <sporos/core/replication/traced_replication.hpp>
#include <sporos/models/networks/network_load.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

namespace sporos::test {
namespace impatience_tests {

// Text of a case of practitioners.
std::string field_text(const std::string& name) {
  return io::read_text_file(std::string(SPOROS_FIELD_CASES) + "/" + name + ".json");
}

// Value of a state's component, for MarkovChain::mean.
std::function<double(const ChainState&)> part(std::size_t i) {
  return [i](const ChainState& s) { return s[i]; };
}

// Events of a replication, with the times, the stations and the names of customers.
std::vector<std::string> events_of(const std::string& json) {
  const models::NetworkTables<Kokkos::HostSpace> tables(models::network_case_of_json("case", json));
  const models::Network network = tables.model();
  const auto stations = network.station_names();
  std::vector<std::string> texts;
  for (const TracedEvent& event : traced_events(DesignPoint<models::Network>{network, 1}, {}, 0)) {
    std::ostringstream text;
    text << event.time << ' ' << models::Network::event_names.at(static_cast<std::size_t>(event.kind)) << ' '
         << stations.at(static_cast<std::size_t>(event.station)) << ' ' << event.entity;
    texts.push_back(text.str());
  }
  return texts;
}

// ---------------------------------------------------------------------------------------------------- balking

// The station is M/M/2/5, with class a joining by the number that it finds. Customers who find 5 are lost, not balking.
TEST(Impatience, CustomersBalkByTheNumberTheyFind) {
  const std::string text = R"json({"time_unit": "s", "horizon": 1500, "warm_up": 50,
    "classes": {"a": {"interarrival": "exponential(1.5)", "enters": "desk"},
                "b": {"interarrival": "exponential(0.8)", "enters": "desk"}},
    "stations": {"desk": {"servers": 2, "room": 5, "service": "exponential(1)",
                          "balking": {"a": [0, 0.1, 0.3, 0.8]}}}})json";
  const double balks[5] = {0, 0.1, 0.3, 0.8, 0.8};
  std::vector<double> p{1};
  for (int n = 0; n < 5; ++n) p.push_back(p.back() * (0.8 + 1.5 * (1 - balks[n])) / std::min(n + 1, 2));
  double sum = 0, number = 0, balking = 0;
  for (std::size_t n = 0; n <= 5; ++n) {
    sum += p[n];
    number += p[n] * static_cast<double>(n);
    balking += n < 5 ? p[n] * balks[n] : 0;
  }
  const Exact exact{{"number at desk", number / sum},
                    {"balking of a at desk", balking / sum},
                    {"balking at desk", 1.5 / 2.3 * balking / sum},
                    {"lost of a at desk", p[5] / sum},
                    {"lost of b at desk", p[5] / sum}};
  expect_exact(text, exact);
  expect_seen(with(text, "0.3, 0.8", "0.3, 0.5"), exact);
}

// The case balk.json. The number found decides; customers who find 7 never join.
TEST(FieldCases, BalkHasTheNumberOfItsBirthAndDeathProcess) {
  const double balks[8] = {0, 0, 0, 0.5, 0.5, 0.5, 0.5, 1};
  double p = 1, sum = 0, number = 0, balking = 0;
  for (int n = 0; n < 8; ++n) {
    sum += p;
    number += p * n;
    balking += p * balks[n];
    p *= 5 * (1 - balks[n]) / 10;
  }
  EXPECT_NEAR(number / sum, 0.81096, 1e-5);
  EXPECT_NEAR(balking / sum, 0.04357, 1e-5);
  const Exact exact{{"number at s", number / sum}, {"balking at s", balking / sum}};
  expect_exact(field_text("balk"), exact, 10);
  expect_seen(with(field_text("balk"), "0.5,0.5,0.5,0.5,1", "0.3,0.5,0.5,0.5,1"), exact, 10);
}

// A tolerance of exponential length with rate 0.4 is shorter than the expected wait (n − 1) / 2 of a customer who finds
// n ≥ 2 with probability 1 − e^(−0.2 (n − 1)). Little's law gives the mean wait of those who join.
TEST(Impatience, CustomersBalkByTheirExpectedWait) {
  const std::string text = R"json({"time_unit": "s", "horizon": 1500, "warm_up": 50,
    "classes": {"a": {"interarrival": "exponential(3)", "enters": "desk"}},
    "stations": {"desk": {"servers": 2, "service": "exponential(1)", "balking_wait": "exponential(0.4)"}}})json";
  double p = 1, sum = 1, number = 0, waiting = 0, balking = 0;
  for (int n = 0; n < 80; ++n) {
    const double joins = n < 2 ? 1 : std::exp(-0.2 * (n - 1));
    balking += p * (1 - joins);
    p *= 3 * joins / std::min(n + 1, 2);
    sum += p;
    number += p * (n + 1);
    waiting += p * std::max(n - 1, 0);
  }
  const Exact exact{{"number at desk", number / sum},
                    {"balking at desk", balking / sum},
                    {"wait at desk", waiting / sum / (3 * (1 - balking / sum))}};
  expect_exact(text, exact);
  expect_seen(with(text, "exponential(0.4)", "exponential(0.5)"), exact);
}

// A customer who finds 3 waiting expects a wait of 4 / 2 / 2 = 1 and joins, because it tolerates 1; one who finds 4
// waiting does not. So this is M/M/2/6, and those who find 6 balk. In units of 0.1 the sum of means is rounded.
TEST(Impatience, AToleranceEqualToTheExpectedWaitSuffices) {
  const std::string text = R"json({"time_unit": "s", "horizon": 1000, "warm_up": 50,
    "classes": {"a": {"interarrival": "exponential(4)", "enters": "desk"}},
    "stations": {"desk": {"servers": 2, "speed": 0.2, "service": "exponential(10)", "balking_wait": 1}}})json";
  const double weights[7] = {1, 2, 2, 2, 2, 2, 2};  // rate 4 against 2 and 4
  double number = 0;
  for (int n = 0; n <= 6; ++n) number += n * weights[n] / 13;
  const Exact exact{{"number at desk", number}, {"balking at desk", 2.0 / 13}};
  expect_exact(text, exact);
  expect_seen(with(text, "\"balking_wait\": 1", "\"balking_wait\": 0.99"), exact);
}

// Class a is served from 1 to 11. Customers of class b come at 2, 4, 6 and 8. They expect the mean service of `a` and
// those of the customers who wait, 10, 13 and 16, and accept 13. The customer of class c comes at 9, precedes class b,
// and expects only 10, or nothing if it interrupts.
TEST(Impatience, ExpectedWaitsCountThoseWhoPrecede) {
  const std::string text = R"json({"time_unit": "s", "horizon": 10,
    "classes": {"a": {"interarrival": 1, "max_arrivals": 1, "enters": "desk", "priority": 1},
                "b": {"interarrival": 2, "max_arrivals": 4, "enters": "desk", "priority": 1},
                "c": {"interarrival": 9, "max_arrivals": 1, "enters": "desk", "priority": 0}},
    "stations": {"desk": {"discipline": "priority", "service": {"a": 10, "b": 3, "c": 4},
                          "balking_wait": {"b": 13, "c": 10}}}})json";
  const Exact exact{{"balking of b at desk", 0.5}, {"balking of c at desk", 0}, {"balking at desk", 2 / 6.0}};
  expect_values(text, exact);
  expect_values(with(text, "\"c\": 10}", "\"c\": 9.9}"), {{"balking of c at desk", 1}});
  const auto by = [&](const std::string& discipline) {
    return with(text, "\"discipline\": \"priority\"", "\"discipline\": \"" + discipline + "\"");
  };
  expect_values(with(by("preemptive"), "\"c\": 10}", "\"c\": 0.1}"), {{"balking of c at desk", 0}});
  expect_values(with(text, "\"b\": 13", "\"b\": 16"), {{"balking of b at desk", 0.25}});
  // The newest customer is served first and expects the rest of one service.
  expect_values(with(by("last-in-first-out"), "\"b\": 13", "\"b\": 10"), {{"balking of b at desk", 0}});
  expect_other_values(with(text, "\"b\": 13", "\"b\": 12.9"), exact);
}

// A customer who has been blocked for a place at the second station does not balk when it moves.
TEST(Impatience, BlockedCustomersDoNotBalk) {
  const std::string text = R"json({"time_unit": "s", "horizon": 20,
    "classes": {"part": {"population": 3, "enters": "first"}},
    "stations": {"first": {"service": 1, "next": "second"},
                 "second": {"room": 1, "full": "block", "service": 5, "balking": [1]}}})json";
  // The first part balks at 1, and so does the second at 2, because nobody is at the second station.
  expect_values(text, {{"balking at second", 1}, {"throughput in network", 0}});
  // Now only those who find nobody join: the first at 1; the others wait on their server for the place.
  const std::string joins = with(text, "[1]", "[0, 1]");
  expect_values(joins, {{"balking at second", 0}, {"throughput in network", 3 / 20.0}});
  expect_values(with(joins, "\"room\": 1, \"full\": \"block\"", "\"room\": 2, \"full\": \"block\""),
                {{"balking at second", 2 / 3.0}});
}

// ------------------------------------------------------------------------------------ reneging to other stations

// The second station has room for 3, and loses those who find it full.
TEST(Impatience, CustomersRenegeToAnotherStation) {
  const std::string text = R"json({"time_unit": "min", "horizon": 1500, "warm_up": 50,
    "classes": {"call": {"interarrival": "exponential(1.5)", "enters": "expert"}},
    "stations": {"expert": {"service": "exponential(1)", "patience": "exponential(0.5)", "reneging": "novice"},
                 "novice": {"room": 3, "service": "exponential(0.6)"}}})json";
  const MarkovChain chain({0, 0}, [](const ChainState& s) {
    const int expert = s[0], novice = s[1];
    ChainMoves moves;
    if (expert < 30) moves.push_back({1.5, {expert + 1, novice}});
    if (expert > 0) moves.push_back({1.0, {expert - 1, novice}});
    if (expert > 1) moves.push_back({0.5 * (expert - 1), {expert - 1, std::min(novice + 1, 3)}});
    if (novice > 0) moves.push_back({0.6, {expert, novice - 1}});
    return moves;
  });
  const auto reneging = [](const ChainState& s) { return 0.5 * std::max(s[0] - 1, 0); };
  const double rate = chain.mean(reneging);
  const double lost = chain.mean([&](const ChainState& s) { return s[1] == 3 ? reneging(s) : 0; });
  const Exact exact{{"reneging at expert", rate / 1.5},        {"number at expert", chain.mean(part(0))},
                    {"number at novice", chain.mean(part(1))}, {"lost at novice", lost / rate},
                    {"throughput in network", 1.5 - lost},     {"losses in network", lost}};
  expect_exact(text, exact);
  expect_seen(with(text, "\"room\": 3", "\"room\": 4"), exact);
}

// A fifth of those who renege leave, and the others go to an infinite station, half of them as another class.
TEST(Impatience, RenegingCustomersTakeARoute) {
  const std::string text = R"json({"time_unit": "min", "horizon": 1500, "warm_up": 50,
    "classes": {"call": {"interarrival": "exponential(1.5)", "enters": "expert"}, "mail": {}},
    "stations": {"expert": {"service": "exponential(1)", "patience": "exponential(0.5)",
                            "reneging": [{"to": "desk", "probability": 0.4},
                                         {"to": "desk", "probability": 0.4, "becomes": "mail"}]},
                 "desk": {"servers": "unlimited", "service": {"call": "exponential(1)", "mail": "exponential(0.5)"}}}})json";
  double p = 1, sum = 1, waiting = 0;
  for (int n = 1; n < 60; ++n) {
    p *= 1.5 / (1 + 0.5 * (n - 1));
    sum += p;
    waiting += p * (n - 1);
  }
  const double rate = 0.5 * waiting / sum;
  const Exact exact{{"reneging at expert", rate / 1.5},
                    {"number of call at desk", 0.4 * rate},
                    {"number of mail at desk", 0.4 * rate * 2},
                    {"throughput in network", 1.5 - 0.2 * rate}};
  expect_exact(text, exact);
  expect_seen(with(text, "\"probability\": 0.4}", "\"probability\": 0.5}"), exact);
}

// The case jockey.json after its start. The first server is busy but for 4e−9 of the time. Customers renege while the
// work before them exceeds 6. That lasts an exponential time of rate 2, after which the work is below 6 until a birth
// and death process of rates 2 and 5 ends. The state has the depth of this process, −1 above 6, and the number at
// `two`.
TEST(FieldCases, JockeyHasTheNumbersOfMM1WithPatience) {
  const MarkovChain chain({0, 0}, [](const ChainState& s) {
    const int depth = s[0], number = s[1];
    ChainMoves moves;
    if (depth < 0) {
      moves.push_back({2.0, {0, number}});
      if (number < 50) moves.push_back({5.0, {-1, number + 1}});
    } else {
      if (depth < 9) moves.push_back({2.0, {depth + 1, number}});
      moves.push_back({5.0, {depth - 1, number}});
    }
    if (number > 0) moves.push_back({4.0, {depth, number - 1}});
    return moves;
  });
  EXPECT_NEAR(chain.mean(part(1)), 4.5, 0.005);
  const double wait = 0.6 * 6 + 0.4 * (6 - 1 / 3.0);
  const Exact exact{{"reneging at one", 0.6}, {"wait at one", wait},
                    {"throughput at one", 2}, {"number waiting at one", 5 * wait},
                    {"number at two", 4.5},   {"time at two", 1.5}};
  const std::string text = with(field_text("jockey"), "\"horizon\":1000", "\"horizon\":2000, \"warm_up\": 50");
  expect_exact(text, exact);
  expect_seen(with(text, "\"patience\":6", "\"patience\":6.2"), exact);
}

// The second caller's patience ends at 4; it goes to the other agent and is served there until 9, six after it came.
TEST(Impatience, OfACallerWhoChangesTheAgent) {
  const std::string text = R"json({"time_unit": "s", "horizon": 20,
    "classes": {"caller": {"interarrival": 2, "max_arrivals": 2, "enters": "agent"}},
    "stations": {"agent": {"service": 10, "patience": 1, "reneging": "other"}, "other": {"service": 4}}})json";
  EXPECT_EQ(events_of(text),
            (std::vector<std::string>{"2 arrival agent 0", "2 service begins agent 0", "4 arrival agent 1",
                                      "5 reneges agent 1", "5 comes other 1", "5 service begins other 1",
                                      "9 service ends other 1", "9 leaves other 1", "12 service ends agent 0",
                                      "12 leaves agent 0"}));
  expect_values(text, {{"time in network", (10 + 5) / 2.0},
                       {"reneging at agent", 0.5},
                       {"wait at agent", 0.5},
                       {"throughput at agent", 1 / 20.0},
                       {"throughput in network", 2 / 20.0}});
}

// ------------------------------------------------------------------------------------ jockeying

// Two stations with one server and room for 6. After each event, the last waiting customer moves if the other server is
// free, or if the other queue is shorter by at least 2.
TEST(Impatience, CustomersJockey) {
  const std::string text = R"json({"time_unit": "s", "horizon": 1500, "warm_up": 50,
    "classes": {"job": {"interarrival": "exponential(1.5)",
                        "enters": [{"to": "a", "probability": 0.6}, {"to": "b", "probability": 0.4}]}},
    "stations": {"a": {"room": 6, "service": "exponential(1)", "jockeying": ["b"]},
                 "b": {"room": 6, "service": "exponential(0.7)", "jockeying": {"to": ["a"], "difference": 2}}}})json";
  const auto jumps = [](const ChainState& s) {  // before customers jockey
    ChainMoves moves;
    if (s[0] < 6) moves.push_back({0.9, {s[0] + 1, s[1]}});
    if (s[1] < 6) moves.push_back({0.6, {s[0], s[1] + 1}});
    if (s[0] > 0) moves.push_back({1.0, {s[0] - 1, s[1]}});
    if (s[1] > 0) moves.push_back({0.7, {s[0], s[1] - 1}});
    return moves;
  };
  // Whether a customer moves from the station with `from` customers to that with `to`.
  const auto moves_on = [](int from, int to) { return from >= 2 && (to == 0 || from - to >= 2); };
  const MarkovChain chain({0, 0}, [&](const ChainState& s) {
    ChainMoves moves = jumps(s);
    for (auto& [rate, to] : moves) {
      if (moves_on(to[0], to[1])) {
        to = {to[0] - 1, to[1] + 1};
      } else if (moves_on(to[1], to[0])) {
        to = {to[0] + 1, to[1] - 1};
      }
    }
    return moves;
  });
  const auto jockeys = [&](std::size_t from) {
    return chain.mean([&, from](const ChainState& s) {
      double sum = 0;
      for (const auto& [rate, to] : jumps(s)) sum += moves_on(to[from], to[1 - from]) ? rate : 0;
      return sum;
    });
  };
  const double to_b = jockeys(0), to_a = jockeys(1);
  const double lost_a = 0.9 * chain.mean([](const ChainState& s) { return s[0] == 6; });
  const double lost_b = 0.6 * chain.mean([](const ChainState& s) { return s[1] == 6; });
  const double waiting_a = chain.mean([](const ChainState& s) { return std::max(s[0] - 1, 0); });
  const double waits_a = 0.9 - lost_a + to_a, waits_b = 0.6 - lost_b + to_b;  // per second
  const Exact exact{{"number at a", chain.mean(part(0))}, {"number at b", chain.mean(part(1))},
                    {"number waiting at a", waiting_a},   {"wait at a", waiting_a / waits_a},
                    {"jockeying at a", to_b / waits_a},   {"jockeying at b", to_a / waits_b},
                    {"lost at a", lost_a / (0.9 + to_a)}};
  expect_exact(text, exact);
  expect_seen(with(text, "\"difference\": 2", "\"difference\": 4"), exact);
  Exact without = exact;
  without.erase("jockeying at a");
  expect_seen(with(text, ", \"jockeying\": [\"b\"]", ""), without);
}

// Customer 1 moves to the free server. Customer 2 does not move to a queue that is shorter by 1, but customer 3 moves
// to one that is shorter by 2.
TEST(Impatience, OfACustomerWhoChangesTheQueue) {
  EXPECT_EQ(events_of(R"json({"time_unit": "s", "horizon": 7,
      "classes": {"early": {"population": 3, "enters": "a"},
                  "late": {"interarrival": 1, "max_arrivals": 2, "enters": "b"}},
      "stations": {"a": {"service": {"early": 20}, "patience": 6, "jockeying": ["b"]},
                   "b": {"service": {"early": 9, "late": 2}, "room": 4, "speed": 1}}})json"),
            (std::vector<std::string>{"0 arrival a 0", "0 service begins a 0", "0 arrival a 1", "0 jockeys a 1",
                                      "0 comes b 1", "0 service begins b 1", "0 arrival a 2", "1 arrival b 3",
                                      "2 arrival b 4", "6 reneges a 2"}));
  EXPECT_EQ(events_of(R"json({"time_unit": "s", "horizon": 7,
      "classes": {"early": {"population": 4, "enters": "a"},
                  "late": {"population": 2, "enters": "b", "priority": 1}},
      "stations": {"a": {"service": 20, "patience": 6, "jockeying": ["b"]},
                   "b": {"service": {"late": 3, "early": 1}}}})json"),
            (std::vector<std::string>{
                "0 arrival a 0",        "0 service begins a 0", "0 arrival a 1",        "0 jockeys a 1",
                "0 comes b 1",          "0 service begins b 1", "0 arrival a 2",        "0 arrival a 3",
                "0 jockeys a 3",        "0 comes b 3",          "0 arrival b 4",        "0 arrival b 5",
                "1 service ends b 1",   "1 leaves b 1",         "1 service begins b 3", "2 service ends b 3",
                "2 leaves b 3",         "2 service begins b 4", "5 service ends b 4",   "5 leaves b 4",
                "5 service begins b 5", "6 reneges a 2"}));
}

// Jockeys keep the end of their patience: customer 2 moves at 0, and reneges at 6 from a station without patience.
TEST(Impatience, JockeysKeepTheirPatience) {
  const std::string text = R"json({"time_unit": "s", "horizon": 10,
    "classes": {"c": {"population": 4, "enters": "a"}},
    "stations": {"a": {"service": 20, "patience": 6, "jockeying": ["b"]}, "b": {"service": 20}}})json";
  const auto events = events_of(text);
  EXPECT_EQ(std::vector<std::string>(events.end() - 2, events.end()),
            (std::vector<std::string>{"6 reneges a 2", "6 reneges b 3"}));
  expect_values(text, {{"reneging at a", 1 / 4.0}, {"reneging at b", 0.5}, {"wait at b", 3}});
}

// ------------------------------------------------------------------------------------ class change while waiting

// The state has the class in service (0: none, 1: low, 2: high) and the numbers of waiting customers of both classes;
// the station has room for 7. Waiting customers of class low become high at rate 0.3, and are served at the rate of
// high.
TEST(Impatience, WaitingCustomersChangeTheirClass) {
  const std::string text = R"json({"time_unit": "s", "horizon": 1500, "warm_up": 50,
    "classes": {"low": {"interarrival": "exponential(0.6)", "enters": "desk", "priority": 1},
                "high": {"interarrival": "exponential(0.2)", "enters": "desk", "priority": 0}},
    "stations": {"desk": {"discipline": "priority", "room": 7,
                          "service": {"low": "exponential(0.8)", "high": "exponential(1.2)"},
                          "changes": {"low": {"after": "exponential(0.3)", "becomes": "high"}}}}})json";
  const MarkovChain chain({0, 0, 0}, [](const ChainState& s) {
    const int serves = s[0], low = s[1], high = s[2];
    ChainMoves moves;
    if (serves == 0) return ChainMoves{{0.6, {1, 0, 0}}, {0.2, {2, 0, 0}}};
    if (low + high < 6) {
      moves.push_back({0.6, {serves, low + 1, high}});
      moves.push_back({0.2, {serves, low, high + 1}});
    }
    if (low > 0) moves.push_back({0.3 * low, {serves, low - 1, high + 1}});
    const double rate = serves == 1 ? 0.8 : 1.2;
    if (high > 0) {
      moves.push_back({rate, {2, low, high - 1}});
    } else if (low > 0) {
      moves.push_back({rate, {1, low - 1, 0}});
    } else {
      moves.push_back({rate, {0, 0, 0}});
    }
    return moves;
  });
  const Exact exact{{"number waiting of low at desk", chain.mean(part(1))},
                    {"number waiting of high at desk", chain.mean(part(2))},
                    {"number of low at desk", chain.mean([](const ChainState& s) { return s[1] + (s[0] == 1); })},
                    {"throughput of low at desk", 0.8 * chain.mean([](const ChainState& s) { return s[0] == 1; })},
                    {"throughput of high at desk", 1.2 * chain.mean([](const ChainState& s) { return s[0] == 2; })}};
  expect_exact(text, exact);
  expect_seen(with(text, "exponential(0.3)", "exponential(0.4)"), exact);
}

// Customers 1 and 2 wait for a service of 10. They become high at 2 and 3, and urgent at 3 and 4. The first one then
// interrupts the service; the second one is served after it.
TEST(Impatience, OfCustomersWhoBecomeUrgent) {
  const std::string text = R"json({"time_unit": "s", "horizon": 20,
      "classes": {"slow": {"population": 1, "enters": "desk", "priority": 2},
                  "low": {"interarrival": 1, "max_arrivals": 2, "enters": "desk", "priority": 3},
                  "high": {"priority": 2}, "urgent": {"priority": 1}},
      "stations": {"desk": {"discipline": "preemptive", "service": {"slow": 10, "low": 9, "high": 8, "urgent": 4},
                            "changes": {"low": {"after": 1, "becomes": "high"},
                                        "high": {"after": 1, "becomes": "urgent"}}}}})json";
  EXPECT_EQ(events_of(text),
            (std::vector<std::string>{"0 arrival desk 0", "0 service begins desk 0", "1 arrival desk 1",
                                      "2 arrival desk 2", "2 changes class desk 1", "3 changes class desk 2",
                                      "3 changes class desk 1", "3 is interrupted desk 0", "3 service begins desk 1",
                                      "4 changes class desk 2", "7 service ends desk 1", "7 leaves desk 1",
                                      "7 service begins desk 2", "11 service ends desk 2", "11 leaves desk 2",
                                      "11 service begins desk 0", "18 service ends desk 0", "18 leaves desk 0"}));
  // Waits: 2 of the first and 5 of the second, both as urgent; 8 of the interrupted service are no wait.
  expect_values(text, {{"number waiting of low at desk", 2 / 20.0},
                       {"number waiting of high at desk", 2 / 20.0},
                       {"number of low at desk", 2 / 20.0},
                       {"number of urgent at desk", (4 + 7) / 20.0},
                       {"wait of urgent at desk", 7 / 2.0},
                       {"wait of low at desk", 0},
                       {"number waiting at desk", (2 + 2 + 3 + 8) / 20.0},
                       {"throughput of urgent at desk", 2 / 20.0}});
  expect_other_values(with(text, "\"after\": 1, \"becomes\": \"high\"", "\"after\": 1.5, \"becomes\": \"high\""),
                      {{"wait of urgent at desk", 7 / 2.0}});
}

// A change of class keeps the place in a queue without priorities, and the end of patience.
TEST(Impatience, AChangeOfClassKeepsThePlaceAndThePatience) {
  const std::string text = R"json({"time_unit": "s", "horizon": 20,
      "classes": {"first": {"population": 1, "enters": "desk"},
                  "low": {"interarrival": 1, "max_arrivals": 2, "enters": "desk"}, "high": {}},
      "stations": {"desk": {"service": {"first": 6, "low": 3, "high": 2}, "patience": {"low": 5.5},
                            "changes": {"low": {"after": 2, "becomes": "high"}}}}})json";
  EXPECT_EQ(events_of(text),
            (std::vector<std::string>{"0 arrival desk 0", "0 service begins desk 0", "1 arrival desk 1",
                                      "2 arrival desk 2", "3 changes class desk 1", "4 changes class desk 2",
                                      "6 service ends desk 0", "6 leaves desk 0", "6 service begins desk 1",
                                      "7.5 reneges desk 2", "8 service ends desk 1", "8 leaves desk 1"}));
  expect_values(text, {{"reneging of high at desk", 0.5}, {"reneging of low at desk", 0}});
}

// ------------------------------------------------------------------------------------ draws, loads and refusals

// Draws of balking and changes do not move other draws: customers who balk with probability 0, or change their class
// after the end, have the same services and patience.
TEST(Impatience, RulesWithoutEffectChangeNoBits) {
  const std::string text = R"json({"time_unit": "s", "horizon": 200,
    "classes": {"c": {"interarrival": "exponential(1.5)", "enters": "a"}, "d": {}},
    "stations": {"a": {"service": "exponential(1)", "patience": "exponential(0.3)", "next": "b"},
                 "b": {"servers": 2, "service": "erlang(2, 1.5)"}}})json";
  const auto means = [](const std::string& json) {
    std::vector<double> values;
    for (const auto& [name, moments] : network_moments(models::network_case_of_json("case", json), 1, 3)) {
      if (name.find("balking") == std::string::npos && name.find("jockeying") == std::string::npos)
        values.push_back(moments.mean);
    }
    return values;
  };
  const auto added = [&](const std::string& members) { return means(with(text, "\"next\": \"b\"", members)); };
  const auto unchanged = means(text);
  EXPECT_EQ(added(R"("balking": [0], "balking_wait": 1000, "next": "b")"), unchanged);
  EXPECT_EQ(added(R"("reneging": "leave", "next": "b")"), unchanged);
  EXPECT_EQ(added(R"("changes": {"d": {"after": 1, "becomes": "c"}}, "next": "b")"), unchanged);
  EXPECT_NE(added(R"("balking": [0.1], "next": "b")"), unchanged);
}

// A queue whose customers balk, or go to other queues, has a steady state.
TEST(Impatience, QueuesThatCustomersAvoidAreStable) {
  const auto notes = [](const std::string& rules) {
    return models::instability_notes(models::network_case_of_json("case", R"json({"time_unit": "s", "horizon": 9,
      "classes": {"c": {"interarrival": 1, "enters": "a"}, "d": {}},
      "stations": {"a": {"service": {"c": "exponential(0.5)", "d": "exponential(2)"})json" +
                                                                              rules +
                                                                              R"json(}, "b": {"service": 1}}})json"))
        .size();
  };
  EXPECT_EQ(notes(""), 1U);
  EXPECT_EQ(notes(R"(, "balking": [0, 0.4])"), 1U);
  EXPECT_EQ(notes(R"(, "balking": [0, 0.6])"), 0U);
  EXPECT_EQ(notes(R"(, "balking_wait": 3)"), 0U);
  EXPECT_EQ(notes(R"(, "jockeying": ["b"])"), 0U);
  EXPECT_EQ(notes(R"(, "changes": {"c": {"after": 1, "becomes": "d"}})"), 0U);
}

// Members of the station in a case with another station, and the message.
const std::vector<std::array<std::string, 2>> faults = {
    {"\"balking\": 0.5", "stations.a.balking is '0.5', expected a list of probabilities"},
    {"\"balking\": []", "stations.a.balking is '[]', expected a list of probabilities"},
    {"\"balking\": [0, \"1\"]", "stations.a.balking[1] is '\"1\"', expected a number"},
    {"\"balking\": {\"c\": [0, 1.5]}", "stations.a.balking (c)[1] is 1.5, expected a number from 0 to 1"},
    {"\"balking\": {\"e\": [0]}", "stations.a.balking.e is not a class of the case"},
    {"\"balking_wait\": 0", "stations.a.balking_wait (c) has mean 0, expected a positive finite mean"},
    {"\"balking_wait\": 1, \"servers\": \"unlimited\"",
     "stations.a.balking_wait is given for shared or unlimited servers, where nobody waits, expected other servers"},
    {"\"reneging\": \"b\"", "stations.a.reneging is given without patience, expected both"},
    {"\"patience\": 1, \"reneging\": \"x\"", "stations.a.reneging is '\"x\"', expected a station or 'leave'"},
    {"\"patience\": 1, \"reneging\": [{\"to\": \"b\", \"becomes\": \"d\"}]",
     "stations.b.service has no service time for customers of class 'd', whom stations.a.reneging (c) sends there"},
    {"\"jockeying\": []", "stations.a.jockeying is '[]', expected a list of at least one station"},
    {"\"jockeying\": \"b\"", "stations.a.jockeying is '\"b\"', expected an object with the members to, difference"},
    {"\"jockeying\": {\"difference\": 3}", "stations.a.jockeying.to is missing"},
    {"\"jockeying\": {\"to\": [\"b\"], \"difference\": 1}",
     "stations.a.jockeying.difference is '1', expected a whole number from 2 to 1000000"},
    {"\"jockeying\": [\"a\"]", "stations.a.jockeying leads to the station itself, expected other stations"},
    {"\"jockeying\": [\"s\"]",
     "stations.a.jockeying leads to 's', which shares its servers or serves groups, expected other stations"},
    {"\"jockeying\": [\"b\"], \"discipline\": \"processor-sharing\"",
     "stations.a.jockeying is given for shared or unlimited servers, where nobody waits, expected other servers"},
    {"\"changes\": 3", "stations.a.changes is '3', expected an object with a member for each class that changes"},
    {"\"changes\": {\"c\": {\"after\": 1}}", "stations.a.changes.c.becomes is missing"},
    {"\"changes\": {\"c\": {\"after\": 1, \"becomes\": \"e\"}}",
     "stations.a.changes.c.becomes is '\"e\"', expected a class: c, d"},
    {"\"changes\": {\"c\": {\"after\": 1, \"becomes\": \"c\"}}",
     "stations.a.changes (c) becomes its own class, expected another"},
    {"\"changes\": {\"c\": {\"after\": 1, \"becomes\": \"d\"}}",
     "stations.a.service has no service time for customers of class 'd', whom stations.a.changes (c) sends there"},
};

TEST(Impatience, FaultsAreSaidByTheirPath) {
  for (const auto& [members, said] : faults) {
    const std::string text = R"json({"time_unit": "s", "horizon": 9, "classes":
      {"c": {"interarrival": 1, "enters": "a"}, "d": {}}, "stations": {"a": {"service": {"c": 1}, )json" +
                             members + R"json(},
      "b": {"service": {"c": 1}}, "s": {"discipline": "processor-sharing", "service": 1}}})json";
    const std::string message = refusal([&] { models::network_case_of_json("case", text); });
    EXPECT_NE(message.find(": " + said), message.npos) << message << "\ninstead of: " << said;
    EXPECT_EQ(message.rfind("case, line ", 0), 0U) << message;
  }
}

}  // namespace impatience_tests
}  // namespace sporos::test
