// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws that belong to entities do not depend on the order in which a model draws, with every engine, mapping and
// backend.
#include <harness/backends.hpp>

#include <sporos/core/random/stream.hpp>
#include <sporos/core/replication/experiment.hpp>
#include <sporos/core/replication/replicate.hpp>

#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace entities_tests {

using namespace sporos;

// Each entity draws two pairs and an ordinary draw in between. The responses are the uniforms of one entity, and the
// sum of the ordinary draws. `is_reversed` changes the order of the entities, and `extra` the number of draws before.
struct Customers {
  static constexpr int entity_count = 5;
  bool is_reversed;
  int extra;

  enum Input { service, patience, ordinary, input_count };
  static constexpr auto response_names = std::array{"first", "second", "third", "of another input", "ordinary"};
  static constexpr bool draws_by_entity = true;

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 5> operator()(Inputs& inputs) const {
    Kokkos::Array<double, 5> found{};
    for (int i = 0; i < extra; ++i) found[4] += 0 * double(inputs.of(100 + static_cast<std::uint64_t>(i), patience, 0));
    for (int i = 0; i < entity_count; ++i) {
      const auto entity = static_cast<std::uint64_t>(is_reversed ? entity_count - 1 - i : i);
      const auto pair = inputs.pair_of(entity, service, 0);
      const double u = inputs(ordinary);
      found[4] += u;
      if (entity != 3) continue;
      found[0] = pair.first();
      found[1] = pair.second();
      found[2] = inputs.of(entity, service, 2);
      found[3] = inputs.of(entity, patience, 0);
    }
    return found;
  }
};

constexpr std::int64_t replications = 40;

template <class Space>
std::vector<double> outputs_of(const Customers& model, Engine engine, Mapping mapping,
                               Sampling sampling = Sampling::random) {
  const Design<Customers, Space> design(model, 9);
  UniformSource source{engine, sampling};
  const PreparedSource<Space> prepared = prepared_source<Space>(source, std::span(&model, 1));
  const Outputs<Space> outputs("outputs", replications, 5);
  replicate(Space(), design, prepared, {6, replications}, mapping, outputs);
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), outputs);
  std::vector<double> rows;
  for (int row = 0; row < replications; ++row) {
    for (int response = 0; response < 5; ++response) rows.push_back(host(row, response));
  }
  return rows;
}

// Numbers that belong to an entity, without the sum of ordinary draws, whose rounding depends on their order.
std::vector<double> without_sums(const std::vector<double>& rows) {
  std::vector<double> kept;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i % 5 != 4) kept.push_back(rows[i]);
  }
  return kept;
}

template <class Space>
class Entities : public ::testing::Test {};
TYPED_TEST_SUITE(Entities, test::Backends, test::BackendName);

TYPED_TEST(Entities, KeepTheirDrawsInAnyOrder) {
  for (const auto& [name, engine] : ChoiceNames<Engine>::values) {
    if (!runs_on_host<TypeParam> && runs_on_hosts_only(engine)) continue;
    for (const Mapping mapping : {Mapping::thread, Mapping::warp}) {
      const auto drawn = without_sums(outputs_of<TypeParam>({false, 0}, engine, mapping));
      EXPECT_EQ(without_sums(outputs_of<TypeParam>({true, 0}, engine, mapping)), drawn) << name;
      EXPECT_EQ(without_sums(outputs_of<TypeParam>({true, 7}, engine, mapping)), drawn) << name;
      for (const double u : drawn) EXPECT_TRUE(u > 0 && u < 1) << name;
      auto sorted = drawn;
      std::ranges::sort(sorted);
      EXPECT_EQ(std::ranges::adjacent_find(sorted), sorted.end()) << name << ": two draws are equal";
    }
  }
}

TYPED_TEST(Entities, LeaveOrdinaryDrawsAlone) {
  for (const auto& [name, engine] : ChoiceNames<Engine>::values) {
    if (!runs_on_host<TypeParam> && runs_on_hosts_only(engine)) continue;
    EXPECT_EQ(outputs_of<TypeParam>({false, 7}, engine, Mapping::thread),
              outputs_of<TypeParam>({false, 0}, engine, Mapping::thread))
        << name;
  }
}

// Draws of 100 entities from two inputs in an order without a pattern: more entities than a host keeps pairs of, and
// more pairs than it computes together. The response depends on all draws.
struct Visitors {
  enum Input { service, patience, input_count };
  static constexpr auto response_names = std::array{"sum"};
  static constexpr bool draws_by_entity = true;

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(Inputs& inputs) const {
    double sum = 0;
    for (std::uint64_t i = 0; i < 1000; ++i) {
      const std::uint64_t any = mix_bits(i);
      const auto pair = inputs.pair_of(any % 100, any >> 32 & 1 ? service : patience, any >> 40 & 31);
      const double first = pair.first(), second = pair.second();
      sum = 0.9 * sum + first + 0.3 * second;
    }
    return {{sum}};
  }
};

// Returns the responses of `replications` replications with numbers from `Source`.
template <class Source, class Space, class Model>
std::vector<double> rows_of(const Model& model) {
  const Design<Model, Space> design(model, 9);
  const Outputs<Space> outputs("outputs", replications, Model::response_names.size());
  replicate_with<Source, Model>(Space(), design, {}, {6, replications}, Mapping::thread, outputs);
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), outputs);
  return std::vector<double>(host.data(), host.data() + host.size());
}

// The default source, which is compiled for Philox and on hosts computes pairs ahead, and the one that is chosen at run
// time, which computes each pair when it is drawn, give the same bits.
TYPED_TEST(Entities, HaveTheSameBitsFromBothSources) {
  const Customers customers{false, 0};
  EXPECT_EQ((rows_of<DefaultSource, TypeParam>(customers)), (rows_of<ChosenSource, TypeParam>(customers)));
  EXPECT_EQ((rows_of<DefaultSource, TypeParam>(Visitors())), (rows_of<ChosenSource, TypeParam>(Visitors())));
}

TYPED_TEST(Entities, AreReflectedInAntitheticPairs) {
  const auto drawn = outputs_of<TypeParam>({false, 0}, Engine::philox4x32, Mapping::thread, Sampling::antithetic);
  for (std::size_t pair = 0; pair + 10 <= drawn.size(); pair += 10) {
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(drawn[pair + 5 + i], 1 - drawn[pair + i]);
  }
}

// Mean of 4 · 40 uniforms, six standard errors wide (error probability 2e-9). The control adds 0.15.
TYPED_TEST(Entities, DrawUniformly) {
  const auto mean_is_half = [](double shift) {
    const auto drawn = without_sums(outputs_of<TypeParam>({false, 0}, Engine::philox4x32, Mapping::thread));
    double sum = 0;
    for (const double u : drawn) sum += u + shift;
    const auto count = static_cast<double>(drawn.size());
    return std::abs(sum / count - 0.5) < 6 * std::sqrt(1 / 12.0 / count);
  };
  EXPECT_TRUE(mean_is_half(0));
  EXPECT_FALSE(mean_is_half(0.15));
}

TEST(EntitySampling, IsRefusedWithoutAnEngine) {
  const Customers model{false, 0};
  UniformSource source{Engine::philox4x32, Sampling::descriptive};
  source.sample_size = 37;
  try {
    prepared_source<Kokkos::DefaultHostExecutionSpace>(source, std::span(&model, 1));
    FAIL() << "descriptive sampling is accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(std::string(error.what()),
              "sampling descriptive assigns numbers to draws in their order, but the draws of this model belong to "
              "entities, such as customers: expected random or antithetic");
  }
}

}  // namespace entities_tests
