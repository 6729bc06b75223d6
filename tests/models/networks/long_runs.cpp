// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Long runs of networks for means in steady state: they observe what replications observe, have the same bits on all
// backends, and their intervals hold exact means.
#include "expected_means.hpp"
#include "markov_chain.hpp"

#include <harness/refusal.hpp>
#include <harness/serial_or_host.hpp>
#include <sporos/core/execution/storage_parts.hpp>
#include <sporos/core/replication/stored_series.hpp>
#include <sporos/models/networks/network.hpp>
#include <sporos/procedures/steady_state/steady_state.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace sporos::test {
namespace long_run_tests {

using namespace models;
using Space = SerialOrHost;
using Host = Kokkos::DefaultHostExecutionSpace;

template <class ExecutionSpace>
std::unique_ptr<SegmentLauncher> launcher_of(const NetworkDescription& run, std::uint64_t seed, std::int64_t runs) {
  using Launcher = StoredSeriesLauncher<Network, ExecutionSpace>;
  const auto tables = std::make_shared<const NetworkTables<typename ExecutionSpace::memory_space>>(run);
  const NetworkCase of;
  return std::make_unique<Launcher>(ExecutionSpace(), tables->model(),
                                    typename Launcher::About{of.response_names(run), of.series_means(run),
                                                             of.observation(run), of.station_names(run)},
                                    seed, runs, tables);
}

NetworkDescription long_run(const std::string& text) { return long_run_of(network_case_of_json("case", text), {}); }

// Two classes and most members that a case can have. A slot is a whole day, of which a tenth is 1.
const std::string rich = R"json({"time_unit": "min", "horizon": 10, "wait_limits": [0.5], "time_limits": [3],
  "number_limits": [2], "periods": {"starts": [0, 4], "cycle": 10},
  "classes": {"a": {"rates": [{"from": 0, "rate": 0.4}, {"from": 5, "rate": 1.2}], "cycle": 10, "enters": "desk"},
              "b": {"interarrival": "exponential(0.3)", "batch": "uniform-integer(1, 2)", "priority": 1,
                    "enters": [{"to": "desk", "probability": 0.5}, {"to": ["room", "other"], "probability": 0.5}]},
              "c": {"arrivals": [1, 2, 7], "cycle": 10, "no_shows": 0.2, "enters": "room"}},
  "stations": {
    "desk": {"servers": 2, "service": "exponential(1)", "discipline": "preemptive", "patience": {"a": "exponential(0.2)"},
             "breakdowns": {"up": "exponential(0.1)", "down": "exponential(1)"},
             "next": [{"to": "room", "probability": 0.7}]},
    "room": {"service": {"a": "uniform(0.2, 0.6)", "b": ["exponential(4)", 0.1], "c": "exponential(2)"}, "waiting": 4,
             "full": "block", "balking": {"c": [0, 0.1]}, "next": [{"to": "shared", "probability": 0.5}]},
    "other": {"shifts": [{"from": 0, "servers": 1}, {"from": 3, "servers": 2}], "cycle": 5, "service": "exponential(1)",
              "room": 6, "jockeying": ["room"], "next": [{"to": "scan", "probability": 0.8}]},
    "scan": {"service": "exponential(2)", "seize": ["key", "card"], "release": ["key"],
             "next": [{"to": "shared", "probability": 0.5}]},
    "shared": {"servers": 2, "discipline": "processor-sharing", "service": "exponential(1)", "release": ["card"]}},
  "resources": {"key": 1, "card": 2},
  "areas": {"both": {"stations": ["room", "shared"], "room": 9, "full": "block"}}})json";

// Value of each mean over the whole series of one run.
std::vector<double> values_of(SegmentLauncher& launcher, int segments, std::int64_t run) {
  std::vector<double> sums(launcher.series_count());
  for (int segment = 0; segment < segments; ++segment) {
    const auto blocks = launcher.launch(segment_observations);
    for (std::size_t i = 0; i < sums.size(); ++i)
      sums[i] += blocks[i * static_cast<std::size_t>(launcher.runs()) + static_cast<std::size_t>(run)] / segments;
  }
  std::vector<double> values;
  for (std::size_t i = 0; i < launcher.names().size(); ++i) {
    const SeriesMean mean = launcher.mean(i);
    const double all = mean.per ? sums[*mean.per] : 1;
    values.push_back(all > 0 ? sums[mean.series] / all : 0.0);
  }
  return values;
}

