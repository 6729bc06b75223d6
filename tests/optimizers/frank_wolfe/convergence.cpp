// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "quadratic.hpp"

#include <harness/backends.hpp>

#include <sporos/optimizers/frank_wolfe/frank_wolfe.hpp>
#include <sporos/optimizers/frank_wolfe/regions/balls.hpp>
#include <sporos/optimizers/frank_wolfe/regions/box.hpp>
#include <sporos/optimizers/frank_wolfe/regions/budget.hpp>
#include <sporos/optimizers/frank_wolfe/regions/product.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace convergence_tests {

using namespace sporos;

constexpr double largest_curvature = 3;
constexpr double squared_diameter = 2;  // of the unit simplex

// Twenty coordinates, about half of which are positive at the minimum over the simplex.
std::vector<double> curvatures() {
  std::vector<double> q;
  for (int i = 0; i < 20; ++i) q.push_back(1 + i % 3);
  return q;
}
std::vector<double> center() {
  std::vector<double> c;
  for (int i = 0; i < 20; ++i) c.push_back(0.1 * std::sin(7.0 * i));
  return c;
}
double optimum() { return test::value_of(curvatures(), center(), test::minimizer_on_simplex(curvatures(), center())); }
std::vector<double> first_vertex() {
  std::vector<double> start(20);
  start[0] = 1;
  return start;
}

FrankWolfeOptions options_for(FrankWolfeVariant variant, StepRule rule, std::int64_t iterations) {
  FrankWolfeOptions options;
  options.variant = variant;
  options.step_rule = rule;
  options.iterations = iterations;
  return options;
}

template <class Space>
FrankWolfeResult run(const FrankWolfeOptions& options) {
  test::Quadratic<Space> problem(curvatures(), center());
  auto region = probability_simplex<Space>(20);
  return frank_wolfe(problem, region, first_vertex(), options);
}

template <class Space>
double suboptimality(const FrankWolfeOptions& options) {
  return test::value_of(curvatures(), center(), run<Space>(options).solution) - optimum();
}

template <class Space>
struct Convergence : testing::Test {};
TYPED_TEST_SUITE(Convergence, test::Backends, test::BackendName);

// Jaggi 2013, theorem 1: f(x_t) − f* ≤ 2 L D² / (t + 2). Backtracking may double L.
TYPED_TEST(Convergence, OfVanillaIsOneOverT) {
  for (const StepRule rule :
       {StepRule::open_loop, StepRule::restarting, StepRule::exact, StepRule::short_step, StepRule::adaptive}) {
    for (const std::int64_t t : {10, 100}) {
      const double off = suboptimality<TypeParam>(options_for(FrankWolfeVariant::vanilla, rule, t));
      const double factor = rule == StepRule::adaptive ? 4 : 2;
      EXPECT_LE(off, factor * largest_curvature * squared_diameter / static_cast<double>(t + 2)) << name_of(rule) << t;
      EXPECT_GE(off, -1e-14);
    }
  }
}

// The step sequence restarts in each epoch, so the last epoch alone determines the rate.
TYPED_TEST(Convergence, OfRestartingStepsIsThatOfAnEpoch) {
  FrankWolfeOptions options = options_for(FrankWolfeVariant::vanilla, StepRule::restarting, 100);
  options.epochs = 5;
  EXPECT_LE(suboptimality<TypeParam>(options), 2 * largest_curvature * squared_diameter / 102);
}

// Lacoste-Julien and Jaggi 2015, theorem 1: convergence is linear. Vanilla steps are still far off by then (control).
TYPED_TEST(Convergence, OfAwayStepsAndPairwiseIsLinear) {
  for (const StepRule rule : {StepRule::exact, StepRule::short_step, StepRule::adaptive}) {
    FrankWolfeOptions options = options_for(FrankWolfeVariant::vanilla, rule, 600);
    options.gap_tolerance = 1e-10;
    EXPECT_EQ(run<TypeParam>(options).stopped_by, StoppedBy::iterations) << "control";
    for (const FrankWolfeVariant variant : {FrankWolfeVariant::away_step, FrankWolfeVariant::pairwise}) {
      options.variant = variant;
      const FrankWolfeResult result = run<TypeParam>(options);
      EXPECT_EQ(result.stopped_by, StoppedBy::gap) << name_of(variant) << name_of(rule);
      EXPECT_NEAR(test::value_of(curvatures(), center(), result.solution), optimum(), 1e-10);
    }
  }
}

