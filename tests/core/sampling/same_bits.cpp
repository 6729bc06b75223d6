// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regular numbers computed one by one in a kernel have the known bits of those that the host fills in blocks.
#include <sporos/core/sampling/refined_descriptive.hpp>

#include "harness/backends.hpp"

#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <bit>
#include <cstdint>
#include <vector>

namespace sporos::test {
namespace same_bits_tests {

constexpr std::uint32_t sequences = 50, draws = 2000;

/// Each sequence has a different range of primes, small and large.
KOKKOS_FUNCTION RefinedSequence sequence(std::uint32_t index) {
  return {PrimeRange{3, 5 + index * index * 26}, index, index + 1000};
}

struct DrawOneByOne {
  KOKKOS_FUNCTION void operator()(std::uint32_t index, double* numbers) const {
    RefinedSequence cursor = sequence(index);
    for (std::uint32_t draw = 0; draw < draws; ++draw) {
      cursor.seek(draw);
      numbers[draw] = cursor.at(draw);
    }
  }
};

struct Fill {
  KOKKOS_FUNCTION void operator()(std::uint32_t index, double* numbers) const {
    sequence(index).fill(0, draws, numbers);
  }
};

template <class Space, class Draws>
std::vector<double> in_kernel(const Draws& draw) {
  const Kokkos::View<double**, Kokkos::LayoutRight, typename Space::memory_space> there("numbers", sequences, draws);
  Kokkos::parallel_for(
      "sporos::test::refined_descriptive", Kokkos::RangePolicy<Space>(0, sequences),
      KOKKOS_LAMBDA(const std::uint32_t index) { draw(index, &there(index, 0)); });
  const auto here = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), there);
  return {here.data(), here.data() + here.size()};
}

std::vector<double> on_host() {
  std::vector<double> numbers(sequences * draws);
  for (std::uint32_t index = 0; index < sequences; ++index) Fill()(index, numbers.data() + index * draws);
  return numbers;
}

/// FNV-1a hash over the 64 bits of each number.
std::uint64_t digest(const std::vector<double>& numbers) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const double x : numbers) hash = (hash ^ std::bit_cast<std::uint64_t>(x)) * 0x100000001b3;
  return hash;
}

template <class Space>
class RefinedBits : public ::testing::Test {};
TYPED_TEST_SUITE(RefinedBits, Backends, BackendName);

TYPED_TEST(RefinedBits, OneByOne) { EXPECT_EQ(in_kernel<TypeParam>(DrawOneByOne()), on_host()); }
TYPED_TEST(RefinedBits, InBlocks) { EXPECT_EQ(in_kernel<TypeParam>(Fill()), on_host()); }

// The digest is from a separate program. After an intended change, take the new one from the failure's message.
TEST(RefinedBits, AreKnown) { EXPECT_EQ(digest(on_host()), 9632309233952082358u); }

}  // namespace same_bits_tests
}  // namespace sporos::test
