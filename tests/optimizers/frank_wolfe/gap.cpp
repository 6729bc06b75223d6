// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gap on independent replications: how often its bounds hold, over 1000 runs.
#include "quadratic.hpp"

#include <harness/backends.hpp>

#include <sporos/optimizers/frank_wolfe/frank_wolfe.hpp>
#include <sporos/optimizers/frank_wolfe/gap.hpp>
#include <sporos/optimizers/frank_wolfe/regions/budget.hpp>

#include <gtest/gtest.h>

#include <boost/math/distributions/binomial.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

namespace {

using namespace sporos;
using Space = Kokkos::Serial;  // cheap problems; the arithmetic of every backend is checked below

const std::vector<double> curvatures = {1, 2, 3, 1, 2};
const std::vector<double> center = {0.5, 0.4, 0.3, 0.2, 0.1};
constexpr double deviation = 1;
constexpr int runs = 1000;
constexpr double confidence = 0.9;

// max over s of ∇f(x)ᵀ(x − s) on the simplex.
double true_gap(const std::vector<double>& x) {
  double product = 0, least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double g = curvatures[i] * (x[i] - center[i]);
    product += g * x[i];
    least = std::min(least, g);
  }
  return product - least;
}

double suboptimality(const std::vector<double>& x) {
  static const double best = test::value_of(curvatures, center, test::minimizer_on_simplex(curvatures, center));
  return test::value_of(curvatures, center, x) - best;
}

struct Coverage {
  int upper_of_gap = 0, lower_of_gap = 0, upper_of_suboptimality = 0, own_sample = 0;
};

Coverage count_coverage() {
  Coverage count;
  auto region = probability_simplex<Space>(5);
  FrankWolfeOptions options;
  options.variant = FrankWolfeVariant::away_step;  // goes to the minimum on the sample that it has
  options.step_rule = StepRule::exact;
  options.iterations = 30;
  options.sample_size = 20;
  options.gap = {10, 50, confidence, 0};
  for (int run = 0; run < runs; ++run) {
    test::Quadratic<Space> problem(curvatures, center, deviation);
    options.seed = static_cast<std::uint64_t>(1000 + run);
    double own = 0;
    const FrankWolfeResult result = frank_wolfe(problem, region, std::vector<double>{1, 0, 0, 0, 0}, options);
    const double gap = true_gap(result.solution), off = suboptimality(result.solution);
    problem.draw({options.seed, 0, options.sample_size});
    const Vector<Space> g("test::gradient", 5), x = to_device<Space>(result.solution);
    problem.gradient(x, g);
    own = impl::slope_from<Space>(problem.space, g, x, region.minimize(problem.space, g));
    count.upper_of_gap += result.gap->upper >= gap;
    count.lower_of_gap += result.gap->lower <= gap;
    count.upper_of_suboptimality += result.gap->upper >= off;
    count.own_sample += own >= off;
  }
  return count;
}

// A count below this comes of the stated confidence with probability 10^-4.
double least_count() { return boost::math::quantile(boost::math::binomial(runs, confidence), 1e-4); }

TEST(Gap, BoundsHoldAsOftenAsTheySay) {
  const Coverage count = count_coverage();
  EXPECT_GE(count.upper_of_gap, least_count());
  EXPECT_GE(count.lower_of_gap, least_count());
  EXPECT_GE(count.upper_of_suboptimality, least_count());
  EXPECT_LT(count.own_sample, least_count()) << "control: the gap on the sample that led to x is too small";
  EXPECT_LT(count.own_sample, 0.1 * runs) << "by far";
}

// Where one vertex is clearly the best, nothing is given away: the bounds hold about as often as they say, not always.
TEST(Gap, BoundsAreNotWiderThanTheySay) {
  auto region = probability_simplex<Space>(5);
  const std::vector<double> clear = {-40, 0, 0, 0, 0}, x = {0, 0.25, 0.25, 0.25, 0.25};
  int upper = 0, lower = 0;
  for (int run = 0; run < runs; ++run) {
    test::Quadratic<Space> problem(std::vector<double>(5, 1.0), clear, deviation);
    problem.center = to_device<Space>(std::vector<double>{40, 0, 0, 0, 0});
    const GapEstimate found = estimate_gap(problem, region, to_device<Space>(x), {10, 5, confidence, 0},
                                           static_cast<std::uint64_t>(5000 + run));
    constexpr double gap = 0.25 + 40;  // gᵀx = ¼, g₀ = −40
    upper += found.upper >= gap;
    lower += found.lower <= gap;
  }
  const double most = boost::math::quantile(boost::math::complement(boost::math::binomial(runs, confidence), 1e-4));
  EXPECT_GE(upper, least_count());
  EXPECT_GE(lower, least_count());
  EXPECT_LE(upper, most);
  EXPECT_LE(lower, most);
}

TEST(Gap, UsesReplicationsOfItsOwn) {
  auto region = probability_simplex<Space>(5);
  test::Quadratic<Space> problem(curvatures, center, deviation);
  FrankWolfeOptions options;
  options.epochs = 4;
  options.iterations = 2;
  options.gap = {3, 7, 0.95, 2};
  frank_wolfe(problem, region, std::vector<double>{1, 0, 0, 0, 0}, options);
  std::vector<std::uint64_t> seeds;
  for (const SampleRange& sample : problem.drawn) {
    if (sample.seed == options.seed) continue;
    EXPECT_EQ(sample.size, 7);
    if (sample.first == 0) seeds.push_back(sample.seed);
  }
  EXPECT_EQ(seeds.size(), 3u) << "epochs 0 and 2 and the end";
  std::sort(seeds.begin(), seeds.end());
  EXPECT_EQ(std::unique(seeds.begin(), seeds.end()), seeds.end()) << "no estimate shares its numbers with another";
}

template <class Backend>
struct GapOnBackends : testing::Test {};
TYPED_TEST_SUITE(GapOnBackends, test::Backends, test::BackendName);

template <class Backend>
GapEstimate gap_without_noise(const std::vector<double>& x) {
  test::Quadratic<Backend> problem(curvatures, center);
  auto region = probability_simplex<Backend>(5);
  return estimate_gap(problem, region, to_device<Backend>(x), {4, 1, 0.95, 0}, 1);
}

TYPED_TEST(GapOnBackends, IsExactWithoutNoise) {
  const std::vector<double> x = {0.1, 0.2, 0.3, 0.4, 0};
  const GapEstimate found = gap_without_noise<TypeParam>(x);
  for (const double value : {found.estimate, found.lower, found.upper}) EXPECT_NEAR(value, true_gap(x), 1e-14);
  EXPECT_EQ(found.batches, 4);
  EXPECT_EQ(found.batch_size, 1);
  EXPECT_EQ(found.confidence, 0.95);
}

}  // namespace
