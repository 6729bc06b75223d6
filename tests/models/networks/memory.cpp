// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory of a replication has the size that its case needs: cases of many customers, stations, classes, servers and
// limits have exact means, and results do not depend on the size or on earlier contents.
#include "expected_means.hpp"

#include <harness/refusal.hpp>
#include <harness/used_storage.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/replication/experiment.hpp>
#include <sporos/core/replication/failed_replications.hpp>
#include <sporos/core/replication/replicator.hpp>
#include <sporos/models/networks/network_load.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace sporos::test {
namespace network_memory_tests {

using namespace models;

// A ward of `servers` beds with 280 patients a day, who stay for 5 days on average.
std::string ward(const std::string& servers, const std::string& others = "") {
  return R"json({"time_unit": "d", "horizon": 10, )json" + others + R"json(
    "classes": {"patient": {"interarrival": "exponential(280)", "enters": "ward"}},
    "stations": {"ward": {"servers": )json" +
         servers + R"json(, "service": "exponential(0.2)"}}})json";
}

// With 2000 beds, the ward is M/M/infinity: the probability that they are all taken is below 1e-40. The number of
// patients at time t has a Poisson distribution with mean load (1 - e^(-t/5)).
TEST(NetworkMemory, HoldsAWardOf2000Beds) {
  const double load = 1400, mean = load * (1 - (1 - std::exp(-2.0)) / 2);
  const Exact exact{{"number at ward", mean}, {"utilization at ward", mean / 2000}, {"number waiting at ward", 0}};
  expect_exact(ward("2000"), exact);
  expect_seen(with(ward("2000"), "0.2", "0.21"), exact);
}

// Erlang's loss formula.
TEST(NetworkMemory, HoldsAWardThatTurnsPatientsAway) {
  const std::string text = R"json({"time_unit": "d", "horizon": 40, "warm_up": 10,
    "classes": {"patient": {"interarrival": "exponential(320)", "population": 1500, "enters": "ward"}},
    "stations": {"ward": {"servers": 1500, "waiting": 0, "service": "exponential(0.2)"}}})json";
  const double load = 1600;
  double lost = 1;
  for (int servers = 1; servers <= 1500; ++servers) lost = load * lost / (servers + load * lost);
  const Exact exact{{"lost at ward", lost}, {"number at ward", load * (1 - lost)}};
  expect_exact(text, exact, 10);
  expect_seen(with(text, "0.2)", "0.21)"), exact, 10);
}

// Time of class c at station s. Sums of these times are exact.
double time_of(int s, int c) { return (1 + (7 * s + 3 * c) % 11) / 8.0; }
// Time at which the customer of class c enters.
double entry_of(int c) { return 1 + 0.25 * c; }

// Single servers in a line, and one customer of each class. `changed` is a station with longer times, or -1.
std::string line_of(int stations, int classes, int changed) {
  std::string text = R"json({"time_unit": "min", "horizon": 1000, "classes": {)json";
  for (int c = 0; c < classes; ++c) {
    text += fmt::format(R"json({}"c{}": {{"interarrival": {}, "max_arrivals": 1, "enters": "s0"}})json",
                        c == 0 ? "" : ", ", c, entry_of(c));
  }
  text += "}, \"stations\": {";
  for (int s = 0; s < stations; ++s) {
    text += fmt::format(R"json({}"s{}": {{"service": {{)json", s == 0 ? "" : ", ", s);
    for (int c = 0; c < classes; ++c)
      text += fmt::format("{}\"c{}\": {}", c == 0 ? "" : ", ", c, time_of(s, c) + (s == changed ? 0.125 : 0));
    text += s + 1 < stations ? fmt::format("}}, \"next\": \"s{}\"}}", s + 1) : "}}";
  }
  return text + "}}";
}

// Times in the network by Lindley's recursion for single servers in a line, where nobody overtakes.
std::vector<double> times_in_line(int stations, int classes) {
  std::vector<double> left(static_cast<std::size_t>(classes)), times;
  for (int c = 0; c < classes; ++c) left[static_cast<std::size_t>(c)] = entry_of(c);
  for (int s = 0; s < stations; ++s) {
    double free = 0;
    for (int c = 0; c < classes; ++c) {
      double& time = left[static_cast<std::size_t>(c)];
      free = time = std::max(time, free) + time_of(s, c);
    }
  }
  for (int c = 0; c < classes; ++c) times.push_back(left[static_cast<std::size_t>(c)] - entry_of(c));
  return times;
}

