// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Points without a valid model, or with failing replications, are infinitely bad for every solver and stop none.
#include "noisy_problems.hpp"

#include <sporos/core/events/failure.hpp>
#include <sporos/optimizers/search/astro_df.hpp>
#include <sporos/optimizers/search/differenced_problem.hpp>
#include <sporos/optimizers/search/multistart.hpp>
#include <sporos/optimizers/search/r_spline.hpp>
#include <sporos/optimizers/search/random_search.hpp>
#include <sporos/optimizers/search/retrospective_lbfgs.hpp>
#include <sporos/optimizers/search/run_searches.hpp>
#include <sporos/optimizers/search/sampled_frank_wolfe.hpp>
#include <sporos/optimizers/search/sampled_nelder_mead.hpp>
#include <sporos/optimizers/search/sampled_sqn.hpp>
#include <sporos/optimizers/search/stochastic_approximation.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sporos::test {
namespace infeasible_points_tests {

template <StepScaling scaling, GradientSource source>
Search approximation(SearchRun& run) {
  return stochastic_approximation(run, {.scaling = scaling, .gradient = source});
}

const std::vector<std::pair<std::string, Solver>> all_solvers{
    {"astro", [](SearchRun& run) { return astro_df(run, {}, true); }},
    {"astro-df", [](SearchRun& run) { return astro_df(run, {}, false); }},
    {"l-bfgs", [](SearchRun& run) { return retrospective_lbfgs(run, {}); }},
    {"sqn", [](SearchRun& run) { return sampled_sqn(run, {}); }},
    {"frank-wolfe", [](SearchRun& run) { return sampled_frank_wolfe(run, {}); }},
    {"adam", approximation<StepScaling::adam, GradientSource::problem>},
    {"adagrad", approximation<StepScaling::adagrad, GradientSource::problem>},
    {"robbins-monro", approximation<StepScaling::robbins_monro, GradientSource::problem>},
    {"spsa", approximation<StepScaling::robbins_monro, GradientSource::differences>},
    {"nelder-mead", [](SearchRun& run) { return sampled_nelder_mead(run, {}); }},
    {"r-spline", [](SearchRun& run) { return r_spline(run, {}); }},
    {"random-search", [](SearchRun& run) { return random_search(run, {}); }},
    {"r-spline from starts", [](SearchRun& run) {
       return multistart(run, [](SearchRun& part) { return r_spline(part, {}); }, {.starts = 4});
     }}};

// The minimum of noisy_quadratic, (1, 1.25), lies beyond the line on which the first coordinate is 0.5.
bool is_feasible(std::span<const double> x) { return x[0] <= 0.5; }

enum class Kind { no_model, failing, not_finite };

// A problem that is infeasible beyond that line, in one of several ways.
class HalfProblem final : public ProblemOverProblem {
 public:
  HalfProblem(SampledProblem& problem, Kind kind) : ProblemOverProblem(problem), m_kind(kind) {}

  std::vector<SampleMoments> simulate(std::span<const Sample> samples) override {
    std::vector<SampleMoments> found = m_problem.simulate(samples);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      if (is_feasible(samples[i].x) || m_kind == Kind::not_finite) continue;
      found[i] = {};
      if (m_kind == Kind::failing) {
        found[i].failed = 1;
        found[i].failure = {Failure::queue_full, 8};
      }
    }
    return found;
  }
  double objective(std::span<const double> x, std::span<const double> means, std::span<double> by_coordinates,
                   std::span<double> by_means) const override {
    const double found = m_problem.objective(x, means, by_coordinates, by_means);
    return is_feasible(x) || m_kind != Kind::not_finite ? found : std::log(-1.0);
  }

 private:
  Kind m_kind;
};

// From a feasible start all solvers end at feasible points that are better; from an infeasible start none fails.
TEST(InfeasiblePoints, EndNoSolver) {
  const std::vector<double> start{-2, -2}, beyond{2, 2};
  for (const Kind kind : {Kind::no_model, Kind::failing, Kind::not_finite}) {
    for (const auto& [name, solver] : all_solvers) {
      NoisyProblem whole = noisy_quadratic(2, true, -4, 4);
      HalfProblem half(whole, kind);
      for (const SearchResult& found : run_searches(half, solver, start, 4000, seeds(3))) {
        EXPECT_LE(found.x[0], 0.5 + 0.1) << name << ' ' << static_cast<int>(kind);
        EXPECT_LT(distance_from_minimum(found.x), distance_from_minimum(start)) << name;
      }
      for (const SearchResult& found : run_searches(half, solver, beyond, 4000, seeds(3))) {
        for (const double x : found.x) EXPECT_TRUE(std::isfinite(x)) << name << ' ' << static_cast<int>(kind);
      }
    }
  }
}

// Differences are one-sided next to infeasible points, and 0 between two of them.
TEST(InfeasiblePoints, AreLeftOutOfDifferences) {
  NoisyProblem problem({{-4, 4}, {-4, 4}}, false, [](std::span<const double> x, const std::function<double()>&, auto) {
    return 3 * x[0] - 2 * x[1];
  });
  problem.makes_model = [](std::span<const double> x) { return x[0] <= 0.5 && x[1] == 0; };
  DifferencedProblem differenced(problem, {0.1, 0.1});
  const std::vector<Sample> samples{{{0.45, 0}, 1, 0, 10, true}, {{1, 0}, 1, 0, 10, true}};
  const std::vector<SampleMean> means = differenced.evaluate(samples);
  ASSERT_EQ(means[0].gradient.size(), 2U);
  EXPECT_NEAR(means[0].gradient[0], 3, 1e-9);
  EXPECT_EQ(means[0].gradient[1], 0);
  EXPECT_EQ(means[1].count, 0);
  EXPECT_TRUE(std::isinf(means[1].mean) && means[1].gradient.empty());
}

// Moments with failures stay infeasible, whatever is added to them or they are added to.
TEST(InfeasiblePoints, StayInfeasibleWithMoreReplications) {
  const NoisyProblem problem = noisy_quadratic(1, false);
  SampleMoments good{10, {2}, {1}, {}, {}}, failed;
  failed.failed = 3;
  failed.failure = {Failure::calendar_full, 4};
  SampleMoments first = good, second = failed;
  first.add(failed);
  second.add(good);
  second.add(failed);
  EXPECT_EQ(first.failed, 3);
  EXPECT_EQ(second.failed, 6);
  for (const SampleMoments& moments : {first, second}) {
    EXPECT_EQ(moments.count, 0);
    EXPECT_EQ(moments.failure.failure, Failure::calendar_full);
    const SampleMean mean = problem.estimate(std::vector<double>{1}, moments);
    EXPECT_TRUE(std::isinf(mean.mean));
    EXPECT_EQ(mean.moments.failed, moments.failed);
  }
}

}  // namespace infeasible_points_tests
}  // namespace sporos::test
