// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks services of networks: interruptions, groups, sums of durations and speeds of servers. Most exact values are
// closed forms or come from Markov chains solved here, by 99.9 % intervals for three seeds; cases with constant times
// are computed by hand.
#include "exact_values.hpp"
#include "markov_chain.hpp"

#include <harness/refusal.hpp>
#include <sporos/core/io/text_file.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace sporos::test {
namespace network_services_tests {

// Text of a case of practitioners.
std::string field_text(const std::string& name) {
  return io::read_text_file(std::string(SPOROS_FIELD_CASES) + "/" + name + ".json");
}

// Value of a state's component, for MarkovChain::mean.
std::function<double(const ChainState&)> part(std::size_t i) {
  return [i](const ChainState& s) { return s[i]; };
}

// Completion time of a service that is interrupted at rate `rate` by delays with two given moments.
struct Completion {
  double mean, second;
};

// Gaver (1962): a restarted service of length s needs e^(rate s) - 1 interruptions on average. `mgf` is the moment
// generating function of the service time, and `slope` its derivative at `rate`.
Completion restarted(double rate, double delay, double delay_second, const std::function<double(double)>& mgf,
                     double slope) {
  const double pause = 1 / rate + delay, variance = delay_second - delay * delay, once = mgf(rate);
  return {pause * (once - 1), (once - 1) * (1 / rate / rate + variance) +
                                  pause * pause * (2 * mgf(2 * rate) - 3 * once + 1) - 2 * pause * slope};
}

// Each attempt has a new service time with Laplace transform p at `rate`, and derivatives p1 and p2 there.
Completion resampled(double rate, double delay, double delay_second, double p, double p1, double p2) {
  const double q = 1 - p;
  const double end = -p1 / p, end_second = p2 / p;  // service time of the attempt that succeeds
  const double lost = (q / rate + p1) / q, lost_second = (2 * (p1 / rate + q / rate / rate) - p2) / q;
  const double cost = lost + delay;
  const double cost_variance = lost_second - lost * lost + delay_second - delay * delay;
  const double mean = q / p * cost + end;
  const double variance = q / p * cost_variance + q / p / p * cost * cost + end_second - end * end;
  return {mean, variance + mean * mean};
}

// Mean time of the second class, which sees an M/G/1 queue of completion times that also begins after the busy period
// of the first class during which it comes.
double second_time(double arrival_rate, const Completion& service, double first_rate, double first_second,
                   double first_load) {
  return service.mean + arrival_rate * service.second / 2 / (1 - arrival_rate * service.mean) +
         first_rate * first_second / 2 / (1 - first_load) / (1 - first_load);
}

// Class first has arrivals of rate 0.4 and services of rate 2; class second of rate 0.25, Erlang(2, 2.5).
TEST(NetworkServices, InterruptedServicesRestartOrAreResampled) {
  const std::string text = R"json({"time_unit": "s", "horizon": 3000, "warm_up": 200,
    "classes": {"first": {"interarrival": "exponential(0.4)", "enters": "desk", "priority": 0},
                "second": {"interarrival": "exponential(0.25)", "enters": "desk", "priority": 1}},
    "stations": {"desk": {"discipline": "preemptive-restart",
                          "service": {"first": "exponential(2)", "second": "erlang(2, 2.5)"}}}})json";
  const double load = 0.2, second = 0.5;  // of the first class; E S^2 = 2 / 2^2
  const double delay = 0.5 / (1 - load), delay_second = second / std::pow(1 - load, 3);  // its busy period
  const auto mgf = [](double t) { return std::pow(1 - t / 2.5, -2); };
  const auto restart = restarted(0.4, delay, delay_second, mgf, 2 / 2.5 * std::pow(1 - 0.4 / 2.5, -3));
  const double p = std::pow(1 + 0.4 / 2.5, -2), p1 = -0.8 * std::pow(1 + 0.4 / 2.5, -3),
               p2 = 0.96 * std::pow(1 + 0.4 / 2.5, -4);
  const auto resample = resampled(0.4, delay, delay_second, p, p1, p2);
  const Completion resume{0.8 / (1 - load), 0.96 / (1 - load) / (1 - load) + 0.8 * 0.4 * delay_second};
  const auto exact_of = [&](const Completion& service) {
    const double time = second_time(0.25, service, 0.4, second, load);
    return Exact{{"time of first at desk", 0.5 / (1 - load)},
                 {"time of second at desk", time},
                 {"number of second at desk", 0.25 * time},
                 {"utilization at desk", load + 0.25 * service.mean * (1 - load)}};
  };
  const std::string again = with(text, "preemptive-restart", "preemptive-resample");
  const std::string on = with(text, "preemptive-restart", "preemptive");
  expect_exact(text, exact_of(restart));
  expect_exact(again, exact_of(resample));
  expect_exact(on, exact_of(resume));
  expect_seen(again, exact_of(restart));
  expect_seen(text, exact_of(resample));
  expect_seen(on, exact_of(resample));
}

