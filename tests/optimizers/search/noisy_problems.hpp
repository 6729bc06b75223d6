// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/sampled_problem.hpp>

#include <harness/seeds.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <utility>
#include <vector>

/// Problems for searches whose minimum is known, with the standard library's random numbers.
namespace sporos::test {

/// An objective of one replication at x, with its derivatives where `gradient` is not empty; `u` gives uniforms.
using Replication =
    std::function<double(std::span<const double> x, const std::function<double()>& u, std::span<double> gradient)>;

/// Runs replications one after the other; those of equal seed and number have the same uniforms.
class NoisyProblem final : public SampledProblem {
 public:
  NoisyProblem(std::vector<DecisionRange> ranges, bool has_gradient, Replication replication)
      : m_ranges(std::move(ranges)), m_has_gradient(has_gradient), m_replication(std::move(replication)) {}

  std::span<const DecisionRange> bounds() const override { return m_ranges; }
  bool has_gradient() const override { return m_has_gradient; }

  std::vector<SampleMoments> simulate(std::span<const Sample> samples) override {
    std::vector<SampleMoments> moments;
    for (const Sample& sample : samples)
      moments.push_back(makes_model(sample.x) ? moments_of(sample) : SampleMoments{});
    ++rounds;
    return moments;
  }

  int rounds = 0;                 ///< calls of evaluate
  std::int64_t replications = 0;  ///< that were run
  /// Whether there is something to run at x.
  std::function<bool(std::span<const double> x)> makes_model = [](std::span<const double>) { return true; };

 private:
  SampleMoments moments_of(const Sample& sample) {
    SampleMoments all;
    std::vector<double> slopes(sample.has_gradient ? sample.x.size() : 0);
    std::vector<std::vector<double>> columns(1 + slopes.size());
    for (std::int64_t r = 0; r < sample.count; ++r) {
      std::mt19937_64 engine(sample.seed * 1'000'003 + static_cast<std::uint64_t>(sample.first + r));
      const std::function<double()> u = [&] { return std::uniform_real_distribution<double>()(engine); };
      const double value = m_replication(sample.x, u, slopes);
      all.add({1, {value}, {0}, slopes, {}});
      columns[0].push_back(value);
      for (std::size_t i = 0; i < slopes.size(); ++i) columns[1 + i].push_back(slopes[i]);
    }
    if (sample.has_values) {
      for (const auto& column : columns) all.values.insert(all.values.end(), column.begin(), column.end());
    }
    replications += sample.count;
    return all;
  }

  std::vector<DecisionRange> m_ranges;
  bool m_has_gradient;
  Replication m_replication;
};

/// Σ (xᵢ − aᵢ − noise)² with aᵢ = 1 + i / 4 and uniform noise of mean 0; least at a.
inline NoisyProblem noisy_quadratic(std::size_t dimension, bool has_gradient, double low = -10, double high = 10) {
  return {std::vector<DecisionRange>(dimension, {low, high}), has_gradient,
          [](std::span<const double> x, const std::function<double()>& u, std::span<double> gradient) {
            double sum = 0;
            for (std::size_t i = 0; i < x.size(); ++i) {
              const double distance = x[i] - (1 + 0.25 * static_cast<double>(i)) - 2 * (u() - 0.5);
              sum += distance * distance;
              if (!gradient.empty()) gradient[i] = 2 * distance;
            }
            return sum;
          }};
}

/// The squared distance from the minimum of noisy_quadratic.
inline double distance_from_minimum(const std::vector<double>& x) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += std::pow(x[i] - (1 + 0.25 * static_cast<double>(i)), 2);
  return sum;
}

}  // namespace sporos::test
