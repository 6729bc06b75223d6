// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "models/risk/costs.hpp"

#include <harness/backends.hpp>
#include <harness/own_instance.hpp>

#include <sporos/models/classification/all_rows.hpp>
#include <sporos/models/classification/generalized_linear.hpp>
#include <sporos/models/classification/packed_features.hpp>
#include <sporos/models/classification/paper_classification.hpp>
#include <sporos/models/risk/mean_cvar.hpp>
#include <sporos/optimizers/derivative_check.hpp>
#include <sporos/optimizers/quasi_newton/lbfgs.hpp>
#include <sporos/optimizers/quasi_newton/sqn.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace sporos::test {
namespace quasi_newton_tests {

std::vector<double> numbers_of(const QuasiNewtonResult& result) {
  std::vector<double> numbers = result.solution;
  for (const auto& point : result.trajectory) numbers.insert(numbers.end(), {point.objective, point.gradient_norm});
  for (const auto& pair : result.state.pairs) numbers.insert(numbers.end(), pair.y.begin(), pair.y.end());
  return numbers;
}

constexpr std::int64_t columns = 70;

template <class Space>
using Features = models::PackedFeatures<typename Space::memory_space>;
template <class Space>
using Problem = models::LogisticClassification<Space, Features<Space>>;

template <class Of, class Space>
Of classification(const Space& space) {
  const auto data = models::paper_classification(columns, 400, 0.1, 3);
  return {Features<Space>(data.features), data.labels, {0.01, false}, space};
}

SqnOptions few_iterations() {
  SqnOptions options;
  options.iterations = 25;
  options.pair_interval = 5;
  options.batch_size = 21;
  options.hessian_batch_size = 60;
  options.pairs.memory = 3;
  options.record_interval = 10;
  return options;
}

struct PersistentKernels {
  template <class Space>
  std::vector<double> operator()(const Space& space) const {
    auto problem = classification<Problem<Space>>(space);
    EXPECT_TRUE(impl::PersistentSqn<decltype(problem)>::can(problem, few_iterations()));
    return numbers_of(sqn(problem, std::vector<double>(columns), few_iterations()));
  }
};

struct KernelByKernel {
  SqnStepRule rule;
  PairSource source;

  template <class Space>
  std::vector<double> operator()(const Space& space) const {
    auto problem = classification<Problem<Space>>(space);
    auto options = few_iterations();
    options.step_rule = rule;
    options.pair_source = source;
    options.pairs.memory = 65;  // more than a persistent kernel holds
    EXPECT_FALSE(impl::PersistentSqn<Problem<Space>>::can(problem, options));
    return numbers_of(sqn(problem, std::vector<double>(columns), options));
  }
};

struct Lbfgs {
  template <class Space>
  std::vector<double> operator()(const Space& space) const {
    auto problem = classification<models::AllRows<Problem<Space>>>(space);
    LbfgsOptions options;
    options.iterations = 15;
    const auto whole = lbfgs(problem, std::vector<double>(columns), options);
    options.iterations = 20;
    const auto resumed = lbfgs(problem, whole.state, options);
    return numbers_of(resumed);
  }
};

struct Predictions {
  template <class Space>
  std::vector<double> operator()(const Space& space) const {
    auto problem = classification<Problem<Space>>(space);
    const auto w = to_device<Space>(space, std::vector<double>(columns, 0.1));
    const Vector<Space> means(Kokkos::view_alloc(space, "test::means"), 400);
    problem.predict(Features<Space>(models::paper_classification(columns, 400, 0.1, 3).features), w, means);
    return to_host<Space>(space, means);
  }
};

struct MeanCvarOfCosts {
  template <class Space>
  std::vector<double> operator()(const Space& space) const {
    models::MeanCvarOptions risk;
    risk.weight = 0.5;
    risk.smoothing = 0.5;
    models::MeanCvar<Space, NewsvendorCost> problem(NewsvendorCost{5, {0.2}, 1, 3}, risk, space);
    auto options = few_iterations();
    options.iterations = 10;
    auto numbers = numbers_of(sqn(problem, std::vector<double>(6, 10), options));
    const auto at = problem.risk(std::vector<double>(6, 10));
    numbers.insert(numbers.end(), {at.mean, at.value_at_risk, at.cvar});
    for (const auto& step : check_hessian(problem, std::vector<double>(6, 9)).steps) numbers.push_back(step.remainder);
    return numbers;
  }
};

template <class Space>
class QuasiNewtonOnOwnInstance : public ::testing::Test {};
TYPED_TEST_SUITE(QuasiNewtonOnOwnInstance, Backends, BackendName);

TYPED_TEST(QuasiNewtonOnOwnInstance, PersistentKernels) { expect_same_on_own_instance<TypeParam>(PersistentKernels{}); }

TYPED_TEST(QuasiNewtonOnOwnInstance, KernelByKernel) {
  expect_same_on_own_instance<TypeParam>(KernelByKernel{SqnStepRule::harmonic, PairSource::hessian_products});
  expect_same_on_own_instance<TypeParam>(KernelByKernel{SqnStepRule::line_search, PairSource::gradient_differences});
}

TYPED_TEST(QuasiNewtonOnOwnInstance, Lbfgs) { expect_same_on_own_instance<TypeParam>(Lbfgs{}); }

TYPED_TEST(QuasiNewtonOnOwnInstance, Predictions) { expect_same_on_own_instance<TypeParam>(Predictions{}); }

TYPED_TEST(QuasiNewtonOnOwnInstance, MeanCvarOfCosts) { expect_same_on_own_instance<TypeParam>(MeanCvarOfCosts{}); }

}  // namespace quasi_newton_tests
}  // namespace sporos::test
