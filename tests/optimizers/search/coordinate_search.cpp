// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks coordinate search on problems over integers whose minimum is known.
#include "noisy_problems.hpp"

#include <sporos/optimizers/search/coordinate_search.hpp>
#include <sporos/optimizers/search/r_spline.hpp>
#include <sporos/optimizers/search/run_searches.hpp>
#include <sporos/optimizers/search/step_beliefs.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sporos::test {
namespace coordinate_search_tests {

const Solver coordinates = [](SearchRun& run) { return coordinate_search(run, {}); };

double minimizer(std::size_t i) { return static_cast<double>(i * 7 % 5); }

// Quadratic with coupled neighbours and the minimum 0 at 0, 2, 4, 1, 3, 0, …
double lattice_quadratic(std::span<const double> x) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double distance = x[i] - minimizer(i);
    sum += distance * distance + (i > 0 ? 0.5 * distance * (x[i - 1] - minimizer(i - 1)) : 0);
  }
  return sum;
}

// The lattice quadratic with noise that common random numbers keep in part. Counts the points that violate constraints.
class LatticeProblem final : public SampledProblem {
 public:
  explicit LatticeProblem(std::size_t dimension, std::vector<LinearConstraint> constraints = {})
      : m_bounds(dimension, {0, 20, true}),
        m_constraints(std::move(constraints)),
        m_inner(m_bounds, false, replicate) {}

  std::span<const DecisionRange> bounds() const override { return m_bounds; }
  std::span<const LinearConstraint> constraints() const override { return m_constraints; }
  bool has_gradient() const override { return false; }
  std::vector<SampleMoments> simulate(std::span<const Sample> samples) override {
    std::vector<SampleMoments> found = m_inner.simulate(samples);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      for (const double x : samples[i].x) outside += x < 0 || x > 20 || x != std::nearbyint(x);
      outside += region().violation(samples[i].x) > 0;
      if (!is_feasible(samples[i].x)) found[i] = {};
    }
    return found;
  }
  int outside = 0;
  std::function<bool(std::span<const double>)> is_feasible = [](std::span<const double>) { return true; };

 private:
  static double replicate(std::span<const double> x, const std::function<double()>& u, std::span<double>) {
    double noise = 4 * (u() - 0.5);
    for (const double coordinate : x) noise += 0.4 * (coordinate - 10) * (u() - 0.5);
    return lattice_quadratic(x) + noise;
  }

  std::vector<DecisionRange> m_bounds;
  std::vector<LinearConstraint> m_constraints;
  NoisyProblem m_inner;
};

// Mean objective of the ends of some runs.
double mean_end(LatticeProblem& problem, const Solver& solver, double start, std::int64_t budget,
                std::uint64_t runs = 4) {
  double sum = 0;
  const std::vector<double> from(problem.dimension(), start);
  for (const SearchResult& result : run_searches(problem, solver, from, budget, seeds(runs))) {
    EXPECT_LE(result.replications, budget);
    EXPECT_NE(std::ranges::find(result.candidates, result.x), result.candidates.end());
    sum += lattice_quadratic(result.x) / static_cast<double>(runs);
  }
  EXPECT_EQ(problem.outside, 0);
  return sum;
}

// A single step changes the quadratic by at least 1. With the same budget R-SPLINE stays far away (control).
TEST(CoordinateSearch, FindsTheMinimumOfALatticeQuadraticIn30Dimensions) {
  LatticeProblem problem(30), control(30);
  EXPECT_LT(mean_end(problem, coordinates, 10, 3000), 0.5);
  EXPECT_GT(mean_end(
                control, [](SearchRun& run) { return r_spline(run, {}); }, 10, 3000),
            20);
}

