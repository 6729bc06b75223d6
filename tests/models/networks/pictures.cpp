// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stations and routes are laid out by Graphviz if it is installed, otherwise in a grid.
#include "harness/environment_variable.hpp"

#include <sporos/models/networks/network_data.hpp>
#include <sporos/models/networks/network_picture.hpp>

#include <sporos/core/io/gnuplot.hpp>

#include <gtest/gtest.h>

#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace sporos::test {
namespace network_pictures_tests {

// Script for a network of five stations, one of which sends customers back.
std::string script() {
  const auto network = models::read_network_case(SPOROS_NETWORK_CASES "/emergency_department.json");
  const std::vector<double> means(models::network_responses(network).size(), 0.5);
  return models::network_picture(network, means);
}

// Number of points of each route.
std::vector<int> points_of_ways(const std::string& script) {
  std::vector<int> points;
  std::istringstream lines(script);
  bool is_in_way = false;
  for (std::string line; std::getline(lines, line);) {
    if (line == "END") is_in_way = false;
    if (is_in_way) ++points.back();
    if (!line.starts_with("$way")) continue;
    is_in_way = true;
    points.push_back(0);
  }
  return points;
}

void expect_stations_inside(const std::string& script) {
  const std::regex corner("set object rectangle from ([-0-9.]+),([-0-9.]+) to ([-0-9.]+),([-0-9.]+)");
  int corners = 0;
  for (std::sregex_iterator found(script.begin(), script.end(), corner), end; found != end; ++found) {
    for (std::size_t i = 1; i <= 4; ++i) {
      ++corners;
      EXPECT_GE(std::stod((*found)[i]), 0);
      EXPECT_LE(std::stod((*found)[i]), 1);
    }
  }
  EXPECT_EQ(corners, 5 * 3 * 4);
}

TEST(NetworkPicture, IsLaidOutByGraphviz) {
  if (!io::impl::run_program({"dot", "-V"}, "")) GTEST_SKIP() << "there is no dot in PATH";
  const std::string drawn = script();
  const auto points = points_of_ways(drawn);
  EXPECT_EQ(points.size(), 5u);
  for (const int count : points) EXPECT_GE(count, 13);  // a curve
  expect_stations_inside(drawn);
}

TEST(NetworkPicture, IsAGridWithoutGraphviz) {
  const EnvironmentVariable path("PATH", "/nowhere");
  const std::string drawn = script();
  const auto points = points_of_ways(drawn);
  EXPECT_EQ(points.size(), 5u);
  for (const int count : points) EXPECT_EQ(count, 2);
  expect_stations_inside(drawn);
}

}  // namespace network_pictures_tests
}  // namespace sporos::test
