// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/random/stream.hpp>
#include <sporos/core/random/uniform.hpp>
#include <sporos/optimizers/search/sampled_problem.hpp>

#include <harness/seeds.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

/// Noisy problems whose minimum is known, for tests of searches.
namespace sporos::test {

/// Returns one replication's objective at x; writes its derivatives to `gradient` unless that is empty. `u` draws
/// uniforms.
using Replication =
    std::function<double(std::span<const double> x, const std::function<double()>& u, std::span<double> gradient)>;

/// Runs replications one after the other; replications with the same seed and number have the same uniforms.
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

  int rounds = 0;                 ///< number of calls of simulate
  std::int64_t replications = 0;  ///< number of replications run
  /// Whether the model is valid at x; no replication runs where it is not.
  std::function<bool(std::span<const double> x)> makes_model = [](std::span<const double>) { return true; };

 private:
  SampleMoments moments_of(const Sample& sample) {
    const std::size_t dimension = sample.has_gradient ? sample.x.size() : 0;
    const auto count = static_cast<std::size_t>(sample.count);
    SampleMoments all{sample.count, {0}, {0}, std::vector<double>(dimension), {}};
    if (sample.has_values) all.values.resize((1 + dimension) * count);
    std::vector<double> slopes(dimension);
    for (std::size_t r = 0; r < count; ++r) {
      // SplitMix64 needs no seeding; seeding a Mersenne twister takes longer than a replication.
      std::uint64_t state = design_point_seed(sample.seed, static_cast<std::uint64_t>(sample.first) + r);
      const std::function<double()> u = [&] { return open_uniform(mix_bits(state += 0x9e3779b97f4a7c15u)); };
      const double value = m_replication(sample.x, u, slopes);
      const double n = static_cast<double>(r + 1), from_mean = value - all.means[0];
      all.means[0] += from_mean / n;
      all.products[0] += from_mean * (value - all.means[0]);
      for (std::size_t i = 0; i < dimension; ++i) all.slopes[i] += (slopes[i] - all.slopes[i]) / n;
      if (!sample.has_values) continue;
      all.values[r] = value;
      for (std::size_t i = 0; i < dimension; ++i) all.values[(1 + i) * count + r] = slopes[i];
    }
    replications += sample.count;
    return all;
  }

  std::vector<DecisionRange> m_ranges;
  bool m_has_gradient;
  Replication m_replication;
};

/// The problem Σ (xᵢ − aᵢ − noise)² with aᵢ = 1 + i / 4 and uniform noise of mean 0; its minimum is at a.
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

/// Squared distance from the minimum of noisy_quadratic.
inline double distance_from_minimum(const std::vector<double>& x) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += std::pow(x[i] - (1 + 0.25 * static_cast<double>(i)), 2);
  return sum;
}

}  // namespace sporos::test