// One customer comes at 0; its service takes 2 or 6, and the only server is away from 4 to 10. A service of 6 ends at
// 12 if it resumes, and at 16 if it restarts; a second draw gives 12 or 16. In overtime it ends at 6.
TEST(NetworkServices, ShiftsInterruptServices) {
  const std::string text = R"json({"time_unit": "h", "horizon": 30,
    "classes": {"job": {"population": 1, "enters": "desk"}},
    "stations": {"desk": {"service": "discrete(2:0.5, 6:0.5)", "shift_end": "resume",
                          "shifts": [{"from": 0, "servers": 1}, {"from": 4, "servers": 0},
                                     {"from": 10, "servers": 1}]}}})json";
  const Exact resume{{"time at desk", 0.5 * 2 + 0.5 * 12}};
  const Exact restart{{"time at desk", 0.5 * 2 + 0.5 * 16}};
  const Exact resample{{"time at desk", 0.5 * 2 + 0.25 * 12 + 0.25 * 16}};
  const Exact complete{{"time at desk", 0.5 * 2 + 0.5 * 6}};
  const auto by = [&](const std::string& word) { return with(text, "\"resume\"", "\"" + word + "\""); };
  expect_exact(text, resume, 2000);
  expect_exact(by("restart"), restart, 2000);
  expect_exact(by("resample"), resample, 2000);
  expect_exact(by("complete"), complete, 2000);
  expect_seen(by("restart"), resample, 4000);
  expect_seen(by("resample"), resume, 4000);
}

// Three customers with services of 5. The second service is interrupted at 7 and resumes at 10: services end at 5, 13
// and 18, or at 5, 15 and 20 after a restart. The server is busy for 15 or 17 of the 17.5 in which it is there.
TEST(NetworkServices, AShiftThatEndsMovesTheNextServices) {
  const std::string text = R"json({"time_unit": "h", "horizon": 20.5,
    "classes": {"job": {"population": 3, "enters": "desk"}},
    "stations": {"desk": {"service": 5, "shift_end": "resume",
                          "shifts": [{"from": 0, "servers": 1}, {"from": 7, "servers": 0},
                                     {"from": 10, "servers": 1}]}}})json";
  const std::string restart = with(text, "resume", "restart"), complete = with(text, "resume", "complete");
  expect_values(text, {{"time at desk", 36 / 3.0}, {"wait at desk", 18 / 3.0}, {"utilization at desk", 15 / 17.5}});
  expect_values(restart, {{"time at desk", 40 / 3.0}, {"wait at desk", 20 / 3.0}, {"utilization at desk", 17 / 17.5}});
  // Overtime until 10 delays the third service, which then begins in the next shift.
  expect_values(complete, {{"time at desk", 30 / 3.0}, {"wait at desk", 15 / 3.0}, {"utilization at desk", 15 / 20.5}});
}

// The state has the number of waiting customers and whether the server is busy.
MarkovChain group_chain(double rate, int least, int most) {
  return MarkovChain({0, 0}, [=](const ChainState& s) {
    ChainMoves moves;
    const int waiting = s[0] + 1;
    if (s[1] == 0 && waiting >= least) {
      moves.push_back({rate, {waiting - std::min(waiting, most), 1}});
    } else if (s[0] < 90) {
      moves.push_back({rate, {waiting, s[1]}});
    }
    if (s[1] == 1) {
      const bool starts = s[0] >= least;
      moves.push_back({0.5, {starts ? s[0] - std::min(s[0], most) : s[0], starts ? 1 : 0}});
    }
    return moves;
  });
}

