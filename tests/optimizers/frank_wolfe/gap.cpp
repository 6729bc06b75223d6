// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks how often bounds of the gap on independent replications hold, and what solving the batches' problems adds.
// There are 400 runs, or 1000 with SPOROS_LONG_TESTS.
#include "harness/serial_or_host.hpp"
#include "quadratic.hpp"

#include <harness/backends.hpp>
#include <harness/binomial_band.hpp>
#include <harness/long_tests.hpp>
#include <harness/refusal.hpp>

#include <sporos/optimizers/frank_wolfe/frank_wolfe.hpp>
#include <sporos/optimizers/frank_wolfe/gap.hpp>
#include <sporos/optimizers/frank_wolfe/regions/budget.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace gap_tests {

using namespace sporos;
using test::SerialOrHost;
using Space = SerialOrHost;  // the problems are cheap; a test below compares the arithmetic of all backends

const std::vector<double> curvatures = {1, 2, 3, 1, 2};
const std::vector<double> center = {0.5, 0.4, 0.3, 0.2, 0.1};
constexpr double deviation = 1;
const int runs = test::runs_in_test(400, 1000);
constexpr double confidence = 0.9;

// The largest ∇f(x)ᵀ(x − s) over all s in the simplex.
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
  int by_replications = 0;  // bound from solutions of the batches' problems
  int on_own_sample = 0;    // that bound on the sample that led to x
  double mean_of_gap = 0, mean_by_replications = 0;
};

Coverage count_coverage() {
  Coverage count;
  auto region = probability_simplex<Space>(5);
  FrankWolfeOptions options;
  options.variant = FrankWolfeVariant::away_step;  // reaches the minimum over its sample
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
    count.by_replications += result.gap->suboptimality->upper >= off;
    problem.draw({options.seed, 0, options.sample_size});
    count.on_own_sample +=
        impl::SampleMinimizer(problem, region, ConstVector<Space>(x), 100, [] { return false; })().value >= off;
    count.mean_of_gap += result.gap->upper / runs;
    count.mean_by_replications += result.gap->bound() / runs;
  }
  return count;
}

// Counts outside this band have probability 10^-4 on each side at the stated confidence.
test::BinomialBand count_band() { return test::binomial_band(runs, confidence, 1e-4); }

TEST(Gap, BoundsHoldAsOftenAsTheySay) {
  const Coverage count = count_coverage();
  EXPECT_GE(count.upper_of_gap, count_band().least);
  EXPECT_GE(count.lower_of_gap, count_band().least);
  EXPECT_GE(count.upper_of_suboptimality, count_band().least);
  EXPECT_LT(count.own_sample, count_band().least) << "control: the gap on the sample that led to x is too small";
  EXPECT_LT(count.own_sample, 0.1 * runs) << "by far";
  EXPECT_GE(count.by_replications, count_band().least);
  EXPECT_LT(count.on_own_sample, 0.1 * runs) << "control: on the sample that led to x it is the best";
  EXPECT_LT(count.mean_by_replications, count.mean_of_gap);
}

// A problem that provides only values and gradients.
struct WithoutCurvature {
  using execution_space = Space;

  const Space& execution() const { return quadratic.execution(); }
  std::int64_t dimension() const { return quadratic.dimension(); }
  void draw(const SampleRange& sample) { quadratic.draw(sample); }
  double objective(const ConstVector<Space>& x) { return quadratic.objective(x); }
  void gradient(const ConstVector<Space>& x, const Vector<Space>& g) { quadratic.gradient(x, g); }

  test::Quadratic<Space> quadratic{curvatures, center, deviation};
};
static_assert(!QuadraticProblem<WithoutCurvature>);

struct Bounds {
  int held = 0;
  double mean = 0;
};

// Counts how often the bounds at a point that is not optimal hold, over independent macro-replications.
template <class Problem, class Region>
Bounds bounds_of(Problem& problem, Region region, const std::vector<double>& x, double off, const GapOptions& options,
                 int experiments = runs) {
  Bounds bounds;
  for (int run = 0; run < experiments; ++run) {
    const GapEstimate found = estimate_gap<Problem, Region>(problem, region, to_device<Space>(x), options,
                                                            static_cast<std::uint64_t>(9000 + run));
    bounds.held += found.bound() >= off;
    bounds.mean += found.bound() / experiments;
  }
  return bounds;
}

