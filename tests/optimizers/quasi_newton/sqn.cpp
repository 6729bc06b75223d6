// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks how close runs of sqn come to the optimum, on one backend; all backends reach the same point (sqn_stops.cpp).
#include "harness/long_tests.hpp"
#include "harness/serial_or_host.hpp"
#include "sampled_rows.hpp"

#include <sporos/optimizers/quasi_newton/sqn.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sqn_tests {

using namespace sporos;
using test::SerialOrHost;

using Space = SerialOrHost;
using Values = std::vector<double>;

constexpr std::size_t dimension = 20;
constexpr double deviation = 0.5;

// Scales with which f has curvatures from 0.25 to 4.
Values scales() {
  Values scales;
  for (std::size_t j = 0; j < dimension; ++j) scales.push_back(0.5 * std::pow(4.0, static_cast<double>(j) / 19));
  return scales;
}
Values optimum() {
  Values x;
  for (std::size_t j = 0; j < dimension; ++j) x.push_back(std::cos(3.0 * static_cast<double>(j)));
  return x;
}

test::SampledRows<Space> least_squares() { return {test::Loss::squares, scales(), optimum(), deviation}; }

// Suboptimality f(x) − f* of the expected objective.
double suboptimality(const Values& x) {
  double sum = 0;
  for (std::size_t j = 0; j < dimension; ++j) {
    const double off = scales()[j] * (x[j] - optimum()[j]);
    sum += 0.5 * off * off;
  }
  return sum;
}

SqnOptions options_for(SqnStepRule rule, double step, std::int64_t iterations) {
  SqnOptions options;
  options.step_rule = rule;
  options.step = step;
  options.iterations = iterations;
  options.record_interval = 0;
  return options;
}

double mean_suboptimality(SqnOptions options, const Values& start = Values(dimension)) {
  constexpr std::uint64_t seeds = 6;
  double sum = 0;
  for (options.seed = 1; options.seed <= seeds; ++options.seed) {
    auto problem = least_squares();
    sum += suboptimality(sqn(problem, start, options).solution);
  }
  return sum / static_cast<double>(seeds);
}

// Number of iterations in a short run; a long run has four times as many.
const std::int64_t few = test::runs_in_test(100, 200), many = 4 * few;

// The suboptimality that the noise of one batch causes: d σ² / (2 b).
constexpr double noise = dimension * deviation * deviation / (2 * 50);

// If H were the inverse Hessian, E[f(x_k) − f*] from the optimum would tend to β² / (2β − 1) d σ² / (2 b k), because
// the covariance of g there is σ² ∇²f / b; for β = 1 this is d σ² / (2 b k). H has the noise of 300 replications. The
// mean over 6 runs varies by a factor of 1 ± 3 √(2 / 120) at 3 standard deviations. Twice and half leave room for both.
TEST(Sqn, IsAsFarOffAsTheNoiseThatOneOverKLeaves) {
  for (const std::int64_t k : {few, many}) {
    const double found = mean_suboptimality(options_for(SqnStepRule::harmonic, 1, k), optimum());
    EXPECT_LT(found, 2 * noise / static_cast<double>(k)) << k;
    EXPECT_GT(found, 0.5 * noise / static_cast<double>(k)) << k;
  }
}

// From another start, the error left by the first 2 L steps along the gradient is added; x_k − x* falls as 1 / k.
TEST(Sqn, ConvergesAsOneOverK) {
  const double left = mean_suboptimality(options_for(SqnStepRule::harmonic, 1, 20));
  EXPECT_GT(left, 0.01);
  for (const std::int64_t k : {few, many}) {
    const double part = 20 / static_cast<double>(k);
    EXPECT_LT(mean_suboptimality(options_for(SqnStepRule::harmonic, 1, k)),
              2 * (left * part * part + noise / static_cast<double>(k)));
  }
}

// The controls: constant steps stay where the noise holds them, and the gradient alone is slow.
TEST(Sqn, ConvergesNotAsOneOverKOtherwise) {
  const double at_most = 10 * noise / static_cast<double>(many);
  EXPECT_GT(mean_suboptimality(options_for(SqnStepRule::constant, 0.5, many)), at_most);
  SqnOptions options = options_for(SqnStepRule::harmonic, 1, many);
  options.pair_interval = many / 2;
  EXPECT_GT(mean_suboptimality(options), at_most);
}

// With β / √k, E[f − f*] tends to β / 2 · d σ² / (2 b √k); constant steps α stay at α / (2 − α) d σ² / (2 b).
TEST(Sqn, ComesToWhereItsStepsLead) {
  EXPECT_LT(mean_suboptimality(options_for(SqnStepRule::square_root, 1, many / 2)),
            2 * 0.5 * noise / std::sqrt(static_cast<double>(many / 2)));
  EXPECT_LT(mean_suboptimality(options_for(SqnStepRule::constant, 0.2, many / 2)), 2 * noise * 0.2 / 1.8);
  EXPECT_LT(mean_suboptimality(options_for(SqnStepRule::line_search, 1, many / 2)), 2 * noise);
}