// Responses "time of c in network" of replication 0.
std::vector<double> times_in_network(const std::string& text) {
  const NetworkDescription description = network_case_of_json("case", text);
  const NetworkTables<Kokkos::HostSpace> tables(description);
  const auto found = network_replication(tables.model(), 1, 0);
  const auto responses = network_responses(description);
  std::vector<double> times;
  for (std::size_t i = 0; i < responses.size(); ++i) {
    if (responses[i].what == Observation::time && responses[i].station < 0 && responses[i].of_class >= 0)
      times.push_back(found[i]);
  }
  return times;
}

TEST(NetworkMemory, HoldsALineOf50StationsWith20Classes) {
  const std::vector<double> times = times_in_line(50, 20);
  EXPECT_EQ(times_in_network(line_of(50, 20, -1)), times);
  for (const int changed : {0, 27, 49}) EXPECT_NE(times_in_network(line_of(50, 20, changed)), times);
}

// All servers are always busy unless they are broken down. With the rates a of breakdowns and b of repairs, a server
// works at time t with probability b / (a + b) + a / (a + b) e^(-(a + b) t).
TEST(NetworkMemory, Holds100ServersThatBreakDown) {
  const std::string text =
      R"json({"time_unit": "h", "horizon": 10, "classes": {"job": {"population": 150, "enters": "machine"}},
    "stations": {"machine": {"servers": 100, "service": "exponential(1)", "next": "machine",
                             "breakdowns": {"up": "exponential(0.2)", "down": "exponential(0.5)"}}}})json";
  const double a = 0.2, b = 0.5, r = (a + b) * 10;
  const Exact exact{{"utilization at machine", (b + a * (1 - std::exp(-r)) / r) / (a + b)}};
  expect_exact(text, exact, 40);
  expect_seen(with(text, "exponential(0.5)", "exponential(0.7)"), exact);
}

