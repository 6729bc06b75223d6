// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the lattice sequence without its shift against points that others publish for this generating vector.
#include <sporos/core/sampling/lattice.hpp>
#include <sporos/core/sampling/lattice_generators.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lattice_tests {

using namespace sporos;

// The first eight points in three dimensions, from the documentation of QMCPy 1.5 (Lattice, not randomized).
TEST(Lattice, HasThePublishedPoints) {
  const auto generators = lattice_generators(3);
  const std::vector<std::vector<double>> points{{0, 0, 0},
                                                {0.5, 0.5, 0.5},
                                                {0.25, 0.75, 0.75},
                                                {0.75, 0.25, 0.25},
                                                {0.125, 0.375, 0.375},
                                                {0.625, 0.875, 0.875},
                                                {0.375, 0.125, 0.125},
                                                {0.875, 0.625, 0.625}};
  for (std::uint32_t point = 0; point < points.size(); ++point) {
    for (std::size_t d = 0; d < 3; ++d) {
      EXPECT_EQ(0x1p-32 * lattice_coordinate(generators[d], point), points[point][d]) << point << ", " << d;
    }
  }
}

// An even generator would give some values twice.
TEST(Lattice, HasOddGenerators) {
  const auto generators = lattice_generators(max_lattice_dimensions);
  EXPECT_EQ(generators.size(), 250u);
  EXPECT_TRUE(std::all_of(generators.begin(), generators.end(), [](std::uint32_t z) { return z % 2 == 1; }));
}

}  // namespace lattice_tests
