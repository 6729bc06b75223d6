// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One photon is one replication. Tallies are identical on every backend, with any number of threads and for every
// division of photons among launches. The energy that a photon leaves equals its initial energy, to the unit.
#include "cases.hpp"

#include <harness/backends.hpp>

#include <sporos/core/execution/processes.hpp>
#include <sporos/models/radiation/trace.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace sporos::test {
namespace photons_tests {

using models::PathTreatment, models::Photon, models::PhotonCounts, models::PhotonPlan, models::PhotonTallies,
    models::PhotonWeighting, models::RadiationCase;

// Plans with both treatments of paths and both weightings.
std::vector<PhotonPlan> plans(std::int64_t photons) {
  std::vector<PhotonPlan> all;
  for (const auto paths : {PathTreatment::exact, PathTreatment::sampled}) {
    for (const auto weighting : {PhotonWeighting::weighted, PhotonWeighting::analogue}) {
      PhotonPlan plan;
      plan.photons = photons;
      plan.seed = 5;
      plan.rules = {paths, 8, weighting};
      plan.batches = 3;
      all.push_back(plan);
    }
  }
  return all;
}

// Hash of all counts (FNV-1a over words).
std::uint64_t digest(const PhotonCounts& counts) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const std::int64_t units : counts.units) hash = (hash ^ static_cast<std::uint64_t>(units)) * 0x100000001b3u;
  return hash;
}

template <class Space>
PhotonCounts counts_of(const RadiationCase& radiation, const PhotonPlan& plan, bool by_source = false) {
  return traced(Space(), radiation, source_powers(radiation), plan, by_source);
}

template <class Space>
PhotonCounts counts_of_parts(const RadiationCase& radiation, const PhotonPlan& plan,
                             const std::vector<std::int64_t>& cuts) {
  const models::MediumTables<typename Space::memory_space> tables(radiation, source_powers(radiation));
  const PhotonTallies<Space> tallies(Space(), radiation.elements(), plan.batches);
  const PreparedSource<Space> source;
  for (std::size_t i = cuts.size() - 1; i > 0; --i) {
    trace(Space(), Photon{tables.medium(), plan.rules}, source, plan.seed, {cuts[i - 1], cuts[i] - cuts[i - 1]},
          tallies);
  }
  Space().fence();
  return tallies.counts();
}

template <class Space>
class Photons : public ::testing::Test {};
TYPED_TEST_SUITE(Photons, Backends, BackendName);

// Digests computed first on Serial, for each of plans().
constexpr std::uint64_t known_digests[] = {2296550530382691021u, 2940500277954657167u, 15430846021054990635u,
                                           17082412099900849039u};

TYPED_TEST(Photons, LeaveTheSameNumbersEverywhere) {
  std::size_t i = 0;
  for (const auto& plan : plans(5000)) EXPECT_EQ(digest(counts_of<TypeParam>(rich_case(), plan)), known_digests[i++]);
}

TYPED_TEST(Photons, DoNotShowHowTheyWereDivided) {
  for (const auto& plan : plans(2000)) {
    const auto whole = counts_of<TypeParam>(rich_case(), plan);
    EXPECT_EQ(counts_of_parts<TypeParam>(rich_case(), plan, {0, 2000}).units, whole.units);
    EXPECT_EQ(counts_of_parts<TypeParam>(rich_case(), plan, {0, 1, 777, 778, 1999, 2000}).units, whole.units);
    EXPECT_NE(counts_of_parts<TypeParam>(rich_case(), plan, {1, 2001}).units, whole.units);
  }
}

// One of two processes; the second has already run.
class OneOfTwo : public OneProcess {
 public:
  explicit OneOfTwo(int rank, std::vector<std::byte> of_second = {})
      : m_rank(rank), m_of_second(std::move(of_second)) {}

  int count() const override { return 2; }
  int rank() const override { return m_rank; }
  std::vector<std::vector<std::byte>> gathered(std::span<const std::byte> mine) override {
    if (m_rank == 1) m_of_second.assign(mine.begin(), mine.end());
    return {{mine.begin(), mine.end()}, m_of_second};
  }
  const std::vector<std::byte>& of_second() const { return m_of_second; }

