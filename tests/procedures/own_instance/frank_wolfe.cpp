// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "optimizers/frank_wolfe/quadratic.hpp"

#include <harness/backends.hpp>
#include <harness/own_instance.hpp>

#include <sporos/models/finance/portfolio.hpp>
#include <sporos/models/finance/portfolio_instances.hpp>
#include <sporos/models/inventory/newsvendor.hpp>
#include <sporos/models/inventory/newsvendor_case.hpp>
#include <sporos/optimizers/derivative_check.hpp>
#include <sporos/optimizers/frank_wolfe/frank_wolfe.hpp>
#include <sporos/optimizers/frank_wolfe/regions/balls.hpp>
#include <sporos/optimizers/frank_wolfe/regions/bounded_simplex.hpp>
#include <sporos/optimizers/frank_wolfe/regions/box.hpp>
#include <sporos/optimizers/frank_wolfe/regions/budget.hpp>
#include <sporos/optimizers/frank_wolfe/regions/product.hpp>
#include <sporos/procedures/macro_replications.hpp>
#include <sporos/procedures/newsvendor_region.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace sporos::test {
namespace frank_wolfe_tests {

FrankWolfeOptions few_iterations() {
  FrankWolfeOptions options;
  options.epochs = 3;
  options.iterations = 5;
  options.sample_size = 8;
  options.gap.batches = 2;
  options.gap.batch_size = 8;
  options.seed = 3;
  return options;
}

std::vector<double> numbers_of(const FrankWolfeResult& result) {
  std::vector<double> numbers = result.solution;
  for (const auto& point : result.trajectory) numbers.insert(numbers.end(), {point.objective, point.gap});
  if (result.gap) numbers.insert(numbers.end(), {result.gap->lower, result.gap->estimate, result.gap->upper});
  return numbers;
}

template <class Space>
Quadratic<Space> noisy_quadratic(const Space& space) {
  std::vector<double> curvatures, center;
  for (int i = 0; i < 40; ++i) {
    curvatures.push_back(1 + i % 3);
    center.push_back(0.1 * (i % 7) - 0.2);
  }
  Quadratic<Space> problem(curvatures, center, 0.5);
  problem.space = space;
  return problem;
}

// The product of all regions, with eight coordinates each: a separate optimizer for each takes long to compile.
struct OverRegions {
  template <class Space>
  std::vector<double> operator()(const Space& space) const {
    const std::vector<double> low(8, -1), high(8, 1), none(8), half(8, 0.5);
    Product<Space, Box<Space>, L1Ball<Space>, L2Ball<Space>, KSparse<Space>, BoundedSimplex<Space>> region(
        {Box<Space>(low, high), L1Ball<Space>(8, 1), L2Ball<Space>(8, 1), KSparse<Space>(8, 3, 0.5),
         BoundedSimplex<Space>(none, half, 1)});
    auto problem = noisy_quadratic(space);
    auto options = few_iterations();
    options.momentum = true;
    return numbers_of(frank_wolfe(problem, region, std::vector<double>(40, 0.125), options));
  }
};

struct ByVariants {
  template <class Space>
  std::vector<double> operator()(const Space& space) const {
    std::vector<double> found, corner(40);
    corner[5] = 1;
    for (const auto variant : {FrankWolfeVariant::vanilla, FrankWolfeVariant::away_step, FrankWolfeVariant::pairwise}) {
      for (const auto rule : {StepRule::exact, StepRule::short_step, StepRule::adaptive}) {
        auto problem = noisy_quadratic(space);
        auto region = probability_simplex<Space>(40);
        auto options = few_iterations();
        options.variant = variant;
        options.step_rule = rule;
        const auto numbers = numbers_of(frank_wolfe(problem, region, corner, options));
        found.insert(found.end(), numbers.begin(), numbers.end());
      }
    }
    return found;
  }
};

struct OfPortfolios {
  bool screening;

  template <class Space>
  std::vector<double> operator()(const Space& space) const {
    models::Portfolio<Space> problem(models::paper_portfolio(60, 2), space);
    auto region = unit_simplex<Space>(60);
    auto options = few_iterations();
    options.screening = screening;
    return numbers_of(frank_wolfe(problem, region, std::vector<double>(60), options));
  }
};

struct OfNewsvendors {
  std::int64_t resources;

  template <class Space>
  std::vector<double> operator()(const Space& space) const {
    const auto of = models::generated_newsvendor(3, 50, resources);
    models::Newsvendor<Space> problem(space, of.products);
    const std::vector<double> start(50);
    if (resources == 1) {
      auto region = budget_of<Space>(of.resources);
      return numbers_of(frank_wolfe(problem, region, start, few_iterations()));
    }
    auto region = resources_of(space, of.resources);
    return numbers_of(frank_wolfe(problem, region, start, few_iterations()));
  }
};

struct Repetitions {
  template <class Space>
  std::vector<double> operator()(const Space& space) const {
    models::Portfolio<Space> problem(models::paper_portfolio(60, 2), space);
    const auto region = unit_simplex<Space>(60);
    auto options = few_iterations();
    options.gap.batches = 0;
    options.record_interval = 0;
    const auto objective = [&](const ConstVector<Space>& x) { return problem.exact_objective(x); };
    const auto runs = macro_replications(problem, region, std::vector<double>(60), options, 3, {5}, objective);
    std::vector<double> found = runs.objectives.back();
    for (const auto& x : runs.solutions) found.insert(found.end(), x.begin(), x.end());
    return found;
  }
};

struct DerivativesOfPortfolios {
  template <class Space>
  std::vector<double> operator()(const Space& space) const {
    models::Portfolio<Space> problem(models::paper_portfolio(60, 2), space);
    std::vector<double> found;
    for (const auto& step : check_gradient(problem, std::vector<double>(60, 0.01)).steps)
      found.push_back(step.remainder);
    return found;
  }
};

template <class Space>
class FrankWolfeOnOwnInstance : public ::testing::Test {};
TYPED_TEST_SUITE(FrankWolfeOnOwnInstance, Backends, BackendName);

TYPED_TEST(FrankWolfeOnOwnInstance, OverRegions) { expect_same_on_own_instance<TypeParam>(OverRegions{}); }

TYPED_TEST(FrankWolfeOnOwnInstance, ByVariants) { expect_same_on_own_instance<TypeParam>(ByVariants{}); }

TYPED_TEST(FrankWolfeOnOwnInstance, OfPortfolios) {
  expect_same_on_own_instance<TypeParam>(OfPortfolios{true});
  expect_same_on_own_instance<TypeParam>(OfPortfolios{false});
}

TYPED_TEST(FrankWolfeOnOwnInstance, OfNewsvendors) {
  expect_same_on_own_instance<TypeParam>(OfNewsvendors{1});
  expect_same_on_own_instance<TypeParam>(OfNewsvendors{4});
}

TYPED_TEST(FrankWolfeOnOwnInstance, InRepetitions) { expect_same_on_own_instance<TypeParam>(Repetitions{}); }

TYPED_TEST(FrankWolfeOnOwnInstance, AndItsCheckOfGradients) {
  expect_same_on_own_instance<TypeParam>(DerivativesOfPortfolios{});
}

}  // namespace frank_wolfe_tests
}  // namespace sporos::test
