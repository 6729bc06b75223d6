// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/backends.hpp>
#include <harness/own_instance.hpp>

#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/core/random_blocks/random_blocks.hpp>
#include <sporos/core/replication/experiment.hpp>
#include <sporos/core/replication/sample_points.hpp>
#include <sporos/models/queues/mmck.hpp>
#include <sporos/models/radiation/radiation_case.hpp>
#include <sporos/models/radiation/trace.hpp>

#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sporos::test {
namespace replications_tests {

constexpr models::MMCK queue{4.0, 1.0, 3, 5, 100};

struct Experiments {
  template <class Space>
  std::vector<std::uint64_t> operator()(const Space& space) const {
    std::vector<std::uint64_t> digests;
    for (const auto sampling : {Sampling::random, Sampling::antithetic, Sampling::refined_descriptive}) {
      for (const auto mapping : {Mapping::thread, Mapping::warp, Mapping::automatic}) {
        Plan plan;
        plan.replications = 320;
        plan.mapping = mapping;
        plan.source.sampling = sampling;
        const std::vector<models::MMCK> design = {queue, {3.0, 1.0, 3, 5, 100}};
        for (const auto& point : simulate(space, std::span(design), plan).points) digests.push_back(point.digest);
      }
    }
    return digests;
  }
};

template <class Space>
Vector<Space> row_sums(const Space& space, const Outputs<Space>& outputs) {
  const Vector<Space> sums(Kokkos::view_alloc(space, "test::sums"), outputs.extent(0));
  Kokkos::parallel_for(
      "test::sums", Kokkos::RangePolicy<Space>(space, 0, sums.extent_int(0)), KOKKOS_LAMBDA(std::int64_t r) {
        for (std::size_t i = 0; i < outputs.extent(1); ++i) sums(r) += outputs(r, i);
      });
  return sums;
}

// The next kernel reads the outputs without a fence in between, as in a program that embeds replications.
struct Embedded {
  template <class Space>
  std::vector<double> operator()(const Space& space) const {
    const Outputs<Space> outputs("test::outputs", 500, static_cast<std::size_t>(response_count_of(queue)));
    replicate(space, Design<models::MMCK, Space>(queue, 7), {}, {0, 500}, Mapping::thread, outputs);
    return to_host<Space>(space, row_sums(space, outputs));
  }
};

struct Points {
  template <class Space>
  std::vector<double> operator()(const Space& space) const {
    UniformSource source;
    source.sampling = Sampling::sobol;
    const auto points = sample_points(space, source_of_sets(source, 64), 1, {0, 64}, 3);
    const auto host = Kokkos::create_mirror_view(points);
    Kokkos::deep_copy(space, host, points);
    space.fence();
    return {host.data(), host.data() + host.size()};
  }
};

struct Photons {
  template <class Space>
  std::vector<std::int64_t> operator()(const Space& space) const {
    models::PhotonPlan plan;
    plan.photons = 2000;
    plan.batches = 3;
    models::RadiationCase radiation;
    radiation.layers = {{0.5, 1.5, 0.6, 0.8, 900, 2}, {1, 2, 0.3, -0.4, 600, 3}};
    radiation.lower = {800, 0.7};
    radiation.upper = {300, 0.4};
    radiation.temperatures = models::element_temperatures(radiation);
    return models::traced(space, radiation, models::source_powers(radiation), plan, true).units;
  }
};

// Fillers of random blocks run on a separate instance.
struct Blocks {
  template <class Space>
  std::vector<std::uint64_t> operator()(const Space&) const {
    RandomBlocks<Space> blocks(2024, {1000, 3, 1});
    auto consumer = blocks.consumer(7);
    std::vector<std::uint64_t> draws(5000);
    for (auto& draw : draws) draw = consumer();
    return draws;
  }
};

template <class Space>
class ReplicationsOnOwnInstance : public ::testing::Test {};
TYPED_TEST_SUITE(ReplicationsOnOwnInstance, Backends, BackendName);

TYPED_TEST(ReplicationsOnOwnInstance, OfExperiments) { expect_same_on_own_instance<TypeParam>(Experiments{}); }

TYPED_TEST(ReplicationsOnOwnInstance, InAProgramOfItsOwn) { expect_same_on_own_instance<TypeParam>(Embedded{}); }

TYPED_TEST(ReplicationsOnOwnInstance, AsPointSets) { expect_same_on_own_instance<TypeParam>(Points{}); }

TYPED_TEST(ReplicationsOnOwnInstance, OfPhotons) { expect_same_on_own_instance<TypeParam>(Photons{}); }

TYPED_TEST(ReplicationsOnOwnInstance, BesideRandomBlocks) { expect_same_on_own_instance<TypeParam>(Blocks{}); }

}  // namespace replications_tests
}  // namespace sporos::test
