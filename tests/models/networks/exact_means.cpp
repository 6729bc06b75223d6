// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks networks against closed forms and against Markov chains solved here, by 99.9 % intervals for three seeds.
#include "expected_means.hpp"
#include "markov_chain.hpp"

#include <sporos/models/networks/network_files.hpp>
#include <sporos/models/queues/mm1_exact_means.hpp>
#include <sporos/models/queues/tandem_line_chain.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace sporos::test {
namespace exact_means_tests {

// The queue starts empty; uniformization gives the exact means.
TEST(NetworkMeans, QueueMM1IsTransient) {
  const std::string text = R"json({"time_unit": "s", "horizon": 20,
    "classes": {"job": {"interarrival": "exponential(0.9)", "enters": "desk"}},
    "stations": {"desk": {"service": "exponential(1)"}}})json";
  const auto means = models::mm1_means_until(0.9, 1, 20).value();
  const Exact exact{{"number waiting at desk", means.queue_length}, {"utilization at desk", 1 - means.idle_time / 20}};
  expect_exact(text, exact, 800);
  expect_seen(with(text, "exponential(1)", "exponential(0.95)"), exact, 3000);
}

// Exact values by Pollaczek and Khinchine, with P(wait = 0) = 1 - rho.
TEST(NetworkMeans, QueueMG1IsStationary) {
  const std::string text = R"json({"time_unit": "min", "horizon": "10 h", "warm_up": "1 h", "wait_limits": [0],
    "classes": {"job": {"interarrival": "exponential(1)", "enters": "desk"}},
    "stations": {"desk": {"service": "uniform(0, 1.2)"}}})json";
  const double rho = 0.6, second = 1.44 / 3;
  expect_exact(text,
               {{"wait at desk", second / 2 / (1 - rho)},
                {"wait over 0 min at desk", rho},
                {"number at desk", rho + second / 2 / (1 - rho)}},
               60);
}

// P(wait <= t) = 1 - rho e^(-(mu - lambda) t). A bin at the quantile, a quarter wide, shifts it by less than 0.004.
TEST(NetworkMeans, QuantilesOfWaitsOfMM1) {
  const std::string text = R"json({"time_unit": "s", "horizon": 20000, "warm_up": 100, "wait_quantiles": [0.4, 0.9],
    "classes": {"job": {"interarrival": "exponential(0.5)", "enters": "desk"}},
    "stations": {"desk": {"service": "exponential(1)"}}})json";
  const Exact exact{{"0.4-quantile of wait at desk", 0}, {"0.9-quantile of wait at desk", std::log(0.5 / 0.1) / 0.5}};
  expect_exact(text, exact);
  expect_seen(with(text, "exponential(1)", "exponential(0.95)"), exact);
}

// The times in two M/M/1 queues in a row are independent exponentials with the rates 0.5 and 1: P(T > t) =
// 2 e^(-t/2) - e^(-t). The other class passes the second queue alone.
TEST(NetworkMeans, TimesInTandemQueuesExceedALimit) {
  const std::string text = R"json({"time_unit": "s", "horizon": 4000, "warm_up": 200, "time_limits": [1, "4 s"],
    "classes": {"long": {"interarrival": "exponential(0.5)", "enters": "a"},
                "short": {"interarrival": "exponential(0.25)", "enters": "b"}},
    "stations": {"a": {"service": "exponential(1)", "next": "b"}, "b": {"service": "exponential(1.75)"}}})json";
  const auto both = [](double t) { return 2 * std::exp(-t / 2) - std::exp(-t); };
  const auto mixed = [&](double t) { return (2 * both(t) + std::exp(-t)) / 3; };
  const Exact exact{{"time over 1 s of long in network", both(1)},
                    {"time over 4 s of long in network", both(4)},
                    {"time over 1 s of short in network", std::exp(-1.0)},
                    {"time over 4 s of short in network", std::exp(-4.0)},
                    {"time over 1 s in network", mixed(1)},
                    {"time over 4 s in network", mixed(4)}};
  expect_exact(text, exact);
  expect_seen(with(text, "exponential(1.75)", "exponential(1.7)"), exact);
}