// M/M(a,b)/1: a server takes 2 to 4 customers at a time. With least = most, it leaves full.
TEST(NetworkServices, ServersTakeGroups) {
  const std::string text = R"json({"time_unit": "min", "horizon": 2000, "warm_up": 100,
    "classes": {"guest": {"interarrival": "exponential(1.2)", "enters": "coach"}},
    "stations": {"coach": {"service": "exponential(0.5)", "group": {"least": 2, "most": 4}}}})json";
  const auto exact_of = [](int least) {
    const auto chain = group_chain(1.2, least, 4);
    const double waiting = chain.mean(part(0)), busy = chain.mean(part(1));
    return Exact{{"number waiting at coach", waiting},   {"wait at coach", waiting / 1.2},
                 {"number at coach", waiting + 1.2 * 2}, {"time at coach", waiting / 1.2 + 2},
                 {"utilization at coach", busy},         {"throughput at coach", 1.2}};
  };
  const std::string full = with(text, "\"least\": 2, ", "");
  expect_exact(text, exact_of(2));
  expect_exact(full, exact_of(4));
  expect_exact(with(text, "\"least\": 2", "\"least\": 4"), exact_of(4));
  expect_seen(with(text, "\"least\": 2", "\"least\": 3"), exact_of(2));
  expect_seen(full, exact_of(2));
}

// The first guest boards at 1 and leaves at 5 with the second; then three fill the coach at 10. Waits: 4, 3, 1, 0.5, 0.
TEST(NetworkServices, AGroupLeavesAfterATime) {
  const std::string text = R"json({"time_unit": "min", "horizon": 20,
    "classes": {"guest": {"arrivals": [1, 2, 9, 9.5, 10], "enters": "coach"}},
    "stations": {"coach": {"service": 1, "group": {"most": 3, "after": 4}}}})json";
  expect_values(text, {{"wait at coach", 8.5 / 5}, {"time at coach", 13.5 / 5}, {"utilization at coach", 0.1}});
  expect_other_values(with(text, "\"after\": 4", "\"after\": 5"), {{"wait at coach", 8.5 / 5}});
}

// A coach for two leaves full at 2, and by its timetable at 4, 8 and 12 with one guest each. Waits: 1, 0, 1, 3, 3.
TEST(NetworkServices, AGroupLeavesByATimetable) {
  const std::string text = R"json({"time_unit": "min", "horizon": 20,
    "classes": {"guest": {"arrivals": [1, 2, 3, 5, 9], "enters": "coach"}},
    "stations": {"coach": {"service": 0.5, "group": {"most": 2, "every": 4}}}})json";
  expect_values(text, {{"wait at coach", 8.0 / 5}, {"time at coach", 8.0 / 5 + 0.5}, {"utilization at coach", 0.1}});
  expect_other_values(with(text, "\"every\": 4", "\"every\": 5"), {{"wait at coach", 8.0 / 5}});
}

// Pollaczek and Khinchine. The parts of a sum are independent: otherwise the variance is larger.
TEST(NetworkServices, AServiceIsASumOfParts) {
  const std::string text = R"json({"time_unit": "min", "horizon": 3000, "warm_up": 200,
    "classes": {"job": {"interarrival": "exponential(0.6)", "enters": "machine"}},
    "stations": {"machine": {"service": ["6 s", "exponential(2)", "exponential(3)"]}}})json";
  const double mean = 0.1 + 1 / 2.0 + 1 / 3.0, second = mean * mean + 1 / 4.0 + 1 / 9.0;
  const double wait = 0.6 * second / 2 / (1 - 0.6 * mean);
  const Exact exact{
      {"wait at machine", wait}, {"time at machine", wait + mean}, {"utilization at machine", 0.6 * mean}};
  expect_exact(text, exact, 30);
  expect_seen(with(text, "\"exponential(2)\", \"exponential(3)\"", "\"exponential(1.2)\""), exact, 60);
}