// If all rows agree on the optimum, there is no noise at the optimum.
TEST(Sqn, ByLineSearchConvergesWhereThereIsNoNoise) {
  test::SampledRows<Space> problem(test::Loss::squares, scales(), optimum(), 0.0);
  const auto result = sqn(problem, Values(dimension), options_for(SqnStepRule::line_search, 1, 300));
  EXPECT_LT(suboptimality(result.solution), 1e-12);
}

// A plain run with the settings of He et al. (2024), A preliminary study on accelerating simulation optimization with
// GPU implementation, blows up. The Hessian of the logistic loss over n fair bits has an eigenvalue of about n / 16 in
// the direction (1, …, 1), and β / k exceeds 2 / (n / 16) = 0.0064 in the first 300 iterations. The 2 L steps along the
// gradient drive margins into the hundreds, where all probabilities are close to 0 or 1 and the objective is flat.
// There y is tiny and H, whose scale is sᵀy / yᵀy, is huge: the objective was 7e127 after 60 iterations. Finally y is
// 0, and all further pairs are skipped, or sᵀy / yᵀy is 0 / 0.
QuasiNewtonResult classify(bool limit_steps) {
  constexpr std::size_t features = 5000;
  Values best;
  for (std::size_t j = 0; j < features; ++j) best.push_back(std::cos(static_cast<double>(j * j)));
  test::SampledRows<Space> problem(test::Loss::logistic, Values(features, 1.0), best, 0.1);
  SqnOptions options;  // the settings of He et al. (2024)
  options.iterations = 60;
  options.evaluation_size = 300;
  options.record_interval = 30;
  options.limit_steps = limit_steps;
  return sqn(problem, Values(features), options);
}

TEST(Classification, BlowsUpWithoutALimitToItsSteps) {
  const QuasiNewtonResult plain = classify(false);
  EXPECT_EQ(plain.counts.limited_steps, 0);
  EXPECT_TRUE(plain.stopped_by == StoppedBy::not_finite || plain.trajectory.back().objective > 1e6);
  const QuasiNewtonResult limited = classify(true);
  EXPECT_EQ(limited.stopped_by, StoppedBy::iterations);
  EXPECT_EQ(limited.counts.limited_steps, 20) << "those along the gradient";
  EXPECT_EQ(limited.counts.hessian_products, 20 + 5 + 4) << "of these, of pairs, of the first step after each";
  EXPECT_EQ(limited.counts.pairs.stored, 5);
  for (const auto& point : limited.trajectory) EXPECT_LT(point.objective, 1.05 * std::log(2.0)) << point.iteration;
}

TEST(Sqn, KeepsItsMovesShort) {
  auto problem = least_squares();
  SqnOptions options = options_for(SqnStepRule::harmonic, 1, 1);
  options.longest_move = 0.125;
  const QuasiNewtonResult result = sqn(problem, Values(dimension), options);
  double square = 0;
  for (const double x : result.solution) square += x * x;
  EXPECT_NEAR(std::sqrt(square), 0.125, 1e-15);
  EXPECT_EQ(result.counts.limited_steps, 1);
  EXPECT_LT(result.state.step, 1);
}

// Gradients, Hessians and the trajectory have separate samples; each takes its own one after the other.
TEST(Sqn, DrawsItsSamplesByCounter) {
  auto problem = least_squares();
  SqnOptions options = options_for(SqnStepRule::harmonic, 1, 7);
  options.pair_interval = 2;
  options.batch_size = 5;
  options.hessian_batch_size = 11;
  options.seed = 17;
  sqn(problem, Values(dimension), options);
  std::uint64_t first = 0, first_of_hessians = 0;
  for (const SampleRange& sample : problem.drawn) {
    if (sample.seed == 17u) {
      EXPECT_EQ(sample.first, first);
      EXPECT_EQ(sample.size, 5);
      first += 5;
    } else {
      EXPECT_EQ(sample.seed, hessian_sample(options, 1).seed);
      EXPECT_EQ(sample.first, first_of_hessians);
      EXPECT_EQ(sample.size, 11);
      first_of_hessians += 11;
    }
  }
  EXPECT_EQ(first, 35u);
  EXPECT_EQ(first_of_hessians, 22u) << "pairs after iterations 4 and 6";
  options.evaluation_size = 3;
  EXPECT_NE(evaluation_sample(options).seed, hessian_sample(options, 1).seed);
  EXPECT_NE(evaluation_sample(options).seed, 17u);
}

}  // namespace sqn_tests
