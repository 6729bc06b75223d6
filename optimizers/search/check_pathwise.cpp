// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/statistics/critical_values.hpp>
#include <sporos/optimizers/checks.hpp>
#include <sporos/optimizers/search/check_pathwise.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace sporos {

namespace {

void check(const PathwiseCheckOptions& options) {
  const double probability = options.error_probability;
  impl::check_parameter(options.replications >= 2, "replications of a check", options.replications, "at least 2");
  impl::check_parameter(probability > 0 && probability < 1, "error probability", probability,
                        "a number between 0 and 1");
  check_positive("step", options.step);
}

}  // namespace

std::optional<BiasedDerivative> check_pathwise(SampledProblem& problem, std::vector<double> x,
                                               const PathwiseCheckOptions& options) {
  check(options);
  const std::size_t d = x.size();
  std::vector<double> steps;
  for (std::size_t i = 0; i < d; ++i) {
    const auto& [low, high, is_integer] = problem.bounds()[i];
    const double h = options.step * std::max(1.0, std::abs(x[i]));
    impl::check_parameter(high - low >= 2 * h, "width of the range of coordinate " + std::to_string(i), high - low,
                          "at least twice the step, " + impl::number_text(2 * h));
    x[i] = std::clamp(x[i], low + h, high - h);
    steps.push_back(h);
  }
  const Sample at{x, options.seed, 0, options.replications, true, true};
  std::vector<Sample> samples{at};
  constexpr double places[] = {0.5, -0.5, 1, -1};
  for (std::size_t i = 0; i < d; ++i) {
    for (const double place : places) {
      Sample& moved = samples.emplace_back(at);
      moved.has_gradient = false;
      moved.x[i] += place * steps[i];
    }
  }
  const std::vector<SampleMean> means = problem.evaluate(samples);
  const auto n = static_cast<std::size_t>(options.replications);
  const double critical = student_t(1 - options.error_probability / static_cast<double>(d), options.replications);
  std::optional<BiasedDerivative> worst;
  for (std::size_t i = 0; i < d; ++i) {
    const auto value = [&](std::size_t place, std::size_t r) { return means[1 + 4 * i + place].values[r]; };
    double pathwise = 0, difference = 0, squares = 0;
    const auto gap = [&](std::size_t r) {
      return (8 * (value(0, r) - value(1, r)) - (value(2, r) - value(3, r))) / (6 * steps[i]) -
             means[0].values[(1 + i) * n + r];
    };
    double bias = 0;
    for (std::size_t r = 0; r < n; ++r) {
      bias += gap(r) / static_cast<double>(n);
      pathwise += means[0].values[(1 + i) * n + r] / static_cast<double>(n);
    }
    for (std::size_t r = 0; r < n; ++r) squares += (gap(r) - bias) * (gap(r) - bias);
    difference = pathwise + bias;
    // Differences of doubles are known to some digits alone, and to the order h⁴.
    const double error = std::sqrt(squares / static_cast<double>(n) / static_cast<double>(n - 1));
    const double rounding = 1e-6 * std::max(std::abs(pathwise), std::abs(difference));
    const double distance = std::abs(bias) / std::max(error, rounding / critical);
    if (distance > critical && (!worst || distance > worst->distance)) worst = {i, pathwise, difference, distance};
  }
  return worst;
}

}  // namespace sporos
