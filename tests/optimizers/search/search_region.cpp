// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks regions: projections, linear oracles, faces, and problems over regions.
#include "noisy_problems.hpp"

#include <sporos/optimizers/search/astro_df.hpp>
#include <sporos/optimizers/search/constrained_problem.hpp>
#include <sporos/optimizers/search/run_searches.hpp>
#include <sporos/optimizers/search/sampled_frank_wolfe.hpp>
#include <sporos/optimizers/search/search_region.hpp>
#include <sporos/optimizers/search/stochastic_approximation.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sporos::test {
namespace search_region_tests {

constexpr double infinity = std::numeric_limits<double>::infinity();

double sum_of_products(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// Random ranges and random constraints (one by default) with a feasible point.
class RandomRegion {
 public:
  explicit RandomRegion(std::uint64_t seed, std::size_t count = 1) : m_engine(seed) {
    const std::size_t d = count + seed % 6;
    for (std::size_t i = 0; i < d; ++i) {
      const double low = uniform(-3, 3);
      ranges.push_back({low, low + uniform(0.1, 4)});
      inside.push_back(uniform(ranges[i].low, ranges[i].high));
    }
    for (std::size_t j = 0; j < count; ++j) {
      LinearConstraint& constraint = constraints.emplace_back();
      for (std::size_t i = 0; i < d; ++i) constraint.weights.push_back(seed % 3 == 0 && j == 0 ? 1 : uniform(-2, 2));
      if (d > 2) constraint.weights[1] = 0;
      constraint.is_equality = (seed + j) % 2 == 0 && j + 1 < d;
      constraint.total = sum_of_products(constraint.weights, inside);
    }
    if (count == 1) constraints[0].is_equality = seed % 2 == 0;
  }

  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(m_engine); }
  std::vector<double> point(double low, double high) {
    std::vector<double> x;
    for (std::size_t i = 0; i < ranges.size(); ++i) x.push_back(uniform(low, high));
    return x;
  }
  SearchRegion region() const { return {ranges, constraints}; }
  bool holds(const std::vector<double>& x) const {
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (x[i] < ranges[i].low || x[i] > ranges[i].high) return false;
    }
    return std::ranges::all_of(constraints, [&](const LinearConstraint& constraint) {
      const double excess = sum_of_products(constraint.weights, x) - constraint.total;
      return constraint.is_equality ? std::abs(excess) < 1e-9 : excess < 1e-9;
    });
  }

  std::vector<DecisionRange> ranges;
  std::vector<LinearConstraint> constraints;
  std::vector<double> inside;  // a point of the region

 private:
  std::mt19937_64 m_engine;
};

// y is the nearest point if Σ mᵢ (xᵢ − yᵢ)(vᵢ − yᵢ) ≤ 0 for all v of the region.
TEST(SearchRegion, ProjectsToTheNearestPoint) {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    RandomRegion random(seed, seed <= 200 ? 1 : 1 + seed % 4);
    const std::vector<double> x = random.point(-8, 8), metric = random.point(0.1, 3);
    const std::vector<double> y = random.region().projected(x, metric);
    ASSERT_TRUE(random.holds(y)) << seed;
    EXPECT_EQ(random.region().projected(y, metric), y);
    std::vector<double> pull;
    for (std::size_t i = 0; i < x.size(); ++i) pull.push_back(metric[i] * (x[i] - y[i]));
    for (int trial = 0; trial < 50; ++trial) {
      std::vector<double> v = random.region().projected(random.point(-8, 8));
      for (std::size_t i = 0; i < v.size(); ++i) v[i] -= y[i];
      EXPECT_LE(sum_of_products(pull, v), 1e-8) << seed;
    }
  }
}

