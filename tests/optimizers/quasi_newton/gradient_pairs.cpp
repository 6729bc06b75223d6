// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks sqn with correction pairs from differences of gradients (oLBFGS).
#include "harness/serial_or_host.hpp"
#include "sampled_rows.hpp"

#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/optimizers/quasi_newton/sqn.hpp>

#include <harness/backends.hpp>
#include <harness/refusal.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gradient_pairs_tests {

using namespace sporos;
using test::SerialOrHost;
using Values = std::vector<double>;

constexpr std::size_t dimension = 8;
constexpr double deviation = 0.5;

Values scales() { return {0.5, 0.6, 0.8, 1, 1.2, 1.5, 1.8, 2}; }
Values optimum() { return {1, -1, 0.5, 0.3, -0.2, 0.8, -0.7, 0.1}; }

// A least-squares problem that does not provide its Hessian.
template <class Space>
struct GradientsOnly {
  using execution_space = Space;

  const Space& execution() const { return rows.execution(); }
  std::int64_t dimension() const { return rows.dimension(); }
  void draw(const SampleRange& sample) { rows.draw(sample); }
  double objective(const ConstVector<Space>& x) { return rows.objective(x); }
  void gradient(const ConstVector<Space>& x, const Vector<Space>& g) { rows.gradient(x, g); }

  test::SampledRows<Space> rows{test::Loss::squares, scales(), optimum(), deviation};
};

SqnOptions online(std::int64_t iterations) {
  SqnOptions options;
  options.pair_source = PairSource::gradient_differences;
  options.pair_interval = 1;
  options.step = 1;
  options.iterations = iterations;
  options.record_interval = 0;
  return options;
}

template <class Space>
struct GradientPairs : testing::Test {
  static_assert(StochasticProblem<GradientsOnly<Space>> && !TwiceDifferentiableProblem<GradientsOnly<Space>>);
};
TYPED_TEST_SUITE(GradientPairs, test::Backends, test::BackendName);

// Product of the Hessian over a sample of rows and s.
template <class Space>
Values hessian_product(const SampleRange& sample, const Values& s) {
  test::SampledRows<Space> rows(test::Loss::squares, scales(), optimum(), deviation);
  const Vector<Space> product("test::product", s.size());
  rows.draw(sample);
  rows.hessian_product(to_device<Space>(s), to_device<Space>(s), product);
  return to_host<Space>(product);
}

double distance(const Values& a, const Values& b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += (a[j] - b[j]) * (a[j] - b[j]);
  return std::sqrt(sum);
}

// The sample mean f̂ is quadratic, so each pair satisfies y = ∇²f̂ s on the sample of the step that produced it.
TYPED_TEST(GradientPairs, AreStepsAndTheirSamplesHessianTimesThem) {
  for (const std::int64_t interval : {1, 3}) {
    for (const double regularization : {0.0, 0.25}) {
      GradientsOnly<TypeParam> problem;
      SqnOptions options = online(12);
      options.pair_interval = interval;
      options.regularization = regularization;
      const QuasiNewtonState state = sqn(problem, Values(dimension), options).state;
      ASSERT_EQ(state.pairs.size(), 12u / static_cast<unsigned>(interval));
      for (std::size_t i = 0; i < state.pairs.size(); ++i) {
        const auto& [s, y] = state.pairs[i];
        const auto k = static_cast<std::int64_t>(i + 1) * interval;
        Values expected = hessian_product<TypeParam>(gradient_sample(options, k), s);
        for (std::size_t j = 0; j < dimension; ++j) expected[j] += regularization * s[j];
        EXPECT_LT(distance(y, expected), 1e-13) << "pair " << i;
        const Values other = hessian_product<TypeParam>(gradient_sample(options, k + 1), s);
        EXPECT_GT(distance(y, other), 1e-3 * distance(y, Values(dimension))) << "the control: another sample";
      }
      const Values& s = state.pairs.back().s;
      options.iterations = 11;
      const Values before = sqn(problem, Values(dimension), options).solution;
      for (std::size_t j = 0; j < dimension; ++j) EXPECT_EQ(s[j], state.solution[j] - before[j]);
    }
  }
}

// On a quadratic function, the difference of the gradients at both ends of a step equals the Hessian times the step. So
// both pair sources limit the step to the same length.
TYPED_TEST(GradientPairs, LimitStepsAsHessianProductsDo) {
  SqnOptions options = online(1);
  options.step = 100;
  GradientsOnly<TypeParam> without;
  const QuasiNewtonResult found = sqn(without, Values(dimension), options);
  EXPECT_EQ(found.counts.limited_steps, 1);
  options.pair_source = PairSource::hessian_products;
  test::SampledRows<TypeParam> with(test::Loss::squares, scales(), optimum(), deviation);
  EXPECT_LT(distance(found.solution, sqn(with, Values(dimension), options).solution), 1e-13);
}

