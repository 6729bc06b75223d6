// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No cell is lost or created from nothing, and chemokines are accounted for to the unit of 2^−16 molecules.
#include "cases.hpp"

#include <harness/backends.hpp>

#include <sporos/models/germinal_centre/germinal_centres.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace sporos::test {
namespace conservation_tests {

using models::CellKind, models::CellTally, models::CentreState, models::GerminalCentreCase, models::GerminalCentres,
    models::GerminalCentresState;

template <class Space>
class GerminalCentreBooks : public ::testing::Test {};
TYPED_TEST_SUITE(GerminalCentreBooks, Backends, BackendName);

// Number of cells of a kind in a centre that its tallies do not explain.
std::int64_t unexplained(const CentreState& centre, const GerminalCentreCase& all, std::size_t kind) {
  const auto tally = [&](CellTally what) { return centre.tally(kind, what); };
  return centre.census(all.kinds.size())[kind] -
         (all.kinds[kind].in_tissue + tally(models::arrived) + tally(models::born) + tally(models::became) -
          tally(models::ceased) - tally(models::died) - tally(models::drained) - tally(models::shed));
}

// Number of cells of a kind in the pools that their tallies do not explain.
std::int64_t unexplained_in_pools(const GerminalCentresState& state, const GerminalCentreCase& all, std::size_t kind) {
  const CellKind& of_kind = all.kinds[kind];
  std::int64_t expected = state.pools.produced[kind] - state.pools.lost[kind] - state.pools.sent[kind];
  for (const std::int64_t count : of_kind.in_pools) expected += count;
  for (const CentreState& centre : state.centres) {
    expected += centre.tally(kind, models::drained) + centre.tally(kind, models::shed);
  }
  return state.pools.total(kind) - expected;
}

TYPED_TEST(GerminalCentreBooks, ExplainEveryCell) {
  const GerminalCentreCase rich = rich_centres();
  GerminalCentres<TypeParam> centres(TypeParam(), rich, 11);
  for (int i = 0; i < 8; ++i) {
    centres.advance();
    auto state = centres.state();
    const auto census = centres.census();
    for (std::size_t kind = 0; kind < rich.kinds.size(); ++kind) {
      std::int64_t arrivals = 0;
      for (std::size_t centre = 0; centre < state.centres.size(); ++centre) {
        EXPECT_EQ(unexplained(state.centres[centre], rich, kind), 0) << rich.kinds[kind].name;
        EXPECT_EQ(census.tissue[centre][kind], state.centres[centre].census(4)[kind]);
        arrivals += state.centres[centre].tally(kind, models::arrived);
      }
      EXPECT_EQ(arrivals, state.pools.sent[kind]);
      EXPECT_EQ(unexplained_in_pools(state, rich, kind), 0) << rich.kinds[kind].name;
    }
    // Control: the tallies reveal a single missing or additional cell.
    const auto lost = static_cast<std::size_t>(models::AgentState{state.centres[1].state.back()}.kind());
    state.centres[1].state.pop_back();
    EXPECT_EQ(unexplained(state.centres[1], rich, lost), -1);
    ++state.pools.cells[2][0];
    EXPECT_EQ(unexplained_in_pools(state, rich, 0), 1);
  }
}

// Every event that cells can have occurs, and the number of cells that leave a kind by change equals the number that
// enter one.
TYPED_TEST(GerminalCentreBooks, TellOfAllThatHappens) {
  const GerminalCentreCase rich = rich_centres();
  GerminalCentres<TypeParam> centres(TypeParam(), rich, 11);
  for (int i = 0; i < 10; ++i) centres.advance();
  std::vector<std::int64_t> all(models::tally_count, 0);
  for (const CentreState& centre : centres.state().centres) {
    for (std::size_t kind = 0; kind < rich.kinds.size(); ++kind) {
      for (int what = 0; what < models::tally_count; ++what) {
        all[static_cast<std::size_t>(what)] += centre.tally(kind, static_cast<CellTally>(what));
      }
    }
  }
  for (const std::int64_t count : all) EXPECT_GT(count, 0);
  EXPECT_EQ(all[models::became], all[models::ceased]);
}

TYPED_TEST(GerminalCentreBooks, ExplainChemokinesToTheUnit) {
  const GerminalCentreCase rich = rich_centres();
  GerminalCentres<TypeParam> centres(TypeParam(), rich, 11);
  for (int i = 0; i < 4; ++i) centres.advance();
  const std::int64_t substeps = std::int64_t{4} * rich.steps_per_exchange * rich.field_substeps;
  const auto rules = models::impl::field_rules(rich);
  const auto elements = static_cast<std::ptrdiff_t>(rich.mesh.count());
  for (const CentreState& centre : centres.state().centres) {
    for (std::size_t c = 0; c < rules.size(); ++c) {
      const auto part = [&](const std::vector<std::int64_t>& list) {
        const auto begin = list.begin() + elements * static_cast<std::ptrdiff_t>(c);
        return std::accumulate(begin, begin + elements, std::int64_t{0});
      };
      const auto sources = static_cast<std::int64_t>(elements_in(rich.mesh, rich.chemokines[c].sources).size());
      EXPECT_EQ(part(centre.amounts) + part(centre.decayed), substeps * sources * rules[c].secretion);
      EXPECT_GT(part(centre.decayed), 0);
      for (const std::int64_t amount : centre.amounts) EXPECT_GE(amount, 0);
    }
  }
}

}  // namespace conservation_tests
}  // namespace sporos::test
