// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/math/count.hpp>
#include <sporos/core/statistics/skart.hpp>

#include <sporos/core/statistics/batch_means.hpp>
#include <sporos/core/statistics/critical_values.hpp>
#include <sporos/core/statistics/warm_up.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

namespace sporos {

namespace {

struct CentralMoments {
  double count = 0, mean = 0, square = 0, cube = 0;  // sums of powers of deviations

  double variance() const { return square / (count - 1); }

  // Fisher and Pearson's skewness, unbiased in normal samples.
  double skewness() const {
    if (!(square > 0)) return 0;
    const double plain = std::sqrt(count) * cube / std::pow(square, 1.5);
    return plain * std::sqrt(count * (count - 1)) / (count - 2);
  }
};

CentralMoments central_moments(std::span<const double> values) {
  CentralMoments moments;
  moments.count = static_cast<double>(values.size());
  for (const double x : values) moments.mean += x / moments.count;
  for (const double x : values) {
    const double deviation = x - moments.mean;
    moments.square += deviation * deviation;
    moments.cube += deviation * deviation * deviation;
  }
  return moments;
}

// Returns every (spacer + 1)th value, each preceded by its spacer.
std::vector<double> spaced(std::span<const double> values, std::size_t spacer) {
  std::vector<double> list;
  for (std::size_t i = spacer; i < values.size(); i += spacer + 1) list.push_back(values[i]);
  return list;
}

// Whether von Neumann's ratio of the mean square successive difference to the variance lies within the normal band at
// level 0.2. For independent values, the ratio has mean 2 and variance 4 (n − 2) / (n² − 1).
bool looks_independent(std::span<const double> values) {
  constexpr double level = 0.2;
  const auto n = static_cast<double>(values.size());
  if (values.size() < 3) return false;
  double successive = 0;
  for (std::size_t i = 1; i < values.size(); ++i) {
    successive += (values[i] - values[i - 1]) * (values[i] - values[i - 1]);
  }
  const double ratio = successive / (n - 1) / central_moments(values).variance();
  return std::abs(ratio - 2) < normal_z(1 - level) * std::sqrt(4 * (n - 2) / (n * n - 1));
}

// Batches that show no dependence on each other.
struct Spacing {
  std::size_t batch_size, batches, spacer, spaced_batches;
  int growths;  // number of times that the batch size has grown
};

std::optional<Spacing> find_spacing(std::span<const double> series) {
  constexpr double skewed_observation = 4, skewed_batch = 0.5;
  const std::size_t n = series.size();
  Spacing found{1, min_for_skart, 0, min_for_skart, 0};
  if (std::abs(central_moments(series.subspan(n / 5)).skewness()) > skewed_observation) {
    found.batch_size = std::min<std::size_t>(16, n / min_for_skart);
  }
  while (found.batch_size * found.batches <= n) {
    const auto means = averages_of(series.first(found.batch_size * found.batches), found.batch_size);
    const bool is_skewed =
        std::abs(central_moments(std::span(means).subspan(means.size() / 5)).skewness()) > skewed_batch;
    const std::size_t max_spacer = is_skewed ? 3 : 10;
    for (found.spacer = 0; found.spacer <= max_spacer; ++found.spacer) {
      const auto apart = spaced(means, found.spacer);
      found.spaced_batches = apart.size();
      if (looks_independent(apart)) return found;
    }
    found.batch_size =
        static_cast<std::size_t>(bounded_count(std::ceil(std::sqrt(2.0) * static_cast<double>(found.batch_size))));
    found.batches = static_cast<std::size_t>(bounded_count(std::ceil(0.9 * static_cast<double>(found.batches))));
    ++found.growths;
  }
  return std::nullopt;
}

// Batch size and number of batches after the warm-up.
struct Batching {
  std::size_t size, count;
};

Batching batching_of(const Spacing& spacing, std::size_t length) {
  constexpr std::size_t most = 1024;
  auto batches = static_cast<double>(spacing.spaced_batches);
  if (spacing.spacer > 0) {
    batches = std::min(std::ceil(batches * std::pow(1 / 0.9, spacing.growths)), static_cast<double>(spacing.batches));
  }
  const double size = static_cast<double>(spacing.batch_size);
  const double inflation = std::sqrt(static_cast<double>(length) / (batches * size));
  const auto count = static_cast<std::size_t>(inflation * batches);
  if (count >= most) return {length / most, most};
  return {static_cast<std::size_t>(inflation * size), count};
}

double skewness_adjusted(double t, double beta) {
  constexpr double none = 1e-15;
  if (std::abs(beta) < none) return t;
  return (std::cbrt(1 + 6 * beta * (t - beta)) - 1) / (2 * beta);
}

}  // namespace

SeriesInterval n_skart(std::span<const double> series, double confidence) {
  const auto n = static_cast<std::int64_t>(series.size());
  if (n < min_for_skart) return no_interval(series_reason::too_short, n);
  const auto [least, greatest] = std::minmax_element(series.begin(), series.end());
  if (*least == *greatest) return no_interval(series_reason::constant, n);
  const auto spacing = find_spacing(series);
  if (!spacing) return no_interval(series_reason::dependent, n);

  const std::size_t warm_up = spacing->spacer * spacing->batch_size;
  const auto [size, count] = batching_of(*spacing, series.size() - warm_up);
  const std::size_t used = size * count;
  const auto means = averages_of(series.last(used), size);
  const CentralMoments moments = central_moments(means);
  if (!(moments.square > 0)) return no_interval(series_reason::constant, n);
  const double correlation = lag_one_correlation(means, moments.mean, moments.square);
  const double adjusted = (1 + correlation) / (1 - correlation) * moments.variance() / moments.count;

  const std::size_t cut = series.size() - used, spacer = (cut + size - 1) / size;
  const auto apart = spaced(means, spacer);
  const auto independent = static_cast<double>(1 + (count - 1) / (spacer + 1));
  if (apart.size() < 3) return no_interval(series_reason::too_short, n);
  const double beta = central_moments(apart).skewness() / (6 * std::sqrt(independent));
  const double t = student_t_quantile(0.5 * (1 + confidence), independent - 1), error = std::sqrt(adjusted);

  SeriesInterval interval;
  interval.mean = moments.mean;
  interval.low = moments.mean - skewness_adjusted(t, beta) * error;
  interval.high = moments.mean - skewness_adjusted(-t, beta) * error;
  interval.cut = static_cast<std::int64_t>(cut);
  interval.used = static_cast<std::int64_t>(used);
  interval.batch_size = static_cast<std::int64_t>(size);
  interval.batches = static_cast<std::int64_t>(count);
  interval.degrees_of_freedom = independent - 1;
  return interval;
}

}  // namespace sporos
