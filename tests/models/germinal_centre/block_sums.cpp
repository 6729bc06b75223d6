// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks sums over blocks against running sums.
#include <harness/backends.hpp>

#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/lane.hpp>
#include <sporos/core/random/philox.hpp>
#include <sporos/models/germinal_centre/block_sums.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sporos::test {
namespace block_sums_tests {

using models::impl::BlockSums;

template <class Space>
class GerminalCentreBlockSums : public ::testing::Test {};
TYPED_TEST_SUITE(GerminalCentreBlockSums, Backends, BackendName);

// Returns the sum before each element, followed by the sum of all; earlier contents are cleared.
template <class Space>
std::vector<std::int64_t> sums_before(const std::vector<std::int64_t>& numbers) {
  using Memory = typename Space::memory_space;
  const int count = static_cast<int>(numbers.size());
  const BlockSums sums = BlockSums::of(count);
  Kokkos::View<std::int64_t*, Memory> of_device("numbers", numbers.size()), before("before", numbers.size() + 1);
  Kokkos::View<std::int64_t*, Memory> all("sums", static_cast<std::size_t>(sums.size()));
  copy_elements(of_device, numbers);
  Kokkos::deep_copy(all, std::int64_t{7});
  const Kokkos::RangePolicy<Space, Kokkos::IndexType<int>> elements(0, count);
  Kokkos::parallel_for(
      "clear", elements, KOKKOS_LAMBDA(int e) { sums.clear(all, e); });
  Kokkos::parallel_for(
      "add", elements, KOKKOS_LAMBDA(int e) { sums.add(all, e, of_device(e)); });
  const int lanes = runs_on_host<Space> ? 1 : impl::warp_lanes;
  using Team = typename Kokkos::TeamPolicy<Space>::member_type;
  Kokkos::parallel_for(
      "sum", Kokkos::TeamPolicy<Space>(count, 1, lanes), KOKKOS_LAMBDA(const Team& team) {
        const auto found = BlockSums::sums_of(sums.parts(all, team.league_rank()));
        if (impl::lane_index() != 0) return;
        before(team.league_rank()) = found.before;
        if (team.league_rank() == 0) before(before.extent(0) - 1) = found.all == sums.all(all) ? found.all : -1;
      });
  std::vector<std::int64_t> on_host(numbers.size() + 1);
  copy_elements(on_host, before);
  return on_host;
}

// Returns small numbers, some of them 0.
std::vector<std::int64_t> numbers_of(std::size_t count) {
  std::vector<std::int64_t> numbers;
  for (std::size_t i = 0; i < count; ++i) {
    numbers.push_back(static_cast<std::int64_t>(Philox4x32::block({1, i, 0}, 0)[0] % 100));
  }
  return numbers;
}

std::vector<std::int64_t> running_sums(const std::vector<std::int64_t>& numbers) {
  std::vector<std::int64_t> sums{0};
  for (const std::int64_t number : numbers) sums.push_back(sums.back() + number);
  return sums;
}

TYPED_TEST(GerminalCentreBlockSums, AreRunningSums) {
  for (const std::size_t count : {1, 2, 31, 32, 33, 64, 65, 210, 2016, 2048, 2049, 65536, 70000}) {
    auto numbers = numbers_of(count);
    const auto found = sums_before<TypeParam>(numbers);
    EXPECT_EQ(found, running_sums(numbers)) << count;
    ++numbers[count / 2];  // one element is larger by one
    EXPECT_NE(found, running_sums(numbers)) << count;
  }
}

TEST(GerminalCentreBlocks, AreAtMost64OfTheLargest) {
  for (const std::int64_t count : {1, 64, 65, 2048, 2049, 65536, 65537, 0x7ffffffe}) {
    const BlockSums sums = BlockSums::of(count);
    EXPECT_EQ(sums.begin[1], count);
    EXPECT_LE(sums.begin[sums.levels] - sums.begin[sums.levels - 1], 64);
    EXPECT_LE(sums.levels, BlockSums::max_levels);
  }
  EXPECT_EQ(BlockSums::of(64).levels, 1);
  EXPECT_EQ(BlockSums::of(65).levels, 2);
  EXPECT_EQ(BlockSums::of(0x7ffffffe).levels, 6);
}

}  // namespace block_sums_tests
}  // namespace sporos::test
