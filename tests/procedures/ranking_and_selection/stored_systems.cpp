// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks systems whose replications need storage: each gets enough for the largest system.
#include "normal_systems.hpp"

#include <harness/backends.hpp>

#include <sporos/core/execution/replication_storage.hpp>

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

}  // namespace stored_systems_tests
}  // namespace sporos::test