// Responses of replication `index`, which observes the same time.
std::vector<double> replicated(NetworkDescription run, int segments, std::uint64_t index) {
  run.horizon = run.slot * static_cast<double>(segments * segment_observations);
  const NetworkTables<Kokkos::HostSpace> tables(run);
  return network_replication(tables.model(), 5, index);
}

// Number of values that differ by more than rounding.
int differences(const std::vector<double>& found, const std::vector<double>& expected) {
  int count = 0;
  for (std::size_t i = 0; i < expected.size(); ++i)
    count += std::abs(found[i] - expected[i]) <= 1e-9 * (1 + std::abs(expected[i])) ? 0 : 1;
  return count;
}

// The slots of run r, taken together, are replication r, across the ends of segments. The control is another run.
TEST(LongRuns, ObserveWhatReplicationsObserve) {
  const NetworkDescription run = long_run(rich);
  EXPECT_EQ(slot_text(run), "10 min");
  const auto launcher = launcher_of<Space>(run, 5, 2);
  const std::vector<double> values = values_of(*launcher, 2, 1), expected = replicated(run, 2, 1);
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_NEAR(values[i], expected[i], 1e-9 * (1 + std::abs(expected[i]))) << launcher->names()[i];
  EXPECT_GT(differences(values, replicated(run, 2, 0)), 50);
}

// All blocks of two segments; between them, `stop` replaces the launcher.
template <class ExecutionSpace, class Stop>
std::vector<double> blocks_of(const NetworkDescription& run, const Stop& stop) {
  auto launcher = launcher_of<ExecutionSpace>(run, 5, 3);
  std::vector<double> all;
  for (int segment = 0; segment < 2; ++segment) {
    const auto blocks = launcher->launch(8);
    all.insert(all.end(), blocks.begin(), blocks.end());
    if (segment == 0) launcher = stop(std::move(launcher));
  }
  return all;
}

TEST(LongRuns, HaveTheSameBitsOnAllBackendsAndAfterAStop) {
  const NetworkDescription run = long_run(rich);
  const auto go_on = [](auto launcher) { return launcher; };
  const auto moved = [&](const auto& launcher) {
    auto other = launcher_of<Host>(run, 5, 3);
    other->restore(launcher->state());
    return other;
  };
  const auto blocks = blocks_of<Space>(run, go_on);
  EXPECT_EQ(blocks_of<Host>(run, go_on), blocks);
  EXPECT_EQ(blocks_of<Space>(run, moved), blocks);
  const auto forgets = [&](const auto&) { return launcher_of<Space>(run, 5, 3); };
  EXPECT_NE(blocks_of<Space>(run, forgets), blocks);
  const auto launcher = launcher_of<Space>(run, 5, 3);
  EXPECT_THROW(launcher->restore({1, {0, 1, 2}}), std::invalid_argument);
}

// The memory of a replication returns from a block that interleaves those of 32.
TEST(StorageParts, MoveMemoryBetweenLayouts) {
  const NetworkTables<Kokkos::HostSpace> tables(long_run(rich));
  StorageParts parts;
  tables.model().take_storage(parts);
  EXPECT_EQ(parts.bytes(), tables.model().storage_bytes());
  const auto bytes = static_cast<std::size_t>(parts.bytes());
  std::vector<std::vector<std::byte>> plain(32, std::vector<std::byte>(bytes));
  std::vector<std::byte> block(32 * bytes), again(bytes);
  for (std::size_t lane = 0; lane < 32; ++lane) {
    for (std::size_t i = 0; i < bytes; ++i) plain[lane][i] = static_cast<std::byte>((i * 31 + lane * 7) % 251);
    parts.copy_to(block.data(), 32, static_cast<std::int64_t>(lane), plain[lane].data());
  }
  constexpr auto size = static_cast<std::ptrdiff_t>(sizeof(NetworkMemory::Station));
  EXPECT_TRUE(
      std::equal(block.begin() + size, block.begin() + 2 * size, plain[1].begin()));  // the second lane's station
  std::size_t same = 0;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    again.assign(bytes, std::byte{0});
    parts.copy_from(block.data(), 32, static_cast<std::int64_t>(lane), again.data());
    for (std::size_t i = 0; i < bytes; ++i) same += again[i] == plain[lane][i] || again[i] == std::byte{0} ? 1 : 0;
  }
  EXPECT_EQ(same, 32 * bytes);  // bytes between arrays are 0
}

