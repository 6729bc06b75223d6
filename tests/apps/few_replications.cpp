// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/simulation/report.hpp>
#include <sporos/runtime/simulation/tasks.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

namespace sporos::runtime {
namespace few_replications_tests {

Plan plan_of(std::int64_t replications) {
  Plan plan;
  plan.replications = replications;
  return plan;
}

TEST(FewReplications, RunOnTheHost) {
  EXPECT_TRUE(is_for_host(1, plan_of(few_replications)));
  EXPECT_FALSE(is_for_host(1, plan_of(few_replications + 1)));
  EXPECT_TRUE(is_for_host(5, plan_of(few_replications / 5)));
  EXPECT_FALSE(is_for_host(5, plan_of(few_replications / 5 + 1)));
  EXPECT_FALSE(is_for_host(few_replications + 1, plan_of(1)));
  EXPECT_FALSE(is_for_host(std::numeric_limits<std::size_t>::max() / 2, plan_of(1)));
}

TEST(FewReplications, StayOnADeviceThatTheUserChooses) {
  Plan plan = plan_of(10);
  for (const Mapping mapping : {Mapping::thread, Mapping::warp}) {
    plan.mapping = mapping;
    EXPECT_FALSE(is_for_host(1, plan));
  }
  plan.mapping = Mapping::automatic;
  plan.precision.half_width = 0.1;
  EXPECT_FALSE(is_for_host(1, plan));
}

TEST(FewReplications, AreNotedWhereThereIsADevice) {
  for (const std::string backend : {"cuda", "hip", "openmp", "serial"}) {
    Machine machine;
    machine.backend = backend;
    const std::size_t notes = backend == "cuda" || backend == "hip" ? 1 : 0;
    EXPECT_EQ(host_notes(machine, 1, plan_of(10)).size(), notes) << backend;
    EXPECT_EQ(host_notes(machine, 1, plan_of(1000)).size(), 0U) << backend;
  }
}

}  // namespace few_replications_tests
}  // namespace sporos::runtime
