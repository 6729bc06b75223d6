// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sobol's sequence without its scrambling, against Boost's.
#include <sporos/core/sampling/sobol.hpp>

#include <gtest/gtest.h>
#include <boost/random/sobol.hpp>

#include <cstdint>

namespace {

using namespace sporos;

TEST(Sobol, IsThatOfBoostInAllDimensions) {
  constexpr std::uint32_t points = 1000;
  const auto directions = sobol_directions(most_sobol_dimensions);
  boost::random::sobol_engine<std::uint32_t, 32> boost_sobol(static_cast<std::size_t>(most_sobol_dimensions));
  int mismatches = 0;
  for (std::uint32_t point = 1; point <= points; ++point) {  // Boost's leaves out the origin
    for (std::int64_t dimension = 0; dimension < most_sobol_dimensions; ++dimension) {
      const std::uint32_t* own = directions.data() + dimension * sobol_bits;
      mismatches += sobol_coordinate(own, point) != boost_sobol();
    }
  }
  EXPECT_EQ(mismatches, 0);
  EXPECT_EQ(sobol_coordinate(directions.data(), 0), 0u);
}

}  // namespace