// The gap falls by at least a factor of ten in each third of the iterations, down to rounding.
TYPED_TEST(Convergence, OfAwayStepsFallsByAFactorWithEachIteration) {
  for (const FrankWolfeVariant variant : {FrankWolfeVariant::away_step, FrankWolfeVariant::pairwise}) {
    FrankWolfeOptions options = options_for(variant, StepRule::exact, 1);
    options.epochs = 150;
    options.record_interval = 50;
    const auto trajectory = run<TypeParam>(options).trajectory;
    ASSERT_EQ(trajectory.size(), 4u);
    for (std::size_t i = 1; i < 4; ++i) {
      EXPECT_LT(trajectory[i].gap, std::max(0.1 * trajectory[i - 1].gap, 1e-14)) << name_of(variant) << i;
    }
  }
}

// There is no theory for these combinations, but they come close to the optimum.
TYPED_TEST(Convergence, OfAwayStepsAndPairwiseWithoutLineSearch) {
  for (const StepRule rule : {StepRule::open_loop, StepRule::restarting}) {
    for (const FrankWolfeVariant variant : {FrankWolfeVariant::away_step, FrankWolfeVariant::pairwise}) {
      EXPECT_LE(suboptimality<TypeParam>(options_for(variant, rule, 200)), 0.03) << name_of(variant) << name_of(rule);
    }
  }
}

template <class Space, class Region>
void expect_convergence_in(Region region, const char* what) {
  test::Quadratic<Space> problem(curvatures(), center());
  FrankWolfeOptions options = options_for(FrankWolfeVariant::vanilla, StepRule::exact, 5000);
  options.gap_tolerance = 2e-3;
  const FrankWolfeResult result = frank_wolfe(problem, region, std::vector<double>(20), options);
  EXPECT_EQ(result.stopped_by, StoppedBy::gap) << what;  // a small gap certifies the objective value
  EXPECT_LE(region.violation(Space(), to_device<Space>(result.solution)), 1e-12) << what;
}

TYPED_TEST(Convergence, InEveryRegion) {
  using Space = TypeParam;
  std::vector<double> costs;
  for (int i = 0; i < 20; ++i) costs.push_back(1 + 0.1 * i);
  const Budget<Space> half(std::int64_t{10}, 0.5);
  const Box<Space> box(std::vector<double>(10, -0.05), std::vector<double>(10, 0.05));
  using Parts = Product<Space, Budget<Space>, Box<Space>>;
  expect_convergence_in<Space>(unit_simplex<Space>(20), "unit simplex");
  expect_convergence_in<Space>(Budget<Space>(costs, 0.3), "budget");
  expect_convergence_in<Space>(Box<Space>(std::vector<double>(20, -0.05), std::vector<double>(20, 0.08)), "box");
  expect_convergence_in<Space>(L1Ball<Space>(20, 0.5), "L1 ball");
  expect_convergence_in<Space>(L2Ball<Space>(20, 0.2), "L2 ball");
  expect_convergence_in<Space>(KSparse<Space>(20, 3, 0.1), "k-sparse");
  expect_convergence_in<Space>(Parts({half, box}), "product");
}

// With one replication per sample the gradient is nearly all noise, but its average is not.
TYPED_TEST(Convergence, UnderNoiseNeedsAnAverage) {
  double plain = 0, averaged = 0;
  for (const std::uint64_t seed : {1, 2}) {
    FrankWolfeOptions options = options_for(FrankWolfeVariant::vanilla, StepRule::open_loop, 1);
    options.epochs = 2000;
    options.record_interval = 2000;
    options.seed = seed;
    for (const bool momentum : {false, true}) {
      options.momentum = momentum;
      test::Quadratic<TypeParam> problem(curvatures(), center(), 1.0);
      auto region = probability_simplex<TypeParam>(20);
      const auto solution = frank_wolfe(problem, region, first_vertex(), options).solution;
      (momentum ? averaged : plain) += test::value_of(curvatures(), center(), solution) - optimum();
    }
  }
  EXPECT_LT(averaged, 0.5 * plain);
  EXPECT_LT(averaged / 2, 0.05);
}

TYPED_TEST(Convergence, DrawsSamplesOneAfterTheOther) {
  test::Quadratic<TypeParam> problem(curvatures(), center(), 1.0);
  auto region = probability_simplex<TypeParam>(20);
  FrankWolfeOptions options = options_for(FrankWolfeVariant::vanilla, StepRule::open_loop, 3);
  options.epochs = 4;
  options.sample_size = 5;
  options.sample_growth = 0.5;
  options.seed = 17;
  frank_wolfe(problem, region, first_vertex(), options);
  const std::vector<std::int64_t> sizes = {5, 8, 9, 10, 12};  // ⌈5 √(k + 1)⌉; the last one is for the final point
  ASSERT_EQ(problem.drawn.size(), sizes.size());
  std::uint64_t first = 0;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    EXPECT_EQ(problem.drawn[k].seed, 17u);
    EXPECT_EQ(problem.drawn[k].first, first);
    EXPECT_EQ(problem.drawn[k].size, sizes[k]);
    first += static_cast<std::uint64_t>(sizes[k]);
  }
}

}  // namespace convergence_tests
