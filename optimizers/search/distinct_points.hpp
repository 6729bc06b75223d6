// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <map>
#include <vector>

namespace sporos {

/// Points in the order in which they first came, each once.
class DistinctPoints {
 public:
  /// The place of `x` in points(), where it comes last if it is new.
  std::size_t add(const std::vector<double>& x) {
    const auto [found, is_new] = m_places.try_emplace(x, m_points.size());
    if (is_new) m_points.push_back(x);
    return found->second;
  }

  /// All of them.
  const std::vector<std::vector<double>>& points() const { return m_points; }

 private:
  std::map<std::vector<double>, std::size_t> m_places;
  std::vector<std::vector<double>> m_points;
};

}  // namespace sporos
