// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/serial_or_host.hpp"
#include "sampled_rows.hpp"

#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/optimizers/quasi_newton/lbfgs.hpp>

#include <harness/backends.hpp>
#include <harness/refusal.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace lbfgs_tests {

using namespace sporos;
using test::SerialOrHost;

using Values = std::vector<double>;

// The extended Rosenbrock function (Moré, Garbow, Hillstrom 1981, problem 21): Σ over odd i of
// 100 (x_{i+1} − x_i²)² + (1 − x_i)². The start is (−1.2, 1, …), and the minimum is 0 at (1, …, 1). The function is
// infinite if some x_i > `wall`.
template <class Space>
double rosenbrock(const Space& space, const ConstVector<Space>& x, double wall, const Vector<Space>& g) {
  double value = 0;
  Kokkos::parallel_reduce(
      "test::rosenbrock", Kokkos::RangePolicy<Space>(space, 0, x.extent_int(0) / 2),
      KOKKOS_LAMBDA(std::int64_t pair, double& sum) {
        const double a = x(2 * pair), b = x(2 * pair + 1), off = b - a * a;
        g(2 * pair) = -400 * a * off - 2 * (1 - a);
        g(2 * pair + 1) = 200 * off;
        sum += a > wall || b > wall ? HUGE_VAL : 100 * off * off + (1 - a) * (1 - a);
      },
      value);
  return value;
}

template <class Space>
struct Rosenbrock {
  using execution_space = Space;

  explicit Rosenbrock(std::int64_t variables) : size(variables), ignored("test::ignored", size) {}

  const Space& execution() const { return space; }
  std::int64_t dimension() const { return size; }
  void draw(const SampleRange&) {}
  double objective(const ConstVector<Space>& x) { return rosenbrock<Space>(space, x, wall, ignored); }
  void gradient(const ConstVector<Space>& x, const Vector<Space>& g) { objective_and_gradient(x, g); }
  double objective_and_gradient(const ConstVector<Space>& x, const Vector<Space>& g) {
    const double value = rosenbrock<Space>(space, x, wall, g);
    infinite_values += std::isinf(value);
    if (++evaluations > broken_from) Kokkos::deep_copy(Kokkos::subview(g, 0), std::nan(""));
    return value;
  }

  Space space;
  std::int64_t size;
  Vector<Space> ignored;
  double wall = HUGE_VAL;
  std::int64_t infinite_values = 0;
  std::int64_t evaluations = 0;
  std::int64_t broken_from = 1'000'000'000;
};

Values start(std::size_t size) {
  Values x;
  for (std::size_t i = 0; i < size; ++i) x.push_back(i % 2 == 0 ? -1.2 : 1.0);
  return x;
}

template <class Space>
QuasiNewtonResult run(const LbfgsOptions& options, const QuasiNewtonCallback& callback = {}) {
  Rosenbrock<Space> problem(10);
  return lbfgs(problem, start(10), options, callback);
}

void expect_same_end(const QuasiNewtonResult& a, const QuasiNewtonResult& b) {
  EXPECT_EQ(a.solution, b.solution);
  EXPECT_EQ(a.iterations, b.iterations);
  EXPECT_EQ(a.state.step, b.state.step);
  EXPECT_EQ(a.trajectory.back().objective, b.trajectory.back().objective);
  EXPECT_EQ(a.counts.gradients, b.counts.gradients);
  EXPECT_EQ(a.counts.pairs.stored, b.counts.pairs.stored);
}

double largest_distance_from_one(const Values& x) {
  double largest = 0;
  for (const double value : x) largest = std::max(largest, std::abs(value - 1));
  return largest;
}

template <class Space>
struct Lbfgs : testing::Test {};
TYPED_TEST_SUITE(Lbfgs, test::Backends, test::BackendName);

// Evaluations of SciPy 1.17's L-BFGS-B with the same number of pairs, until max |g_i| ≤ 1e-8.
struct Published {
  std::int64_t size, memory, evaluations;
};
constexpr Published scipy[] = {{2, 1, 93},   {2, 5, 49},    {2, 25, 46},   {10, 1, 80},   {10, 5, 49},
                               {10, 25, 45}, {1000, 1, 65}, {1000, 5, 49}, {1000, 25, 45}};

