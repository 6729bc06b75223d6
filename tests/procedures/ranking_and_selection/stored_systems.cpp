// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Models whose replications need storage: in selections each system gets enough for the largest one, and rare events
// are found.
#include "normal_systems.hpp"

#include <harness/backends.hpp>

#include <sporos/core/execution/replication_storage.hpp>
#include <sporos/procedures/rare_events/importance_sampling.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <vector>

namespace sporos::test {
namespace stored_systems_tests {

using Host = SerialOrHost;

constexpr std::int64_t most_numbers = 40;

// Draws `numbers` uniforms, then weights the last one most.
template <class Inputs, class Array>
KOKKOS_FUNCTION double weighted(Inputs& inputs, std::int64_t numbers, Array& drawn) {
  for (std::int64_t i = 0; i < numbers; ++i) drawn[i] = inputs(0);
  double sum = 0;
  for (std::int64_t i = numbers - 1; i >= 0; --i) sum = drawn[i] + 0.5 * sum;
  return sum;
}

// Keeps the numbers in storage whose size fits only this system, or in an array that is large enough for all systems.
template <bool is_stored>
struct Numbers {
  static constexpr std::string_view name = "numbers", title = "weighted numbers";
  std::int64_t numbers;
  enum Input { number, input_count };
  static constexpr auto response_names = std::array{"sum"};
  static constexpr auto parameters() {
    return std::tuple{Parameter<Numbers, std::int64_t>{"numbers", &Numbers::numbers, 1, "", "number", nullptr}};
  }
  void check() const {}
  std::int64_t storage_bytes() const requires is_stored {
    ReplicationStorage measured;
    measured.take<double>(numbers);
    return measured.bytes();
  }
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(Inputs& inputs) const {
    if constexpr (is_stored) {
      ReplicationStorage storage = inputs.storage();
      StoredArray<double> drawn = storage.template take<double>(numbers);
      return {{weighted(inputs, numbers, drawn)}};
    } else {
      double drawn[most_numbers];
      return {{weighted(inputs, numbers, drawn)}};
    }
  }
};

// Estimates of three systems, the second of which needs most storage.
template <class Space, class Model>
std::vector<double> estimates(std::uint64_t seed) {
  const SystemGrid grid({{"numbers", {3, static_cast<double>(most_numbers), 17}}});
  auto all = systems_of(Space(), Model{}, grid, {0, false, seed, true});
  all.replicate({.fixed = 500});
  std::vector<double> found;
  for (const SystemEstimate& one : all.best(3)) {
    found.insert(found.end(), {static_cast<double>(one.system), one.mean, one.variance});
  }
  return found;
}

template <class Space>
class StoredSystemsOn : public ::testing::Test {};
TYPED_TEST_SUITE(StoredSystemsOn, Backends, BackendName);

TYPED_TEST(StoredSystemsOn, HaveTheBitsOfSystemsWithArrays) {
  const auto expected = estimates<Host, Numbers<false>>(1);
  EXPECT_EQ((estimates<TypeParam, Numbers<true>>(1)), expected);
  EXPECT_NE((estimates<TypeParam, Numbers<true>>(2)), expected) << "control: another seed";
}

// Probability that the sum is at least 1.8, by importance sampling, and the half-width of its interval.
template <class Space, class Model>
std::vector<double> rare(std::uint64_t seed) {
  const ImportanceResult result = importance_sampled(Space(), Model{17}, 0, 1.8, Tail::upper,
                                                     {.replications = 2000, .pilot_replications = 500, .seed = seed});
  return {result.probability, result.half_width};
}

TYPED_TEST(StoredSystemsOn, AndRareEventsHaveTheBitsOfArrays) {
  const auto expected = rare<Host, Numbers<false>>(1);
  EXPECT_GT(expected[0], 0);
  EXPECT_EQ((rare<TypeParam, Numbers<true>>(1)), expected);
  EXPECT_NE((rare<TypeParam, Numbers<true>>(2)), expected) << "control: another seed";
}

}  // namespace stored_systems_tests
}  // namespace sporos::test