// Servers with speeds 1.5 and 0.5; a customer takes the first free one. The state has the number of waiting customers
// and whether each server is busy; the station has room for 6.
TEST(NetworkServices, ServersHaveSpeeds) {
  const std::string text = R"json({"time_unit": "min", "horizon": 1500, "warm_up": 50,
    "classes": {"job": {"interarrival": "exponential(1.2)", "enters": "desk"}},
    "stations": {"desk": {"speeds": [1.5, 0.5], "room": 6, "service": "exponential(0.8)"}}})json";
  const MarkovChain chain({0, 0, 0}, [](const ChainState& s) {
    ChainMoves moves;
    const int waiting = s[0], next = waiting > 0 ? 1 : 0;
    if (!s[1]) {
      moves.push_back({1.2, {0, 1, s[2]}});
    } else if (!s[2]) {
      moves.push_back({1.2, {0, 1, 1}});
    } else if (waiting < 4) {
      moves.push_back({1.2, {waiting + 1, 1, 1}});
    }
    if (s[1]) moves.push_back({1.2, {waiting - next, next, s[2]}});
    if (s[2]) moves.push_back({0.4, {waiting - next, s[1], next}});
    return moves;
  });
  const Exact exact{{"number at desk", chain.mean([](const ChainState& s) { return s[0] + s[1] + s[2]; })},
                    {"number waiting at desk", chain.mean(part(0))},
                    {"utilization at desk", chain.mean([](const ChainState& s) { return (s[1] + s[2]) / 2.0; })},
                    {"lost at desk", chain.mean([](const ChainState& s) { return s[0] == 4; })}};
  expect_exact(text, exact);
  expect_seen(with(text, "[1.5, 0.5]", "[0.5, 1.5]"), exact);
}

// The case net_restart.json: completion times by Gaver (1962), for the moments of a gamma distribution.
TEST(FieldCases, RestartHasTheTimesOfGaver) {
  const double shape = 2.53, scale = 0.4, mean = shape * scale, second = shape * (shape + 1) * scale * scale;
  const double load = 0.3 * mean, delay = mean / (1 - load), delay_second = second / std::pow(1 - load, 3);
  const auto mgf = [&](double t) { return std::pow(1 - t * scale, -shape); };
  const auto completion = restarted(0.3, delay, delay_second, mgf, mean * std::pow(1 - 0.3 * scale, -shape - 1));
  const Exact exact{{"time of sea at berth", mean + 0.3 * second / 2 / (1 - load)},
                    {"time of barge at berth", second_time(0.3, completion, 0.3, second, load)}};
  EXPECT_NEAR(exact.at("time of sea at berth"), 1.31979, 1e-5);
  EXPECT_NEAR(exact.at("time of barge at berth"), 5.43239, 1e-5);
  expect_exact(field_text("net_restart"), exact, 5);
  expect_seen(with(field_text("net_restart"), "preemptive-restart", "preemptive"), exact, 5);
}

// Two parts of 1 or 3. A restarted service has the same parts as before, and a resampled one has new parts.
TEST(NetworkServices, RestartedSumsHaveTheSameParts) {
  const std::string text = R"json({"time_unit": "h", "horizon": 30,
    "classes": {"job": {"population": 1, "enters": "desk"}},
    "stations": {"desk": {"service": ["discrete(1:0.5, 3:0.5)", "discrete(1:0.5, 3:0.5)"], "shift_end": "restart",
                          "shifts": [{"from": 0, "servers": 1}, {"from": 3, "servers": 0},
                                     {"from": 10, "servers": 1}]}}})json";
  const Exact restart{{"time at desk", 0.25 * 2 + 0.5 * 14 + 0.25 * 16}},
      resample{{"time at desk", 0.25 * 2 + 0.75 * 14}};
  const std::string resampled = with(text, "\"restart\"", "\"resample\"");
  expect_exact(text, restart, 2000);
  expect_exact(resampled, resample, 2000);
  expect_seen(resampled, restart, 4000);
}

// A service that ends at the end of its shift is complete.
TEST(NetworkServices, AServiceMayEndWithItsShift) {
  for (const auto* rule : {"complete", "resume", "restart", "resample"}) {
    const std::string text = with(field_text("net_sched64b"), "\"service\":5",
                                  std::string("\"service\":5, \"shift_end\": \"") + rule + "\"");
    expect_values(text, {{"time at t", (10 + 20 + 25) / 3.0}});
    expect_other_values(with(text, "\"service\":5", "\"service\":5.5"), {{"time at t", (10 + 20 + 25) / 3.0}});
  }
}