 private:
  int m_rank;
  std::vector<std::byte> m_of_second;
};

TYPED_TEST(Photons, DoNotShowOnWhichProcessTheyFlew) {
  const PhotonPlan plan = plans(1001)[0];
  const auto powers = source_powers(rich_case());
  OneOfTwo second(1);
  const auto twice_second = traced(TypeParam(), rich_case(), powers, plan, false, second);
  OneOfTwo first(0, second.of_second());
  EXPECT_EQ(traced(TypeParam(), rich_case(), powers, plan, false, first).units,
            counts_of<TypeParam>(rich_case(), plan).units);
  EXPECT_EQ(twice_second.photons(0, 0) + twice_second.photons(1, 0) + twice_second.photons(2, 0), 2 * 501);
}

TYPED_TEST(Photons, LeaveWhatTheyHad) {
  for (const auto& plan : plans(1001)) {
    const auto counts = counts_of<TypeParam>(rich_case(), plan);
    for (int batch = 0; batch < 3; ++batch) EXPECT_EQ(counts.photons(batch, 0), batch < 2 ? 334 : 333);
    auto one_lost = counts;
    --one_lost.units[4];
    EXPECT_THROW(one_lost.photons(0, 0), std::logic_error);
  }
}

TYPED_TEST(Photons, AreCountedBySource) {
  for (const auto& plan : plans(3000)) {
    const auto all = counts_of<TypeParam>(rich_case(), plan), by_source = counts_of<TypeParam>(rich_case(), plan, true);
    ASSERT_EQ(by_source.rows, source_count(rich_case()));
    for (int batch = 0; batch < 3; ++batch) {
      std::int64_t photons = 0;
      for (int row = 0; row < by_source.rows; ++row) photons += by_source.photons(batch, row);
      EXPECT_EQ(photons, 1000);
      for (int tally = 0; tally < all.tallies; ++tally) {
        std::int64_t units = 0;
        for (int row = 0; row < by_source.rows; ++row) units += by_source.at(batch, row, tally);
        EXPECT_EQ(units, all.at(batch, 0, tally));
      }
    }
    EXPECT_EQ(by_source.photons(0, 20), 0);  // source at 0 K
    EXPECT_EQ(by_source.photons(0, 12), 0);  // source in the vacuum
  }
}

TYPED_TEST(Photons, DependOnSeedAndEngine) {
  PhotonPlan plan = plans(500)[0];
  const auto first = counts_of<TypeParam>(rich_case(), plan);
  for (const auto engine : {Engine::philox4x64, Engine::mrg32k3a, Engine::ranlux24_0}) {
    plan.engine = engine;
    const auto other = counts_of<TypeParam>(rich_case(), plan);
    EXPECT_NE(other.units, first.units);
    EXPECT_EQ(other.photons(0, 0), first.photons(0, 0));
  }
  plan.engine = Engine::philox4x32;
  plan.seed = 6;
  EXPECT_NE(counts_of<TypeParam>(rich_case(), plan).units, first.units);
}

// After a cut into columns, photons fly as before, in more steps. Analogue photons end in the same slices, unless a
// rounding error of the steps decides, which has a probability of about 10^−13.
TYPED_TEST(Photons, FlyThroughColumnsAsThroughOneElement) {
  RadiationCase whole = rich_case();
  whole.temperatures.clear();
  const RadiationCase cut = whole;
  whole.columns = {1, 1};
  const PhotonPlan plan = plans(3000)[1];
  const auto expected = counts_of<TypeParam>(whole, plan), counts = counts_of<TypeParam>(cut, plan);
  const int across = cut.columns[0] * cut.columns[1];
  for (int batch = 0; batch < plan.batches; ++batch) {
    for (int tally = 0; tally < expected.tallies; ++tally) {
      const bool is_slice = tally < whole.slices();
      const int first = is_slice ? tally * across : cut.elements() + tally - whole.slices();
      std::int64_t units = 0;
      for (int i = 0; i < (is_slice ? across : 1); ++i) units += counts.at(batch, 0, first + i);
      EXPECT_EQ(units, expected.at(batch, 0, tally)) << tally;
    }
  }
}

}  // namespace photons_tests
}  // namespace sporos::test
