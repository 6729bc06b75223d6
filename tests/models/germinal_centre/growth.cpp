// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Agents multiply within a global step, and the host learns their number only at its end. The result is OutOfMemory, or
// the same agents as in a plain list and as with a check after each local step. Only the identities are random.
#include "cases.hpp"

#include <harness/backends.hpp>
#include <harness/memory_limit.hpp>

#include <sporos/core/execution/memory.hpp>
#include <sporos/models/germinal_centre/germinal_centres.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

namespace sporos::test {
namespace growth_tests {

using models::GerminalCentreCase, models::GerminalCentres;

template <class Space>
class GerminalCentreGrowth : public ::testing::Test {};
TYPED_TEST_SUITE(GerminalCentreGrowth, Backends, BackendName);

// Each agent has this many children in every step.
GerminalCentreCase growing_case(int children, int steps) {
  GerminalCentreCase growing = plain_case(2);
  growing.steps_per_exchange = steps;
  growing.kinds[0].in_tissue = 37;
  growing.changes = {{"cell", "cell", 1, 0, "cell", children}};
  return growing;
}

using Agent = std::tuple<std::uint64_t, std::uint32_t, std::int32_t>;

// Agents in the order of their identities, without their elements.
std::vector<Agent> agents_of(const models::GerminalCentresState& state) {
  std::vector<Agent> agents;
  const auto& centre = state.centres[0];
  for (std::size_t i = 0; i < centre.agents(); ++i) {
    agents.emplace_back(centre.identity[i], centre.state[i], centre.since[i]);
  }
  std::sort(agents.begin(), agents.end());
  return agents;
}

// Returns the agents after `steps` more steps.
std::vector<Agent> grown(std::vector<Agent> agents, std::uint64_t seed, std::uint32_t children, int steps) {
  for (std::int32_t step = 0; step < steps; ++step) {
    const std::size_t parents = agents.size();
    for (std::size_t i = 0; i < parents; ++i) {
      auto& [identity, word, since] = agents[i];
      const std::uint64_t parent = identity, first = word >> 8;
      word += children << 8;
      for (std::uint64_t child = 0; child < children; ++child) {
        agents.emplace_back(models::child_identity(seed, parent, first + child), 0, step);
      }
    }
  }
  std::sort(agents.begin(), agents.end());
  return agents;
}

TYPED_TEST(GerminalCentreGrowth, IsThatOfAList) {
  for (const auto& [children, steps] : {std::pair(1, 9), std::pair(12, 2), std::pair(150, 1)}) {
    const auto growing = growing_case(children, steps);
    GerminalCentres<TypeParam> centres(TypeParam(), growing, 3);
    const auto first = agents_of(centres.state());
    ASSERT_EQ(first.size(), 37u);
    centres.advance();
    const auto many = static_cast<std::uint32_t>(children);
    const auto expected = grown(first, 3, many, steps);
    EXPECT_EQ(centres.agents(), static_cast<std::int64_t>(expected.size()));
    const auto found = agents_of(centres.state());
    EXPECT_TRUE(found == expected) << children;
    EXPECT_FALSE(found == grown(first, 4, many, steps)) << children;  // other identities
  }
}

// Digest of the whole centre after 12 local steps, with `steps` local steps in each global step.
std::uint64_t digest_after_twelve(GerminalCentreCase all, int steps) {
  all.steps_per_exchange = steps;
  GerminalCentres<Kokkos::DefaultExecutionSpace> centres({}, all, 5);
  for (int i = 0; i < 12; i += steps) centres.advance();
  auto state = centres.state();
  return models::digest_of(words_of(state.centres[0]));
}

// A few agents multiply, walk and die, while fields take several substeps. A step that finds no room is repeated later,
// and fields wait for it.
GerminalCentreCase spreading_case() {
  GerminalCentreCase spreading = growing_case(1, 1);
  spreading.mesh.elements = {5, 4, 3};
  spreading.mesh.vessels = spreading.mesh.drains = {all_of(spreading.mesh)};
  spreading.field_substeps = 3;
  spreading.chemokines = {{"c", 200, 0.02, 1e5, 1, {{{1, 1, 1}, {2, 2, 2}}}}};
  spreading.kinds[0].motility = 150;
  spreading.kinds[0].chemokine = "c";
  spreading.kinds[0].sensitivity = 2;
  spreading.changes = {{"cell", "cell", 0.3, 0, "cell", 2}, {"cell", "", 0.02, 0, "", 0}};
  return spreading;
}

TEST(GerminalCentreGrowthOnOneBackend, DoesNotDependOnHowOftenTheHostLooks) {
  const auto expected = digest_after_twelve(spreading_case(), 1);
  for (const int steps : {2, 3, 4, 6, 12}) EXPECT_EQ(digest_after_twelve(spreading_case(), steps), expected) << steps;
  GerminalCentreCase other = spreading_case();
  other.changes[1].rate = 0.03;
  EXPECT_NE(digest_after_twelve(other, 12), expected);
}

TYPED_TEST(GerminalCentreGrowth, IsRefusedWhereItDoesNotFit) {
  const auto growing = growing_case(1, 12);  // 151 552 agents of 20 bytes, stored twice
  GerminalCentres<TypeParam> centres(TypeParam(), growing, 3), refused(TypeParam(), growing, 3);
  centres.advance();
  EXPECT_EQ(centres.agents(), 37 << 12);
  const MemoryLimit limit("2000000");
  EXPECT_THROW(refused.advance(), OutOfMemory);
}

}  // namespace growth_tests
}  // namespace sporos::test
