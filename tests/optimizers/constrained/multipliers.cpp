// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts how often the intervals of a certificate's multipliers cover multipliers that are known.
#include "disc_problem.hpp"
#include "limited_means.hpp"

#include <sporos/core/random/decision_engine.hpp>
#include <sporos/core/random/uniform.hpp>
#include <sporos/core/statistics/critical_values.hpp>
#include <sporos/optimizers/constrained/certificate.hpp>

#include <harness/binomial_band.hpp>
#include <harness/long_tests.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sporos::test {
namespace multipliers_tests {

/// Minimizes −3 E Y subject to E Y ≤ 4 with Y = Σ xᵢ² (1 + ζᵢ): the multiplier is 3 at every x.
class OneQuantity final : public ProblemOverProblem {
 public:
  using ProblemOverProblem::ProblemOverProblem;

  std::size_t constraints_on_means() const override { return 1; }
  double objective(std::span<const double>, std::span<const double> means, std::span<double> by_coordinates,
                   std::span<double> by_means) const override {
    std::ranges::fill(by_coordinates, 0.0);
    std::ranges::fill(by_means, 0.0);
    if (!by_means.empty()) by_means[1] = -3;
    return -3 * means[1];
  }
};

/// Minimizes E ½|x − c − ξ|² subject to E Σ xᵢ (1 + ζᵢ) ≤ 13, where ξ and ζ are uniform in (−2, 2). In 13 coordinates
/// with c = 2 the solution is 1 in each coordinate, and the multiplier is 1.
class NoisyGradients final : public LimitedMeans {
 public:
  static constexpr std::size_t d = 13;

  NoisyGradients() : LimitedMeans(std::vector<DecisionRange>(d, {-5, 5}), {static_cast<double>(d)}) {}

 private:
  void replicate(const Sample& sample, std::int64_t number, SampleMoments& one) const override {
    DecisionEngine engine =
        decision_engine(RandomDecision::search, sample.seed * 1'000'003 + static_cast<std::uint64_t>(number));
    const auto u = [&engine] { return open_uniform(engine()); };
    for (std::size_t i = 0; i < d; ++i) {
      const double x = sample.x[i], off = x - 2 - (4 * u() - 2), zeta = 4 * u() - 2;
      one.means[0] += 0.5 * off * off;
      one.means[1] += x * (1 + zeta);
      if (!sample.has_gradient) continue;
      one.slopes[i] = off;
      one.slopes[d + i] = 1 + zeta;
    }
  }
};

struct Interval {
  double mean, half_width;

  bool covers(double truth) const { return std::abs(mean - truth) <= half_width; }
};

Interval certified(SampledProblem& problem, const std::vector<double>& x, const CertificateOptions& options) {
  const CertifiedConstraint found = certificate(problem, x, options).constraints.front();
  return {found.multiplier, found.multiplier_half_width};
}

// The control: the mean of multipliers that are estimated from each batch's own gradients, with the slack as a penalty.
Interval mean_of_batches(SampledProblem& problem, const std::vector<double>& x, const CertificateOptions& options) {
  std::vector<Sample> samples;
  for (std::int64_t b = 0; b < options.batches; ++b)
    samples.push_back({x, options.seed, b * options.replications, options.replications, true});
  const std::vector<SampleMean> batches = problem.evaluate(samples);
  const auto count = static_cast<double>(options.batches);
  double slack = 0, mean = 0, squares = 0;
  for (const SampleMean& batch : batches) slack += batch.constraints[0].mean / count;
  std::vector<double> lambda;
  for (const SampleMean& batch : batches) {
    double product = 0, square = std::pow(slack / 0.1, 2);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double scale = std::pow(std::max(1.0, std::abs(x[i])), 2), of_h = batch.constraints[0].gradient[i];
      product -= of_h * batch.gradient[i] * scale;
      square += of_h * of_h * scale;
    }
    lambda.push_back(std::max(0.0, product / square));
    mean += lambda.back() / count;
  }
  for (const double value : lambda) squares += (value - mean) * (value - mean);
  return {mean, student_t(options.confidence, options.batches) * std::sqrt(squares / (count - 1) / count)};
}

struct KnownMultiplier {
  const char* name;
  SampledProblem* problem;
  std::vector<double> x;
  double truth;
};

// More intervals with confidence 0.95 than the band allows, among 300 (4000 with SPOROS_LONG_TESTS), miss with a
// probability below 10⁻⁵. The control misses more often at each point.
TEST(Multipliers, AreCovered) {
  DiscProblem disc;
  OneQuantity one(disc);
  NoisyGradients noisy;
  std::vector<double> outside = DiscProblem::solution(), inside = outside;
  for (double& x : outside) x *= 1.02;
  for (double& x : inside) x *= 0.99;
  const int seeds = runs_in_test(300, 4000);
  const double most = binomial_band(seeds, 0.05).most;
  for (const auto& [name, problem, x, truth] :
       std::vector<KnownMultiplier>{{"disc", &disc, DiscProblem::solution(), DiscProblem::multiplier()},
                                    {"noisy gradients", &noisy, std::vector<double>(NoisyGradients::d, 1.0), 1},
                                    {"one quantity, outside", &one, outside, 3},
                                    {"one quantity, inside", &one, inside, 3}}) {
    int missed = 0, missed_by_control = 0;
    for (int seed = 1; seed <= seeds; ++seed) {
      const CertificateOptions options{.batches = 20, .replications = 5, .seed = static_cast<std::uint64_t>(seed)};
      missed += certified(*problem, x, options).covers(truth) ? 0 : 1;
      missed_by_control += mean_of_batches(*problem, x, options).covers(truth) ? 0 : 1;
    }
    EXPECT_LE(missed, most) << name;
    EXPECT_GT(missed_by_control, most) << name;
  }
}

}  // namespace multipliers_tests
}  // namespace sporos::test
