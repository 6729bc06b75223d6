// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/format.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sporos::apps {

/// "1 row", "2 rows".
inline std::string plural(std::int64_t count, const std::string& one, const std::string& many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

/// A number in three digits.
inline std::string short_text(double value) { return fmt::format("{:.3g}", value); }

/// The first points of a trajectory, then ever fewer, and the last.
template <class Point>
std::vector<Point> some_of(const std::vector<Point>& trajectory) {
  std::vector<Point> points;
  for (std::size_t i = 0; i + 1 < trajectory.size(); i = i < 2 ? i + 1 : 2 * i) points.push_back(trajectory[i]);
  points.push_back(trajectory.back());
  return points;
}

}  // namespace sporos::apps