// Number of exact means outside their 99.9 % intervals.
int missed(const std::string& text, const Exact& exact, std::uint64_t seed, SeriesMethod method, std::int64_t length) {
  const std::int64_t count = takes_several_runs(method) ? 8 : 1;
  const auto launcher = launcher_of<Host>(long_run(text), seed, count);
  SeriesRuns runs(*launcher);
  SteadyStateGoal goal;
  goal.method = method;
  goal.confidence = 0.999;
  goal.observations = length;
  const auto result = steady_state(runs, goal);
  int misses = 0;
  for (const auto& [name, mean] : exact) {
    const auto found = static_cast<std::size_t>(std::ranges::find(result.names, name) - result.names.begin());
    const SeriesInterval& interval = result.intervals.at(found);
    EXPECT_EQ(interval.reason, "") << name;
    if (interval.low <= mean && mean <= interval.high) continue;
    ++misses;
    std::printf("  %s: %g to %g does not hold %g\n", name.c_str(), interval.low, interval.high, mean);
  }
  return misses;
}

// The intervals of three seeds hold the exact means. Each check fails with probability 0.001 per mean and seed for
// random seeds. The control has another service time.
void expect_steady(const std::string& text, const Exact& exact, const std::string& from, const std::string& to,
                   SeriesMethod method, std::int64_t length = 16384) {
  for (const std::uint64_t seed : {1, 2, 3}) EXPECT_EQ(missed(text, exact, seed, method, length), 0) << "seed " << seed;
  EXPECT_GT(missed(with(text, from, to), exact, 1, method, length), 0);
}

// The network consists of independent M/M/c queues.
TEST(LongRuns, OfAJacksonNetworkHaveTheProductForm) {
  const std::string text = R"json({"time_unit": "s", "horizon": 1,
    "classes": {"job": {"interarrival": "exponential(1)", "enters": "a"}},
    "stations": {
      "a": {"service": "exponential(2)", "next": [{"to": "b", "probability": 0.6}, {"to": "c", "probability": 0.4}]},
      "b": {"servers": 2, "service": "exponential(0.8)", "next": [{"to": "a", "probability": 0.3}]},
      "c": {"servers": "unlimited", "service": "exponential(0.5)"}}})json";
  const double a = 1 / (1 - 0.18), b = 0.6 * a, c = 0.4 * a, load = b / 0.8;
  const double idle = 1 / (1 + load + load * load / 2 / (1 - load / 2));
  const double waiting = idle * load * load / 2 * (load / 2) / (1 - load / 2) / (1 - load / 2);
  const double number = a / (2 - a) + waiting + load + 2 * c;
  const Exact exact{{"number at a", a / (2 - a)}, {"number at b", waiting + load}, {"time at c", 2},
                    {"throughput at b", b},       {"utilization at b", load / 2},  {"number in network", number},
                    {"time in network", number},  {"wait at b", waiting / b}};
  expect_steady(text, exact, "0.3", "0.33", SeriesMethod::skart);
  expect_steady(text, exact, "0.3", "0.33", SeriesMethod::replications);
}

// Mean value analysis. The number in a closed network is no mean to estimate.
TEST(LongRuns, OfAClosedNetworkHaveTheProductForm) {
  const std::string text = R"json({"time_unit": "s", "horizon": 1, "classes": {"job": {"population": 5, "enters": "a"}},
    "stations": {"a": {"service": "exponential(1)", "next": "b"}, "b": {"service": "exponential(0.6)", "next": "a"}}})json";
  double numbers[2] = {0, 0}, throughput = 0;
  for (int n = 1; n <= 5; ++n) {
    const double times[2] = {1 + numbers[0], (1 + numbers[1]) / 0.6};
    throughput = n / (times[0] + times[1]);
    for (int i = 0; i < 2; ++i) numbers[i] = throughput * times[i];
  }
  const Exact exact{{"number at a", numbers[0]},
                    {"time at b", numbers[1] / throughput},
                    {"utilization at b", throughput / 0.6},
                    {"throughput at a", throughput}};
  expect_steady(text, exact, "0.6", "0.58", SeriesMethod::skart);
  for (const std::string& name : launcher_of<Space>(long_run(text), 1, 1)->names())
    EXPECT_EQ(name.find("network"), std::string::npos) << name;
}