TEST(SearchRegion, KnowsWhereALinearFunctionIsLeast) {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    RandomRegion random(seed, seed <= 200 ? 1 : 1 + seed % 4);
    const std::vector<double> slopes = random.point(-1, 1), least = random.region().least(slopes);
    ASSERT_TRUE(random.holds(least)) << seed;
    double lowest = infinity;
    for (int trial = 0; trial < 200; ++trial) {
      const double value = sum_of_products(slopes, random.region().projected(random.point(-8, 8)));
      EXPECT_LE(sum_of_products(slopes, least), value + 1e-9) << seed;
      lowest = std::min(lowest, value);
    }
    // The projection of a point far down the slopes is as good as the minimizer.
    std::vector<double> far = slopes;
    for (double& coordinate : far) coordinate *= -1e6;
    EXPECT_NEAR(sum_of_products(slopes, random.region().projected(far)), sum_of_products(slopes, least), 1e-6);
  }
}

TEST(SearchRegion, StaysOnAFace) {
  const std::vector<DecisionRange> ranges{{0, 1}, {0, 1}, {0, 1}};
  const LinearConstraint at_most{{1, 1, 1}, 2};
  const SearchRegion region(ranges, std::span(&at_most, 1));
  using Point = std::vector<double>;
  EXPECT_EQ(region.largest_on_face(Point{0.5, 0.5, 0.5}, Point{3, 2, 1}), (Point{1, 1, 0}));
  EXPECT_EQ(region.largest_on_face(Point{0, 0.5, 0.5}, Point{3, 2, 1}), (Point{0, 1, 1}));
  EXPECT_EQ(region.largest_on_face(Point{0.5, 0.5, 0.5}, Point{-3, -2, -1}), (Point{0, 0, 0}));
  EXPECT_EQ(region.largest_on_face(Point{0.5, 0.5, 1}, Point{-3, -2, -1}), (Point{0, 1, 1}));  // at the limit
  EXPECT_EQ(region.longest_step(Point{0.5, 0.5, 0.5}, Point{1, 1, 0}), 0.25);
  EXPECT_EQ(region.longest_step(Point{0.5, 0.5, 0.5}, Point{1, -1, 0}), 0.5);
  EXPECT_EQ(region.longest_step(Point{0.5, 0.5, 0.5}, Point{0, 0, 0}), infinity);
}

TEST(SearchRegion, HasTheNarrowestRanges) {
  const std::vector<DecisionRange> ranges{{0, infinity}, {1, infinity}, {-1, 4}};
  const LinearConstraint at_most{{2, 1, 0}, 7}, equal{{1, 1, 1}, 20, true};
  const auto finite = SearchRegion(ranges, std::span(&at_most, 1)).tightened();
  EXPECT_EQ(finite[0].high, 3);
  EXPECT_EQ(finite[1].high, 7);
  EXPECT_EQ(finite[2].high, 4);
  const std::vector<DecisionRange> box{{0, 10}, {1, 11}, {-1, 4}};
  const auto narrow = SearchRegion(box, std::span(&equal, 1)).tightened();
  EXPECT_EQ(narrow[0].low, 5);
  EXPECT_EQ(narrow[1].low, 6);
  EXPECT_EQ(narrow[2].low, -1);
}

// Each end of a range is attained, no point of the region lies beyond it, and faces and steps stay in the region.
TEST(SearchRegion, OfSeveralConstraintsHasRangesFacesAndSteps) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    RandomRegion random(seed, 2 + seed % 2);
    const SearchRegion region = random.region();
    const std::vector<DecisionRange> narrow = region.tightened();
    for (std::size_t i = 0; i < narrow.size(); ++i) {
      EXPECT_LE(narrow[i].low, random.inside[i] + 1e-9);
      EXPECT_GE(narrow[i].high, random.inside[i] - 1e-9);
      std::vector<double> slopes(narrow.size());
      slopes[i] = 1;
      EXPECT_NEAR(region.least(slopes)[i], narrow[i].low, 1e-9) << seed;
    }
    const std::vector<double> x = region.projected(random.point(-8, 8)), slopes = random.point(-1, 1);
    const std::vector<double> far = region.largest_on_face(x, slopes);
    EXPECT_TRUE(random.holds(far)) << seed;
    EXPECT_GE(sum_of_products(slopes, far), sum_of_products(slopes, x) - 1e-9) << seed;
    std::vector<double> move = far;
    for (std::size_t i = 0; i < move.size(); ++i) move[i] -= random.inside[i];
    const double step = std::min(region.longest_step(random.inside, move), 1e3);
    std::vector<double> end = random.inside;
    for (std::size_t i = 0; i < end.size(); ++i) end[i] += step * move[i];
    const bool has_equality = std::ranges::any_of(random.constraints, &LinearConstraint::is_equality);
    EXPECT_TRUE(has_equality || random.holds(end)) << seed;
  }
}

