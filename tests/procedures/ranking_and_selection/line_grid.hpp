// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/procedures/ranking_and_selection/system_grid.hpp>

#include <vector>

namespace sporos::test {

/// Integers from `first` to `last`.
inline std::vector<double> counted(int first, int last) {
  std::vector<double> values;
  for (int i = first; i <= last; ++i) values.push_back(i);
  return values;
}

/// Grid of all lines of three stations whose rates add up to `rates` and whose buffers add up to `buffers`.
inline SystemGrid line_grid(int rates, int buffers) {
  std::vector<GridAxis> axes;
  for (const auto* name : {"rate_1", "rate_2", "rate_3"}) axes.push_back({name, counted(1, rates - 2)});
  for (const auto* name : {"buffer_2", "buffer_3"}) axes.push_back({name, counted(1, buffers - 1)});
  return SystemGrid(axes, {{{"rate_1", "rate_2", "rate_3"}, rates}, {{"buffer_2", "buffer_3"}, buffers}});
}

}  // namespace sporos::test
