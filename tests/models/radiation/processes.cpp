// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs by several processes together. Each process also computes alone what all compute together: the bits are the
// same, in one piece or in many.
#include "cases.hpp"

#include <harness/backends.hpp>
#include <harness/refusal.hpp>

#include <sporos/core/distributed/mpi.hpp>
#include <sporos/core/math/bits.hpp>
#include <sporos/models/radiation/equilibrium.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace sporos::test {
namespace processes_tests {

using math::impl::to_bits;
using models::Estimated, models::PathTreatment, models::PhotonCounts, models::PhotonPlan, models::PhotonProgress,
    models::PhotonRun, models::PhotonWeighting;

PhotonPlan plan_of(std::int64_t photons) {
  PhotonPlan plan;
  plan.photons = photons;
  plan.seed = 31;
  plan.batches = 7;
  return plan;
}

std::vector<std::uint64_t> bits_of(const std::vector<Estimated>& estimates) {
  std::vector<std::uint64_t> bits;
  for (const auto& [value, error] : estimates) bits.insert(bits.end(), {to_bits(value), to_bits(error)});
  return bits;
}

std::vector<std::uint64_t> bits_of(const models::EnergyBalance& balance) {
  std::vector<Estimated> estimates = balance.flux;
  for (const auto& element : balance.elements) estimates.push_back(element.gained);
  for (const auto& sink : {balance.medium, balance.lower, balance.upper}) estimates.push_back(sink.gained);
  estimates.push_back(balance.roulette);
  return bits_of(estimates);
}

std::vector<std::uint64_t> bits_of(const models::RadiativeEquilibrium& equilibrium) {
  std::vector<Estimated> estimates = equilibrium.temperatures;
  estimates.insert(estimates.end(), {equilibrium.flux, equilibrium.lower.gained, equilibrium.upper.gained});
  return bits_of(estimates);
}

template <class Space>
class PhotonsOfProcesses : public ::testing::Test {
 protected:
  PhotonCounts counts(const PhotonPlan& plan, bool by_source, Processes& by, const PhotonRun& run = {}) const {
    return traced(Space(), rich_case(), exchange_weights(rich_case()), plan, by_source, by, run);
  }

  MpiProcesses processes{MPI_COMM_WORLD};
};
TYPED_TEST_SUITE(PhotonsOfProcesses, Backends, BackendName);

TYPED_TEST(PhotonsOfProcesses, LeaveTheSameCounts) {
  for (const auto paths : {PathTreatment::exact, PathTreatment::sampled}) {
    for (const auto weighting : {PhotonWeighting::weighted, PhotonWeighting::analogue}) {
      PhotonPlan plan = plan_of(2003);
      plan.rules = {paths, 5, weighting};
      for (const bool by_source : {false, true}) {
        EXPECT_EQ(this->counts(plan, by_source, this->processes).units,
                  this->counts(plan, by_source, single_process).units);
      }
      PhotonPlan other = plan;
      ++other.seed;
      EXPECT_NE(this->counts(plan, false, this->processes).units, this->counts(other, false, single_process).units)
          << "control: another seed";
    }
  }
}

TYPED_TEST(PhotonsOfProcesses, AreFewerThanProcesses) {
  PhotonPlan plan = plan_of(2);
  plan.batches = 2;
  EXPECT_EQ(this->counts(plan, false, this->processes).units, this->counts(plan, false, single_process).units);
}

TYPED_TEST(PhotonsOfProcesses, GiveTheSameEnergyBalance) {
  const PhotonPlan plan = plan_of(5000);
  EXPECT_EQ(bits_of(energy_balance(TypeParam(), rich_case(), plan, this->processes)),
            bits_of(energy_balance(TypeParam(), rich_case(), plan)));
}

TYPED_TEST(PhotonsOfProcesses, GiveTheSameEquilibrium) {
  const PhotonPlan plan = plan_of(20'000);
  EXPECT_EQ(bits_of(radiative_equilibrium(TypeParam(), rich_case(), plan, {}, this->processes)),
            bits_of(radiative_equilibrium(TypeParam(), rich_case(), plan)));
}

// The last process stops the run after the first piece; then all continue from there, in pieces.
TYPED_TEST(PhotonsOfProcesses, AreFollowedInPieces) {
  const PhotonPlan plan = plan_of(50'000);
  PhotonRun run;
  run.watcher = [&](const PhotonProgress& progress) {
    EXPECT_EQ(progress.of, plan.photons);
    return this->processes.rank() + 1 < this->processes.count();
  };
  run.start = this->counts(plan, true, this->processes, run);
  const std::int64_t first = run.start.photons();
  EXPECT_GT(first, 0);
  EXPECT_LT(first, plan.photons);
  EXPECT_EQ(run.start.units, this->counts(plan_of(first), true, single_process).units);
  std::int64_t seen = first;
  run.watcher = [&](const PhotonProgress& progress) {
    EXPECT_GT(progress.photons, seen);
    seen = progress.photons;
    return true;
  };
  EXPECT_EQ(this->counts(plan, true, this->processes, run).units, this->counts(plan, true, single_process).units);
  EXPECT_EQ(seen, plan.photons);
}

TYPED_TEST(PhotonsOfProcesses, GoOnFromCountsOfTheirShapeOnly) {
  const PhotonRun run{{}, this->counts(plan_of(100), true, this->processes)};
  EXPECT_EQ(refusal([&] { this->counts(plan_of(200), false, this->processes, run); }),
            "number of photon counts of the start is 10647, expected one for each batch, source and tally, 273");
}

}  // namespace processes_tests
}  // namespace sporos::test
