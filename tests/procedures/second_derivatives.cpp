// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares second derivatives of simulated objectives with closed forms and differences, also where paths have kinks.
#include <sporos/core/distributions/gamma.hpp>
#include <sporos/core/statistics/critical_values.hpp>
#include <sporos/models/projects/activity_network.hpp>
#include <sporos/models/queues/mm1.hpp>
#include <sporos/optimizers/search/check_pathwise.hpp>
#include <sporos/optimizers/search/differenced_problem.hpp>
#include <sporos/procedures/simulated_objective.hpp>

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>
#include <harness/backends.hpp>
#include <harness/long_tests.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

namespace sporos::test {
namespace second_derivatives_tests {

using Host = Kokkos::DefaultHostExecutionSpace;
using models::ActivityNetwork;
using models::MM1;

// A parameter without a check or descriptions.
template <class Model, class Real>
constexpr Parameter<Model, Real> plain(const char* name, Real Model::*member, double default_value) {
  return {name, member, default_value, "", "", nullptr};
}

// Smooth functions of smooth variates: the square of a gamma variate, a lognormal variate times the gamma variate, and
// the square of what remains of `steps` exponential loads. The share `decay` of a load remains after a step.
template <class Real = double>
struct BasicSmooth {
  Real shape, scale, log_mean, log_deviation, decay, load;
  static constexpr std::int64_t steps = 8;

  enum Input { any, input_count };
  static constexpr auto response_names = std::array{"square", "product", "square of load"};

  static constexpr auto parameters() {
    using S = BasicSmooth;
    return std::tuple{plain("shape", &S::shape, 1.7),       plain("scale", &S::scale, 0.8),
                      plain("log_mean", &S::log_mean, 0.1), plain("log_deviation", &S::log_deviation, 0.4),
                      plain("decay", &S::decay, 0.6),       plain("load", &S::load, 0.5)};
  }

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<Real, 3> operator()(Inputs& inputs) const {
    const Real amount = gamma(inputs(any), shape, scale), factor = lognormal(inputs(any), log_mean, log_deviation);
    Real left = 0.0;
    for (std::int64_t i = 0; i < steps; ++i) left = left * decay + exponential_by_mean(inputs(any), load);
    return {{amount * amount, factor * amount, left * left}};
  }