// M/M/1 with load 1/2: P(wait > t) = e^(-t/2) / 2. A bin at a quantile shifts it by less than 0.004.
TEST(NetworkMemory, HasATimerForAMillionServersAtMost) {
  const auto refusal = [](int servers) -> std::string {
    const std::string breaking =
        fmt::format(R"("servers": {}, "service": 1, "breakdowns": {{"up": 9, "down": 1}})", servers);
    try {
      models::network_case_of_json("case", fmt::format(R"json({{"time_unit": "s", "horizon": 1,
        "classes": {{"c": {{"interarrival": 1, "enters": "a"}}}},
        "stations": {{"a": {{{}, "next": "b"}}, "b": {{{}}}}}}})json",
                                                       breaking, breaking));
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_NE(refusal(500'001).find("1000002 servers that break down or have speeds, expected at most 1000000"),
            std::string::npos)
      << refusal(500'001);
  EXPECT_EQ(refusal(500'000), "none");  // control
}

TEST(NetworkMemory, HoldsTenWaitLimitsAndSixQuantiles) {
  const std::string text = R"json({"time_unit": "s", "horizon": 20000, "warm_up": 100,
    "wait_limits": [0, 0.5, 1, 1.5, 2, 3, 4, 5, 6, 8], "wait_quantiles": [0.4, 0.6, 0.7, 0.8, 0.85, 0.9],
    "classes": {"job": {"interarrival": "exponential(0.5)", "enters": "desk"}},
    "stations": {"desk": {"service": "exponential(1)"}}})json";
  Exact exact;
  for (const double t : {0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0})
    exact[fmt::format("wait over {} s at desk", t)] = std::exp(-t / 2) / 2;
  for (const double p : {0.4, 0.6, 0.7, 0.8, 0.85, 0.9})
    exact[fmt::format("{}-quantile of wait at desk", p)] = std::max(0.0, 2 * std::log(0.5 / (1 - p)));
  expect_exact(text, exact);
  expect_seen(with(text, "exponential(1)", "exponential(0.95)"), exact, 15);
}

// Customers pass the gate in half a second and then stay in the hall.
NetworkDescription filling(const std::string& interarrival, double horizon, std::int64_t most_customers) {
  auto network = network_case_of_json("case", R"json({"time_unit": "s", "horizon": 1,
    "classes": {"guest": {"interarrival": )json" + interarrival +
                                                  R"json(, "enters": "gate"}},
    "stations": {"gate": {"servers": "unlimited", "service": 0.5, "next": "hall"},
                 "hall": {"servers": "unlimited", "service": 1e6}}})json");
  network.horizon = horizon;
  network.most_customers = most_customers;
  return network;
}

// Reason for the failure of replication 0, or "none".
std::string failure(const NetworkDescription& network) {
  const NetworkTables<Kokkos::HostSpace> tables(network);
  return failure_of(0, network_replication(tables.model(), 1, 0), tables.model().station_names()).value_or("none");
}

TEST(NetworkMemory, OverflowsWithTheRemedy) {
  EXPECT_EQ(failure(filling("1", 1025.75, 1024)),
            "replication 0 failed: more than 1024 entities were in the system at the same time, most of them at "
            "station 'hall'. It is overloaded: give it less load, more servers, a limit on its queues, or a shorter "
            "horizon. If it is not, give it memory for more entities: --most-customers 4096");
  EXPECT_EQ(failure(filling("1", 1024.75, 1024)), "none");
  EXPECT_EQ(failure(filling("1", 1025.75, 1025)), "none");
  EXPECT_EQ(failure(filling("1", 1025.75, 4096)), "none");
}

// Responses of a replication in this memory.
std::vector<double> replication_in(UsedStorage& memory, const Network& network, std::uint64_t seed,
                                   std::uint64_t index) {
  sporos::impl::StoringInputs<HostInputs> inputs({}, seed, index, {});
  inputs.use(memory.storage());
  ResponseVector responses{std::vector<double>(static_cast<std::size_t>(network.response_count()))};
  network(inputs, responses);
  return responses.values;
}

// The number of guests of a replication is Poisson with mean 1024. Those with at most 1024 guests are the same with
// more memory.
TEST(NetworkMemory, OverflowsOnlyInSomeReplications) {
  constexpr std::uint64_t replications = 40;
  const NetworkTables<Kokkos::HostSpace> small(filling("\"exponential(1)\"", 1024, 1024)),
      large(filling("\"exponential(1)\"", 1024, 4096));
  UsedStorage memory(small.model().storage_bytes());  // where some replications follow those that have failed
  std::uint64_t failed = 0;
  for (std::uint64_t index = 0; index < replications; ++index) {
    const auto found = replication_in(memory, small.model(), 1, index),
               expected = network_replication(large.model(), 1, index);
    ASSERT_EQ(failure_of(0, expected), std::nullopt);
    if (failure_of(0, found)) {
      ++failed;
    } else {
      EXPECT_EQ(found, expected);
    }
  }
  EXPECT_GT(failed, replications / 8);
  EXPECT_LT(failed, replications - replications / 8);
}

// Digest of 16 replications.
std::uint64_t digest(const NetworkDescription& network, std::int64_t most_customers, std::uint64_t seed) {
  NetworkDescription sized = network;
  sized.most_customers = most_customers;
  const NetworkTables<Kokkos::DefaultHostExecutionSpace::memory_space> tables(sized);
  Plan plan;
  plan.replications = 16;
  plan.seed = seed;
  return simulate(Kokkos::DefaultHostExecutionSpace(), tables.model(), plan).digest;
}

TEST(NetworkMemory, HasOneDigestForAllSizes) {
  const auto network = read_network_case(SPOROS_NETWORK_CASES "/erlang_a.json");
  EXPECT_EQ(digest(network, 5000, 1), digest(network, 1024, 1));
  EXPECT_NE(digest(network, 1024, 2), digest(network, 1024, 1));  // control
}

// Memory that a launch has used before gives the responses of memory that the model allocates.
TEST(NetworkMemory, MayHaveBeenUsedBefore) {
  int count = 0;
  for (const auto& file : std::filesystem::directory_iterator(SPOROS_NETWORK_CASES)) {
    NetworkDescription description = read_network_case(file.path().string());
    description.wait_quantiles = {0.5};
    const NetworkTables<Kokkos::HostSpace> tables(description);
    const Network network = tables.model();
    UsedStorage memory(network.storage_bytes());
    for (const std::uint64_t index : {0, 1, 2}) {
      const auto expected = network_replication(network, 1, index);
      EXPECT_EQ(replication_in(memory, network, 1, index), expected) << file.path();
      EXPECT_NE(replication_in(memory, network, 2, index), expected) << file.path();  // control
    }
    ++count;
  }
  EXPECT_GT(count, 5);
}

// Plain networks with all that such networks can have: see NetworkRun.
const std::vector<std::string> plain_cases = {
    R"json({"time_unit": "h", "horizon": 200, "warm_up": 10, "wait_limits": [0.1, 0.5], "time_limits": [2],
      "classes": {"a": {"interarrival": "exponential(1)", "batch": "uniform-integer(1, 3)", "population": 4,
                        "max_arrivals": 150, "enters": [{"to": "x", "probability": 0.5}, {"to": "y", "probability": 0.5}]},
                  "b": {"rates": [{"from": 0, "rate": 1}, {"from": 3, "rate": 2}], "cycle": 5, "enters": "x"}},
      "stations": {"x": {"servers": 2, "room": 7, "service": "exponential(1.1)", "patience": {"b": "exponential(0.5)"},
                         "next": {"a": [{"to": "y", "probability": 0.4}], "b": [{"to": ["y", "z"]}]}},
                   "y": {"discipline": "last-in-first-out", "service": "uniform(0.1, 0.5)", "waiting": 9, "next": "z"},
                   "z": {"servers": "unlimited", "service": "exponential(2)"}}})json",
    R"json({"time_unit": "h", "customers": 300, "classes": {"a": {"interarrival": "exponential(2)", "enters": "x"}},
      "stations": {"x": {"service": "exponential(2.5)", "next": [{"to": "x", "probability": 0.1}]}}})json"};