// The network consists of independent M/M/c queues. The traffic equations give the throughputs 1 / 0.82, 0.6 / 0.82 and
// 0.4 / 0.82.
TEST(NetworkMeans, JacksonNetworkHasProductForm) {
  const std::string text = R"json({"time_unit": "s", "horizon": 1200, "warm_up": 200,
    "classes": {"job": {"interarrival": "exponential(1)", "enters": "a"}},
    "stations": {
      "a": {"service": "exponential(2)", "next": [{"to": "b", "probability": 0.6}, {"to": "c", "probability": 0.4}]},
      "b": {"servers": 2, "service": "exponential(0.8)", "next": [{"to": "a", "probability": 0.3}]},
      "c": {"servers": "unlimited", "service": "exponential(0.5)"}}})json";
  const double a = 1 / (1 - 0.18), b = 0.6 * a, c = 0.4 * a;
  const double load = b / 0.8, idle = 1 / (1 + load + load * load / 2 / (1 - load / 2));
  const double waiting = idle * load * load / 2 * (load / 2) / (1 - load / 2) / (1 - load / 2);
  const double number = a / (2 - a) + waiting + load + 2 * c;
  const Exact exact{{"number at a", a / (2 - a)}, {"number at b", waiting + load}, {"number at c", 2 * c},
                    {"throughput at b", b},       {"utilization at b", load / 2},  {"number in network", number},
                    {"time in network", number},  {"throughput in network", 1},    {"wait at b", waiting / b}};
  expect_exact(text, exact);
  expect_seen(with(text, "0.3", "0.35"), exact);
}

// Exact values by mean value analysis.
TEST(NetworkMeans, ClosedNetworkHasProductForm) {
  const std::string text = R"json({"time_unit": "s", "horizon": 1100, "warm_up": 100,
    "classes": {"job": {"population": 5, "enters": "a"}},
    "stations": {"a": {"service": "exponential(1)", "next": [{"to": "b", "probability": 0.5}, {"to": "c", "probability": 0.5}]},
                 "b": {"service": "exponential(0.6)", "next": "a"},
                 "c": {"discipline": "last-in-first-out", "service": "exponential(0.4)", "next": "a"}}})json";
  const double visits[3] = {1, 0.5, 0.5}, rates[3] = {1, 0.6, 0.4};
  double numbers[3] = {0, 0, 0}, throughput = 0;
  for (int n = 1; n <= 5; ++n) {
    double time = 0;
    for (int i = 0; i < 3; ++i) time += visits[i] * (1 + numbers[i]) / rates[i];
    throughput = n / time;
    for (int i = 0; i < 3; ++i) numbers[i] = throughput * visits[i] * (1 + numbers[i]) / rates[i];
  }
  expect_exact(text, {{"number at a", numbers[0]},
                      {"number at b", numbers[1]},
                      {"number at c", numbers[2]},
                      {"throughput at a", throughput},
                      {"utilization at c", throughput * 0.5 / 0.4}});
}

// The station is an M/M/2/4 queue.
TEST(NetworkMeans, FullStationLoses) {
  const std::string text = R"json({"time_unit": "s", "horizon": 1000, "warm_up": 20,
    "classes": {"job": {"interarrival": "exponential(2)", "enters": "desk"}},
    "stations": {"desk": {"servers": 2, "room": 4, "service": "exponential(1)"}}})json";
  const double weights[5] = {1, 2, 2, 2, 2};
  const double sum = 9, lost = weights[4] / sum, number = (2 + 4 + 6 + 8) / sum;
  const Exact exact{{"lost at desk", lost}, {"number at desk", number}, {"throughput at desk", 2 * (1 - lost)}};
  expect_exact(text, exact);
  expect_seen(with(text, "\"room\": 4", "\"room\": 5"), exact);
}

// Checks M/M/3+M (Erlang A) by its birth and death process. Little's law gives the mean wait of all customers, reneging
// ones included. P(wait > limit) follows from the chain of one arriving customer: its state is the number of customers
// before it, −1 in service, −2 gone.
TEST(NetworkMeans, CustomersRenege) {
  const std::string text = R"json({"time_unit": "min", "horizon": 1000, "warm_up": 20, "wait_limits": [0.4],
    "classes": {"call": {"interarrival": "exponential(3)", "enters": "agents"}},
    "stations": {"agents": {"servers": 3, "service": "exponential(1)", "patience": "exponential(0.5)"}}})json";
  const auto after_limit = [](int before, const auto& is_so) {
    const MarkovChain chain({before}, [](const ChainState& s) {
      const double next = 3 + 0.5 * s[0];
      return s[0] < 0 ? ChainMoves() : ChainMoves{{next, {s[0] - 1}}, {0.5, {-2}}};
    });
    return chain.mean_at(0.4, 200, is_so);
  };
  double p = 1, sum = 1, busy = 0, waiting = 0, late = 0, within = 1;
  for (int n = 1; n <= 40; ++n) {
    p *= 3 / (std::min(n, 3) + 0.5 * std::max(n - 3, 0));
    sum += p;
    busy += p * std::min(n, 3);
    waiting += p * std::max(n - 3, 0);
    late += n < 3 ? 0 : p * after_limit(n - 3, [](const ChainState& s) { return s[0] >= 0; });
    within += n < 3 ? p : p * after_limit(n - 3, [](const ChainState& s) { return s[0] == -1; });
  }
  const Exact exact{{"reneging at agents", 0.5 * waiting / sum / 3},
                    {"number waiting at agents", waiting / sum},
                    {"wait at agents", waiting / sum / 3},
                    {"wait over 0.4 min at agents", late / sum},
                    {"served within 0.4 min at agents", within / sum},
                    {"utilization at agents", busy / sum / 3}};
  expect_exact(text, exact);
  expect_seen(with(text, "exponential(0.5)", "constant(2)"), exact);
}

