// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "limited_means.hpp"

#include <sporos/core/random/engine_stream.hpp>
#include <sporos/core/random/philox.hpp>
#include <sporos/core/random/uniform.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sporos::test {

/// Minimizes E ½|x − c − ξ|² with c = (3, 1) subject to E Σ xᵢ² (1 + ζᵢ) ≤ 4 and x₁ ≤ 2.5 + E ζ₁, where ξ and ζ are
/// uniform in (−1, 1). This is a projection onto a disc: the solution is 2 c / |c|, with the multiplier
/// (|c| / 2 − 1) / 2. The other constraint is inactive.
class DiscProblem final : public LimitedMeans {
 public:
  static constexpr std::size_t d = 2;

  static std::vector<double> solution() { return {2 * 3 / std::sqrt(10.0), 2 * 1 / std::sqrt(10.0)}; }
  static double multiplier() { return (std::sqrt(10.0) / 2 - 1) / 2; }
  static double optimum() { return value(solution()); }
  static double value(const std::vector<double>& x) {
    return 0.5 * (std::pow(x[0] - 3, 2) + std::pow(x[1] - 1, 2)) + 1.0 / 3;
  }
  static double violation(const std::vector<double>& x) { return x[0] * x[0] + x[1] * x[1] - 4; }
  /// Standard deviation of one replication's Σ xᵢ² (1 + ζᵢ) at the solution.
  static double deviation() { return std::sqrt((std::pow(solution()[0], 4) + std::pow(solution()[1], 4)) / 3); }

  DiscProblem() : LimitedMeans(std::vector<DecisionRange>(d, {-5, 5}), {4, 2.5}) {}

 private:
  void replicate(const Sample& sample, std::int64_t number, SampleMoments& one) const override {
    constexpr std::array<double, d> centre{3, 1};
    EngineStream<Philox4x32> engine({sample.seed * 1'000'003 + static_cast<std::uint64_t>(number), 0, 0});
    const auto u = [&] { return open_uniform(engine()); };
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
  }
};

}  // namespace sporos::test
