// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/optimizers/frank_wolfe/regions/budget.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

/// The order in which a screening looks at coordinates.
namespace sporos::impl {

/// Sorts the indices of `values` into bins of similar values, in ascending order of bins and, within a bin, of indices.
/// Returns the indices and, for each, the smallest value in its bin. A full sort of a million takes ten times as long.
inline std::pair<std::vector<std::int64_t>, std::vector<double>> in_bins(const std::vector<double>& values) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double low = infinity, high = -infinity;
  for (const double value : values) {
    if (value > -infinity) low = std::min(low, value);
    if (value < infinity) high = std::max(high, value);
  }
  const std::size_t bins = std::min(values.size(), std::size_t{1} << 16) + 2;
  const double width = high > low ? static_cast<double>(bins - 2) / (high - low) : 0;
  const auto bin_of = [&](double value) {
    if (!(value >= low)) return std::size_t{0};
    return value < infinity ? std::min(1 + static_cast<std::size_t>((value - low) * width), bins - 2) : bins - 1;
  };
  std::vector<double> least(bins, infinity);
  std::vector<std::size_t> ends(bins + 1, 0);
  for (const double value : values) {
    const std::size_t bin = bin_of(value);
    least[bin] = std::min(least[bin], value);
    ++ends[bin + 1];
  }
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  std::pair<std::vector<std::int64_t>, std::vector<double>> found{values.size(), values.size()};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t bin = bin_of(values[i]), at = ends[bin]++;
    found.first[at] = static_cast<std::int64_t>(i);
    found.second[at] = least[bin];
  }
  return found;
}

/// Returns s_j for all coordinates.
template <class ExecutionSpace>
std::vector<double> vertex_amounts(const Budget<ExecutionSpace>& region) {
  std::vector<double> amounts(static_cast<std::size_t>(region.dimension()), region.limit());
  const std::vector<double> costs = to_host<ExecutionSpace>(region.costs());
  for (std::size_t j = 0; j < costs.size(); ++j) amounts[j] = region.limit() / costs[j];
  return amounts;
}

}  // namespace sporos::impl
