// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/normal.hpp>
#include <sporos/core/random/engine_stream.hpp>
#include <sporos/core/random/philox.hpp>
#include <sporos/core/random/uniform.hpp>
#include <sporos/optimizers/constrained/tail_problem.hpp>
#include <sporos/optimizers/search/sampled_problem.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sporos::test {

/// Minimizes −E Rᵀx over amounts x ≥ 0 of two assets held alongside cash, where R = μ + L Z are their normal excess
/// returns. The loss −Rᵀx has the CVaR −μᵀx + κ |Lᵀx| with κ = φ(z) / (1 − β). If the CVaR is at most c, the solution
/// is x = t Σ⁻¹μ by the Cauchy–Schwarz inequality. With s² = μᵀΣ⁻¹μ the optimum is −c s / (κ − s), and its multiplier
/// is s / (κ − s). If P(loss > ℓ) is at most α, the quantile z replaces κ: the optimum is −ℓ s / (z − s).
class PortfolioProblem final : public SampledProblem {
 public:
  static constexpr std::size_t d = 2;
  static constexpr std::array<double, 2> mean{0.5, 0.3};
  static constexpr double l_11 = 1, l_21 = 0.3, l_22 = 0.8;

  static double ratio() {
    const double first = mean[0] / l_11, second = (mean[1] - l_21 * first) / l_22;
    return std::sqrt(first * first + second * second);
  }
  static double deviation(std::span<const double> x) { return std::hypot(l_11 * x[0] + l_21 * x[1], l_22 * x[1]); }
  static double value(std::span<const double> x) { return -mean[0] * x[0] - mean[1] * x[1]; }
  static double cvar_factor(double level) {
    const double z = math::normal_quantile(level);
    return std::exp(-z * z / 2) / std::sqrt(2 * std::acos(-1.0)) / (1 - level);
  }
  static double cvar(std::span<const double> x, double level) { return value(x) + cvar_factor(level) * deviation(x); }
  static double probability(std::span<const double> x, double loss) {
    return 1 - math::normal_cdf((loss - value(x)) / deviation(x));
  }
  /// Optimum for the bound 1 on a measure with this factor of the deviation.
  static double optimum(double factor) { return -ratio() / (factor - ratio()); }
  static std::vector<double> solution(double factor) {
    const double t = 1 / (ratio() * (factor - ratio())), first = mean[0] / l_11,
                 second = (mean[1] - l_21 * first) / l_22;
    return {t * (first - l_21 * second / l_22) / l_11, t * second / l_22};  // t (L Lᵀ)⁻¹ μ
  }

  /// The constraint that CVaR_level of the loss is at most 1.
  static TailConstraint bound_of_cvar(double level) { return tail(TailMeasure::cvar, level, 0, 1); }
  /// The constraint that P(loss > 1) is at most `share`.
  static TailConstraint bound_of_probability(double share) { return tail(TailMeasure::probability, 0, -1, share); }

  std::span<const DecisionRange> bounds() const override { return m_ranges; }
  bool has_gradient() const override { return true; }

  std::vector<SampleMoments> simulate(std::span<const Sample> samples) override {
    std::vector<SampleMoments> found;
    for (const Sample& sample : samples) found.push_back(of(sample));
    return found;
  }

 private:
  static TailConstraint tail(TailMeasure measure, double level, double offset, double limit) {
    const auto constant = [](double value) {
      return [value](std::span<const double>, std::span<double> gradient) {
        for (double& slope : gradient) slope = 0;
        return value;
      };
    };
    return {"the loss's tail", measure, level, {1}, constant(offset), constant(limit)};
  }

  static SampleMoments of(const Sample& sample) {
    const auto n = static_cast<std::size_t>(sample.count);
    std::vector<double> columns((1 + d) * n);
    for (std::size_t r = 0; r < n; ++r) {
      EngineStream<Philox4x32> engine({sample.seed * 1'000'003 + static_cast<std::uint64_t>(sample.first) + r, 0, 0});
      const auto u = [&] { return open_uniform(engine()); };
      const double first = math::normal_quantile(u()), second = math::normal_quantile(u());
      const std::array<double, 2> returns{mean[0] + l_11 * first, mean[1] + l_21 * first + l_22 * second};
      columns[r] = -returns[0] * sample.x[0] - returns[1] * sample.x[1];
      for (std::size_t i = 0; i < d; ++i) columns[(1 + i) * n + r] = -returns[i];
    }
    SampleMoments found{sample.count, {0}, {0}, {}, {}};
    const auto mean_of = [&](std::size_t column) {
      double sum = 0;
      for (std::size_t r = 0; r < n; ++r) sum += columns[column * n + r];
      return sum / static_cast<double>(n);
    };
    found.means[0] = mean_of(0);
    for (std::size_t r = 0; r < n; ++r) {
      const double from_mean = columns[r] - found.means[0];
      found.products[0] += from_mean * from_mean;
    }
    if (sample.has_gradient) found.slopes = {mean_of(1), mean_of(2)};
    columns.resize(sample.has_gradient ? (1 + d) * n : n);
    if (sample.has_values) found.values = std::move(columns);
    return found;
  }

  std::vector<DecisionRange> m_ranges = std::vector<DecisionRange>(d, {0, 5});
};

}  // namespace sporos::test
