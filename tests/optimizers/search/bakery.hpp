// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "noisy_problems.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace sporos::test {

/// A bakery bakes two kinds of loaves in batches, on trays of 12. A tray costs as much as several loaves earn, so each
/// batch that fills its trays is locally optimal: the profit has tens of local maxima. Demands are integers from 20 to
/// 59 and from 10 to 39; unsold loaves are lost.
struct Bakery {
  static constexpr double price = 12, loaf = 3, tray = 45, rent = 40;

  /// Profit of a day with these demands.
  static double profit(std::span<const double> batches, std::span<const double> demands) {
    double sum = -rent;
    for (std::size_t i = 0; i < 2; ++i)
      sum += price * std::min(batches[i], demands[i]) - loaf * batches[i] - tray * std::ceil(batches[i] / 12);
    return sum;
  }

  /// Exact mean profit.
  static double mean_profit(std::span<const double> batches) {
    double sum = 0;
    for (int i = 0; i < 40 * 30; ++i) {
      const std::vector<double> demands{20.0 + i % 40, 10.0 + i / 40};
      sum += profit(batches, demands) / (40 * 30);
    }
    return sum;
  }

  /// Best batches, found by trying all.
  static std::vector<double> best() {
    std::vector<double> found{1, 1};
    double most = mean_profit(found);
    for (double x = 1; x <= 60; ++x) {
      for (double y = 1; y <= 60; ++y) {
        const std::vector<double> batches{x, y};
        if (const double mean = mean_profit(batches); mean > most) {
          most = mean;
          found = batches;
        }
      }
    }
    return found;
  }

  /// The problem of minimizing the loss, for batches from 1 to 60.
  static NoisyProblem problem() {
    return {{{1, 60, true}, {1, 60, true}},
            false,
            [](std::span<const double> x, const std::function<double()>& u, std::span<double>) {
              const std::vector<double> demands{20 + std::floor(40 * u()), 10 + std::floor(30 * u())};
              return -profit(x, demands);
            }};
  }
};

}  // namespace sporos::test
