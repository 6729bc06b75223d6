// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Networks on a device: replications, long runs, selections and searches have the bits that they have on the host.
#include <sporos/core/replication/replicate.hpp>
#include <sporos/core/replication/stored_series.hpp>
#include <sporos/core/replication/summary.hpp>
#include <sporos/models/networks/network.hpp>
#include <sporos/optimizers/search/sampled_problem.hpp>
#include <sporos/procedures/case_members.hpp>
#include <sporos/procedures/decision.hpp>
#include <sporos/procedures/objective.hpp>
#include <sporos/procedures/ranking_and_selection/device_systems.hpp>
#include <sporos/procedures/ranking_and_selection/system_grid.hpp>
#include <sporos/procedures/rare_events/importance_sampling.hpp>

#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace sporos::test {
namespace networks_on_device_tests {

using namespace models;
using Device = Kokkos::DefaultExecutionSpace;
using Host = Kokkos::DefaultHostExecutionSpace;

// Digest of the responses of 64 replications.
template <class Space>
std::uint64_t digest_of(const NetworkDescription& network, Mapping mapping, std::uint64_t seed) {
  constexpr std::int64_t count = 64;
  const NetworkTables<typename Space::memory_space> tables(network);
  const Network model = tables.model();
  const Design<Network, Space> design(model, seed);
  const PreparedSource<Space> source;
  const Outputs<Space> outputs("outputs", count, static_cast<std::size_t>(model.response_count()));
  replicate_with<DefaultSource>(Space(), design, source, {0, count}, mapping, outputs);
  const auto on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), outputs);
  std::uint64_t digest = 0;
  for (std::int64_t r = 0; r < count; ++r) {
    for (int i = 0; i < model.response_count(); ++i)
      digest += sporos::impl::digest_of(on_host(static_cast<std::size_t>(r), static_cast<std::size_t>(i)), r, i);
  }
  return digest;
}

// The control is another seed.
TEST(NetworksOnDevice, HaveTheBitsOfTheHost) {
  int cases = 0;
  for (const auto& file : std::filesystem::directory_iterator(SPOROS_NETWORK_CASES)) {
    if (file.path().extension() != ".json") continue;
    const NetworkDescription network = read_network_case(file.path().string());
    const std::uint64_t digest = digest_of<Host>(network, Mapping::thread, 1);
    EXPECT_EQ(digest_of<Device>(network, Mapping::thread, 1), digest) << file.path();
    EXPECT_EQ(digest_of<Device>(network, Mapping::warp, 1), digest) << file.path();
    EXPECT_NE(digest_of<Device>(network, Mapping::thread, 2), digest) << file.path();
    ++cases;
  }
  EXPECT_GE(cases, 10);
}

template <class Space>
std::unique_ptr<SegmentLauncher> launcher_of(const NetworkDescription& run) {
  using Launcher = StoredSeriesLauncher<Network, Space>;
  const auto tables = std::make_shared<const NetworkTables<typename Space::memory_space>>(run);
  const NetworkCase of;
  return std::make_unique<Launcher>(
      Space(), tables->model(), typename Launcher::About{of.response_names(run), of.series_means(run)}, 5, 3, tables);
}

// All blocks of three segments, which take turns on two execution spaces.
template <class First, class Second>
std::vector<double> blocks_of(const NetworkDescription& run) {
  std::vector<double> all;
  SegmentState state;
  for (int segment = 0; segment < 3; ++segment) {
    const auto launcher = segment % 2 == 0 ? launcher_of<First>(run) : launcher_of<Second>(run);
    launcher->restore(state);
    const auto blocks = launcher->launch(8);
    all.insert(all.end(), blocks.begin(), blocks.end());
    state = launcher->state();
  }
  return all;
}

