// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the search for the first index that satisfies a condition.
#include <sporos/core/math/first_where.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace sporos::test {
namespace first_where_tests {

// Compares it with std::find_if, for lengths around the number of indices that are tested together.
TEST(FirstWhere, IsTheFirstOfAll) {
  std::mt19937 any(3);
  for (std::int64_t length = 0; length <= 40; ++length) {
    for (int trial = 0; trial < 200; ++trial) {
      std::vector<double> values(static_cast<std::size_t>(length));
      for (double& value : values) value = static_cast<double>(any() % 16);
      const std::int64_t begin = length == 0 ? 0 : static_cast<std::int64_t>(any()) % length;
      const auto expected = std::find(values.begin() + begin, values.end(), 0.0) - values.begin();
      const auto is_zero = [&](std::int64_t i) { return values.at(static_cast<std::size_t>(i)) == 0; };
      EXPECT_EQ(math::first_where(begin, length, is_zero), expected) << length << " from " << begin;
    }
  }
}

}  // namespace first_where_tests
}  // namespace sporos::test
