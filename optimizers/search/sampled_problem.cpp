// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/optimizers/checks.hpp>
#include <sporos/optimizers/search/sampled_problem.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace sporos {

namespace {

[[noreturn]] void refuse(const SampledProblem& problem, std::span<const double> x, double value) {
  std::string place;
  for (std::size_t i = 0; i < x.size(); ++i) {
    place += (i == 0 ? "" : ", ") + problem.coordinate_name(i) + " = " + impl::number_text(x[i]);
  }
  throw std::runtime_error("objective or gradient at " + place + " is " +
                           (std::isnan(value) ? "nan" : impl::number_text(value)) + ", not a finite number");
}

// Of each replication mean + Σ weight · (value − mean of values): a column each of the objective and its derivatives.
std::vector<double> linear_values(const SampleMoments& moments, const std::vector<double>& weights, double mean,
                                  const std::vector<double>& gradient) {
  const auto n = static_cast<std::size_t>(moments.count);
  const std::size_t k = weights.size(), d = gradient.size();
  std::vector<double> values(n * (1 + d));
  for (std::size_t column = 0; column <= d; ++column) {
    double offset = column == 0 ? mean : gradient[column - 1];
    for (std::size_t c = 0; c < k; ++c)
      offset -= weights[c] * (column == 0 ? moments.means[c] : moments.slopes[c * d + column - 1]);
    double* const to = values.data() + column * n;
    std::fill(to, to + n, offset);
    for (std::size_t c = 0; c < k; ++c) {
      const double* const from = moments.values.data() + (c * (1 + d) + column) * n;
      for (std::size_t r = 0; r < n; ++r) to[r] += weights[c] * from[r];
    }
  }
  return values;
}

}  // namespace

void SampleMoments::add(const SampleMoments& others) {
  values.clear();
  if (count == 0) {
    *this = {others.count, others.means, others.products, others.slopes, {}};
    return;
  }
  const std::size_t k = means.size();
  const auto own = static_cast<double>(count), added = static_cast<double>(others.count);
  const double share = added / (own + added);
  for (std::size_t i = 0; i < k; ++i) {
    const double delta = others.means[i] - means[i];
    for (std::size_t j = 0; j < k; ++j)
      products[i * k + j] += others.products[i * k + j] + delta * (others.means[j] - means[j]) * own * share;
  }
  for (std::size_t i = 0; i < k; ++i) means[i] += (others.means[i] - means[i]) * share;
  for (std::size_t i = 0; i < slopes.size(); ++i) slopes[i] += (others.slopes[i] - slopes[i]) * share;
  count += others.count;
}

PairedDifference paired_difference(const SampleMean& first, const SampleMean& second) {
  const auto count = static_cast<std::size_t>(first.count);
  const auto n = static_cast<double>(first.count);
  if (first.count != second.count || first.values.size() < count || second.values.size() < count)
    throw std::invalid_argument("a paired difference needs the same replications of both samples, one by one");
  const double mean = first.mean - second.mean;
  double squares = 0;
  for (std::size_t r = 0; r < count; ++r) {
    const double deviation = first.values[r] - second.values[r] - mean;
    squares += deviation * deviation;
  }
  return {mean, squares / (n - 1) / n};
}

double SampledProblem::objective(std::span<const double>, std::span<const double> means,
                                 std::span<double> by_coordinates, std::span<double> by_means) const {
  std::ranges::fill(by_coordinates, 0.0);
  std::ranges::fill(by_means, 1.0);
  return means.front();
}

std::string SampledProblem::coordinate_name(std::size_t coordinate) const {
  return "coordinate " + std::to_string(coordinate);
}

SampleMean SampledProblem::estimate(std::span<const double> x, SampleMoments moments) const {
  SampleMean found;
  found.count = moments.count;
  if (moments.count == 0) {
    found.mean = std::numeric_limits<double>::infinity();
    return found;
  }
  const std::size_t k = moments.means.size();
  std::vector<double> weights(k);
  found.gradient.resize(moments.slopes.empty() ? 0 : x.size());
  found.mean = objective(x, moments.means, found.gradient, weights);
  if (!std::isfinite(found.mean)) refuse(*this, x, found.mean);
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 0; j < found.gradient.size(); ++j)
      found.gradient[j] += weights[i] * moments.slopes[i * x.size() + j];
    for (std::size_t j = 0; j < k; ++j)
      found.squared_deviation += weights[i] * weights[j] * moments.products[i * k + j];
  }
  for (const double slope : found.gradient) {
    if (!std::isfinite(slope)) refuse(*this, x, slope);
  }
  if (!moments.values.empty()) found.values = linear_values(moments, weights, found.mean, found.gradient);
  moments.values.clear();
  found.moments = std::move(moments);
  return found;
}

std::vector<SampleMean> SampledProblem::evaluate(std::span<const Sample> samples) {
  std::vector<SampleMoments> moments = simulate(samples);
  std::vector<SampleMean> means;
  means.reserve(samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i) means.push_back(estimate(samples[i].x, std::move(moments[i])));
  return means;
}

}  // namespace sporos