TYPED_TEST(Lbfgs, FindsTheMinimumOfRosenbrocksFunctionAsFastAsOthers) {
  for (const auto& [size, memory, evaluations] : scipy) {
    Rosenbrock<TypeParam> problem(size);
    LbfgsOptions options;
    options.pairs.memory = memory;
    const QuasiNewtonResult result = lbfgs(problem, start(static_cast<std::size_t>(size)), options);
    EXPECT_EQ(result.stopped_by, StoppedBy::gradient) << size << " " << memory;
    EXPECT_LT(largest_distance_from_one(result.solution), 1e-8);
    EXPECT_LT(static_cast<double>(result.counts.gradients), 1.1 * static_cast<double>(evaluations));
    EXPECT_EQ(result.counts.pairs.skipped, 0) << "which Wolfe's conditions rule out";
    for (std::size_t i = 1; i < result.trajectory.size(); ++i) {
      EXPECT_LT(result.trajectory[i].objective, result.trajectory[i - 1].objective + 1e-12);
    }
  }
}

// Minimizes ‖A x − b‖² / 2 over 200 rows of length 12: the normal equations hold at the minimum.
TYPED_TEST(Lbfgs, FindsTheMinimumOverASample) {
  Values scales, best;
  for (int j = 0; j < 12; ++j) {
    scales.push_back(std::pow(2.0, j - 6));
    best.push_back(std::cos(j));
  }
  test::SampledRows<TypeParam> problem(test::Loss::squares, scales, best, 0.1);
  LbfgsOptions options;
  options.sample_size = 200;
  options.gradient_tolerance = 1e-10;
  const QuasiNewtonResult result = lbfgs(problem, Values(12), options);
  EXPECT_EQ(result.stopped_by, StoppedBy::gradient);
  ASSERT_EQ(problem.drawn.size(), 1u);
  const Vector<TypeParam> g("test::g", 12);
  problem.gradient(to_device<TypeParam>(result.solution), g);
  for (const double slope : to_host<TypeParam>(g)) EXPECT_NEAR(slope, 0, 1e-10);
}

// Rounding ends the run; the gradient is then as small as it can be.
TYPED_TEST(Lbfgs, GoesOnUntilRounding) {
  LbfgsOptions options;
  options.gradient_tolerance = 0;
  const QuasiNewtonResult result = run<TypeParam>(options);
  EXPECT_TRUE(result.stopped_by == StoppedBy::line_search || result.trajectory.back().gradient_norm == 0);
  EXPECT_LT(largest_distance_from_one(result.solution), 1e-12);
}

TYPED_TEST(Lbfgs, EndsWithTheSameBitsAgainAndAfterAStop) {
  const QuasiNewtonResult whole = run<TypeParam>({});
  expect_same_end(run<TypeParam>({}), whole);
  for (const std::int64_t last : {0, 1, 12}) {
    const QuasiNewtonResult part = run<TypeParam>({}, [last](const QuasiNewtonProgress& progress) {
      return progress.iteration == last ? Continuation::stop : Continuation::go_on;
    });
    EXPECT_EQ(part.stopped_by, StoppedBy::callback);
    EXPECT_EQ(part.iterations, last);
    Rosenbrock<TypeParam> problem(10);
    expect_same_end(lbfgs(problem, part.state), whole);
  }
}

TYPED_TEST(Lbfgs, EndsAtTheSamePointOnEveryBackend) {
  const auto here = run<TypeParam>({}), there = run<SerialOrHost>({});
  for (std::size_t i = 0; i < 10; ++i) EXPECT_NEAR(here.solution[i], there.solution[i], 1e-10);
}

TYPED_TEST(Lbfgs, TurnsBackFromWhereTheObjectiveIsInfinite) {
  Rosenbrock<TypeParam> problem(10);
  problem.wall = 1.1;
  const QuasiNewtonResult result = lbfgs(problem, start(10));
  EXPECT_GT(problem.infinite_values, 0);
  EXPECT_EQ(result.stopped_by, StoppedBy::gradient);
  EXPECT_LT(largest_distance_from_one(result.solution), 1e-8);
}

TYPED_TEST(Lbfgs, StopsWhereAGradientIsNotFinite) {
  for (const std::int64_t good : {0, 1, 20}) {
    Rosenbrock<TypeParam> broken(10);
    broken.broken_from = good;
    const QuasiNewtonResult result = lbfgs(broken, start(10));
    EXPECT_EQ(result.stopped_by, StoppedBy::not_finite);
    LbfgsOptions options;
    options.iterations = result.iterations;
    EXPECT_EQ(result.solution, run<TypeParam>(options).solution);
    EXPECT_GE(result.iterations, good / 2);
  }
}

