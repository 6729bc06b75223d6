// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sobol's sequence without its scrambling, against Boost's.
#include <sporos/core/sampling/sobol.hpp>

#include <gtest/gtest.h>
#include <boost/random/sobol.hpp>

#include <cstdint>
#include <vector>

namespace sobol_tests {

using namespace sporos;

TEST(Sobol, IsThatOfBoostInAllDimensions) {
  constexpr std::uint32_t points = 1000;
  const auto directions = sobol_directions(most_sobol_dimensions);
  boost::random::sobol_engine<std::uint32_t, 32> boost_sobol(static_cast<std::size_t>(most_sobol_dimensions));
  std::vector<std::uint32_t> coordinates(most_sobol_dimensions);
  int mismatches = 0;
  for (std::uint32_t point = 1; point <= points; ++point) {  // Boost's leaves out the origin
    sobol_coordinates(directions.data(), coordinates.size(), point, most_sobol_dimensions, coordinates.data());
    for (const std::uint32_t coordinate : coordinates) mismatches += coordinate != boost_sobol();
  }
  EXPECT_EQ(mismatches, 0);
  sobol_coordinates(directions.data(), coordinates.size(), 0, most_sobol_dimensions, coordinates.data());
  EXPECT_EQ(coordinates, std::vector<std::uint32_t>(most_sobol_dimensions));
}

}  // namespace sobol_tests
