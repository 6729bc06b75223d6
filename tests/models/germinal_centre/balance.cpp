// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The example without virus stays in balance: naive B cells and T cells in tissue and pools.
//
// Each cell is in the tissue or not, independently of the others, so the variance of their number is at most that of a
// Poisson distribution. The initial distribution may differ from the balanced one by a further hundredth
// (docs/reference/germinal-centre-cases.md). Pools hold millions of cells, whose numbers are rounded and otherwise
// deterministic. A good case is rejected with probability 2 · 10^-5 for a random seed; the seeds are fixed. Bits are
// the same on every backend, so one backend is enough.
#include "harness/long_tests.hpp"

#include <sporos/models/germinal_centre/germinal_centre_files.hpp>
#include <sporos/models/germinal_centre/germinal_centres.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sporos::test {
namespace balance_tests {

using models::CellCensus, models::CellKind, models::GerminalCentreCase;

bool is_resting(const std::string& kind) { return kind == "naive B" || kind == "T"; }

// The example with a share of its cells, and only with the kinds that exist without virus.
GerminalCentreCase uninfected(double share) {
  GerminalCentreCase all = models::read_germinal_centre_case(SPOROS_SAMPLE_DATA "/germinal_centre.json");
  std::erase_if(all.kinds, [](const CellKind& kind) { return !is_resting(kind.name); });
  std::erase_if(all.changes, [](const models::CellChange& change) { return !is_resting(change.from); });
  std::erase_if(all.meetings,
                [](const auto& meeting) { return !is_resting(meeting.first) || !is_resting(meeting.second); });
  const auto shared = [share](std::int64_t count) { return std::llround(share * static_cast<double>(count)); };
  for (CellKind& kind : all.kinds) {
    kind.in_tissue = shared(kind.in_tissue);
    for (std::int64_t& count : kind.in_pools) count = shared(count);
    kind.production *= share;
  }
  return all;
}

// Changes of one kind of cells.
struct Change {
  double in_tissue;             // relative to the initial number
  double allowed;               // largest |in_tissue| that the test allows
  std::vector<double> in_pool;  // for each pool with cells, relative to their initial number
  double in_pools;              // over all pools, relative to the marrow's production in that time
};

double share_more(std::int64_t then, std::int64_t first) {
  return static_cast<double>(then - first) / static_cast<double>(first);
}

Change change_of(const GerminalCentreCase& all, const CellCensus& then, std::size_t kind) {
  constexpr double quantile = 4.42, distribution = 0.01;  // normal quantile for 10^-5 on both sides
  const CellKind& of_kind = all.kinds[kind];
  std::int64_t in_tissue = 0, in_pools = 0;
  for (const auto& centre : then.tissue) in_tissue += centre[kind];
  const std::int64_t at_first = of_kind.in_tissue * all.centres;
  Change change{
      share_more(in_tissue, at_first), quantile / std::sqrt(static_cast<double>(at_first)) + distribution, {}, 0};
  for (std::size_t pool = 0; pool < models::pool_count; ++pool) {
    const std::int64_t first = of_kind.in_pools[pool], now = then.pools.cells[pool][kind];
    if (first > 0) change.in_pool.push_back(share_more(now, first));
    in_pools += now - first;
  }
  change.in_pools = static_cast<double>(in_pools) / (of_kind.production * then.minutes);
  return change;
}

// Changes of both kinds of cells.
std::vector<Change> changes_of(const GerminalCentreCase& all, double hours) {
  models::GerminalCentres<Kokkos::DefaultHostExecutionSpace> centres({}, all, 17);
  for (double time = 0; time < 60 * hours; time += all.global_step()) centres.advance();
  std::vector<Change> changes;
  for (std::size_t kind = 0; kind < all.kinds.size(); ++kind) {
    changes.push_back(change_of(all, centres.census(), kind));
  }
  return changes;
}

TEST(UninfectedExample, StaysAsItIs) {
  const auto changes = changes_of(uninfected(0.1), are_tests_long() ? 48 : 8);
  EXPECT_EQ(changes.size(), 2);
  for (const Change& change : changes) {
    EXPECT_LT(change.allowed, 0.06);
    EXPECT_LT(std::abs(change.in_tissue), change.allowed);
    EXPECT_EQ(change.in_pool.size(), 3);
    for (const double in_pool : change.in_pool) EXPECT_LT(std::abs(in_pool), 0.001);
    EXPECT_LT(std::abs(change.in_pools), 0.1);
  }
}

TEST(UninfectedExample, GrowsInPoolsWithTwiceTheProduction) {
  GerminalCentreCase all = uninfected(0.001);
  for (CellKind& kind : all.kinds) kind.production *= 2;
  for (const Change& change : changes_of(all, 6)) EXPECT_GT(change.in_pools, 0.1);
}

TEST(UninfectedExample, GrowsInTheTissueWhereMoreComeFromTheBlood) {
  GerminalCentreCase all = uninfected(0.02);
  for (CellKind& kind : all.kinds) kind.extraction *= 1.5;
  for (const Change& change : changes_of(all, 8)) EXPECT_GT(change.in_tissue, change.allowed);
}

}  // namespace balance_tests
}  // namespace sporos::test
