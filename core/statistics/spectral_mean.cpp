// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/statistics/spectral_mean.hpp>

#include <sporos/core/statistics/critical_values.hpp>
#include <sporos/core/statistics/warm_up.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>

namespace sporos {

namespace {

constexpr int ordinates = 25;              // K
constexpr double bias_factor = 0.882;      // C₁
constexpr double degrees_of_freedom = 7;   // C₂
constexpr double log_expectation = 0.270;  // −E ln of the mean of two independent unit exponentials

// Returns |Σ (x_t − mean) e^{−2πi t j / n}|² / n.
double periodogram(std::span<const double> values, double mean, int j) {
  const auto n = static_cast<double>(values.size());
  const double angle = 2 * std::numbers::pi * j / n, cosine = std::cos(angle), sine = std::sin(angle);
  double real = 0, imaginary = 0, x = 1, y = 0;  // e^{i t angle} = x + i y, updated by rotation
  for (const double value : values) {
    real += (value - mean) * x;
    imaginary += (value - mean) * y;
    const double turned = x * cosine - y * sine;
    y = x * sine + y * cosine;
    x = turned;
  }
  return (real * real + imaginary * imaginary) / n;
}

// Returns the value at 0 of the least-squares parabola a + b f + c f², by orthogonal polynomials.
double parabola_at_zero(const std::array<double, ordinates>& f, const std::array<double, ordinates>& y) {
  double mean = 0;
  for (const double x : f) mean += x / ordinates;
  double square = 0, cube = 0;
  for (const double x : f) {
    square += (x - mean) * (x - mean);
    cube += (x - mean) * (x - mean) * (x - mean);
  }
  const auto linear = [&](double x) { return x - mean; };
  const auto quadratic = [&](double x) {
    return (x - mean) * (x - mean) - cube / square * (x - mean) - square / ordinates;
  };
  double a = 0, b = 0, c = 0, norm = 0;
  for (int k = 0; k < ordinates; ++k) {
    a += y[k] / ordinates;
    b += y[k] * linear(f[k]) / square;
    c += y[k] * quadratic(f[k]);
    norm += quadratic(f[k]) * quadratic(f[k]);
  }
  return a + b * linear(0) + c / norm * quadratic(0);
}

}  // namespace

SeriesInterval spectral_mean(std::span<const double> series, double confidence) {
  constexpr std::size_t fewest = 200, most = 4096;
  const auto n = static_cast<std::int64_t>(series.size());
  if (series.size() < fewest) return no_interval(series_reason::too_short, n);
  const std::size_t size = (series.size() + most - 1) / most, used = series.size() / size * size;
  const auto values = averages_of(series.last(used), size);
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  if (*least == *greatest) return no_interval(series_reason::constant, n);
  const auto count = static_cast<double>(values.size());
  double mean = 0;
  for (const double value : values) mean += value / count;

  std::array<double, ordinates> frequencies{}, logarithms{};
  for (int k = 1; k <= ordinates; ++k) {
    const double pair = periodogram(values, mean, 2 * k - 1) + periodogram(values, mean, 2 * k);
    frequencies[k - 1] = (4 * k - 1) / (2 * count);
    logarithms[k - 1] = std::log(0.5 * pair) + log_expectation;
  }
  const double variance = bias_factor * std::exp(parabola_at_zero(frequencies, logarithms)) / count;
  const double width = student_t_quantile(0.5 * (1 + confidence), degrees_of_freedom) * std::sqrt(variance);
  SeriesInterval interval;
  interval.mean = mean;
  interval.low = mean - width;
  interval.high = mean + width;
  interval.used = static_cast<std::int64_t>(used);
  interval.cut = n - interval.used;
  interval.batch_size = static_cast<std::int64_t>(size);
  interval.batches = static_cast<std::int64_t>(values.size());
  interval.degrees_of_freedom = degrees_of_freedom;
  return interval;
}

}  // namespace sporos