// The part of NetworkRun for plain networks gives the bits of the part for all networks.
TEST(NetworkMemory, PlainNetworksHaveTheBitsOfOthers) {
  for (const std::string& text : plain_cases) {
    const NetworkTables<Kokkos::HostSpace> tables(network_case_of_json("case", text));
    const Network plain = tables.model();
    ASSERT_TRUE(plain.data.is_plain);
    Network other = plain;
    other.data.is_plain = false;
    for (const std::uint64_t index : {0, 1, 2, 3, 4}) {
      const auto expected = network_replication(other, 1, index);
      EXPECT_EQ(network_replication(plain, 1, index), expected);
      EXPECT_NE(network_replication(plain, 2, index), expected);  // control
    }
  }
}

int default_of(const std::string& text) { return most_customers_of(network_case_of_json("case", text)); }

TEST(NetworkMemory, HasADefaultFromTheLoad) {
  const auto line = [](const std::string& of, const std::string& servers, double service = 1) {
    return default_of(R"json({"time_unit": "s", "horizon": 1, "classes": {"c": {)json" + of +
                      R"json(, "enters": "a"}}, "stations": {"a": {"servers": )json" + servers +
                      fmt::format(R"json(, "service": {}, "next": "b"}}, "b": {{"service": 0.001}}}}}})json", service));
  };
  EXPECT_EQ(line("\"population\": 30", "1"), 30);
  EXPECT_EQ(line(R"("population": 5, "interarrival": 1, "max_arrivals": 10)", "1"), 15);
  EXPECT_EQ(line("\"interarrival\": \"exponential(0.5)\"", "1"), 1024);
  EXPECT_EQ(line("\"interarrival\": \"exponential(2)\"", "1"), 1024) << "overloaded";
  EXPECT_EQ(line("\"interarrival\": \"exponential(100)\"", "\"unlimited\"", 14), 5600);
  EXPECT_EQ(default_of(ward("\"unlimited\"")), 4 * 1400);
  EXPECT_EQ(default_of(ward("2000")), 5609) << "4 (1400 + 1400 / 600)";
  EXPECT_EQ(default_of(ward("2000", "\"most_customers\": 64, ")), 64);
  const auto peak = with(ward("2000"), "\"interarrival\": \"exponential(280)\"",
                         R"("rates": [{"from": 0, "rate": 1}, {"from": 1, "rate": 280}, {"from": 2, "rate": 1}])");
  EXPECT_EQ(default_of(peak), 5609);
  EXPECT_EQ(line("\"interarrival\": \"exponential(1000)\"", "\"unlimited\"", 1e6), 1'000'000);
}

// All models of a case share its tables, whatever their option --most-customers is.
TEST(NetworkMemory, IsSetByTheOptionOfTheModel) {
  std::vector<std::string> notes;
  const NetworkDescription data = NetworkCase().load(notes);
  const NetworkTables<Kokkos::HostSpace> tables(data);
  NetworkCase option;
  const Network by_default = option.model(tables);
  option.most_customers = 77;
  const Network small = option.model(tables);
  EXPECT_EQ(by_default.data.most_customers, 1024);
  EXPECT_EQ(small.data.most_customers, 77);
  EXPECT_LT(small.storage_bytes(), by_default.storage_bytes() / 4);
  for (const std::int64_t number : {-1, 1'000'001}) {
    option.most_customers = number;
    EXPECT_EQ(
        refusal([&] { option.check(data); }),
        fmt::format("most_customers is {}, expected a whole number from 1 to 1000000, or 0 for a default", number));
  }
}

}  // namespace network_memory_tests
}  // namespace sporos::test
