// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks Halton's sequence without its scrambling against known radical inverses.
#include <sporos/core/sampling/halton.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace halton_tests {

using namespace sporos;

/// Points 0, 1, 2, … of van der Corput's sequence in a base, as fractions.
struct KnownInverses {
  std::uint32_t base;
  std::uint64_t denominator;
  std::vector<std::uint64_t> numerators;
};

const std::vector<KnownInverses> known{
    {2, 16, {0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15}},
    {3, 27, {0, 9, 18, 3, 12, 21, 6, 15, 24, 1, 10, 19, 4, 13, 22, 7, 16, 25, 2, 11, 20, 5, 14, 23, 8, 17, 26}},
    {5, 25, {0, 5, 10, 15, 20, 1, 6, 11, 16, 21, 2, 7, 12, 17, 22}},
    {104729, 104729, {0, 1, 2, 3}}};

TEST(Halton, HasTheRadicalInverses) {
  for (const auto& [base, denominator, numerators] : known) {
    for (std::uint32_t point = 0; point < numerators.size(); ++point) {
      const auto coordinate = halton_coordinate(base, point, 0);
      EXPECT_EQ(coordinate.value, coordinate.scale / denominator * numerators[point]) << base << ", " << point;
      EXPECT_EQ(coordinate.scale % base, 0u);
      EXPECT_GE(coordinate.scale, std::uint64_t{1} << 32);
    }
  }
  EXPECT_NE(halton_coordinate(3, 5, 1).value, halton_coordinate(3, 5, 0).value) << "control: scrambled";
}

// Doubles must be exact for the largest points and bases, too.
TEST(Halton, HasTheSameCoordinatesInManyBasesAtOnce) {
  constexpr unsigned block = 64;
  const auto bases = halton_bases(max_halton_dimensions);
  int mismatches = 0;
  for (std::size_t first = 0; first + block <= bases.size(); first += block - 1) {
    for (const std::uint32_t point : {0u, 1u, 1023u, 104728u, 1u << 31, (1u << 31) - 1, ~0u - 1, ~0u}) {
      const unsigned count = block - point % 7;
      std::uint64_t keys[block];
      for (unsigned j = 0; j < block; ++j) keys[j] = mix_bits(first * point + j) | 1;
      HaltonCoordinates<block> coordinates;
      halton_coordinates(&bases[first], point, keys, count, coordinates);
      for (unsigned j = 0; j < count; ++j) {
        const auto [value, scale] = halton_coordinate(bases[first + j], point, keys[j]);
        mismatches += coordinates.value[j] != static_cast<double>(value);
        mismatches += coordinates.scale[j] != static_cast<double>(scale);
      }
    }
  }
  EXPECT_EQ(mismatches, 0);
}

TEST(Halton, HasTheFirstPrimesAsBases) {
  const auto bases = halton_bases(max_halton_dimensions);
  EXPECT_EQ(std::vector<std::uint32_t>(bases.begin(), bases.begin() + 6),
            (std::vector<std::uint32_t>{2, 3, 5, 7, 11, 13}));
  EXPECT_EQ(bases.back(), 104729u);  // the 10 000th prime
}

}  // namespace halton_tests