// Erlang's delay formula: P(wait > t) = P(wait > 0) e^(-(c mu - lambda) t).
TEST(LongRuns, OfAQueueMMcHaveErlangsDelays) {
  const std::string text = R"json({"time_unit": "min", "horizon": 1, "wait_limits": [0, 0.5], "number_limits": [0],
    "classes": {"call": {"interarrival": "exponential(2.1)", "enters": "agents"}},
    "stations": {"agents": {"servers": 3, "service": "exponential(1)"}}})json";
  const double load = 2.1, tail = load * load * load / 6 / (1 - load / 3);
  const double idle = 1 / (1 + load + load * load / 2 + tail), delayed = tail * idle;
  const Exact exact{{"wait at agents", delayed / 0.9},     {"wait over 0 min at agents", delayed},
                    {"utilization at agents", 0.7},        {"wait over 0.5 min at agents", delayed * std::exp(-0.45)},
                    {"number over 0 at agents", 1 - idle}, {"time in network", 1 + delayed / 0.9}};
  for (const SeriesMethod method : {SeriesMethod::batch_means, SeriesMethod::spectral})
    expect_steady(text, exact, "exponential(1)", "exponential(0.95)", method, 32768);
}

// The station is a birth and death process; customers balk by the number that they find.
TEST(LongRuns, OfCustomersWhoBalkHaveTheMeansOfTheirMarkovChain) {
  const std::string text = R"json({"time_unit": "s", "horizon": 1,
    "classes": {"a": {"interarrival": "exponential(1.5)", "enters": "desk"},
                "b": {"interarrival": "exponential(0.8)", "enters": "desk"}},
    "stations": {"desk": {"servers": 2, "room": 5, "service": "exponential(1)",
                          "balking": {"a": [0, 0.1, 0.3, 0.8]}}}})json";
  const auto balks = [](int number) {
    return std::vector{0.0, 0.1, 0.3, 0.8, 0.8, 1.0}[static_cast<std::size_t>(number)];
  };
  const MarkovChain chain({0}, [&](const ChainState& s) {
    return ChainMoves{{s[0] < 5 ? 0.8 + 1.5 * (1 - balks(s[0])) : 0.0, {std::min(s[0] + 1, 5)}},
                      {1.0 * std::min(s[0], 2), {std::max(s[0] - 1, 0)}}};
  });
  const auto mean = [&](const auto& value) { return chain.mean([&](const ChainState& s) { return value(s[0]); }); };
  const double lost = mean([](int n) { return n == 5 ? 1.0 : 0.0; });
  const double balking = mean([&](int n) { return n == 5 ? 0.0 : balks(n); });
  const double number = mean([](int n) { return 1.0 * n; }), joining = 2.3 * (1 - lost) - 1.5 * balking;
  expect_steady(text,
                {{"number at desk", number},
                 {"balking of a at desk", balking},
                 {"lost of b at desk", lost},
                 {"losses of b in network", 0.8 * lost},
                 {"time in network", number / joining},
                 {"throughput in network", joining}},
                "0.3, 0.8", "0.3, 0.6", SeriesMethod::overlapping_batch_means);
}