// A service of 30 takes three shifts of 10, and never ends if it must begin again.
TEST(NetworkServices, OvertimeCanBeRefused) {
  const auto ended = [](const std::string& rule) {
    const std::string text =
        with(field_text("net_overtime"), "\"service\":30", "\"service\":30, \"shift_end\": \"" + rule + "\"");
    const auto found = network_moments(models::network_case_of_json("case", text), 1, 1);
    EXPECT_LE(found.at("utilization at s").mean, 1) << rule;
    return std::lround(10000 * found.at("throughput at s").mean);
  };
  EXPECT_GE(ended("complete"), 97);
  EXPECT_LE(ended("complete"), 100);
  EXPECT_GE(ended("resume"), 32);
  EXPECT_LE(ended("resume"), 33);
  EXPECT_EQ(ended("restart"), 0);
  EXPECT_EQ(ended("resample"), 0);
}

// The coach takes two of three guests at 0 and brings them to the desk at 4; the third waits alone.
TEST(NetworkServices, GroupsTakeTheirRoutesInTheOrderOfTheQueue) {
  const std::string text = R"json({"time_unit": "min", "horizon": 10,
    "classes": {"guest": {"population": 3, "enters": "coach"}},
    "stations": {"coach": {"service": 4, "group": {"most": 2}, "next": "desk"}, "desk": {"service": 1}}})json";
  const Exact exact{{"time in network", 5.5},      {"wait at desk", 0.5}, {"number waiting at coach", 1},
                    {"utilization at coach", 0.4}, {"wait at coach", 0},  {"number at coach", 1 + 0.8},
                    {"throughput at coach", 0.2},  {"time at coach", 4}};
  expect_values(text, exact);
  expect_other_values(with(text, "\"most\": 2", "\"most\": 2, \"least\": 1"), exact);
  // The group that is under way at the end keeps one server busy.
  expect_values(with(text, "\"horizon\": 10", "\"horizon\": 3"),
                {{"utilization at coach", 1}, {"number at coach", 3}, {"number waiting at coach", 1}});
}

// The places in service are those of a full coach.
TEST(NetworkServices, WaitingPlacesOfAGroupAreInAdditionToThoseInService) {
  const std::string text = R"json({"time_unit": "min", "horizon": 10,
    "classes": {"guest": {"population": 5, "enters": "coach"}},
    "stations": {"coach": {"service": 4, "waiting": 1, "group": {"most": 2}}}})json";
  expect_values(text, {{"lost at coach", 2 / 5.0}});
  expect_values(with(text, "\"most\": 2", "\"most\": 3"), {{"lost at coach", 1 / 5.0}});
}

// Guests whose patience ends are not taken. The second leaves at 3, so that the coach is full with the third at 4.
TEST(NetworkServices, GuestsOfAGroupMayRenege) {
  const std::string text = R"json({"time_unit": "min", "horizon": 20,
    "classes": {"a": {"interarrival": 1, "max_arrivals": 1, "enters": "coach"},
                "b": {"interarrival": 2, "max_arrivals": 1, "enters": "coach"},
                "c": {"interarrival": 4, "max_arrivals": 1, "enters": "coach"},
                "d": {"interarrival": 5, "max_arrivals": 1, "enters": "coach"}},
    "stations": {"coach": {"service": {"a": 2, "b": 3, "c": 4, "d": 5}, "patience": {"b": 1},
                           "group": {"most": 3}}}})json";
  const Exact exact{{"reneging of b at coach", 1}, {"wait of a at coach", 4},    {"wait of c at coach", 1},
                    {"wait of d at coach", 0},     {"time of d at coach", 2},    {"time of a at coach", 6},
                    {"wait at coach", 6 / 4.0},    {"utilization at coach", 0.1}};
  expect_values(text, exact);
  expect_other_values(with(text, "{\"b\": 1}", "{\"b\": 3}"), exact);
}

// M/M/infinity after groups of two: nobody waits for a server, but half of the guests wait for the next one.
TEST(NetworkServices, GroupsMayHaveUnlimitedServers) {
  const std::string text = R"json({"time_unit": "min", "horizon": 3000, "warm_up": 50,
    "classes": {"guest": {"interarrival": "exponential(2)", "enters": "lift"}},
    "stations": {"lift": {"servers": "unlimited", "service": "exponential(1)", "group": {"most": 2}}}})json";
  const Exact exact{{"wait at lift", 0.25}, {"number waiting at lift", 0.5}, {"number at lift", 0.5 + 2}};
  expect_exact(text, exact);
  expect_seen(with(text, "\"most\": 2", "\"most\": 2, \"after\": 0.5"), exact);
}