// Under Σ x = 60 in 12 dimensions, only shifts are feasible. The reference is a search without noise among all shifts.
TEST(CoordinateSearch, KeepsConstraints) {
  constexpr std::size_t dimension = 12;
  for (const bool is_equality : {true, false}) {
    const double total = is_equality ? 60 : 12;
    LatticeProblem problem(dimension, {{std::vector<double>(dimension, 1), total, is_equality}});
    std::vector<double> best(dimension, total / dimension);
    for (bool is_better = true; is_better;) {
      is_better = false;
      for (std::size_t i = 0; i < dimension * dimension; ++i) {
        std::vector<double> next = best;
        next[i / dimension] -= 1;
        next[i % dimension] += 1;
        if (next[i / dimension] < 0 || lattice_quadratic(next) >= lattice_quadratic(best)) continue;
        best = std::move(next);
        is_better = true;
      }
    }
    EXPECT_LT(mean_end(problem, coordinates, total / dimension, 3000), lattice_quadratic(best) + 1);
  }
}

// A search with an approximation or with scores is closer to the minimum after few replications than one without. An
// approximation whose differences have the wrong sign does not prevent the search from coming close with more.
TEST(CoordinateSearch, UsesKnowledgeAboutTheProblem) {
  const auto end_with = [](SearchKnowledge knowledge, std::int64_t budget, std::uint64_t runs = 4) {
    LatticeProblem problem(30);
    return mean_end(
        problem, [&](SearchRun& run) { return coordinate_search(run, {.knowledge = knowledge}); }, 10, budget, runs);
  };
  const auto scores = [](std::span<const double> x, const SampleMoments&) {
    std::vector<double> found;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double slope = 2 * (x[i] - minimizer(i));
      found.insert(found.end(), {-slope, slope});
    }
    return found;
  };
  const auto shifted = [](std::span<const double> x) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += std::pow(x[i] - minimizer(i) - 1, 2);
    return sum;
  };
  const double without = end_with({}, 300);
  EXPECT_LT(end_with({.step_scores = scores}, 300), 0.7 * without);
  EXPECT_LT(end_with({.approximation = shifted}, 300), 0.2 * without);
  EXPECT_LT(end_with({.approximation = [](std::span<const double> x) { return -0.1 * lattice_quadratic(x); }}, 3000, 2),
            10);
}

// The start minimizes E Σ |xᵢ − 10 L|, with one level L ~ U(0.5, 1.5) for all coordinates, which a few replications
// estimate badly. Each coordinate adds (xᵢ − 10)² / 10 to the minimum. A search that compares all points on the same
// few replications moves to their level: its mean end is more than 2 above the minimum.
TEST(CoordinateSearch, DoesNotFitAFewReplications) {
  constexpr std::size_t dimension = 12;
  NoisyProblem problem(std::vector<DecisionRange>(dimension, {0, 100, true}), false,
                       [](std::span<const double> x, const std::function<double()>& u, std::span<double>) {
                         const double level = 0.5 + u();
                         double sum = 0;
                         for (const double coordinate : x) sum += std::abs(coordinate - 10 * level);
                         return sum;
                       });
  double mean = 0;
  constexpr std::uint64_t runs = 20;
  for (const SearchResult& result :
       run_searches(problem, coordinates, std::vector<double>(dimension, 10), 1000, seeds(runs))) {
    for (const double coordinate : result.x) mean += std::pow(coordinate - 10, 2) / 10 / runs;
  }
  EXPECT_LT(mean, 1);
}

TEST(CoordinateSearch, AvoidsInfeasiblePoints) {
  LatticeProblem problem(3);
  problem.is_feasible = [](std::span<const double> x) { return x[0] + x[1] + x[2] >= 20; };
  const SearchResult result = run_searches(problem, coordinates, {10, 10, 10}, 2000, {1}).front();
  EXPECT_EQ(result.x[0] + result.x[1] + result.x[2], 20);
  problem.is_feasible = [](std::span<const double>) { return false; };
  EXPECT_EQ(run_searches(problem, coordinates, {10, 10, 10}, 2000, {1}).front().x, (std::vector<double>{10, 10, 10}));
}

// Steps grow and shrink: the minimum is 903 and 3583 away, and 400 steps of length 1 could not come near it.
TEST(CoordinateSearch, AdaptsTheLengthOfSteps) {
  NoisyProblem problem({{0, 5000, true}, {0, 5000, true}}, false,
                       [](std::span<const double> x, const std::function<double()>& u, std::span<double>) {
                         return std::abs(x[0] - 903) + std::abs(x[1] - 417) + u();
                       });
  for (const SearchResult& result : run_searches(problem, coordinates, {0, 4000}, 1200, seeds(5)))
    EXPECT_LT(std::abs(result.x[0] - 903) + std::abs(result.x[1] - 417), 50);
}

