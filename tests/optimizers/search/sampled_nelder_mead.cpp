// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks Nelder–Mead on samples of growing size, on problems whose minimum is known.
#include "noisy_problems.hpp"

#include <sporos/optimizers/search/batched_point.hpp>
#include <sporos/optimizers/search/run_searches.hpp>
#include <sporos/optimizers/search/sampled_nelder_mead.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace sporos::test {
namespace sampled_nelder_mead_tests {

Solver nelder_mead(SampledNelderMeadOptions options = {}) {
  return [options](SearchRun& run) { return sampled_nelder_mead(run, options); };
}

TEST(SampledNelderMead, ComesToTheMinimumOfANoisyQuadratic) {
  for (const std::size_t dimension : {1u, 2u, 4u}) {
    NoisyProblem problem = noisy_quadratic(dimension, false);
    double sum = 0;
    for (const SearchResult& result :
         run_searches(problem, nelder_mead(), std::vector<double>(dimension, 0.0), 16'000, {1, 2, 3, 4, 5})) {
      EXPECT_LE(result.replications, 16'000);
      EXPECT_GT(result.replications, 12'000);
      sum += distance_from_minimum(result.x) / 5;
    }
    EXPECT_LT(sum, 0.01 * distance_from_minimum(std::vector<double>(dimension, 0.0))) << dimension;
  }
}

// Counts the wrong ones of 400 comparisons between two points whose means differ by little compared with the noise,
// with samples of 8, 16, ..., 1024 replications.
int wrong_comparisons(double critical) {
  NoisyProblem problem({{0, 1}}, false, [](std::span<const double> x, const std::function<double()>& u, auto) {
    return 0.001 * x[0] + (x[0] < 0.5 ? u() : 1 - u());
  });
  int wrong = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const SearchRun run(problem, {0}, 10'000, seed);
    impl::BatchedPoint low{{0}, {}, {}}, high{{1}, {}, {}};
    for (std::int64_t of_batch = 1; of_batch <= 128; of_batch *= 2) {
      for (impl::BatchedPoint* point : {&low, &high}) {
        const std::int64_t known = point->replications_of_batch();
        std::vector<Sample> samples;
        impl::append_batches(samples, run, point->x, {known, run.budget(), of_batch - known}, false);
        std::vector<SampleMean> means = problem.evaluate(samples);
        impl::add_batches(run, *point, std::move(means));
      }
      const impl::Comparison found = impl::compare_by_batches(high, low, critical, 0);
      wrong += found == impl::Comparison::lower;
      if (found != impl::Comparison::unclear) break;
    }
  }
  return wrong;
}

// An error of 5 % is allowed: more than 38 errors of 400 have a probability below 10⁻⁴. Critical values for a single
// look (control) err far more often, because there are eight looks.
TEST(SampledNelderMead, ComparisonsAreRightWithTheirProbability) {
  EXPECT_LE(wrong_comparisons(impl::critical_of_comparisons(0.95, 8)), 38);
  EXPECT_GT(wrong_comparisons(impl::critical_of_comparisons(0.95, 1)), 38);
}

TEST(SampledNelderMead, ComparesWhatThereIs) {
  impl::BatchedPoint nothing, one;
  nothing.all.mean = std::numeric_limits<double>::infinity();
  one.batches.resize(8);
  for (SampleMean& batch : one.batches) batch.mean = 1;
  one.all.mean = 1;
  one.all.count = 32;
  EXPECT_EQ(impl::compare_by_batches(one, nothing, 2, 0), impl::Comparison::lower);
  EXPECT_EQ(impl::compare_by_batches(nothing, one, 2, 0), impl::Comparison::not_lower);
  EXPECT_EQ(impl::compare_by_batches(nothing, nothing, 2, 0), impl::Comparison::unclear);
  EXPECT_EQ(impl::compare_by_batches(one, one, 2, 0), impl::Comparison::unclear);
  EXPECT_EQ(impl::compare_by_batches(one, one, 2, 0.1), impl::Comparison::not_lower);
}

// Without noise the first sample decides all comparisons.
TEST(SampledNelderMead, SamplesGrowWhereTheyMust) {
  NoisyProblem still({{-9, 9}, {-9, 9}}, false, [](std::span<const double> x, const std::function<double()>&, auto) {
    return (x[0] - 1) * (x[0] - 1) + (x[1] - 2) * (x[1] - 2);
  });
  NoisyProblem noisy = noisy_quadratic(2, false);
  const auto found = run_searches(still, nelder_mead(), {0, 0}, 6400, {1}).front();
  EXPECT_NEAR(found.x[0], 1, 1e-4);
  EXPECT_NEAR(found.x[1], 2, 1e-4);
  run_searches(noisy, nelder_mead(), {0, 0}, 6400, {1});
  const auto of_round = [](const NoisyProblem& problem) { return problem.replications / problem.rounds; };
  EXPECT_GT(of_round(noisy), 2 * of_round(still)) << of_round(still);
}

TEST(SampledNelderMead, StaysWithinBounds) {
  NoisyProblem problem = noisy_quadratic(3, false, -0.5, 0.75);  // the minimum lies outside
  for (const std::vector<double>& start : {std::vector<double>{0, 0, 0}, {0.75, -0.5, 0.75}}) {
    const auto found = run_searches(problem, nelder_mead(), start, 8000, {1}).front();
    for (const double x : found.x) EXPECT_NEAR(x, 0.75, 0.05);
    for (const Recommendation& recommendation : found.recommendations) {
      for (const double x : recommendation.x) EXPECT_TRUE(x >= -0.5 && x <= 0.75) << x;
    }
  }
}

// The model is invalid beyond x₀ = 0.9, on the way to the minimum at 1.
TEST(SampledNelderMead, KeepsOutOfWhereThereIsNothing) {
  NoisyProblem problem = noisy_quadratic(2, false);
  problem.makes_model = [](std::span<const double> x) { return x[0] <= 0.9; };
  const auto found = run_searches(problem, nelder_mead(), {0, 0}, 10'000, {1}).front();
  EXPECT_LE(found.x[0], 0.9);
  EXPECT_GT(found.x[0], 0.8);
  EXPECT_NEAR(found.x[1], 1.25, 0.2);
  const auto lost = run_searches(problem, nelder_mead(), {5, 0}, 10'000, {1}).front();  // surrounded by invalid models
  EXPECT_LE(lost.replications, 10'000);
}

TEST(SampledNelderMead, DoesNotDependOnOtherRuns) {
  NoisyProblem problem = noisy_quadratic(3, false);
  const auto separate = run_searches(problem, nelder_mead(), {0, 0, 0}, 5000, {7}).front();
  const auto together = run_searches(problem, nelder_mead(), {0, 0, 0}, 5000, {5, 6, 7})[2];
  EXPECT_EQ(together.x, separate.x);
  EXPECT_EQ(together.replications, separate.replications);
}

TEST(SampledNelderMead, KeepsWithinAnyBudget) {
  for (std::int64_t budget = 1; budget < 900; budget += 7) {
    NoisyProblem problem = noisy_quadratic(2, false);
    const auto found = run_searches(problem, nelder_mead(), {0, 0}, budget, {1}).front();
    EXPECT_LE(found.replications, budget);
    EXPECT_EQ(found.replications, problem.replications);
    EXPECT_EQ(found.replications > 0, budget >= 24);
  }
}

TEST(SampledNelderMead, RefusesBadOptions) {
  NoisyProblem problem = noisy_quadratic(1, false);
  for (const SampledNelderMeadOptions& options :
       {SampledNelderMeadOptions{.replications = 0}, SampledNelderMeadOptions{.growth = 1},
        SampledNelderMeadOptions{.probability = 0.5}, SampledNelderMeadOptions{.indifference = 0},
        SampledNelderMeadOptions{.largest_share = 1}, SampledNelderMeadOptions{.step = 0}}) {
    EXPECT_THROW(run_searches(problem, nelder_mead(options), {0}, 100, {1}), std::invalid_argument);
  }
}

}  // namespace sampled_nelder_mead_tests
}  // namespace sporos::test
