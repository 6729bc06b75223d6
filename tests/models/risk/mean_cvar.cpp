// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mean–CVaR of a simulated cost over a sample: checks its value against the formula, its derivatives against
// differences, and its bits.
#include "costs.hpp"
#include "harness/serial_or_host.hpp"

#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/core/random/philox.hpp>
#include <sporos/core/random/uniform.hpp>
#include <sporos/models/risk/mean_cvar.hpp>
#include <sporos/optimizers/derivative_check.hpp>
#include <sporos/optimizers/stochastic_problem.hpp>

#include <harness/backends.hpp>
#include <harness/refusal.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mean_cvar_tests {

using namespace sporos;
using models::MeanCvar, models::MeanCvarOptions, models::SimulatedCost;
using test::SerialOrHost;
using Values = std::vector<double>;

constexpr test::PortfolioLoss portfolio{{{0.08, 0.05, 0.03, 0.06}}, {{0.3, 0.2, 0.1, 0.25}}};
constexpr test::NewsvendorCost newsvendor{5, {0.2}, 1, 3};

struct NoDimension {
  enum Input { input_count };
  template <class Inputs, class Derivatives>
  KOKKOS_FUNCTION double operator()(const double*, Inputs&, Derivatives&) const;
};
struct NoCost : NoDimension {
  KOKKOS_FUNCTION std::int64_t dimension() const;
  template <class Inputs>
  KOKKOS_FUNCTION double operator()(const double*, Inputs&) const;
};
static_assert(SimulatedCost<test::PortfolioLoss> && !SimulatedCost<NoDimension> && !SimulatedCost<NoCost>);

template <class Space>
struct MeanCvarOn : testing::Test {
  static_assert(TwiceDifferentiableProblem<MeanCvar<Space, test::Quartic>>);
  static_assert(JointlyEvaluatedProblem<MeanCvar<Space, test::Quartic>>);
};
TYPED_TEST_SUITE(MeanCvarOn, test::Backends, test::BackendName);

template <class Space, class Cost>
void expect_right(const Cost& cost, const MeanCvarOptions& options, const Values& x, bool right_gradient,
                  bool right_hessian) {
  MeanCvar<Space, Cost> problem(cost, options);
  const DerivativeCheck gradient = check_gradient(problem, x), hessian = check_hessian(problem, x);
  EXPECT_EQ(gradient.is_right, right_gradient) << options.weight << '\n' << report(gradient);
  EXPECT_EQ(hessian.is_right, right_hessian) << options.weight << '\n' << report(hessian);
}

TYPED_TEST(MeanCvarOn, HasTheDerivativesThatDifferencesHave) {
  for (const double weight : {0.0, 0.4, 1.0}) {
    expect_right<TypeParam>(portfolio, {0.9, weight, 0.1}, {0.1, 0.3, 0.5, 0.2}, true, true);
    expect_right<TypeParam>(newsvendor, {0.75, weight, 2}, {10, 11, 13, 12, 14, 9}, true, true);
    expect_right<TypeParam>(test::Quartic(), {0.5, weight, 1}, {0.2, -0.1, 0.3, 0.4}, true, true);
  }
}

// Controls: wrong derivatives of the cost give wrong derivatives of the mean–CVaR.
TYPED_TEST(MeanCvarOn, HasWrongDerivativesWhereTheCostHas) {
  const Values x = {0.2, -0.1, 0.3, 0.4};
  expect_right<TypeParam>(test::Quartic{1.001, 1}, {0.5, 0.4, 1}, x, false, false);
  expect_right<TypeParam>(test::Quartic{1, 1.001}, {0.5, 0.4, 1}, x, true, false);
}

// Costs of Quartic over a sample.
std::vector<long double> quartic_costs(const SampleRange& sample, const Values& x) {
  std::vector<long double> costs;
  for (std::int64_t r = 0; r < sample.size; ++r) {
    const Stream stream{sample.seed, sample.first + static_cast<std::uint64_t>(r), 0};
    const double z = math::normal_quantile(open_uniform(Philox4x32::block(stream, 0)[0]));
    costs.push_back(std::pow(static_cast<long double>(x[0] + 2 * x[1] + 4 * x[2] - z), 4) / 4);
  }
  return costs;
}

TYPED_TEST(MeanCvarOn, IsTheSumThatItsFormulaSays) {
  const MeanCvarOptions options{0.8, 0.3, 0.25};
  MeanCvar<TypeParam, test::Quartic> problem({}, options);
  const Values x = {0.2, -0.1, 0.3, 0.4};
  const SampleRange sample{17, 5, 3000};
  problem.draw(sample);
  long double sum = 0;
  for (const long double cost : quartic_costs(sample, x)) {
    const long double u = cost - x[3],
                      smoothed = std::max(u, 0.0L) + 0.25L * std::log1p(std::exp(-std::abs(u) / 0.25L));
    sum += 0.7L * cost + 0.3L * (x[3] + smoothed / 0.2L);
  }
  EXPECT_NEAR(problem.objective(to_device<TypeParam>(x)), static_cast<double>(sum / 3000), 1e-13);
}

