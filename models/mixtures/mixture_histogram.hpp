// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/count.hpp>
#include <sporos/models/mixtures/normal_mixture.hpp>
#include <sporos/models/mixtures/observations.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <numeric>
#include <vector>

namespace sporos::models {

/// Weighted density of a component at y, on the host.
inline double density(const NormalComponent& component, double y) {
  const double z = (y - component.mean) / component.deviation;
  return component.weight * std::exp(-0.5 * z * z) / (component.deviation * std::sqrt(2 * std::numbers::pi));
}

/// Density f(y) of a mixture, on the host.
inline double density(const NormalMixture& mixture, double y) {
  return std::accumulate(mixture.begin(), mixture.end(), 0.0,
                         [y](double sum, const NormalComponent& component) { return sum + density(component, y); });
}

/// Bin width with the smallest mean square error for a histogram of n observations from f, (6 / (n ∫ f′²))^(1/3). ∫ f′²
/// is exact here; the quartile rule of Freedman and Diaconis (1981) estimates this width.
inline double best_bin_width(const NormalMixture& mixture, double observations) {
  double roughness = 0;
  for (const auto& a : mixture) {
    for (const auto& b : mixture) {
      const double variance = a.deviation * a.deviation + b.deviation * b.deviation, distance = a.mean - b.mean;
      roughness += b.weight * density({a.weight, 0, std::sqrt(variance)}, distance) *
                   (1 - distance * distance / variance) / variance;
    }
  }
  return std::cbrt(6 / (observations * roughness));
}

namespace impl {

// Smallest distance between two different values of a sorted list. Data are often integer multiples of a unit.
inline double min_gap(const std::vector<double>& sorted) {
  double gap = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    const double distance = sorted[i] - sorted[i - 1];
    if (distance > 0) gap = std::min(gap, distance);
  }
  return gap;
}

// Equal bins over [first, last]. If a bin would contain only a few units of the data, edges lie between two units, and
// every bin contains the same number of units.
inline std::vector<double> bin_edges(double first, double last, double width, double unit) {
  const bool has_unit = width < 20 * unit && (last - first) / unit < 1e6;
  if (has_unit) {
    width = unit * std::max(1.0, std::round(width / unit));
    first -= unit / 2;
    last += unit / 2;
  }
  const auto bins =
      static_cast<std::size_t>(bounded_count(std::max(1.0, std::ceil((last - first) / width * (1 - 1e-9)))));
  if (!has_unit) width = (last - first) / static_cast<double>(bins);
  std::vector<double> edges;
  for (std::size_t b = 0; b <= bins; ++b) edges.push_back(first + static_cast<double>(b) * width);
  return edges;
}

}  // namespace impl

/// Histogram of a sample from a mixture, with bins of best_bin_width, but at least 10 and at most 3 √n and 200 bins.
/// Bins are aligned to data that are multiples of a unit. Throws std::invalid_argument if the sample or the mixture
/// does not pass its check.
inline BinnedObservations histogram_of(const Observations& sample, const NormalMixture& mixture) {
  check(sample);
  check(mixture);
  std::vector<double> sorted = sample.values;
  std::sort(sorted.begin(), sorted.end());
  const double n = sample.weights.empty() ? static_cast<double>(sorted.size())
                                          : std::accumulate(sample.weights.begin(), sample.weights.end(), 0.0);
  const double range = sorted.back() - sorted.front();
  if (!(range > 0)) {
    const double half = mixture.front().deviation;
    return {{sorted.front() - half, sorted.front() + half}, {n}};
  }
  const double most = std::clamp(3 * std::sqrt(n), 10.0, 200.0);
  const double width = std::clamp(best_bin_width(mixture, n), range / most, range / 10);
  BinnedObservations bins{impl::bin_edges(sorted.front(), sorted.back(), width, impl::min_gap(sorted)), {}};
  bins.counts.resize(bins.edges.size() - 1);
  for (std::size_t i = 0; i < sample.values.size(); ++i) {
    const auto edge = std::upper_bound(bins.edges.begin() + 1, bins.edges.end() - 1, sample.values[i]);
    bins.counts[static_cast<std::size_t>(edge - bins.edges.begin()) - 1] +=
        sample.weights.empty() ? 1 : sample.weights[i];
  }
  return bins;
}

}  // namespace sporos::models