// M_t/M/infinity with a rate of 2 in the first half of a cycle and 0.5 in the second one: the mean number solves m' =
// rate - m. Slots are whole cycles.
TEST(LongRuns, OfRatesWithACycleHavePeriodicMeans) {
  const std::string text = R"json({"time_unit": "h", "horizon": 4, "periods": {"starts": [0, 2], "cycle": 4},
    "classes": {"job": {"rates": [{"from": 0, "rate": 2}, {"from": 2, "rate": 0.5}], "cycle": 4, "enters": "ward"}},
    "stations": {"ward": {"servers": "unlimited", "service": "exponential(1)"}}})json";
  const double e = std::exp(-2.0), low = (2 * (1 - e) * e + 0.5 * (1 - e)) / (1 - e * e);
  const double first = (4 + (low - 2) * (1 - e)) / 2;
  expect_steady(text,
                {{"number at ward from 0 to 2 h", first},
                 {"number at ward from 2 to 4 h", 2.5 - first},
                 {"number at ward", 1.25},
                 {"throughput in network from 0 to 2 h", 2 - ((2 + e * (low - 2)) - low) / 2}},
                "\"rate\": 2", "\"rate\": 2.1", SeriesMethod::skart);
}

// A case of one station `desk`, whose members and class are completed.
std::string desk(const std::string& of_class, const std::string& of_station, const std::string& others = "") {
  return R"json({"time_unit": "min", "horizon": 60, )json" + others +
         R"json("classes": {"job": {"enters": "desk", )json" + of_class +
         R"json(}}, "stations": {"desk": {"service": "exponential(1)")json" + of_station + "}}}";
}

TEST(LongRuns, AreRefusedWithoutASteadyState) {
  const auto refused = [](const std::string& text) { return refusal([&] { long_run(text); }); };
  const std::string arrivals = R"json("interarrival": "exponential(0.5)")json";
  EXPECT_EQ(refused(desk(arrivals, "", R"json("until": {"number": 3}, )json")),
            "the case has no steady state: \"until\" ends it; omit this member");
  EXPECT_EQ(refused(desk(arrivals + R"json(, "max_arrivals": 9)json", "")),
            "the case has no steady state: classes.job.max_arrivals ends the arrivals: omit it");
  EXPECT_EQ(refused(desk(R"json("arrivals": [1, 2])json", "")),
            "the case has no steady state: classes.job.arrivals ends; give \"cycle\" to repeat the list");
  EXPECT_EQ(refused(desk(R"json("arrivals": [1, 2], "cycle": 9, "lateness": "exponential(1)")json", "")),
            "classes.job.lateness is given, which long runs do not support: omit it, or use `sporos simulate` with a "
            "long horizon and a warm_up");
  EXPECT_EQ(refused(desk(R"json("rates": [{"from": 0, "rate": 0.5}, {"from": 5, "rate": 0.1}])json", "")),
            "the case has no steady state: classes.job.rates changes only once; give \"cycle\" to repeat it, or one "
            "value for all times");
  EXPECT_EQ(refused(desk(arrivals, R"json(, "shifts": [{"from": 0, "servers": 1}, {"from": 5, "servers": 2}])json")),
            "the case has no steady state: stations.desk.shifts changes only once; give \"cycle\" to repeat it, or one "
            "value for all times");
  EXPECT_EQ(
      refused(desk(R"json("population": 3)json", "")),
      "the case has no steady state: customers leave and nobody arrives; give a class \"interarrival\", or routes "
      "without an exit");
  EXPECT_EQ(refused(desk(R"json("interarrival": "exponential(1.25)")json", "")),
            "station 'desk' is unstable with the values of the case: its customers need 1.25 servers on average, and "
            "it has 1; its queue grows with the horizon, and there is no steady state; give it more servers, or less "
            "load");
  EXPECT_EQ(
      refused(
          desk(R"json("rates": [{"from": 0, "rate": 0.5}, {"from": 5, "rate": 0.1}], "cycle": 10)json",
               R"json(, "shifts": [{"from": 0, "servers": 1}, {"from": 1, "servers": 2}], "cycle": 3.14159265)json")),
      "the cycles 3.14159265 and 10 have no common multiple below 10000 times the longer one: an observation of a "
      "long run must consist of whole cycles; change one of them");
}

// A queue that outgrows its memory is a failed run, not a wrong mean.
TEST(LongRuns, FailWithoutMemory) {
  NetworkDescription run = long_run(desk(R"json("interarrival": "exponential(0.9)")json", ""));
  run.most_customers = 5;
  const auto launcher = launcher_of<Space>(run, 1, 1);
  EXPECT_THROW(launcher->launch(1), std::runtime_error);
}

}  // namespace long_run_tests
}  // namespace sporos::test