// Cobham (1954): W_k = W_0 / (1 - s_(k-1)) / (1 - s_k).
TEST(NetworkMeans, PrioritiesWaitByCobham) {
  const std::string text = R"json({"time_unit": "s", "horizon": 3000, "warm_up": 200,
    "classes": {"first": {"interarrival": "exponential(0.3)", "enters": "desk", "priority": 0},
                "second": {"interarrival": "exponential(0.25)", "enters": "desk", "priority": 1}},
    "stations": {"desk": {"discipline": "priority",
                          "service": {"first": "constant(1)", "second": "exponential(0.5)"}}}})json";
  const double rest = 0.3 * 1 / 2 + 0.25 * 8 / 2, first = 0.3, both = 0.8;
  const Exact exact{{"wait of first at desk", rest / (1 - first)},
                    {"wait of second at desk", rest / (1 - first) / (1 - both)}};
  expect_exact(text, exact);
  expect_seen(with(text, "\"priority\",", "\"first-in-first-out\","), exact);
}

// An M/M/1 queue with two classes: T_1 = 1 / mu / (1 - r_1), T_2 = 1 / mu / (1 - r_1) / (1 - r_1 - r_2).
TEST(NetworkMeans, ServicesAreInterruptedAndResumed) {
  const std::string text = R"json({"time_unit": "s", "horizon": 2000, "warm_up": 100,
    "classes": {"first": {"interarrival": "exponential(0.4)", "enters": "desk", "priority": 0},
                "second": {"interarrival": "exponential(0.3)", "enters": "desk", "priority": 1}},
    "stations": {"desk": {"discipline": "preemptive", "service": "exponential(1)"}}})json";
  const Exact exact{{"time of first at desk", 1 / 0.6},
                    {"time of second at desk", 1 / 0.6 / 0.3},
                    {"number of second at desk", 0.3 / 0.6 / 0.3}};
  expect_exact(text, exact);
  expect_seen(with(text, "preemptive", "priority"), exact);
}

// The mean number is rho / (1 - rho) for every distribution of services.
TEST(NetworkMeans, SharedProcessorIsInsensitive) {
  const std::string text = R"json({"time_unit": "s", "horizon": 3000, "warm_up": 200,
    "classes": {"job": {"interarrival": "exponential(0.6)", "enters": "processor"}},
    "stations": {"processor": {"discipline": "processor-sharing", "service": "discrete(0.5:0.75, 2.5:0.25)"}}})json";
  const Exact exact{{"number at processor", 1.5}, {"time at processor", 2.5}, {"utilization at processor", 0.6}};
  expect_exact(text, exact);
  expect_seen(with(text, "processor-sharing", "first-in-first-out"), exact);
}

// Two servers break down independently, whether they serve or not; the station has room for 6.
TEST(NetworkMeans, ServersBreakDown) {
  const std::string text = R"json({"time_unit": "h", "horizon": 2000, "warm_up": 100,
    "classes": {"job": {"interarrival": "exponential(1.2)", "enters": "machine"}},
    "stations": {"machine": {"servers": 2, "room": 6, "service": "exponential(1)",
                             "breakdowns": {"up": "exponential(0.2)", "down": "exponential(0.5)"}}}})json";
  const MarkovChain chain({0, 2}, [](const ChainState& s) {
    const int jobs = s[0], up = s[1];
    ChainMoves moves;
    if (jobs < 6) moves.push_back({1.2, {jobs + 1, up}});
    if (jobs > 0 && up > 0) moves.push_back({1.0 * std::min(jobs, up), {jobs - 1, up}});
    if (up > 0) moves.push_back({0.2 * up, {jobs, up - 1}});
    if (up < 2) moves.push_back({0.5 * (2 - up), {jobs, up + 1}});
    return moves;
  });
  const Exact exact{
      {"number at machine", chain.mean([](const ChainState& s) { return s[0]; })},
      {"lost at machine", chain.mean([](const ChainState& s) { return s[0] == 6; })},
      {"utilization at machine", chain.mean([](const ChainState& s) { return std::min(s[0], s[1]) / 2.0; })}};
  expect_exact(text, exact);
  expect_seen(with(text, "exponential(0.5)\"}", "exponential(0.6)\"}"), exact);
}

