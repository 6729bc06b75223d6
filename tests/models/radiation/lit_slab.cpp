// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A photon through a slab as a model has the same bits under every mapping and on every backend, and equals the photons
// of a case with tallies.
#include <harness/backends.hpp>
#include <harness/refusal.hpp>

#include <sporos/core/replication/experiment.hpp>
#include <sporos/models/radiation/lit_slab.hpp>
#include <sporos/models/radiation/trace.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

namespace sporos::test {
namespace lit_slab_tests {

using models::LitSlab;

static_assert(DescribedModel<LitSlab>);

constexpr LitSlab slab{1.5, 0.8, 0.6, 0.7};
constexpr std::int64_t photons = 4000;

Plan plan_of(Mapping mapping, Engine engine = Engine::philox4x32) {
  Plan plan;
  plan.replications = photons;
  plan.seed = 9;
  plan.mapping = mapping;
  plan.source.engine = engine;
  return plan;
}

template <class Space>
class LitSlabs : public ::testing::Test {};
TYPED_TEST_SUITE(LitSlabs, Backends, BackendName);

TYPED_TEST(LitSlabs, AreTheSameUnderEveryMapping) {
  for (const auto engine : {Engine::philox4x32, Engine::taus88}) {
    const auto by_threads = simulate(TypeParam(), slab, plan_of(Mapping::thread, engine));
    const auto by_warps = simulate(TypeParam(), slab, plan_of(Mapping::warp, engine));
    const auto on_host = simulate(Kokkos::DefaultHostExecutionSpace(), slab, plan_of(Mapping::automatic, engine));
    EXPECT_EQ(by_threads.digest, by_warps.digest);
    EXPECT_EQ(by_threads.digest, on_host.digest);
  }
}

// The roulette may leave a photon with more or less energy than it had, as the tallies record.
TYPED_TEST(LitSlabs, AreThePhotonsOfACase) {
  models::PhotonPlan plan;
  plan.photons = photons;
  plan.seed = 9;
  plan.batches = 2;
  const auto counts = traced(TypeParam(), slab.radiation_case(), source_powers(slab.radiation_case()), plan);
  const auto result = simulate(TypeParam(), slab, plan_of(Mapping::thread));
  const auto share = [&](int tally) {
    return static_cast<double>(counts.at(0, 0, tally) + counts.at(1, 0, tally)) /
           static_cast<double>(photons * models::bundle_units);
  };
  constexpr double rounding = 1e-14;
  EXPECT_NEAR(result.responses[0].mean, share(1), rounding);
  EXPECT_NEAR(result.responses[1].mean, share(2), rounding);
  EXPECT_NEAR(result.responses[2].mean, share(0), rounding);
}

TEST(LitSlab, PassesWhatItDoesNotAbsorb) {
  const LitSlab absorbing{1.5, 0, 0, 0.5};
  const auto result = simulate(Kokkos::DefaultHostExecutionSpace(), absorbing, plan_of(Mapping::automatic));
  EXPECT_NEAR(*absorbing.exact_means()[1], std::exp(-3), 1e-15);
  EXPECT_NEAR(result.responses[1].mean, std::exp(-3), 0x1p-31);
  EXPECT_EQ(result.responses[0].mean, 0);
  EXPECT_FALSE(slab.exact_means()[0]);
}

TEST(LitSlab, IsRefused) {
  EXPECT_EQ(refusal([] {
              LitSlab{-1, 0, 0, 1}.check();
            }),
            "optical_thickness is -1, expected a positive finite number");
  EXPECT_EQ(refusal([] { LitSlab{1, 2, 0, 1}.check(); }), "albedo is 2, expected a probability in [0, 1]");
  EXPECT_EQ(refusal([] {
              LitSlab{1, 0, 1, 1}.check();
            }),
            "asymmetry of layer 1 is 1, expected a number between -1 and 1");
  EXPECT_EQ(refusal([] { LitSlab{1, 0, 0, 2}.check(); }), "cosine of the beam is 2, expected a number from 1e-06 to 1");
  EXPECT_EQ(refusal([] { slab.check(); }), "none");
}

}  // namespace lit_slab_tests
}  // namespace sporos::test
