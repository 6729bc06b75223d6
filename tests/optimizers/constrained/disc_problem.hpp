// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/sampled_problem.hpp>
#include <sporos/optimizers/search/search_uniforms.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sporos::test {

/// E ½|x − c − ξ|² with c = (3, 1), over the x with E Σ xᵢ² (1 + ζᵢ) ≤ 4 and x₁ ≤ 2.5 + E ζ₁; ξ and ζ are uniform in
/// (−1, 1). A projection onto a disc: the solution is 2 c / |c|, its multiplier (|c| / 2 − 1) / 2; the other
/// constraint has none.
class DiscProblem final : public SampledProblem {
 public:
  static constexpr std::size_t d = 2, k = 3;
  std::int64_t replications = 0;  ///< that were run

  static std::vector<double> solution() { return {2 * 3 / std::sqrt(10.0), 2 * 1 / std::sqrt(10.0)}; }
  static double multiplier() { return (std::sqrt(10.0) / 2 - 1) / 2; }
  static double optimum() { return value(solution()); }
  static double value(const std::vector<double>& x) {
    return 0.5 * (std::pow(x[0] - 3, 2) + std::pow(x[1] - 1, 2)) + 1.0 / 3;
  }
  static double violation(const std::vector<double>& x) { return x[0] * x[0] + x[1] * x[1] - 4; }

  std::span<const DecisionRange> bounds() const override { return m_ranges; }
  bool has_gradient() const override { return true; }
  std::size_t quantities() const override { return k; }
  std::size_t constraints_on_means() const override { return 2; }

  double objective(std::span<const double>, std::span<const double> means, std::span<double> by_coordinates,
                   std::span<double> by_means) const override {
    return quantity(0, means, by_coordinates, by_means);
  }
  double constraint_on_means(std::size_t j, std::span<const double>, std::span<const double> means,
                             std::span<double> by_coordinates, std::span<double> by_means) const override {
    return quantity(1 + j, means, by_coordinates, by_means) - (j == 0 ? 4 : 2.5);
  }

  std::vector<SampleMoments> simulate(std::span<const Sample> samples) override {
    std::vector<SampleMoments> found;
    for (const Sample& sample : samples) {
      SampleMoments& all = found.emplace_back();
      for (std::int64_t r = 0; r < sample.count; ++r) all.add(replication(sample, sample.first + r));
      replications += sample.count;
    }
    return found;
  }

 private:
  static double quantity(std::size_t i, std::span<const double> means, std::span<double> by_coordinates,
                         std::span<double> by_means) {
    for (double& slope : by_coordinates) slope = 0;
    for (std::size_t j = 0; j < by_means.size(); ++j) by_means[j] = i == j ? 1 : 0;
    return means[i];
  }

  static SampleMoments replication(const Sample& sample, std::int64_t number) {
    constexpr std::array<double, d> centre{3, 1};
    SearchUniforms u(sample.seed * 1'000'003 + static_cast<std::uint64_t>(number));
    SampleMoments one{1, std::vector<double>(k), std::vector<double>(k * k), {}, {}};
    if (sample.has_gradient) one.slopes.resize(k * d);
    for (std::size_t i = 0; i < d; ++i) {
      const double x = sample.x[i], off = x - centre[i] - (2 * u() - 1), zeta = 2 * u() - 1;
      one.means[0] += 0.5 * off * off;
      one.means[1] += x * x * (1 + zeta);
      if (i == 0) one.means[2] = x - zeta;
      if (!sample.has_gradient) continue;
      one.slopes[i] = off;
      one.slopes[d + i] = 2 * x * (1 + zeta);
      if (i == 0) one.slopes[2 * d] = 1;
    }
    return one;
  }

  std::vector<DecisionRange> m_ranges = std::vector<DecisionRange>(d, {-5, 5});
};

}  // namespace sporos::test
