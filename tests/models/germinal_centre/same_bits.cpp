// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every agent has the same fate on every backend and with any number of threads, and a run that resumes from a state
// ends as if it had never stopped.
#include "cases.hpp"

#include <harness/backends.hpp>

#include <sporos/models/germinal_centre/germinal_centres.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>

namespace sporos::test {
namespace same_bits_tests {

using models::GerminalCentreCase, models::GerminalCentres;

template <class Space>
class GerminalCentreBits : public ::testing::Test {};
TYPED_TEST_SUITE(GerminalCentreBits, Backends, BackendName);

// Digest computed first on Serial, after 20 global steps of 50 local steps.
constexpr std::uint64_t known_digest = 10493397126278830029u;

TYPED_TEST(GerminalCentreBits, AreTheSameEverywhereAfterAThousandSteps) {
  GerminalCentres<TypeParam> centres(TypeParam(), rich_centres(), 7);
  for (int i = 0; i < 20; ++i) centres.advance();
  EXPECT_EQ(centres.digest(), known_digest);
  const auto census = centres.census();
  for (std::size_t kind = 0; kind < 4; ++kind) {
    for (const auto& of_centre : census.tissue) EXPECT_GT(of_centre[kind], 0) << kind;  // no kind has vanished
  }
}

TYPED_TEST(GerminalCentreBits, DependOnTheSeed) {
  std::set<std::uint64_t> digests;
  for (const std::uint64_t seed : {1, 2, 3}) {
    GerminalCentres<TypeParam> centres(TypeParam(), rich_centres(), seed);
    centres.advance();
    digests.insert(centres.digest());
  }
  EXPECT_EQ(digests.size(), 3u);
}

TYPED_TEST(GerminalCentreBits, AreThoseOfARunThatNeverStopped) {
  GerminalCentres<TypeParam> whole(TypeParam(), rich_centres(), 3), later(TypeParam(), rich_centres(), 3);
  for (int i = 0; i < 3; ++i) whole.advance();
  const auto state = whole.state();
  for (int i = 0; i < 3; ++i) whole.advance();
  later.restore(state);
  EXPECT_NE(later.digest(), whole.digest());
  for (int i = 0; i < 3; ++i) later.advance();
  EXPECT_EQ(later.digest(), whole.digest());
}

TYPED_TEST(GerminalCentreBits, OfACentreAreItsOwn) {
  GerminalCentres<TypeParam> centres(TypeParam(), rich_centres(), 3);
  centres.advance();
  const auto state = centres.state();
  ASSERT_EQ(state.centres.size(), 3u);
  EXPECT_NE(state.centres[0].identity, state.centres[1].identity);
  EXPECT_NE(state.centres[1].identity, state.centres[2].identity);
  EXPECT_EQ(state.centres[0].amounts, state.centres[2].amounts);  // fields do not depend on cells
}

// Agents of an element are stored together in the order of their identities, which are all different.
TYPED_TEST(GerminalCentreBits, LieInOrder) {
  GerminalCentres<TypeParam> centres(TypeParam(), rich_centres(), 5);
  for (int i = 0; i < 4; ++i) centres.advance();
  std::set<std::uint64_t> identities;
  std::size_t agents = 0;
  for (const auto& centre : centres.state().centres) {
    std::size_t first = 0;
    for (const std::int64_t cells : centre.cells) {
      const auto begin = centre.identity.begin() + static_cast<std::ptrdiff_t>(first);
      EXPECT_TRUE(std::is_sorted(begin, begin + cells));
      first += static_cast<std::size_t>(cells);
    }
    ASSERT_EQ(first, centre.agents());
    identities.insert(centre.identity.begin(), centre.identity.end());
    agents += centre.agents();
  }
  EXPECT_EQ(identities.size(), agents);
}

}  // namespace same_bits_tests
}  // namespace sporos::test
