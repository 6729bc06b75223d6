// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Under common random numbers, customers keep their service times and routes when the number of servers changes the
// order of events.
#include <sporos/core/replication/experiment.hpp>
#include <sporos/core/replication/traced_replication.hpp>
#include <sporos/models/networks/network.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace sporos::test {
namespace common_numbers_tests {

using namespace models;

using Visit = std::pair<std::int64_t, std::int64_t>;  // customer and station

constexpr int second_station = 1;

/// Service times of all customers whose service ended, in replication 0 with this seed.
std::map<Visit, double> service_times(int servers, std::uint64_t seed) {
  const std::string json = R"json({"time_unit": "min", "horizon": 300,
      "classes": {"urgent": {"interarrival": "exponential(0.4)", "priority": 0, "enters": "desk"},
                  "normal": {"interarrival": "exponential(0.6)", "priority": 1, "enters": "desk"}},
      "stations": {"desk": {"servers": )json" +
                           std::to_string(servers) +
                           R"json(, "discipline": "priority", "service": "exponential(0.7)",
                            "next": [{"to": "office", "probability": 0.6}]},
                   "office": {"servers": 2, "discipline": "last-in-first-out", "service": "exponential(0.5)"}}})json";
  const NetworkTables<Kokkos::HostSpace> tables(network_case_of_json("case", json));
  std::map<Visit, double> begun, times;
  for (const TracedEvent& event : traced_events(DesignPoint<Network>{tables.model(), seed}, {}, 0)) {
    const Visit visit{event.entity, event.station};
    if (event.kind == static_cast<int>(NetworkHappening::service_begins)) begun[visit] = event.time;
    if (event.kind == static_cast<int>(NetworkHappening::service_ends)) times[visit] = event.time - begun.at(visit);
  }
  return times;
}

/// Largest difference between the service times of the customers in both maps, and the number of these customers.
std::pair<double, int> largest_difference(const std::map<Visit, double>& a, const std::map<Visit, double>& b) {
  double largest = 0;
  int count = 0;
  for (const auto& [visit, time] : a) {
    const auto other = b.find(visit);
    if (other == b.end()) continue;
    largest = std::max(largest, std::abs(other->second - time));
    ++count;
  }
  return {largest, count};
}

TEST(CommonNumbers, GiveEachCustomerTheSameServiceTimes) {
  const auto two = service_times(2, 1), three = service_times(3, 1);
  const auto [difference, count] = largest_difference(two, three);
  EXPECT_LT(difference, 1e-9);
  EXPECT_GT(count, 350);
  // Control: with another seed, customers have other times.
  EXPECT_GT(largest_difference(two, service_times(3, 2)).first, 1);
}

TEST(CommonNumbers, GiveEachCustomerTheSameRoute) {
  const auto two = service_times(2, 1), three = service_times(3, 1);
  int routed_otherwise = 0, routed_with_other_seed = 0;
  const auto other = service_times(3, 2);
  // Customers at the end may not have reached the office yet.
  for (std::int64_t customer = 0; customer < 200; ++customer) {
    const Visit office{customer, second_station};
    routed_otherwise += two.contains(office) != three.contains(office);
    routed_with_other_seed += two.contains(office) != other.contains(office);
  }
  EXPECT_EQ(routed_otherwise, 0);
  EXPECT_GT(routed_with_other_seed, 50);
}

/// Digest of 512 replications of an example case.
std::uint64_t digest(std::uint64_t seed) {
  const NetworkTables<Kokkos::DefaultHostExecutionSpace::memory_space> tables(
      read_network_case(SPOROS_NETWORK_CASES "/emergency_department.json"));
  Plan plan;
  plan.replications = 512;
  plan.seed = seed;
  return simulate(Kokkos::DefaultHostExecutionSpace(), tables.model(), plan).digest;
}

// Serial, OpenMP and CUDA gave this digest, with threads and with warps.
TEST(CommonNumbers, HaveTheKnownDigest) {
  EXPECT_EQ(digest(1), 0xa7ca52c073a2905fu);
  EXPECT_NE(digest(2), 0xa7ca52c073a2905fu);  // control
}

}  // namespace common_numbers_tests
}  // namespace sporos::test