TEST(NetworkServices, AllDurationsMayBeSums) {
  const std::string text = R"json({"time_unit": "min", "horizon": 10,
    "classes": {"call": {"interarrival": [1, "60 s"], "max_arrivals": 4, "enters": "desk"}},
    "stations": {"desk": {"service": {"call": ["2 min", 1]}, "patience": [0.25, 0.5]}}})json";
  const Exact exact{{"reneging at desk", 0.5}, {"wait at desk", 1.5 / 4}, {"time at desk", 3}};
  expect_values(text, exact);
  expect_other_values(with(text, "[1, \"60 s\"]", "2.5"), exact);
  expect_other_values(with(text, "[0.25, 0.5]", "0.25"), exact);
  // The machine works until 3, is down until 4.5, and ends a service of 5 at 6.5.
  const std::string breaks = R"json({"time_unit": "min", "horizon": 10,
    "classes": {"job": {"population": 1, "enters": "machine"}},
    "stations": {"machine": {"service": 5, "breakdowns": {"up": [2, 1], "down": ["30 s", 1]}}}})json";
  expect_values(breaks, {{"time at machine", 6.5}});
  expect_values(with(breaks, "[2, 1]", "2"), {{"time at machine", 8}});
}

// Both servers are down from time 3 to 4, from 7 to 8 and so on. The job stays with the first server.
TEST(NetworkServices, ServersWithSpeedsBreakDown) {
  const std::string text = R"json({"time_unit": "min", "horizon": 20,
    "classes": {"job": {"population": 1, "enters": "machine"}},
    "stations": {"machine": {"speeds": [2, 1], "service": 8, "breakdowns": {"up": 3, "down": 1}}}})json";
  expect_values(text, {{"time at machine", 5}});
  expect_values(with(text, "[2, 1]", "[1, 2]"), {{"time at machine", 10}});
}

// The urgent job takes the slow server from 1 to 3. The interrupted job then continues on the fast server until 5.5.
TEST(NetworkServices, AnInterruptedServiceMayContinueOnAFasterServer) {
  const std::string text = R"json({"time_unit": "min", "horizon": 20,
    "classes": {"job": {"population": 2, "priority": 1, "enters": "machine"},
                "urgent": {"interarrival": 1, "max_arrivals": 1, "priority": 0, "enters": "machine"}},
    "stations": {"machine": {"speeds": [2, 1], "discipline": "preemptive",
                             "service": {"job": 6, "urgent": 2}}}})json";
  const Exact exact{{"time of job at machine", (3 + 5.5) / 2}, {"time of urgent at machine", 2}};
  expect_values(text, exact);
  expect_values(with(text, "preemptive", "preemptive-restart"),
                {{"time of job at machine", (3 + 6) / 2.0}, {"time of urgent at machine", 2}});
  expect_other_values(with(text, "[2, 1]", "[2, 2]"), exact);
}

TEST(NetworkServices, SpeedsAreDecisionVariables) {
  const auto case_of = [](const std::string& speeds) {
    return models::network_case_of_json("case", R"json({"time_unit": "min", "horizon": 200,
      "classes": {"job": {"interarrival": "exponential(1.2)", "enters": "line"}},
      "stations": {"desk": {"speeds": )json" + speeds +
                                                    R"json(, "service": "exponential(0.8)"},
                   "line": {"service": "exponential(3)", "breakdowns": {"up": 5, "down": 1}, "next": "desk"}}})json");
  };
  const auto network = case_of("[1.5, 0.5]");
  const auto members = models::network_members(network);
  std::vector<double> values;
  for (const auto& member : members) {
    EXPECT_NE(member.name, "stations.desk.servers");
    values.push_back(member.name == "stations.desk.speeds.1"   ? 0.75
                     : member.name == "stations.desk.speeds.2" ? 2.5
                                                               : member.value);
  }
  EXPECT_EQ(models::with_members(network, values).stations[0].speeds, (std::vector<double>{0.75, 2.5}));
  const models::NetworkTables<Kokkos::HostSpace> tables(network), others(case_of("[0.75, 2.5]"));
  models::Network changed = tables.model();
  int changes = 0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (values[i] == members[i].value) continue;
    EXPECT_TRUE(changed.set_member(static_cast<int>(i), values[i]));
    ++changes;
  }
  EXPECT_EQ(changes, 2);
  EXPECT_EQ(network_replication(changed, 1, 0), network_replication(others.model(), 1, 0));
  EXPECT_NE(network_replication(changed, 1, 0), network_replication(tables.model(), 1, 0));  // control
}

