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
#include <span>
#include <vector>

namespace sporos::test {

/// Minimizes E ½|x − c − ξ|² over the shares x of six items, subject to E (a + ζ)ᵀx ≤ aᵀx* and at least 0.6 in the
/// first three; ξ and ζ are uniform in (−1, 1). The multipliers determine c, so that x* and the multipliers are known:
/// c = x* + λ a + ν 1 − μ (1, 1, 1, 0, 0, 0), and less for the sixth item, where x* is 0.
class SimplexProblem final : public LimitedMeans {
 public:
  static constexpr std::size_t d = 6;
  static constexpr double worth = 0.5;
  static constexpr std::array<double, d> solution{0.3, 0.2, 0.1, 0.25, 0.15, 0}, a{1, 0.2, 0.6, -0.4, 0.5, 0.3};

  static std::vector<LinearConstraint> region() {
    return {{std::vector<double>(d, 1.0), 1, true}, {{-1, -1, -1, 0, 0, 0}, -0.6}};
  }
  static double centre(std::size_t i) {
    return solution[i] + worth * a[i] + 0.2 - (i < 3 ? 0.3 : 0) - (i == 5 ? 0.4 : 0);
  }
  /// Objective without the constant ½ E|ξ|².
  static double value(std::span<const double> x) {
    double sum = 0;
    for (std::size_t i = 0; i < d; ++i) sum += 0.5 * std::pow(x[i] - centre(i), 2);
    return sum;
  }
  static double optimum() { return value(solution); }
  static double multiplier() { return worth; }
  static double violation(std::span<const double> x) {
    double sum = 0;
    for (std::size_t i = 0; i < d; ++i) sum += a[i] * (x[i] - solution[i]);
    return sum;
  }
  /// Standard deviation of one replication's constraint at the solution.
  static double deviation() {
    double sum = 0;
    for (const double x : solution) sum += x * x / 3;
    return std::sqrt(sum);
  }

  SimplexProblem() : LimitedMeans(std::vector<DecisionRange>(d, {0, 1}), {0}) {}

 private:
  void replicate(const Sample& sample, std::int64_t number, SampleMoments& one) const override {
    EngineStream<Philox4x32> engine({sample.seed * 1'000'003 + static_cast<std::uint64_t>(number), 0, 0});
    const auto u = [&] { return open_uniform(engine()); };
    for (std::size_t i = 0; i < d; ++i) {
      const double off = sample.x[i] - centre(i) - (2 * u() - 1), weight = a[i] + 2 * u() - 1;
      one.means[0] += 0.5 * off * off;
      one.means[1] += weight * sample.x[i] - a[i] * solution[i];
      if (!sample.has_gradient) continue;
      one.slopes[i] = off;
      one.slopes[d + i] = weight;
    }
  }
};

}  // namespace sporos::test