  // Expectation of each response.
  Kokkos::Array<Real, 3> means() const {
    Real sum = 0.0, squares = 0.0, power = 1.0;
    for (std::int64_t i = 0; i < steps; ++i, power *= decay) {
      sum += power;
      squares += power * power;
    }
    return {{scale * scale * shape * (shape + 1.0),
             math::exp(log_mean + 0.5 * (log_deviation * log_deviation)) * shape * scale,
             load * load * (squares + sum * sum)}};
  }
};

using Smooth = BasicSmooth<>;
constexpr int dimension = 6;
using Exact = Dual<dimension, Dual<dimension>>;

std::vector<Decision> decisions() {
  std::vector<Decision> all;
  for (const std::string_view name : differentiable_parameters<Smooth>()) all.push_back({std::string(name), 0.05, 9});
  return all;
}

std::vector<double> point_of(int number) {
  std::vector<double> x;
  for_each_parameter<Smooth>(
      [&](const auto& parameter) { x.push_back(parameter.default_value * (1 + 0.04 * number)); });
  return x;
}

// The coordinates as dual numbers of second order that vary along all directions.
std::array<Exact, dimension> coordinates(const std::vector<double>& x) {
  std::array<Exact, dimension> found;
  for (int i = 0; i < dimension; ++i) {
    Exact& coordinate = found[static_cast<std::size_t>(i)];
    coordinate.value.value = x[static_cast<std::size_t>(i)];
    coordinate.value.slope[i] = 1;
    coordinate.slope[i].value = 1;
  }
  return found;
}

Kokkos::Array<Exact, 3> exact_means(const std::vector<double>& x) {
  BasicSmooth<Exact> model{};
  const auto varied = coordinates(x);
  std::size_t i = 0;
  for_each_parameter<BasicSmooth<Exact>>([&](const auto& parameter) { model.*parameter.member = varied[i++]; });
  return model.means();
}

template <class Space, int directions = dimension, class Estimator = SecondOrderEstimator>
SimulatedObjective<Smooth, Space, directions, Estimator> problem_of(const Objective& objective) {
  return {Space(), default_model<Smooth>(), decisions(), objective};
}

const Objective all_means = function_of_means({"square", "product", "square of load"},
                                              [](std::span<const double>, std::span<const double> means,
                                                 std::span<double> by_decisions, std::span<double> by_means) {
                                                std::ranges::fill(by_decisions, 0.0);
                                                std::ranges::fill(by_means, 1.0);
                                                return means[0] + means[1] + means[2];
                                              });

// A sample at x with a direction along coordinate i.
Sample along(const std::vector<double>& x, std::size_t i, std::int64_t count, std::uint64_t seed = 1) {
  Sample sample{x, seed, 0, count, true, true};
  sample.direction.assign(x.size(), 0);
  sample.direction[i] = 1;
  return sample;
}

// Number of intervals that miss `exact` times `factor`: second derivatives of E[Y] by coordinate i and each j.
int misses(const SampleMoments& moments, std::size_t i, const Kokkos::Array<Exact, 3>& exact, double critical,
           double factor) {
  const auto n = static_cast<std::size_t>(moments.count);
  int missed = 0;
  for (std::size_t q = 0; q < 3; ++q) {
    for (std::size_t j = 0; j < dimension; ++j) {
      const double* const values = moments.values.data() + (q * (1 + 2 * dimension) + 1 + dimension + j) * n;
      const double mean = moments.curvatures[q * dimension + j];
      double squares = 0;
      for (std::size_t r = 0; r < n; ++r) squares += (values[r] - mean) * (values[r] - mean);
      const double half_width = critical * std::sqrt(squares / static_cast<double>(n - 1) / static_cast<double>(n));
      const double expected = factor * exact[q].slope[static_cast<int>(i)].slope[static_cast<int>(j)];
      if (!(std::abs(mean - expected) <= half_width + 1e-12)) ++missed;
    }
  }
  return missed;
}

// All 216 intervals (1080 with SPOROS_LONG_TESTS) simultaneously hold the closed forms with probability 99.9 %
// (Bonferroni). The control uses second derivatives that are 8 % larger.
TEST(SecondDerivatives, IntervalsHoldTheClosedForms) {
  constexpr std::int64_t count = 20'000;
  const int points = runs_in_test(2, 10);
  const double critical = student_t(1 - 1e-3 / (points * 3 * dimension * dimension), count);
  auto problem = problem_of<Host>(all_means);
  EXPECT_TRUE(problem.has_curvature());
  int wrong = 0;
  for (int point = 0; point < points; ++point) {
    const std::vector<double> x = point_of(point);
    const auto exact = exact_means(x);
    for (std::size_t i = 0; i < dimension; ++i) {
      const std::vector<Sample> samples{along(x, i, count, static_cast<std::uint64_t>(point))};
      const SampleMoments moments = problem.simulate(samples).front();
      EXPECT_EQ(misses(moments, i, exact, critical, 1), 0) << point << ", " << i;
      wrong += misses(moments, i, exact, critical, 1.08) > 0 ? 1 : 0;
    }
  }
  EXPECT_GT(wrong, points * dimension / 2);
}

// The function g(x, m) = m₀ / m₁ + √m₂ + x₁² x₃ + x₂ m₀.
template <class Numbers, class Means>
auto curved(const Numbers& x, const Means& m) {
  return m[0] / m[1] + math::sqrt(m[2]) + x[1] * x[1] * x[3] + x[2] * m[0];
}

double curved_function(std::span<const double> x, std::span<const double> m, std::span<double> by_decisions,
                       std::span<double> by_means) {
  std::ranges::fill(by_decisions, 0.0);
  if (!by_decisions.empty()) {
    by_decisions[1] = 2 * x[1] * x[3];
    by_decisions[2] = m[0];
    by_decisions[3] = x[1] * x[1];
  }
  if (!by_means.empty()) {
    by_means[0] = 1 / m[1] + x[2];
    by_means[1] = -m[0] / (m[1] * m[1]);
    by_means[2] = 0.5 / std::sqrt(m[2]);
  }
  return curved(x, m);
}

Objective curved_objective() { return function_of_means({"square", "product", "square of load"}, curved_function); }

// With fixed random numbers, the objective of a sample is a smooth function of x: its Hessian is that of differences,
// and close to that of the exact objective.
TEST(SecondDerivatives, OfFunctionsOfMeansAreThoseOfTheSample) {
  auto problem = problem_of<Host>(curved_objective());
  const std::vector<double> x = point_of(2);
  const std::int64_t count = runs_in_test(8000, 20'000);
  const std::vector<double> found = hessian(problem, {x, 3, 0, count});
  const Exact exact = curved(coordinates(x), exact_means(x));
  double largest = 0;
  for (const double entry : found) largest = std::max(largest, std::abs(entry));
  for (std::size_t i = 0; i < dimension; ++i) {
    const double h = 1e-3;
    std::vector<Sample> samples(4, {x, 3, 0, count, true});
    constexpr double places[] = {1, -1, 2, -2};
    for (std::size_t place = 0; place < 4; ++place) samples[place].x[i] += places[place] * h;
    const auto at = problem.evaluate(samples);
    for (std::size_t j = 0; j < dimension; ++j) {
      const double difference =
          (8 * (at[0].gradient[j] - at[1].gradient[j]) - (at[2].gradient[j] - at[3].gradient[j])) / (12 * h);
      EXPECT_NEAR(found[i * dimension + j], difference, 1e-7 * largest) << i << ", " << j;
      EXPECT_NEAR(found[i * dimension + j], found[j * dimension + i], 1e-9 * largest);
      const double expected = exact.slope[static_cast<int>(i)].slope[static_cast<int>(j)];
      EXPECT_NEAR(found[i * dimension + j], expected, 0.05 * largest);
    }
  }
}

// Products with any direction equal those of the Hessian.
TEST(SecondDerivatives, GiveProductsWithAnyDirection) {
  auto problem = problem_of<Host>(curved_objective());
  const std::vector<double> x = point_of(1);
  Sample sample{x, 5, 0, 500, true};
  const std::vector<double> rows = hessian(problem, sample);
  sample.direction = {0.3, -1, 0, 2, 0.1, 7};
  const std::vector<Sample> samples{sample};
  const SampleMean mean = problem.evaluate(samples).front();
  for (std::size_t i = 0; i < dimension; ++i) {
    double expected = 0, size = 0;
    for (std::size_t j = 0; j < dimension; ++j) {
      expected += rows[i * dimension + j] * sample.direction[j];
      size += std::abs(rows[i * dimension + j] * sample.direction[j]);
    }
    EXPECT_NEAR(mean.hessian_product[i], expected, 1e-9 * size) << i;
  }
}

template <class Space>
class SecondDerivativesOn : public ::testing::Test {};
TYPED_TEST_SUITE(SecondDerivativesOn, Backends, BackendName);

// Bits do not depend on the backend or the directions per pass; second derivatives do not change the rest.
template <class Space>
void expect_the_same_bits() {
  const std::vector<double> x = point_of(3);
  std::vector<Sample> samples{along(x, 0, 300), along(x, 3, 300), {x, 1, 0, 300, true}, {x, 1, 0, 300}};
  samples[1].direction[5] = 0.25;
  auto on_host = problem_of<Host>(curved_objective());
  auto on_space = problem_of<Space>(curved_objective());
  auto in_passes = problem_of<Space, 4>(curved_objective());
  auto first_order = problem_of<Space, dimension, PathwiseEstimator>(curved_objective());
  const auto expected = on_host.evaluate(samples), found = on_space.evaluate(samples),
             by_passes = in_passes.evaluate(samples),
             first = first_order.evaluate(std::span<const Sample>(samples).last(2));
  for (std::size_t i = 0; i < samples.size(); ++i) {
    for (const SampleMean* mean : {&found[i], &by_passes[i]}) {
      EXPECT_EQ(mean->mean, expected[i].mean);
      EXPECT_EQ(mean->gradient, expected[i].gradient);
      EXPECT_EQ(mean->hessian_product, expected[i].hessian_product);
      EXPECT_EQ(mean->moments.curvatures, expected[i].moments.curvatures);
    }
    EXPECT_EQ(found[i].mean, first[1].mean);
    EXPECT_EQ(found[i].squared_deviation, first[1].squared_deviation);
    EXPECT_EQ(found[i].gradient, i < 3 ? first[0].gradient : std::vector<double>());
    EXPECT_EQ(found[i].hessian_product.size(), i < 2 ? std::size_t{dimension} : 0);
  }
}

TYPED_TEST(SecondDerivativesOn, HaveTheSameBits) { expect_the_same_bits<TypeParam>(); }

// One check in a thousand may be wrong: with 50 seeds, more than 2 errors have a probability below 10⁻⁴.
TEST(CurvatureCheck, LeavesSmoothPathsAlone) {
  auto problem = problem_of<Host>(all_means);
  int refused = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed)
    refused += check_curvature(problem, point_of(0), {.replications = 200, .seed = seed}).has_value();
  EXPECT_LE(refused, 2);
}

SimulatedObjective<MM1, Host, 1, SecondOrderEstimator> queue_problem() {
  MM1 queue = default_model<MM1>();
  queue.customers = 20;
  const std::vector<Decision> rate{{"service_rate", 0.3, 9}};
  return {Host(), queue, rate, weighted_sum({{"time in queue", 1}})};
}

// Waits have kinks where a customer arrives just as the server becomes idle. First derivatives jump there, and the mean
// of second derivatives is not the second derivative of the mean, which is known.
TEST(CurvatureCheck, FindsTheKinksOfAQueue) {
  auto problem = queue_problem();
  EXPECT_FALSE(check_pathwise(problem, {1.2}, {.replications = 20'000}));
  const auto biased = check_curvature(problem, {1.2}, {.replications = 20'000});
  ASSERT_TRUE(biased);
  EXPECT_EQ(biased->quantity, 0u);
  EXPECT_EQ(biased->coordinate, 0u);
  EXPECT_EQ(biased->along, 0u);
  const auto mean = [](double rate) {
    MM1 queue = default_model<MM1>();
    queue.customers = 20;
    queue.service_rate = rate;
    return queue.exact_means()[0].value();
  };
  const double h = 1e-2, exact = (mean(1.2 + h) - 2 * mean(1.2) + mean(1.2 - h)) / (h * h);
  EXPECT_NEAR(biased->difference, exact, 0.1 * exact);
  EXPECT_LT(biased->pathwise, 0.8 * exact);
}

// Along a longest path, durations are linear in the means: the second derivatives of all replications are 0.
TEST(CurvatureCheck, FindsThatALongestPathHasNone) {
  const std::vector<Decision> means{{"mean_1_2", 0.1, 9}, {"mean_1_3", 0.1, 9}};
  SimulatedObjective<ActivityNetwork, Host, 2, SecondOrderEstimator> problem(Host(), default_model<ActivityNetwork>(),
                                                                             means, weighted_sum({{"duration", 1}}));
  const auto biased = check_curvature(problem, {1, 1}, {.replications = 20'000, .step = 0.05});
  ASSERT_TRUE(biased);
  EXPECT_EQ(biased->pathwise, 0);
  EXPECT_GT(std::abs(biased->difference), 0.02);
}

TEST(SecondDerivatives, AreRefusedWhereThereAreNone) {
  auto first_order = problem_of<Host, dimension, PathwiseEstimator>(all_means);
  EXPECT_FALSE(first_order.has_curvature());
  EXPECT_THROW(hessian(first_order, {point_of(0), 1, 0, 10}), std::invalid_argument);
  EXPECT_THROW(check_curvature(first_order, point_of(0), {}), std::invalid_argument);
  auto problem = problem_of<Host>(all_means);
  DifferencedProblem differences(problem, std::vector<double>(dimension, 0.01));
  EXPECT_FALSE(differences.has_curvature());
  EXPECT_THROW(hessian(differences, {point_of(0), 1, 0, 10}), std::invalid_argument);
  Sample sample{point_of(0), 1, 0, 10, true};
  sample.direction = {1};
  const std::vector<Sample> samples{sample};
  EXPECT_THROW(problem.evaluate(samples), std::invalid_argument);
}

}  // namespace second_derivatives_tests
}  // namespace sporos::test