// Three stations with blocking after service, and always a job at the first: the line of tandem_line_chain.hpp.
TEST(NetworkMeans, FullStationsBlockThoseBefore) {
  const std::string text = R"json({"time_unit": "h", "horizon": 1100, "warm_up": 100,
    "classes": {"job": {"population": 8, "enters": "a"}},
    "stations": {"a": {"service": "exponential(1)", "next": "b"},
                 "b": {"room": 3, "full": "block", "service": "exponential(1.5)", "next": "c"},
                 "c": {"room": 2, "full": "block", "service": "exponential(0.8)", "next": "a"}}})json";
  const Exact exact{{"throughput at c", models::exact_throughput({1, 1.5, 0.8, 3, 2, 0, 1})}};
  expect_exact(text, exact);
  expect_seen(with(text, "\"room\": 3", "\"room\": 4"), exact, 400);
}

// One line before two servers is M/M/2: its first customer, blocked, takes the server that is free first.
TEST(NetworkMeans, ALineBeforeTwoServersServesAtTheFirstFreeOne) {
  const std::string text = R"json({"time_unit": "min", "horizon": 10000, "warm_up": 200,
    "classes": {"car": {"interarrival": "exponential(0.45)", "enters": "line"}},
    "stations": {"line": {"service": 1e-6, "next": [{"to": ["able", "baker"], "choice": "first-free"}]},
                 "able": {"room": 1, "full": "block", "service": "exponential(0.3)"},
                 "baker": {"room": 1, "full": "block", "service": "exponential(0.3)"}}})json";
  const double load = 0.75, wait = load * load / (1 - load * load) / 0.3;  // 4.2857
  const Exact exact{{"time at line", wait}, {"number at line", 0.45 * wait}};
  expect_exact(text, exact);
  expect_seen(with(text, "exponential(0.3)", "exponential(0.32)"), exact);
}

// A queue with servers of two speeds and room for 5 in the line; if both servers are free, customers take the first.
TEST(NetworkMeans, ABlockedCustomerTakesTheFirstPlace) {
  const std::string text = R"json({"time_unit": "min", "horizon": 1000, "warm_up": 20,
    "classes": {"car": {"interarrival": "exponential(1)", "enters": "line"}},
    "stations": {"line": {"room": 5, "service": 1e-7, "next": [{"to": ["able", "baker"]}]},
                 "able": {"waiting": 0, "full": "block", "service": "exponential(0.3)"},
                 "baker": {"waiting": 0, "full": "block", "service": "exponential(0.6)"}}})json";
  const MarkovChain chain({0, 0, 0}, [](const ChainState& s) {
    const int line = s[0], able = s[1], baker = s[2];
    ChainMoves moves;
    if (!able || !baker) {
      moves.push_back({1, {line, 1, able ? 1 : baker}});
    } else if (line < 5) {
      moves.push_back({1, {line + 1, 1, 1}});
    }
    const int next = line > 0 ? 1 : 0;
    if (able) moves.push_back({0.3, {line - next, next, baker}});
    if (baker) moves.push_back({0.6, {line - next, able, next}});
    return moves;
  });
  const Exact exact{{"number at line", chain.mean([](const ChainState& s) { return s[0]; })},
                    {"blocked servers at line", chain.mean([](const ChainState& s) { return s[0] > 0; })},
                    {"number at able", chain.mean([](const ChainState& s) { return s[1]; })},
                    {"number at baker", chain.mean([](const ChainState& s) { return s[2]; })},
                    {"lost at line", chain.mean([](const ChainState& s) { return s[0] == 5; })}};
  expect_exact(text, exact);
  expect_seen(with(text, "[\"able\", \"baker\"]", "[\"baker\", \"able\"]"), exact);
}