const std::vector<double> near_best = {0.4, 0.3, 0.2, 0.1, 0};

TEST(Replications, OfAllProceduresHoldAsOftenAsTheySay) {
  using Procedure = ReplicationsProcedure;
  for (const auto procedure : {Procedure::multiple, Procedure::two, Procedure::single}) {
    WithoutCurvature problem;
    const GapOptions options{10, 40, confidence, 0, 100, procedure};
    const Bounds bounds =
        bounds_of(problem, probability_simplex<Space>(5), near_best, suboptimality(near_best), options);
    EXPECT_GE(bounds.held, count_band().least) << name_of(procedure);
  }
}

// The duality gap of a batch falls as one over the root of its size. The excess over f(x) − f* of the bound from the
// batches' solutions falls faster.
TEST(Replications, AreNarrowerOnLargerBatches) {
  const double off = suboptimality(near_best);
  const auto excess = [&](std::int64_t size, std::int64_t iterations) {
    WithoutCurvature problem;
    const GapOptions options{10, size, confidence, 0, iterations};
    constexpr int experiments = 100;
    return bounds_of(problem, probability_simplex<Space>(5), near_best, off, options, experiments).mean - off;
  };
  EXPECT_LT(excess(160, 100), 0.5 * excess(10, 100));
  EXPECT_LT(excess(160, 100), 0.5 * excess(160, 0)) << "of the duality gap alone";
}

// With two vertices, one of them far better, there is no bias: the bound holds about as often as stated, not always.
TEST(Replications, AreNotWiderThanTheySay) {
  test::Quadratic<Space> problem(std::vector<double>(5, 1e-9), std::vector<double>(5, 0.0), deviation);
  problem.center = to_device<Space>(std::vector<double>{40e9, 0, 0, 0, 0});
  constexpr double off = 40;  // from e₁, whose derivative is 0, to e₀, whose derivative is −40
  const Bounds bounds = bounds_of(problem, probability_simplex<Space>(5), {0, 1, 0, 0, 0}, off, {10, 5, confidence});
  EXPECT_GE(bounds.held, count_band().least);
  EXPECT_LE(bounds.held, count_band().most);
}

TEST(Replications, AreRefusedWhereTheirHalvesAreNone) {
  test::Quadratic<Space> problem(curvatures, center, deviation);
  auto region = probability_simplex<Space>(5);
  const auto with = [&](std::int64_t batches, std::int64_t iterations) {
    const GapOptions options{batches, 5, confidence, 0, iterations, ReplicationsProcedure::two};
    return test::refusal([&] { estimate_gap(problem, region, to_device<Space>(near_best), options, 1); });
  };
  for (const std::int64_t batches : {2, 5}) {
    EXPECT_EQ(with(batches, 10), "number of gap batches is " + std::to_string(batches) +
                                     ", expected an even number of at least 4 for two replications");
  }
  EXPECT_EQ(with(4, -1), "iterations of the gap is -1, expected at least 0; 0 gives only the duality gap");
}

// If one vertex is clearly the best, the bounds are tight: they hold about as often as stated, not always.
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
  EXPECT_GE(upper, count_band().least);
  EXPECT_GE(lower, count_band().least);
  EXPECT_LE(upper, count_band().most);
  EXPECT_LE(lower, count_band().most);
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
  return estimate_gap(problem, region, to_device<Backend>(x), {4, 1, 0.95, 0, 100}, 1);
}

TYPED_TEST(GapOnBackends, IsExactWithoutNoise) {
  const std::vector<double> x = {0.1, 0.2, 0.3, 0.4, 0};
  const GapEstimate found = gap_without_noise<TypeParam>(x);
  for (const double value : {found.estimate, found.lower, found.upper}) EXPECT_NEAR(value, true_gap(x), 1e-14);
  const double off = suboptimality(x);
  EXPECT_GE(found.suboptimality->estimate, off - 1e-14);
  EXPECT_LE(found.suboptimality->estimate, off + found.suboptimality->solver_gap + 1e-14);
  EXPECT_LE(found.suboptimality->solver_gap, 1e-3 * true_gap(x));
  EXPECT_EQ(found.bound(), found.suboptimality->upper);
  EXPECT_EQ(found.batches, 4);
  EXPECT_EQ(found.batch_size, 1);
  EXPECT_EQ(found.confidence, 0.95);
}

}  // namespace gap_tests