// From all lower bounds, the minimum is 70 to 74 away in each of 40 coordinates, and 100 replications allow less than
// 50 single steps. A search with an approximation, even one that says nothing, has no line search along the diagonal
// (control).
TEST(CoordinateSearch, BeginsWithALineSearchAlongTheDiagonal) {
  constexpr std::size_t dimension = 40;
  const auto distance = [](std::span<const double> x) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += std::abs(x[i] - 70 - minimizer(i)) / dimension;
    return sum;
  };
  NoisyProblem problem(std::vector<DecisionRange>(dimension, {0, 100, true}), false,
                       [&](std::span<const double> x, const std::function<double()>& u, std::span<double>) {
                         return distance(x) + u();
                       });
  const auto farthest_end = [&](const SearchKnowledge& knowledge) {
    const Solver solver = [&](SearchRun& run) { return coordinate_search(run, {.knowledge = knowledge}); };
    double farthest = 0;
    for (const SearchResult& result : run_searches(problem, solver, std::vector<double>(dimension), 100, seeds(4)))
      farthest = std::max(farthest, distance(result.x));
    return farthest;
  };
  EXPECT_LT(farthest_end({}), 10);
  EXPECT_GT(farthest_end({.approximation = [](std::span<const double>) { return 0.0; }}), 60);
}

TEST(CoordinateSearch, DoesNotDependOnOtherRuns) {
  LatticeProblem separate(5), together(5);
  const std::vector<double> start(5, 9);
  const auto one = run_searches(separate, coordinates, start, 300, {7});
  const auto many = run_searches(together, coordinates, start, 300, {5, 6, 7, 8});
  EXPECT_EQ(many[2].x, one[0].x);
  EXPECT_EQ(many[2].replications, one[0].replications);
  EXPECT_EQ(many[2].candidates, one[0].candidates);
}

TEST(CoordinateSearch, RefusesRealCoordinatesAndWrongOptions) {
  NoisyProblem real({{0, 9, true}, {0, 9}}, false,
                    [](std::span<const double> x, const std::function<double()>&, std::span<double>) { return x[0]; });
  const auto message_of = [](SampledProblem& problem, const CoordinateSearchOptions& options) -> std::string {
    const Solver solver = [&](SearchRun& run) { return coordinate_search(run, options); };
    try {
      run_searches(problem, solver, std::vector<double>(problem.dimension(), 1.0), 100, {1});
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "done";
  };
  EXPECT_EQ(message_of(real, {}),
            "coordinate 1 is a real number, expected integers for coordinate search; r_spline refines real coordinates "
            "on a grid");
  LatticeProblem problem(2);
  EXPECT_EQ(message_of(problem, {.replications = 1}), "replications at a point is 1, expected at least 2");
  EXPECT_EQ(message_of(problem, {.growth = 1}), "growth is 1, expected a finite number above 1");
  EXPECT_EQ(message_of(problem, {.rejection = -1}), "rejection is -1, expected at least 0");
  EXPECT_EQ(message_of(problem, {}), "done");
}

// The closed form of the expected positive part: φ(0) for N(0, 1), and the mean itself without variance.
TEST(CoordinateSearch, ComputesExpectedImprovements) {
  EXPECT_NEAR((impl::Belief{0, 1}.expected_improvement()), 0.39894228040143268, 1e-15);
  EXPECT_NEAR((impl::Belief{1, 4}.expected_improvement() - impl::Belief{-1, 4}.expected_improvement()), 1, 1e-15);
  EXPECT_EQ((impl::Belief{3, 0}.expected_improvement()), 3);
  EXPECT_EQ((impl::Belief{-3, 0}.expected_improvement()), 0);
  const impl::Belief updated = impl::Belief{0, 3}.updated(4, 1);
  EXPECT_DOUBLE_EQ(updated.mean, 3);
  EXPECT_DOUBLE_EQ(updated.variance, 0.75);
}

}  // namespace coordinate_search_tests
}  // namespace sporos::test