// Σ cᵢ (xᵢ − aᵢ − noise)² with aᵢ = 1 + i / 4 and cᵢ = 1 + 12 i: the minimum subject to Σ x ≤ C is at aᵢ − λ / cᵢ,
// where λ = (Σ a − C) / Σ 1/c.
NoisyProblem uneven(std::size_t dimension, bool has_gradient) {
  return {std::vector<DecisionRange>(dimension, {-10, 10}), has_gradient,
          [](std::span<const double> x, const std::function<double()>& u, std::span<double> gradient) {
            double sum = 0;
            for (std::size_t i = 0; i < x.size(); ++i) {
              const auto place = static_cast<double>(i);
              const double distance = x[i] - (1 + 0.25 * place) - 2 * (u() - 0.5), weight = 1 + 12 * place;
              sum += weight * distance * distance;
              if (!gradient.empty()) gradient[i] = 2 * weight * distance;
            }
            return sum;
          }};
}

Solver approximation(StepScaling scaling, GradientSource gradient) {
  StochasticApproximationOptions options;
  options.scaling = scaling;
  options.gradient = gradient;
  options.replications = 4;
  return [options](SearchRun& run) { return stochastic_approximation(run, options); };
}

// Adam's steps scale each coordinate differently: with Euclidean projections they would end elsewhere.
TEST(SearchRegion, IsWhereProjectedStepsEnd) {
  using enum StepScaling;
  constexpr GradientSource own = GradientSource::problem, differences = GradientSource::differences;
  const std::vector<double> a{1, 1.25, 1.5}, c{1, 13, 25};
  const double lambda = 3.75 / (1 + 1.0 / 13 + 1.0 / 25);
  for (const bool is_equality : {false, true}) {
    for (const auto& [scaling, gradient] :
         {std::pair{adam, own}, {adagrad, own}, {robbins_monro, own}, {robbins_monro, differences}}) {
      NoisyProblem box = uneven(3, gradient == own);
      ConstrainedProblem problem(box, {{1, 1, 1}, 0, is_equality});
      const auto found = run_searches(problem, approximation(scaling, gradient), {0, 0, 0}, 60'000, {1}).front();
      for (std::size_t i = 0; i < 3; ++i)
        EXPECT_NEAR(found.x[i], a[i] - lambda / c[i], 0.2) << i << " " << static_cast<int>(scaling);
      for (const Recommendation& on_the_way : found.recommendations)
        EXPECT_LE(problem.region().violation(on_the_way.x), 1e-9);
    }
  }
}

std::string message_of(const std::vector<LinearConstraint>& constraints) {
  NoisyProblem box({{0, 10}, {0, infinity}, {0, 5, true}}, false, {});
  try {
    const ConstrainedProblem problem(box, constraints);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "done";
}

TEST(ConstrainedProblem, RefusesWhatIsNoRegion) {
  EXPECT_EQ(message_of({{{1, 1, 0}, 4}}), "done");
  EXPECT_EQ(message_of({{{1, 1}, 4}}), "dimension of the constraint is 2, expected that of the problem, 3");
  EXPECT_EQ(message_of({{{1, 1, 0}, infinity}}), "total of the constraint is inf, expected a finite number");
  EXPECT_EQ(message_of({{{0, 0, 0}, 4}}), "all weights of the constraint are 0, expected at least one other than 0");
  EXPECT_EQ(message_of({{{1, infinity, 0}, 4}}), "weight of coordinate 1 is inf, expected a finite number");
  EXPECT_EQ(message_of({{{1, 1, 1}, 4}}), "done");
  EXPECT_EQ(message_of({{{1, 1, 0}, 0}}), "the constraint leaves coordinate 0 only the value 0, expected a range");
  EXPECT_EQ(message_of({{{1, 1, 0}, -1}}), "the constraint leaves coordinate 0 no value, expected a range");
}

TEST(ConstrainedProblem, RefusesContradictions) {
  EXPECT_EQ(message_of({{{1, 1, 0}, 4}, {{1, -1, 0}, 1}}), "done");
  EXPECT_EQ(message_of({{{1, 1, 0}, 4}, {{-1, -1, 0}, -5}}),
            "the constraints contradict each other within the bounds, expected constraints that leave a range");
  EXPECT_EQ(message_of({{{1, 1, 0}, 4, true}, {{1, -1, 0}, 2, true}}),
            "the constraints leave coordinate 0 only the value 3, expected a range");
}

// Minimizes the quadratic of uneven() subject to Σ x ≤ 0 and x₀ − x₂ = 1/2. By Karush, Kuhn and Tucker,
// 2 c (x − a) + λ (1, 1, 1) + ν (1, 0, −1) = 0.
TEST(ConstrainedProblem, OfSeveralIsSolved) {
  const std::vector<double> a{1, 1.25, 1.5}, c{1, 13, 25};
  const double inverse = 1 / c[0] + 1 / c[1] + 1 / c[2], cross = 1 / c[0] - 1 / c[2];
  // The constraints are Σ a − λ' Σ 1/c − ν' (1/c₀ − 1/c₂) = 0 and a₀ − a₂ − λ' (1/c₀ − 1/c₂) − ν' (1/c₀ + 1/c₂) = 1/2.
  const double both = 1 / c[0] + 1 / c[2], determinant = inverse * both - cross * cross;
  const double lambda = (3.75 * both + 1 * cross) / determinant, nu = (-1 * inverse - 3.75 * cross) / determinant;
  const std::vector<double> solution{a[0] - (lambda + nu) / c[0], a[1] - lambda / c[1], a[2] - (lambda - nu) / c[2]};
  ASSERT_NEAR(solution[0] + solution[1] + solution[2], 0, 1e-12);
  ASSERT_NEAR(solution[0] - solution[2], 0.5, 1e-12);
  const auto frank_wolfe = [](SearchRun& run) { return sampled_frank_wolfe(run, {}); };
  for (const Solver& solver : {approximation(StepScaling::adam, GradientSource::problem), Solver(frank_wolfe)}) {
    NoisyProblem box = uneven(3, true);
    ConstrainedProblem problem(box, {{{1, 1, 1}, 0}, {{1, 0, -1}, 0.5, true}});
    const std::vector<double> start = problem.region().projected({0, 0, 0});
    const auto found = run_searches(problem, solver, start, 60'000, {1}).front();
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(found.x[i], solution[i], 0.2) << i;
    EXPECT_LE(problem.region().violation(found.x), 1e-9);
  }
}

TEST(ConstrainedProblem, IsForSolversThatStayInIt) {
  NoisyProblem box = noisy_quadratic(2, true);
  ConstrainedProblem problem(box, {{1, 1}, 1});
  const auto message = [&](const std::vector<double>& start) -> std::string {
    try {
      run_searches(problem, [](SearchRun& run) { return astro_df(run, {}, true); }, start, 1000, {1});
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "done";
  };
  EXPECT_EQ(message({0, 0}), "there is a constraint, expected only bounds for ASTRO");
  EXPECT_EQ(message({1, 1}), "the start violates the constraint, expected a feasible point");
}

}  // namespace search_region_tests
}  // namespace sporos::test