// Two single servers with room for 3; customers go to the shorter queue.
TEST(NetworkMeans, ArrivalsTakeTheShortestQueue) {
  const std::string text = R"json({"time_unit": "s", "horizon": 1000, "warm_up": 20,
    "classes": {"job": {"interarrival": "exponential(1.5)", "enters": [{"to": ["a", "b"]}]}},
    "stations": {"a": {"room": 3, "service": "exponential(1)"}, "b": {"room": 3, "service": "exponential(0.7)"}}})json";
  const MarkovChain chain({0, 0}, [](const ChainState& s) {
    ChainMoves moves;
    if (s[0] <= s[1] && s[0] < 3) {
      moves.push_back({1.5, {s[0] + 1, s[1]}});
    } else if (s[1] < 3) {
      moves.push_back({1.5, {s[0], s[1] + 1}});
    }
    if (s[0] > 0) moves.push_back({1.0, {s[0] - 1, s[1]}});
    if (s[1] > 0) moves.push_back({0.7, {s[0], s[1] - 1}});
    return moves;
  });
  const Exact exact{{"number at a", chain.mean([](const ChainState& s) { return s[0]; })},
                    {"number at b", chain.mean([](const ChainState& s) { return s[1]; })}};
  expect_exact(text, exact);
  expect_seen(with(text, "[\"a\", \"b\"]", "[\"b\", \"a\"]"), exact, 200);
}

// For M^[2]/M/1, L = lambda (E X + E X^2) / 2 / (mu - lambda E X).
TEST(NetworkMeans, CustomersArriveInBatches) {
  expect_exact(R"json({"time_unit": "s", "horizon": 2100, "warm_up": 100,
    "classes": {"job": {"interarrival": "exponential(0.3)", "batch": "uniform-integer(1, 3)", "enters": "desk"}},
    "stations": {"desk": {"service": "exponential(1)"}}})json",
               {{"number at desk", 0.3 * (2 + 14.0 / 3) / 2 / 0.4}});
}

// M_t/G/infinity starts empty, with rates 4 and 1 that alternate every 2 h: m' = lambda(t) - m / 0.5 for exponential
// services.
TEST(NetworkMeans, RatesOfArrivalsChange) {
  const std::string text = R"json({"time_unit": "min", "horizon": "10 h",
    "classes": {"job": {"rates": [{"from": 0, "rate": "4 / h"}, {"from": "2 h", "rate": "1/h"}], "cycle": "4 h",
                        "enters": "ward"}},
    "stations": {"ward": {"servers": "unlimited", "service": "exponential(2) h"}}})json";
  double number = 0, area = 0;  // in steps of 2 h
  for (int part = 0; part < 5; ++part) {
    const double limit = (part % 2 == 0 ? 4 : 1) / 2.0, end = limit + (number - limit) * std::exp(-4.0);
    area += 2 * limit + (number - end) / 2;
    number = end;
  }
  const Exact exact{{"number at ward", area / 10}};
  expect_exact(text, exact, 800);
  expect_seen(with(text, "4 / h", "3.9 / h"), exact, 10000);
}

// M/M/c(t)/5 has one server until 4 and two from 4 to 8; a service that has begun is completed.
TEST(NetworkMeans, ShiftsChangeTheServers) {
  const std::string text = R"json({"time_unit": "h", "horizon": 8,
    "classes": {"job": {"interarrival": "exponential(1.5)", "enters": "desk"}},
    "stations": {"desk": {"room": 5, "service": "exponential(1)",
                          "shifts": [{"from": 0, "servers": 1}, {"from": 4, "servers": 2}]}}})json";
  const auto moves = [](int servers) {
    return [servers](const ChainState& s) {
      ChainMoves found;
      if (s[0] < 5) found.push_back({1.5, {s[0] + 1, s[1]}});
      if (s[0] > 0) found.push_back({1.0 * std::min(s[0], servers), {s[0] - 1, s[1]}});
      return found;
    };
  };
  const auto number = [](const ChainState& s) { return s[0]; };
  // The second half starts with the distribution of the number at 4 with which the first half ends.
  const MarkovChain first({0, 0}, moves(1));
  double second = 0;
  for (int start = 0; start <= 5; ++start) {
    const double at_4 = first.mean_at(4, 2000, [start](const ChainState& s) { return s[0] == start; });
    second += at_4 * MarkovChain({start, 0}, moves(2)).mean_until(4, 1000, number);
  }
  const Exact exact{{"number at desk", (first.mean_until(4, 1000, number) + second) / 2}};
  expect_exact(text, exact, 1000);
  expect_seen(with(text, "\"from\": 4", "\"from\": 5"), exact, 4000);
}

}  // namespace exact_means_tests
}  // namespace sporos::test
