// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <map>
#include <vector>

namespace sporos {

/// Collection of distinct points, in the order in which they were first added.
class DistinctPoints {
 public:
  /// Returns the index of `x` in points(); appends `x` if it is new.
  std::size_t add(const std::vector<double>& x) {
    const auto [found, is_new] = m_places.try_emplace(x, m_points.size());
    if (is_new) m_points.push_back(x);
    return found->second;
  }

  /// All distinct points.
  const std::vector<std::vector<double>>& points() const { return m_points; }

 private:
  std::map<std::vector<double>, std::size_t> m_places;
  std::vector<std::vector<double>> m_points;
};

}  // namespace sporos
