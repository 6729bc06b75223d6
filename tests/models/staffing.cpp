// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Staffing of an M/M/c/k queue: simulation and exact means agree on the best number of servers.
#include "model_checks.hpp"

#include <sporos/models/queues/mmck.hpp>

#include <gtest/gtest.h>
#include <harness/long_tests.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sporos::test {
namespace staffing_tests {

using models::MMCK;
using Host = Kokkos::DefaultHostExecutionSpace;

double objective(const MMCK& queue, double blocking) { return 3 * static_cast<double>(queue.servers) + 40 * blocking; }

// Numbers of servers from 1 to 10 that minimize the objective, exactly and by simulation with common random numbers.
struct Best {
  std::int64_t exact, found;
};
Best best_servers(double arrival_rate, double service_rate) {
  std::vector<MMCK> queues;
  for (std::int64_t servers = 1; servers <= 10; ++servers)
    queues.push_back({arrival_rate, service_rate, servers, 10, 10'000});
  const auto points = simulate(Host(), std::span<const MMCK>(queues), plan_with(1, runs_in_test(32, 64))).points;
  std::vector<double> exact, found;
  for (std::size_t i = 0; i < queues.size(); ++i) {
    exact.push_back(objective(queues[i], *queues[i].exact_means()[1]));
    found.push_back(objective(queues[i], points[i].responses[1].mean));
  }
  const auto place_of_smallest = [](const std::vector<double>& values) {
    return std::min_element(values.begin(), values.end()) - values.begin() + 1;
  };
  return {place_of_smallest(exact), place_of_smallest(found)};
}

// The second-best number is worse by at least 0.36, three standard errors of a point simulated on its own (five with
// SPOROS_LONG_TESTS). The points have common random numbers.
TEST(Staffing, FindsTheServersThatExactMeansName) {
  std::vector<std::int64_t> bests;
  for (const double arrival_rate : {1.0, 4.0, 6.0}) {
    const Best best = best_servers(arrival_rate, 1.0);
    EXPECT_EQ(best.found, best.exact) << arrival_rate;
    bests.push_back(best.exact);
  }
  EXPECT_EQ(bests, (std::vector<std::int64_t>{2, 4, 6}));
  const Best of_fast_servers = best_servers(4.0, 2.0);
  EXPECT_EQ(of_fast_servers.found, of_fast_servers.exact);
  EXPECT_EQ(of_fast_servers.exact, 3);
}

}  // namespace staffing_tests
}  // namespace sporos::test
