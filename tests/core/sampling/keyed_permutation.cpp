// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A keyed permutation is one-to-one for every size. It gives the same numbers one at a time and in blocks.
#include "harness/long_tests.hpp"

#include <sporos/core/sampling/keyed_permutation.hpp>
#include <sporos/core/sampling/primes.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace keyed_permutation_tests {

using namespace sporos;

static_assert(std::is_trivially_copyable_v<KeyedPermutation>);

/// Detects whether numbers are a permutation. It keeps its memory from one call to the next.
class PermutationCheck {
 public:
  bool operator()(const std::vector<std::uint32_t>& images) {
    m_seen_in.resize(std::max(m_seen_in.size(), images.size()));
    ++m_check;
    for (const std::uint32_t image : images) {
      if (image >= images.size() || m_seen_in[image] == m_check) return false;
      m_seen_in[image] = m_check;
    }
    return true;
  }

 private:
  std::vector<std::uint32_t> m_seen_in;
  std::uint32_t m_check = 0;
};

std::vector<std::uint32_t> shuffle(std::uint32_t size, std::uint64_t key) {
  std::vector<std::uint32_t> images(size);
  KeyedPermutation(size, key).fill(0, size, images.data());
  return images;
}

std::vector<std::uint32_t> awkward_sizes() {
  std::vector<std::uint32_t> sizes;
  for (std::uint32_t size = 1; size <= 300; ++size) sizes.push_back(size);
  for (std::uint32_t bits = 9; bits <= 20; ++bits) {
    for (const std::uint32_t size : {(1u << bits) - 1, 1u << bits, (1u << bits) + 1}) sizes.push_back(size);
  }
  for (const std::uint32_t size : {1000u, 2310u, 4900u, 46341u, 99999u, 720720u, 1000000u}) sizes.push_back(size);
  return sizes;
}

TEST(PermutationCheck, RefusesWhatIsNone) {
  PermutationCheck is_permutation;
  EXPECT_TRUE(is_permutation({2, 0, 1}));
  EXPECT_FALSE(is_permutation({2, 0, 2}));
  EXPECT_FALSE(is_permutation({3, 0, 1}));
}

// Checks every prime in long tests, else one of sixteen.
TEST(KeyedPermutation, IsOneToOneForPrimesBelow65536) {
  PermutationCheck is_permutation;
  const auto primes = odd_primes({3, 65535});
  for (std::size_t i = 0; i < primes.size(); i += test::are_tests_long() ? 1 : 16) {
    const std::uint32_t p = primes[i];
    for (const std::uint64_t key : {std::uint64_t{0}, mix_bits(p)}) {
      ASSERT_TRUE(is_permutation(shuffle(p, key))) << "size " << p << ", key " << key;
    }
  }
}

TEST(KeyedPermutation, IsOneToOneForAwkwardSizes) {
  PermutationCheck is_permutation;
  for (const std::uint32_t size : awkward_sizes()) {
    for (const std::uint64_t key : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}}) {
      ASSERT_TRUE(is_permutation(shuffle(size, key))) << "size " << size << ", key " << key;
    }
  }
}

TEST(KeyedPermutation, StaysInsideTheLargestSizes) {
  for (const std::uint32_t size : {2147483647u, 2147483648u}) {
    const KeyedPermutation permutation(size, 5);
    std::vector<std::uint32_t> images(100000);
    permutation.fill(size - 100000, 100000, images.data());
    std::sort(images.begin(), images.end());
    EXPECT_LT(images.back(), size);
    EXPECT_GT(images.back(), size - size / 1000);
    EXPECT_EQ(std::adjacent_find(images.begin(), images.end()), images.end());
  }
}

TEST(KeyedPermutation, GivesTheSameAloneAndInBlocks) {
  for (const std::uint32_t size : {1u, 2u, 3u, 7u, 17u, 64u, 101u, 1009u, 4099u, 10007u, 65521u, 1048583u}) {
    const KeyedPermutation permutation(size, size);
    for (const std::uint32_t first : {0u, 1u, size / 2, size - 1}) {
      for (const std::uint32_t wanted : {1u, 4u, 5u, 63u, 64u, 65u, 68u, 200u}) {
        if (first >= size) continue;
        const std::uint32_t count = std::min(wanted, size - first);
        std::vector<std::uint32_t> images(count + 1, ~0u);
        permutation.fill(first, count, images.data());
        for (std::uint32_t j = 0; j < count; ++j) ASSERT_EQ(images[j], permutation(first + j)) << size << " " << first;
        EXPECT_EQ(images[count], ~0u) << "wrote too much";
      }
    }
  }
}

TEST(KeyedPermutation, GivesTheSameUnderManyKeysAtOnce) {
  int mismatches = 0;
  for (const std::uint32_t size : {1u, 2u, 3u, 7u, 17u, 64u, 257u, 1000u, 65521u, (1u << 31) - 1, 1u << 31}) {
    for (std::uint32_t count = 1; count <= KeyedPermutation::block; ++count) {
      std::uint64_t keys[KeyedPermutation::block];
      std::uint32_t numbers[KeyedPermutation::block], images[KeyedPermutation::block];
      for (std::uint32_t j = 0; j < KeyedPermutation::block; ++j) {
        keys[j] = mix_bits(size + 64 * count + j);
        images[j] = numbers[j] = static_cast<std::uint32_t>(keys[j] % size);
      }
      KeyedPermutation::permute_each(size, keys, count, images);
      for (std::uint32_t j = 0; j < count; ++j) mismatches += images[j] != KeyedPermutation(size, keys[j])(numbers[j]);
    }
  }
  EXPECT_EQ(mismatches, 0);
}

// These numbers are from a separate program, which divides by the lengths of rows and columns in integers of any size.
// Changing them changes every result of refined descriptive sampling.
TEST(KeyedPermutation, GivesKnownNumbers) {
  EXPECT_EQ(shuffle(7, 1), (std::vector<std::uint32_t>{0, 5, 2, 4, 6, 3, 1}));
  EXPECT_EQ(shuffle(23, 2), (std::vector<std::uint32_t>{22, 12, 17, 0,  4, 9, 8,  18, 10, 15, 21, 1,
                                                        3,  19, 6,  13, 5, 7, 11, 14, 2,  16, 20}));
  EXPECT_EQ(KeyedPermutation(65521, 3)(0), 29684u);
  EXPECT_EQ(KeyedPermutation(2147483647, 4)(0), 181049681u);
}

}  // namespace keyed_permutation_tests