// Few customers come in a slot of these networks: one lane of a device is slow.
TEST(NetworksOnDevice, LongRunsMoveBetweenHostAndDevice) {
  const std::string plain = R"json({"time_unit": "min", "horizon": 2,
    "classes": {"job": {"interarrival": "exponential(1)", "enters": "first"}},
    "stations": {"first": {"service": "exponential(1.3)", "next": [{"to": "second", "probability": 0.8}]},
                 "second": {"servers": 2, "service": "exponential(0.5)", "patience": "exponential(0.2)"}}})json";
  const std::string interrupted = R"json({"time_unit": "min", "horizon": 2,
    "classes": {"job": {"interarrival": "exponential(0.6)", "enters": "only", "priority": 1},
                "urgent": {"interarrival": "exponential(0.3)", "enters": "only"}},
    "stations": {"only": {"servers": 2, "service": "exponential(0.7)", "discipline": "preemptive", "room": 12,
                          "breakdowns": {"up": "exponential(0.1)", "down": "exponential(1)"}}}})json";
  for (const std::string& text : {plain, interrupted}) {
    const NetworkDescription run = long_run_of(network_case_of_json("case", text), {});
    const std::vector<double> blocks = blocks_of<Host, Host>(run);
    const auto second = blocks.begin() + static_cast<std::ptrdiff_t>(blocks.size() / 3);
    EXPECT_FALSE(std::equal(blocks.begin(), second, second)) << "control: the second segment repeats the first";
    EXPECT_EQ((blocks_of<Device, Device>(run)), blocks);
    EXPECT_EQ((blocks_of<Device, Host>(run)), blocks);
    EXPECT_EQ((blocks_of<Host, Device>(run)), blocks);
  }
}

// A station whose customers have little patience.
NetworkDescription small_station() {
  return network_case_of_json("case", R"json({"time_unit": "min", "horizon": 40,
    "classes": {"job": {"interarrival": "exponential(1)", "enters": "only"}},
    "stations": {"only": {"service": "exponential(0.5)", "patience": "exponential(0.4)"}}})json");
}

// Estimates of systems with 1 to 3 servers.
template <class Space>
std::vector<double> selected(std::uint64_t seed) {
  using Launcher = CaseLauncher<NetworkCase, Space>;
  const NetworkDescription network = small_station();
  const NetworkTables<typename Space::memory_space> tables(network);
  const SystemGrid grid({{"stations.only.servers", {1, 2, 3}}});
  DeviceSystems<Space> systems(Space(),
                               std::make_unique<Launcher>(Space(), NetworkCase(), network, tables, tables.model(), grid,
                                                          SystemResponse{0, false, seed, true}),
                               grid.size(), {});
  systems.replicate({.fixed = 200});
  std::vector<double> found;
  for (const SystemEstimate& one : systems.best(3)) {
    found.insert(found.end(), {static_cast<double>(one.system), one.mean, one.variance});
  }
  return found;
}

TEST(NetworksOnDevice, SelectionsHaveTheBitsOfTheHost) {
  EXPECT_EQ(selected<Device>(1), selected<Host>(1));
  EXPECT_NE(selected<Device>(2), selected<Host>(1)) << "control: another seed";
}

// Probability that on average 3 or more customers are in the network, by importance sampling, and its half-width.
template <class Space>
std::vector<double> rare(std::uint64_t seed) {
  const NetworkTables<typename Space::memory_space> tables(small_station());
  const ImportanceResult result = importance_sampled(Space(), tables.model(), 0, 3, Tail::upper,
                                                     {.replications = 2000, .pilot_replications = 500, .seed = seed});
  return {result.probability, result.half_width};
}

TEST(NetworksOnDevice, RareEventsHaveTheBitsOfTheHost) {
  EXPECT_EQ(rare<Device>(1), rare<Host>(1));
  EXPECT_NE(rare<Device>(2), rare<Host>(1)) << "control: another seed";
}

// Moments of a search's samples at two points.
template <class Space>
std::vector<double> sampled(std::uint64_t seed) {
  const NetworkDescription network = small_station();
  const NetworkTables<typename Space::memory_space> tables(network);
  const std::vector<Decision> decisions{{"stations.only.servers", 1, 4}};
  const std::string response = NetworkCase().response_names(network).front();
  CaseObjective<NetworkCase, Space> problem(Space(), NetworkCase(), network, tables, tables.model(), decisions,
                                            weighted_sum({{response, 1}}));
  const std::vector<Sample> samples{{{1}, seed, 0, 100}, {{3}, seed, 0, 100}};
  std::vector<double> found;
  for (const SampleMoments& moments : problem.simulate(samples)) {
    for (const auto* numbers : {&moments.means, &moments.products}) {
      found.insert(found.end(), numbers->begin(), numbers->end());
    }
  }
  return found;
}

TEST(NetworksOnDevice, SearchesHaveTheBitsOfTheHost) {
  EXPECT_EQ(sampled<Device>(1), sampled<Host>(1));
  EXPECT_NE(sampled<Device>(2), sampled<Host>(1)) << "control: another seed";
}

}  // namespace networks_on_device_tests
}  // namespace sporos::test
