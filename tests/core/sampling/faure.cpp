// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks Faure's sequence without its scrambling against Boost.Random's and against points computed by hand.
#include <sporos/core/sampling/faure.hpp>

#include <gtest/gtest.h>

#include <boost/random/faure.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace faure_tests {

using namespace sporos;

double coordinate(const std::vector<std::uint32_t>& table, std::uint32_t point, std::uint64_t dimension,
                  std::uint64_t key = 0) {
  const auto [value, scale] = FaurePoint(table.data(), point).coordinate(dimension, key);
  return static_cast<double>(value) / static_cast<double>(scale);
}

// In base 3, point 3 has the digits 0, 1. They become d, 1 in dimension d of three.
TEST(Faure, HasThePointsFormedByHand) {
  const auto table = faure_table(3);
  const std::vector<std::vector<int>> ninths{{0, 0, 0}, {3, 3, 3}, {6, 6, 6}, {1, 4, 7}, {4, 7, 1},
                                             {7, 1, 4}, {2, 8, 5}, {5, 2, 8}, {8, 5, 2}};
  for (std::uint32_t point = 0; point < ninths.size(); ++point) {
    for (std::size_t d = 0; d < 3; ++d) {
      EXPECT_DOUBLE_EQ(9 * coordinate(table, point, d), ninths[point][d]) << point << ", " << d;
    }
  }
}

TEST(Faure, HasThePointsOfBoost) {
  for (const std::size_t dimensions : {1, 2, 3, 8, 40, 150}) {
    const auto table = faure_table(static_cast<std::int64_t>(dimensions));
    boost::random::faure_engine<double, std::uint64_t> boost(dimensions);
    boost.seed(0);
    double farthest = 0, farthest_of_shifted = 0;
    for (std::uint32_t point = 0; point < 40'000 / (dimensions + 10); ++point) {
      for (std::size_t d = 0; d < dimensions; ++d) {
        const double expected = boost();
        farthest = std::max(farthest, std::abs(coordinate(table, point, d) - expected));
        farthest_of_shifted = std::max(farthest_of_shifted, std::abs(coordinate(table, point + 1, d) - expected));
      }
    }
    EXPECT_LT(farthest, 1e-14) << dimensions;
    EXPECT_GT(farthest_of_shifted, 0.1) << "control: another point";
  }
}

TEST(Faure, HasTheBaseAndDigitsOfItsDimensions) {
  struct Known {
    std::int64_t dimensions;
    std::uint32_t base, digits;
  };
  for (const auto& [dimensions, base, digits] :
       {Known{1, 2, 32}, {2, 2, 32}, {3, 3, 21}, {4, 5, 14}, {8, 11, 10}, {24, 29, 7}, {10000, 10007, 3}}) {
    const auto table = faure_table(dimensions);
    EXPECT_EQ(table[0], base);
    EXPECT_EQ(table[1], digits);
    EXPECT_EQ(table.size(), 2 + digits * digits);
    const auto last = FaurePoint(table.data(), ~0u).coordinate(static_cast<std::uint64_t>(dimensions - 1), 1);
    EXPECT_EQ(last.scale, static_cast<std::uint64_t>(std::llround(std::pow(base, digits))));
    EXPECT_LT(last.value, last.scale);
  }
  EXPECT_TRUE(faure_table(0).empty());
}

TEST(Faure, IsScrambledByItsKey) {
  const auto table = faure_table(8);
  EXPECT_NE(coordinate(table, 5, 3, 1), coordinate(table, 5, 3));
  EXPECT_NE(coordinate(table, 5, 3, 1), coordinate(table, 5, 3, 3));
}

}  // namespace faure_tests
