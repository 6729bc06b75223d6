// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computed floating-point numbers are converted to counts.
#include <sporos/core/math/count.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace sporos::test {
namespace count_tests {

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Counts, AreBounded) {
  for (const double number : {0.0, 1.0, 3e9, 0x1p53 - 1, -17.0, 2.75, -2.75}) {
    EXPECT_EQ(static_cast<double>(bounded_count(number)), std::trunc(number));
  }
  for (const double number : {0x1p53, 3.2e22, 1e300, infinity, std::nan("")}) {
    EXPECT_EQ(bounded_count(number), max_counted) << number;
  }
  for (const double number : {-0x1p53, -1e300, -infinity}) EXPECT_EQ(bounded_count(number), -max_counted) << number;
}

TEST(Counts, AreCheckedWithARemedy) {
  EXPECT_EQ(checked_count("replications", 7.5, "none"), 7);
  EXPECT_EQ(checked_count("replications", 0x1p53, "none"), max_counted);
  for (const double number : {3.2e22, infinity, -1.0, std::nan("")}) {
    EXPECT_THROW(checked_count("replications", number, "none"), std::invalid_argument) << number;
  }
  try {
    checked_count("replications", 3.2e22, "raise delta");
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "replications: 3.2e+22 are needed, expected at most 9007199254740992: raise delta");
  }
}

}  // namespace count_tests
}  // namespace sporos::test