TYPED_TEST(GradientPairs, TakeAGradientAPairAndOneALimitedStep) {
  GradientsOnly<TypeParam> problem;
  SqnOptions options = online(40);
  options.limit_steps = false;
  options.step = 0.1;
  const QuasiNewtonCounts counts = sqn(problem, Values(dimension), options).counts;
  EXPECT_EQ(counts.gradients, 40 + 40);
  EXPECT_EQ(counts.pairs.stored, 40);
  EXPECT_EQ(counts.hessian_products, 0);
  options.limit_steps = true;
  EXPECT_EQ(sqn(problem, Values(dimension), options).counts.gradients, 40 + 40 + 40) << "after each pair, a look";
  options.pair_interval = 10;
  const QuasiNewtonCounts rare = sqn(problem, Values(dimension), options).counts;
  EXPECT_EQ(rare.gradients, 40 + 4 + (10 + 3)) << "the first 10 steps, and after the 3 pairs that others follow";
  EXPECT_EQ(rare.pairs.stored, 4);
}

// The gradients use consecutive samples, and pairs draw no additional samples.
TYPED_TEST(GradientPairs, DrawNoSamplesOfTheirOwn) {
  GradientsOnly<TypeParam> problem;
  const SqnOptions options = online(7);
  sqn(problem, Values(dimension), options);
  ASSERT_EQ(problem.rows.drawn.size(), 7u);
  for (std::size_t k = 0; k < 7; ++k) {
    EXPECT_EQ(problem.rows.drawn[k].seed, options.seed);
    EXPECT_EQ(problem.rows.drawn[k].first, 50 * k);
  }
}

TYPED_TEST(GradientPairs, GoOnAfterAStopWithTheSameBits) {
  GradientsOnly<TypeParam> problem;
  for (const std::int64_t interval : {1, 4}) {
    SqnOptions options = online(40);
    options.pair_interval = interval;
    options.pairs.memory = 5;
    options.record_interval = 10;
    options.evaluation_size = 30;
    const QuasiNewtonResult whole = sqn(problem, Values(dimension), options);
    options.iterations = 18;
    const QuasiNewtonState half = sqn(problem, Values(dimension), options).state;
    options.iterations = 40;
    const QuasiNewtonResult resumed = sqn(problem, half, options);
    EXPECT_EQ(resumed.solution, whole.solution);
    EXPECT_EQ(resumed.counts.gradients, whole.counts.gradients);
    EXPECT_EQ(resumed.counts.pairs.stored, whole.counts.pairs.stored);
    EXPECT_EQ(resumed.state.pairs.back().y, whole.state.pairs.back().y);
    EXPECT_TRUE(whole.state.sum.empty() && whole.state.average.empty());
  }
}

// Mean of f(x) − f* over several runs, where f is the expected objective.
double mean_suboptimality(SqnOptions options) {
  constexpr std::uint64_t seeds = 6;
  double sum = 0;
  for (options.seed = 1; options.seed <= seeds; ++options.seed) {
    GradientsOnly<SerialOrHost> problem;
    const Values x = sqn(problem, Values(dimension), options).solution;
    for (std::size_t j = 0; j < dimension; ++j) {
      const double off = scales()[j] * (x[j] - optimum()[j]);
      sum += 0.5 * off * off / static_cast<double>(seeds);
    }
  }
  return sum;
}

// If H were the inverse Hessian, the mean suboptimality would be d σ² / (2 b k); see sqn.cpp. Here pairs come from 50
// rows instead of 300 and have larger errors, so the test allows three times that value. The control has no pair before
// the last iteration, so all its steps go along the gradient.
TEST(OnlineLbfgs, ConvergesAsOneOverK) {
  constexpr double noise = dimension * deviation * deviation / (2 * 50);
  for (const std::int64_t k : {400, 1600}) {
    EXPECT_LT(mean_suboptimality(online(k)), 3 * noise / static_cast<double>(k)) << k;
  }
  SqnOptions options = online(1600);
  options.pair_interval = 1600;
  EXPECT_GT(mean_suboptimality(options), 10 * noise / 1600);
}

TEST(OnlineLbfgs, HasToBeAskedForWhereThereIsNoHessian) {
  GradientsOnly<SerialOrHost> problem;
  EXPECT_EQ(test::refusal([&] { sqn(problem, Values(dimension)); }),
            "pair source is hessian-products, expected gradient-differences for a problem without hessian_product");
  SqnOptions options = online(1);
  options.regularization = -1;
  EXPECT_EQ(test::refusal([&] { sqn(problem, Values(dimension), options); }),
            "regularization is -1, expected a finite number of at least 0");
}

}  // namespace gradient_pairs_tests
