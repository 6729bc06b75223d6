// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/networks/network_case.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <vector>

/// Intervals of time in which the approximation of a network is stationary.
namespace sporos::models::impl {

/// Equal intervals that divide one cycle, if the network repeats it, or the horizon.
struct NetworkGrid {
  double length;
  std::size_t count;
  bool repeats;

  double end() const { return length * static_cast<double>(count); }

  /// Calls visit(interval, time) for each interval and the time that it has in common with [from, to).
  template <class Visit>
  void for_each_part(double from, double to, const Visit& visit) const {
    for (double i = std::floor(from / length); i * length < to; ++i) {
      const auto interval = static_cast<std::size_t>(i);
      if (interval >= count && !repeats) return;
      visit(interval % count, std::min(to, (i + 1) * length) - std::max(from, i * length));
    }
  }
  /// Interval that ends at a time or contains it.
  std::optional<std::size_t> before(double time) const {
    const double interval = std::max(std::ceil(time / length * (1 - 1e-12)) - 1, 0.0);
    if (interval >= static_cast<double>(count) && !repeats) return std::nullopt;
    return static_cast<std::size_t>(interval) % count;
  }
};

/// Returns the time in which arrivals and shifts are counted.
double counted_time(const NetworkDescription& network);

/// Returns the intervals of a network with roles; nothing if there are too many.
std::optional<NetworkGrid> grid_of(const NetworkDescription& network);

/// Integrates a schedule over [from, to).
double integral_of(const NetworkSchedule& schedule, double from, double to);

/// Returns the intervals that the observed time of each period covers, with shares of their lengths. They are unknown
/// if the periods repeat otherwise than the intervals.
std::vector<std::map<std::size_t, double>> parts_of_periods(const NetworkDescription& network, const NetworkGrid& grid);

}  // namespace sporos::models::impl
