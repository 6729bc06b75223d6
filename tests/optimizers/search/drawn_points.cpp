// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the points that searches draw, from distributions of the problem or uniformly.
#include "noisy_problems.hpp"

#include <sporos/optimizers/search/drawn_point.hpp>
#include <sporos/optimizers/search/multistart.hpp>
#include <sporos/optimizers/search/random_search.hpp>
#include <sporos/optimizers/search/run_searches.hpp>
#include <sporos/optimizers/search/sampled_nelder_mead.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace sporos::test {
namespace drawn_points_tests {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Records all points at which replications are requested.
class RecordedProblem final : public ProblemOverProblem {
 public:
  using ProblemOverProblem::ProblemOverProblem;
  std::vector<SampleMoments> simulate(std::span<const Sample> samples) override {
    for (const Sample& sample : samples) points.push_back(sample.x);
    return m_problem.simulate(samples);
  }
  std::vector<std::vector<double>> points;
};

// The quantile function of a distribution from that of one probability.
QuantileFunction quantiles(double (*quantile)(double)) {
  return [quantile](std::span<double> values) { std::ranges::transform(values, values.begin(), quantile); };
}

const QuantileFunction exponential_quantile = quantiles([](double u) { return -3 * std::log1p(-u); });
double exponential_cdf(double x, double mean) { return x <= 0 ? 0 : -std::expm1(-x / mean); }

// Largest distance between a coordinate's empirical distribution, over all points but the first, and `cdf`.
double distance(const std::vector<std::vector<double>>& points, std::size_t coordinate,
                const std::function<double(double)>& cdf) {
  std::vector<double> values;
  for (std::size_t i = 1; i < points.size(); ++i) values.push_back(points[i][coordinate]);
  std::ranges::sort(values);
  const auto n = static_cast<double>(values.size());
  double greatest = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double below = static_cast<double>(i) / n, at = cdf(values[i]);
    greatest = std::max({greatest, at - below, below + 1 / n - at});
  }
  return greatest;
}

// Draws 4000 points with one replication each. By the inequality of Dvoretzky, Kiefer, Wolfowitz and Massart a distance
// of sqrt(ln(2 / 1e-6) / (2 * 3999)) = 0.0426 is exceeded with probability 1e-6 at most.
TEST(DrawnPoints, AreOfTheirDistributionsAndElseUniform) {
  NoisyProblem problem({{0, infinity}, {-2, 2}, {1, 9, true}}, false,
                       [](std::span<const double> x, const std::function<double()>& u, auto) { return x[0] + u(); });
  DrawnProblem drawn(problem, {exponential_quantile, nullptr, quantiles([](double u) { return 20 * u - 5; })});
  RecordedProblem recorded(drawn);
  run_searches(recorded, [](SearchRun& run) { return random_search(run, {.replications = 1}); }, {1, 1, 1}, 4000, {5});
  ASSERT_EQ(recorded.points.size(), 4000U);
  constexpr double critical = 0.0426;
  EXPECT_LT(distance(recorded.points, 0, [](double x) { return exponential_cdf(x, 3); }), critical);
  EXPECT_GT(distance(recorded.points, 0, [](double x) { return exponential_cdf(x, 3.5); }), critical) << "control";
  EXPECT_LT(distance(recorded.points, 1, [](double x) { return (x + 2) / 4; }), critical);
  std::size_t least = 0;
  for (const std::vector<double>& x : recorded.points) {
    EXPECT_TRUE(x[2] == std::floor(x[2]) && x[2] >= 1 && x[2] <= 9) << x[2];
    least += x[2] == 1;
  }
  // Values below the range become its smallest integer, with probability 6.5 / 20; six deviations are 0.045.
  EXPECT_NEAR(static_cast<double>(least) / 4000, 6.5 / 20, 0.045);
}

// Vertices along the coordinates would each differ from the start in one coordinate.
TEST(DrawnPoints, AreTheFirstSimplexWhereThereAreDistributions) {
  const auto different = [](SampledProblem& problem) {
    RecordedProblem recorded(problem);
    run_searches(recorded, [](SearchRun& run) { return sampled_nelder_mead(run, {}); }, {1, 1, 1}, 1000, {5});
    std::vector<std::ptrdiff_t> counts;
    for (std::size_t i = 0; i < recorded.points.size(); ++i) {
      if (i > 0 && recorded.points[i] == recorded.points[i - 1]) continue;  // the next batch at the same point
      counts.push_back(std::ranges::count_if(recorded.points[i], [](double x) { return x != 1; }));
    }
    counts.resize(4);
    return counts;
  };
  NoisyProblem problem = noisy_quadratic(3, false, 0, infinity);
  EXPECT_EQ(different(problem), (std::vector<std::ptrdiff_t>{0, 1, 1, 1}));
  DrawnProblem drawn(problem, {exponential_quantile, exponential_quantile, exponential_quantile});
  EXPECT_EQ(different(drawn), (std::vector<std::ptrdiff_t>{0, 3, 3, 3}));
  DrawnProblem one(problem, {exponential_quantile});
  EXPECT_EQ(different(one), (std::vector<std::ptrdiff_t>{0, 1, 1, 1})) << "two coordinates cannot be drawn";
}

TEST(DrawnPoints, NeedABoundOrADistribution) {
  const auto message_of = [](SampledProblem& problem, const Solver& solver) -> std::string {
    try {
      run_searches(problem, solver, {1, 1}, 1000, {1});
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  const Solver random = [](SearchRun& run) { return random_search(run, {}); };
  const Solver several = [](SearchRun& run) {
    return multistart(run, [](SearchRun& part) { return sampled_nelder_mead(part, {}); }, {.starts = 3});
  };
  NoisyProblem problem = noisy_quadratic(2, false, 0, infinity);
  const std::string expected = "a bound is infinite, expected finite bounds or a distribution of the coordinate for ";
  EXPECT_EQ(message_of(problem, random), expected + "random search");
  EXPECT_EQ(message_of(problem, several), expected + "several starts");
  DrawnProblem drawn(problem, {exponential_quantile, exponential_quantile});
  EXPECT_EQ(message_of(drawn, random), "");
  EXPECT_EQ(message_of(drawn, several), "");
  EXPECT_THROW(DrawnProblem(problem, std::vector<QuantileFunction>(3)), std::invalid_argument);
}

}  // namespace drawn_points_tests
}  // namespace sporos::test