TEST(NetworkServices, InconsistentMembersAreRefused) {
  const auto said = [](const std::string& station) {
    const std::string text = R"json({"time_unit": "s", "horizon": 9, "classes": {"c": {"interarrival": 1,
        "enters": "s"}}, "stations": {"s": {)json" +
                             station + R"json(},
        "t": {"service": 1, "room": 2, "full": "block"}}})json";
    return refusal([&] { models::network_case_of_json("case", text); });
  };
  const std::string shifts = R"("service": 1, "shifts": [{"from": 0, "servers": 1}])";
  const std::vector<std::array<std::string, 2>> faults = {
      {R"("service": 1)", "none"},
      {R"("service": 1, "shift_end": "resume")", "stations.s.shift_end is given without shifts, expected both"},
      {shifts + R"(, "shift_end": "stop")",
       "stations.s.shift_end is '\"stop\"', expected one of complete, resume, restart, resample"},
      {R"("service": 1, "speeds": [])", "stations.s.speeds is '[]', expected a list with a number for each server"},
      {R"("service": 1, "speeds": [1, 0])", "stations.s.speeds[1] is 0, expected a positive finite number"},
      {R"("service": 1, "servers": 2, "speeds": [1, 2])", "stations.s has servers and speeds, expected one of them"},
      {shifts + R"(, "speeds": [1, 2])", "stations.s has shifts and speeds, expected one of them"},
      {R"("service": 1, "speeds": [1, 2], "discipline": "processor-sharing")",
       "stations.s.speeds is given for shared servers, expected another discipline"},
      {R"("service": 1, "group": {"least": 2})", "stations.s.group.most is missing"},
      {R"("service": 1, "group": {"most": 2, "size": 3})", "stations.s.group.size is unknown, expected only"},
      {R"("service": 1, "group": {"most": 2, "least": 3})",
       "stations.s.group.least is 3, expected a whole number from 1 to most, 2"},
      {R"("service": 1, "group": {"most": 2, "every": 0})", "stations.s.group.every is 0, expected more than 0"},
      {R"("service": 1, "room": 2, "group": {"most": 3})",
       "stations.s.group.least is 3, but the station has room for 2, expected at most that, or after or every"},
      {R"("service": 1, "room": 2, "group": {"most": 3, "after": 1})", "none"},
      {R"("service": 1, "discipline": "preemptive-restart", "group": {"most": 2})",
       "stations.s.group is given for a station that shares its servers or interrupts services"},
      {R"("service": 1, "discipline": "processor-sharing", "group": {"most": 2})",
       "stations.s.group is given for a station that shares its servers or interrupts services"},
      {R"("service": 1, "breakdowns": {"up": 1, "down": 1}, "group": {"most": 2})",
       "stations.s.group is given for servers that break down, expected only one of them"},
      {shifts + R"(, "group": {"most": 2})", "none"},
      {shifts + R"(, "shift_end": "resume", "group": {"most": 2})",
       "stations.s.group is given for services that the end of a shift interrupts, expected shift_end complete"},
      {R"("service": 1, "next": "t", "group": {"most": 2})",
       "stations.t.full is block for customers from 's', which serves them in groups, expected lose"},
      {R"("service": [])", "stations.s.service is '[]', expected a number, a distribution"},
      {R"("service": [1, []])", "stations.s.service[1] is '[]', expected a number, or a distribution"},
      {R"json("service": [1, "exponential(0)"])json", "stations.s.service[1] is 'exponential(0)': rate is 0"},
      {R"json("service": [1, "normal(1, 1)"])json", "stations.s.service (c)[1] can be as low as -inf"},
      {R"("service": "5 weeks")", "stations.s.service is '\"5 weeks\"', expected one of the units"},
  };
  for (const auto& [station, expected] : faults) {
    const std::string message = said(station);
    EXPECT_TRUE(message == expected || message.find(": " + expected) != message.npos)
        << message << "\ninstead of: " << expected;
  }
}

}  // namespace network_services_tests
}  // namespace sporos::test
