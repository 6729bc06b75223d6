// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/statistics/critical_values.hpp>
#include <sporos/optimizers/checks.hpp>
#include <sporos/optimizers/search/check_pathwise.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

namespace sporos {

namespace {

void check(const PathwiseCheckOptions& options) {
  const double probability = options.error_probability;
  impl::check_parameter(options.replications >= 2, "replications of a check", options.replications, "at least 2");
  impl::check_parameter(probability > 0 && probability < 1, "error probability", probability,
                        "a number between 0 and 1");
  check_positive("step", options.step);
}

// A point x whose distance from each bound is at least the step by which it is moved.
struct MovedPoint {
  std::vector<double> x, steps;
};

MovedPoint moved_inside(const SampledProblem& problem, std::vector<double> x, double step) {
  std::vector<double> steps;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto& [low, high, is_integer] = problem.bounds()[i];
    const double h = step * std::max(1.0, std::abs(x[i]));
    impl::check_parameter(high - low >= 2 * h, "width of the range of coordinate " + std::to_string(i), high - low,
                          "at least twice the step, " + impl::number_text(2 * h));
    x[i] = std::clamp(x[i], low + h, high - h);
    steps.push_back(h);
  }
  return {std::move(x), std::move(steps)};
}

// Returns `at` moved by ½, −½, 1 and −1 steps along each coordinate: four samples per coordinate.
std::vector<Sample> moved_samples(const Sample& at, const std::vector<double>& steps) {
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    for (const double place : {0.5, -0.5, 1.0, -1.0}) samples.emplace_back(at).x[i] += place * steps[i];
  }
  return samples;
}

// Derivatives of a quantity by replication, and its values at the four points of moved_samples.
struct ComparedColumns {
  std::span<const double> derivatives;
  std::array<std::span<const double>, 4> values;
};

// Means of the derivatives and of the differences, and the distance between them in standard errors.
struct Comparison {
  double derivative, difference, distance;
};

Comparison compare(const ComparedColumns& columns, double step, double critical) {
  const auto& derivatives = columns.derivatives;
  const auto& values = columns.values;
  const std::size_t n = derivatives.size();
  const auto gap = [&](std::size_t r) {
    return (8 * (values[0][r] - values[1][r]) - (values[2][r] - values[3][r])) / (6 * step) - derivatives[r];
  };
  double bias = 0, derivative = 0, squares = 0;
  for (std::size_t r = 0; r < n; ++r) {
    bias += gap(r) / static_cast<double>(n);
    derivative += derivatives[r] / static_cast<double>(n);
  }
  for (std::size_t r = 0; r < n; ++r) squares += (gap(r) - bias) * (gap(r) - bias);
  const double difference = derivative + bias;
  // Differences of doubles are accurate only to some digits and to the order h⁴.
  const double error = std::sqrt(squares / static_cast<double>(n) / static_cast<double>(n - 1));
  const double rounding = 1e-6 * std::max(std::abs(derivative), std::abs(difference));
  return {derivative, difference, std::abs(bias) / std::max(error, rounding / critical)};
}

// Returns column `column` of `n` replications.
std::span<const double> column_of(const std::vector<double>& values, std::size_t column, std::size_t n) {
  return std::span(values).subspan(column * n, n);
}

}  // namespace

std::optional<BiasedDerivative> check_pathwise(SampledProblem& problem, std::vector<double> x,
                                               const PathwiseCheckOptions& options) {
  check(options);
  const std::size_t d = x.size();
  const MovedPoint point = moved_inside(problem, std::move(x), options.step);
  const Sample at{point.x, options.seed, 0, options.replications, false, true};
  std::vector<Sample> samples{at};
  samples.front().has_gradient = true;
  for (Sample& sample : moved_samples(at, point.steps)) samples.push_back(std::move(sample));
  const std::vector<SampleMean> means = problem.evaluate(samples);
  const auto n = static_cast<std::size_t>(options.replications);
  const double critical = student_t(1 - options.error_probability / static_cast<double>(d), options.replications);
  std::optional<BiasedDerivative> worst;
  for (std::size_t i = 0; i < d; ++i) {
    const auto moved = std::span(means).subspan(1 + 4 * i, 4);
    const auto is_infeasible = [](const SampleMean& mean) { return mean.count == 0; };
    if (is_infeasible(means[0]) || std::ranges::any_of(moved, is_infeasible)) continue;
    ComparedColumns columns{column_of(means[0].values, 1 + i, n), {}};
    for (std::size_t place = 0; place < 4; ++place)
      columns.values[place] = column_of(means[1 + 4 * i + place].values, 0, n);
    const auto [pathwise, difference, distance] = compare(columns, point.steps[i], critical);
    if (distance > critical && (!worst || distance > worst->distance)) worst = {i, pathwise, difference, distance};
  }
  return worst;
}

std::optional<BiasedCurvature> check_curvature(SampledProblem& problem, std::vector<double> x,
                                               const PathwiseCheckOptions& options) {
  check(options);
  if (!problem.has_curvature()) throw std::invalid_argument("the problem has no second derivatives to check");
  const std::size_t d = x.size(), k = problem.quantities();
  const MovedPoint point = moved_inside(problem, std::move(x), options.step);
  const Sample at{point.x, options.seed, 0, options.replications, true, true};
  std::vector<Sample> samples = moved_samples(at, point.steps);
  for (std::size_t i = 0; i < d; ++i) {
    samples.push_back(at);
    samples.back().direction.assign(d, 0);
    samples.back().direction[i] = 1;
  }
  const std::vector<SampleMoments> moments = problem.simulate(samples);
  const auto n = static_cast<std::size_t>(options.replications);
  const double critical =
      student_t(1 - options.error_probability / static_cast<double>(d * d * k), options.replications);
  std::optional<BiasedCurvature> worst;
  for (std::size_t q = 0; q < k; ++q) {
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t j = 0; j < d; ++j) {
        ComparedColumns columns{column_of(moments[4 * d + i].values, q * (1 + 2 * d) + 1 + d + j, n), {}};
        for (std::size_t place = 0; place < 4; ++place)
          columns.values[place] = column_of(moments[4 * i + place].values, q * (1 + d) + 1 + j, n);
        const auto [pathwise, difference, distance] = compare(columns, point.steps[i], critical);
        if (distance > critical && (!worst || distance > worst->distance))
          worst = {q, j, i, pathwise, difference, distance};
      }
    }
  }
  return worst;
}

}  // namespace sporos
