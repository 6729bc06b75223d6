// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/statistics/confidence.hpp>
#include <sporos/core/statistics/moments.hpp>
#include <sporos/procedures/sensitivity/sobol_indices.hpp>

#include <limits>
#include <stdexcept>
#include <string>

namespace sporos {

namespace {

double square(double x) { return x * x; }

// Ratio of the mean of `numerators` to `denominator`. `parts` has the estimate of the denominator from each row.
SobolIndex ratio_of(const std::vector<double>& numerators, const std::vector<double>& parts, double denominator,
                    std::int64_t groups, double confidence) {
  double sum = 0;
  for (const double numerator : numerators) sum += numerator;
  const auto rows = static_cast<double>(numerators.size());
  if (!(denominator > 0)) {
    return {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()};
  }
  const double index = sum / rows / denominator;
  const std::size_t length = numerators.size() / static_cast<std::size_t>(groups);
  MomentsTree residuals;
  for (std::size_t begin = 0; begin < numerators.size(); begin += length) {
    double residual = 0;
    for (std::size_t row = begin; row < begin + length; ++row) residual += numerators[row] - index * parts[row];
    residuals.add(residual / static_cast<double>(length));
  }
  return {index, half_width(residuals.total(), confidence) / denominator};
}

void check(const PickFreeze& design, std::size_t points, std::int64_t groups) {
  if (points != design.point_count()) {
    impl::refuse_parameter("number of points", std::to_string(points), std::to_string(design.point_count()));
  }
  if (groups < 2 || static_cast<std::int64_t>(design.rows) % groups != 0) {
    impl::refuse_parameter("number of groups", std::to_string(groups),
                           "a divisor of " + std::to_string(design.rows) + " rows that is at least 2");
  }
}

}  // namespace

std::vector<PointMean> point_means(const ExperimentResult& result, std::size_t response) {
  std::vector<PointMean> means;
  for (const PointResult& point : result.points) {
    if (point.failure) {
      throw std::runtime_error("design point " + std::to_string(&point - result.points.data() + 1) +
                               " has failed, but variances require every point: " + point.failure->reason);
    }
    const ResponseEstimate& estimate = point.responses.at(response);
    if (estimate.observations < 2) {
      impl::refuse_parameter("number of observations at a design point", std::to_string(estimate.observations),
                             "at least 2, to estimate the noise");
    }
    means.push_back({estimate.mean, estimate.variance / static_cast<double>(estimate.observations)});
  }
  return means;
}

SobolIndices sobol_indices(const PickFreeze& design, const std::vector<PointMean>& points, std::int64_t groups,
                           double confidence) {
  check(design, points.size(), groups);
  const std::size_t rows = design.rows, stride = design.points_of_row();
  const auto base_count = static_cast<double>(design.base_count());
  SobolIndices indices;
  for (std::size_t row = 0; row < rows; ++row) {
    const PointMean &a = points[row * stride], &b = points[row * stride + 1];
    indices.mean += (a.mean + b.mean) / base_count;
    indices.noise += (a.variance + b.variance) / base_count;
  }
  std::vector<double> parts;  // estimates of the variance by row
  double squares = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    const PointMean &a = points[row * stride], &b = points[row * stride + 1];
    const double deviations = square(a.mean - indices.mean) + square(b.mean - indices.mean);
    squares += deviations;
    parts.push_back((deviations - a.variance - b.variance) / 2);
  }
  indices.variance = squares / (base_count - 1) - indices.noise;

  std::vector<double> first(rows), total(rows);
  for (std::size_t input = 0; input < design.inputs; ++input) {
    for (std::size_t row = 0; row < rows; ++row) {
      const PointMean &a = points[row * stride], &b = points[row * stride + 1],
                      &mixed = points[row * stride + input + 2];
      first[row] = (b.mean - indices.mean) * (mixed.mean - a.mean);
      total[row] = (square(a.mean - mixed.mean) - a.variance - mixed.variance) / 2;
    }
    indices.first.push_back(ratio_of(first, parts, indices.variance, groups, confidence));
    indices.total.push_back(ratio_of(total, parts, indices.variance, groups, confidence));
  }
  return indices;
}

}  // namespace sporos
