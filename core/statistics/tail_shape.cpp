// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/statistics/tail_shape.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>

namespace sporos {

namespace {

// Returns k for the parameter b = k / scale of the generalized Pareto distribution of the excesses.
double shape_of(double b, const std::vector<double>& excesses) {
  double sum = 0;
  for (const double excess : excesses) sum += std::log1p(-b * excess);
  return sum / static_cast<double>(excesses.size());
}

// Zhang and Stephens' estimate of k from ascending excesses: b is averaged over a grid, weighted by profile likelihood.
// A weak prior favors k = 1/2.
double pareto_shape(const std::vector<double>& excesses) {
  const auto n = static_cast<double>(excesses.size());
  const double quartile = excesses[static_cast<std::size_t>(n / 4 + 0.5) - 1], largest = excesses.back();
  if (!(quartile > 0)) return 0;
  const int grid = 30 + static_cast<int>(std::sqrt(n));
  std::vector<double> candidates, likelihoods;
  for (int i = 1; i <= grid; ++i) {
    const double b = 1 / largest + (1 - std::sqrt(grid / (i - 0.5))) / (3 * quartile);
    const double k = shape_of(b, excesses);
    candidates.push_back(b);
    likelihoods.push_back(n * (std::log(-b / k) - k - 1));
  }
  const double best = *std::max_element(likelihoods.begin(), likelihoods.end());
  double weights = 0, sum = 0;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const double weight = std::exp(likelihoods[i] - best);
    weights += weight;
    sum += weight * candidates[i];
  }
  constexpr double prior = 10;
  const double shape = (n * shape_of(sum / weights, excesses) + prior * 0.5) / (n + prior);
  return std::isfinite(shape) ? shape : 0;
}

}  // namespace

double tail_shape(std::vector<double> values) {
  const auto n = static_cast<double>(values.size());
  const auto count = static_cast<std::size_t>(std::min(n / 5, 3 * std::sqrt(n)));
  if (count < 5) return 0;
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count), values.end(), std::greater<>());
  const double threshold = values[count];
  values.resize(count);
  std::sort(values.begin(), values.end());
  for (double& value : values) value -= threshold;
  if (!(values.back() > 1e-9 * std::abs(threshold))) return 0;
  return pareto_shape(values);
}

}  // namespace sporos