TYPED_TEST(MeanCvarOn, KnowsTheRiskOfItsSample) {
  MeanCvar<TypeParam, test::Quartic> problem({}, {0.9, 0.5, 0.1});
  const Values x = {0.2, -0.1, 0.3};
  const SampleRange sample{17, 5, 200};
  problem.draw(sample);
  std::vector<long double> costs = quartic_costs(sample, x);
  std::sort(costs.begin(), costs.end());
  long double mean = 0, worst = 0;
  for (std::size_t r = 0; r < 200; ++r) (r < 180 ? mean : worst) += costs[r];
  const models::CostRisk risk = problem.risk(x);
  EXPECT_NEAR(risk.mean, static_cast<double>((mean + worst) / 200), 1e-14);
  EXPECT_NEAR(risk.value_at_risk, static_cast<double>(costs[179]), 1e-14);
  EXPECT_NEAR(risk.cvar, static_cast<double>(worst / 20), 1e-13);
}

template <class Space, class Cost>
double objective_of(const Cost& cost, const MeanCvarOptions& options, const Values& x) {
  MeanCvar<Space, Cost> problem(cost, options);
  problem.draw({3, 0, 2000});
  return problem.objective(to_device<Space>(x));
}

// With ε = 1e-9 the objective is exact to 1e-8. If all costs equal t, smoothing adds exactly the bound.
TYPED_TEST(MeanCvarOn, IsRaisedBySmoothingByNoMoreThanStated) {
  constexpr double exactly = 1e-9, close = 1e-7;
  for (const double smoothing : {0.01, 0.1, 1.0}) {
    const double bound = 0.3 * smoothing * std::log(2.0) / (1 - 0.9);
    const Values x = {0.1, 0.3, 0.5, 0.2};
    const double added = objective_of<TypeParam>(portfolio, {0.9, 0.3, smoothing}, x) -
                         objective_of<TypeParam>(portfolio, {0.9, 0.3, exactly}, x);
    EXPECT_GT(added, 0);
    EXPECT_LT(added, bound + close);
    const test::ConstantCost two{1, 0.5};
    EXPECT_NEAR(objective_of<TypeParam>(two, {0.9, 0.3, smoothing}, {0, 2}), 2 + bound, close);
  }
}

// Objective, gradient and Hessian product over alternating samples.
template <class Space>
std::vector<Values> results_on() {
  MeanCvar<Space, test::NewsvendorCost> problem(newsvendor, {0.9, 0.5, 0.5});
  const Values x = {10, 11, 13, 12, 14, 9};
  const auto point = to_device<Space>(x), v = to_device<Space>({1, -1, 0.5, 2, 0, 3});
  const Vector<Space> g("test::gradient", 6), product("test::product", 6);
  std::vector<Values> results;
  for (const std::int64_t size : {50, 3000, 1, 1024, 50, 1025}) {
    problem.draw({7, 1000, size});
    const double together = problem.objective_and_gradient(point, g);
    problem.hessian_product(point, v, product);
    problem.execution().fence();
    results.push_back({problem.objective(point), together});
    results.push_back(to_host<Space>(g));
    results.push_back(to_host<Space>(product));
  }
  return results;
}

TYPED_TEST(MeanCvarOn, HasTheSameBitsEverywhere) {
  const auto results = results_on<TypeParam>(), reference = results_on<SerialOrHost>();
  EXPECT_EQ(results, reference);
  EXPECT_EQ(results[0], results[12]) << "of the same sample, drawn again";
  EXPECT_EQ(results[0][0], results[0][1]) << "the objective, without and with the gradient";
  EXPECT_NE(results[1], results[4]);
}

TYPED_TEST(MeanCvarOn, RefusesWhatCannotBe) {
  using Problem = MeanCvar<TypeParam, test::ConstantCost>;
  const auto refusal = [](const MeanCvarOptions& options, std::int64_t dimension = 1) {
    return test::refusal([&] { Problem({dimension, 1}, options); });
  };
  EXPECT_EQ(refusal({1, 0.5, 1}), "level of the CVaR is 1, expected a number between 0 and 1");
  EXPECT_EQ(refusal({0.9, 1.5, 1}), "weight of the CVaR is 1.5, expected a probability in [0, 1]");
  EXPECT_EQ(refusal({}), "smoothing is 0, expected a positive number, in units of the cost");
  EXPECT_EQ(refusal({0.9, 0.5, 1}, 0), "dimension of the cost is 0, expected a positive integer");
  Problem problem({2, 0.0}, {0.9, 0.5, 1});
  EXPECT_EQ(test::refusal([&] { problem.draw({1, 0, 0}); }), "sample size is 0, expected a positive integer");
  EXPECT_EQ(test::refusal([&] { problem.risk({1}); }),
            "dimension of the point is 1, expected at least that of the cost, 2");
  EXPECT_EQ(test::refusal([&] { problem.risk({1, 2}); }), "cost of replication 0 is inf, expected a finite number");
}

}  // namespace mean_cvar_tests
