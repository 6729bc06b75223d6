// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/statistics/variance_ratio.hpp>

#include <sporos/core/statistics/critical_values.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace sporos {

namespace {

double average(std::span<const double> values) {
  double mean = 0;
  // The second pass corrects the first, so that the average of equal values is exact.
  for (int pass = 0; pass < 2; ++pass) {
    double sum = 0;
    for (const double x : values) sum += x - mean;
    mean += sum / static_cast<double>(values.size());
  }
  return mean;
}

// The average after trimming a share of 1 / (2 √(n − 4)) of the values at each end. Requires n > 4.
double trimmed_average(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const auto n = static_cast<double>(sorted.size());
  const auto cut = static_cast<std::size_t>(n / (2 * std::sqrt(n - 4)));
  return average(std::span(sorted).subspan(cut, sorted.size() - 2 * cut));
}

}  // namespace

VarianceEstimate VarianceEstimate::of(std::span<const double> observations) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr std::size_t fewest = 5;
  VarianceEstimate estimate{static_cast<std::int64_t>(observations.size()), 0, infinity, infinity};
  if (observations.empty()) return estimate;
  const auto n = static_cast<double>(observations.size());
  estimate.mean = average(observations);
  double squares = 0;
  for (const double x : observations) squares += (x - estimate.mean) * (x - estimate.mean);
  constexpr double rounding = 1e-13;  // relative deviation below which observations count as equal
  if (std::sqrt(squares / n) <= rounding * std::abs(estimate.mean)) squares = 0;
  if (observations.size() > 1) estimate.variance = squares / (n - 1);
  if (observations.size() < fewest) return estimate;
  estimate.log_error = 0;
  if (estimate.variance == 0) return estimate;
  const double center = trimmed_average(observations);
  double kurtosis = 0;
  for (const double x : observations) kurtosis += std::pow((x - center) * (x - center) / squares, 2) * n;
  estimate.log_error = std::sqrt(std::max(kurtosis - (n - 3) / n, 0.0) / (n - 1));
  return estimate;
}

VarianceRatio variance_ratio(const VarianceEstimate& numerator, std::int64_t numerator_run,
                             const VarianceEstimate& denominator, std::int64_t denominator_run, double confidence) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double ratio = numerator.variance * static_cast<double>(numerator_run) /
                       (denominator.variance * static_cast<double>(denominator_run));
  const double error = std::hypot(numerator.log_error, denominator.log_error);
  if (std::isnan(ratio) || std::isinf(error)) return {ratio, 0, infinity};
  const double width = std::exp(error * student_t(confidence, std::min(numerator.count, denominator.count)));
  return {ratio, ratio / width, ratio * width};
}

}  // namespace sporos