TYPED_TEST(Lbfgs, StopsByIterationsAndTime) {
  LbfgsOptions options;
  options.iterations = 3;
  options.record_interval = 2;
  const QuasiNewtonResult three = run<TypeParam>(options);
  EXPECT_EQ(three.stopped_by, StoppedBy::iterations);
  EXPECT_EQ(three.iterations, 3);
  EXPECT_EQ(three.trajectory.size(), 3u) << "0, 2 and 3";
  options.time_limit = 1e-12;
  EXPECT_EQ(run<TypeParam>(options).stopped_by, StoppedBy::time_limit);
}

// A function φ(α) along a line, with its slope.
struct Function {
  std::function<double(double)> value, slope;
  LinePoint operator()(double step) const { return {step, value(step), slope(step)}; }
};

void expect_wolfe(const Function& function, double first, const WolfeOptions& options) {
  const LinePoint start = function(0);
  WolfeSearch search(function, start, options);
  const auto found = search(first);
  ASSERT_TRUE(found.has_value()) << first;
  EXPECT_LE(found->objective, start.objective + options.decrease * found->step * start.slope) << first;
  EXPECT_LE(std::abs(found->slope), options.curvature * std::abs(start.slope)) << first;
  EXPECT_LE(search.evaluations(), 20) << first;
}

// Functions 1 and 2 of Moré and Thuente 1994, with their parameters and first steps.
TEST(WolfeSearch, MeetsTheConditionsOnPublishedFunctions) {
  const Function first{[](double a) { return -a / (a * a + 2); },
                       [](double a) { return (a * a - 2) / ((a * a + 2) * (a * a + 2)); }};
  const Function second{[](double a) { return std::pow(a + 0.004, 5) - 2 * std::pow(a + 0.004, 4); },
                        [](double a) { return 5 * std::pow(a + 0.004, 4) - 8 * std::pow(a + 0.004, 3); }};
  for (const double step : {1e-3, 1e-1, 1e1, 1e3}) {
    expect_wolfe(first, step, {1e-3, 0.1, 40});
    expect_wolfe(second, step, {0.1, 0.1 + 1e-9, 40});
  }
}

TEST(WolfeSearch, ReturnsNothingWhereNothingFalls) {
  const Function wrong{[](double a) { return a; }, [](double) { return -1.0; }};
  WolfeSearch search(wrong, wrong(0), WolfeOptions());
  EXPECT_FALSE(search(1.0).has_value());
  const Function nowhere{[](double) { return std::nan(""); }, [](double) { return -1.0; }};
  WolfeSearch lost(nowhere, {0, 0, -1}, WolfeOptions());
  EXPECT_FALSE(lost(1.0).has_value());
}

TEST(WolfeSearch, FindsTheMinimumOfACubic) {
  // The minimum of α³ − 3 α is at 1.
  EXPECT_NEAR(cubic_minimizer({0, 0, -3}, {2, 2, 9}), 1, 1e-15);
  EXPECT_NEAR(cubic_minimizer({2, 2, 9}, {0, 0, -3}), 1, 1e-15);
}

TEST(LbfgsOptions, AreRefusedWhereTheyCannotBeCarriedOut) {
  const auto with = [](const std::function<void(LbfgsOptions&)>& change) {
    LbfgsOptions options;
    change(options);
    return test::refusal([&] { check(options); });
  };
  EXPECT_EQ(with([](auto&) {}), "none");
  EXPECT_EQ(with([](auto& options) { options.sample_size = 0; }), "sample size is 0, expected at least 1");
  EXPECT_EQ(with([](auto& options) { options.line_search.decrease = 0.5; }),
            "decrease of the line search is 0.5, expected a number between 0 and 0.5");
  EXPECT_EQ(with([](auto& options) { options.line_search.curvature = 1; }),
            "curvature of the line search is 1, expected a number between the decrease and 1");
  EXPECT_EQ(with([](auto& options) { options.line_search.max_evaluations = 0; }),
            "evaluations of a line search is 0, expected at least 1");
}

}  // namespace lbfgs_tests
