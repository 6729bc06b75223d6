// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The continuous newsvendor: checks its exact means against quadrature, replications and their pathwise derivatives
// against the exact means, and the best quantity.
#include "model_checks.hpp"

#include <harness/backends.hpp>

#include <sporos/core/replication/pathwise.hpp>
#include <sporos/models/inventory/continuous_newsvendor.hpp>

#include <gtest/gtest.h>

#include <boost/math/quadrature/exp_sinh.hpp>
#include <boost/math/quadrature/tanh_sinh.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <string>

namespace sporos::test {
namespace continuous_newsvendor_tests {

using models::ContinuousNewsvendor;
using Host = Kokkos::DefaultHostExecutionSpace;
static_assert(DescribedModel<ContinuousNewsvendor> && DifferentiableModel<ContinuousNewsvendor>);

constexpr ContinuousNewsvendor defaults{0.5, 5, 9, 1, 2, 20};

TEST(BurrDemand, HasTheMeansOfQuadrature) {
  boost::math::quadrature::tanh_sinh<double> up_to;
  boost::math::quadrature::exp_sinh<double> from;
  for (const auto& shape : {std::array{2.0, 20.0}, {0.7, 3.0}, {5.0, 0.5}, {1.0, 1.5}}) {
    const double alpha = shape[0], beta = shape[1];
    const auto beyond = [&](double d) { return std::pow(1 + std::pow(d, alpha), -beta); };
    for (const double stock : {0.01, 0.2, 1.0, 7.0}) {
      const auto sales = models::burr_mean_sales(alpha, beta, stock);
      EXPECT_NEAR(sales.sold, up_to.integrate(beyond, 0.0, stock), 1e-12 * stock);
      const double lost = from.integrate([&](double d) { return beyond(stock + d); });
      EXPECT_NEAR(sales.lost, lost, 1e-9 * lost) << alpha << ", " << stock;
    }
    EXPECT_EQ(models::burr_mean_sales(alpha, beta, 0).sold, 0);
  }
  // For α = 1 the lost sales are a power.
  EXPECT_NEAR(models::burr_mean_sales(1, 3, 2).lost, 0.5 / 9, 1e-15);
}

// Checks 30 intervals of 99.9 %.
TEST(ContinuousNewsvendor, IntervalsHoldTheExactMeans) {
  for (const auto& model : {defaults,
                            ContinuousNewsvendor{0.18, 5, 9, 1, 2, 20},
                            {3, 1, 2, -0.5, 0.9, 4},
                            {0, 5, 9, 1, 2, 20},
                            {1.2, 0.5, 3, 0, 1000, 0.01}}) {
    for (const std::uint64_t seed : {1u, 2u}) {
      EXPECT_EQ(misses(simulate(Host(), model, plan_with(seed, 20'000)), model.exact_means()), 0) << model.alpha;
    }
  }
}

TEST(ContinuousNewsvendorControl, ADemandALittleLargerIsFound) {
  ContinuousNewsvendor other = defaults;
  other.beta = 18;
  EXPECT_EQ(misses(simulate(Host(), other, plan_with(1, 100'000)), defaults.exact_means()), 3);
}

TEST(ContinuousNewsvendor, HasItsLargestMeanProfitAtTheBestQuantity) {
  EXPECT_NEAR(defaults.best_quantity(), std::sqrt(std::pow(2, 1.0 / 20) - 1), 1e-15);
  for (ContinuousNewsvendor model : {defaults, ContinuousNewsvendor{0, 1, 2, -0.5, 0.9, 4}, {0, 1.9, 2, 1, 3, 1}}) {
    const double best = model.best_quantity();
    const auto profit_at = [&](double quantity) {
      model.quantity = quantity;
      return *model.exact_means()[0];
    };
    EXPECT_GT(profit_at(best), profit_at(0.99 * best));
    EXPECT_GT(profit_at(best), profit_at(1.01 * best));
    EXPECT_NEAR(profit_at(1.001 * best), profit_at(0.999 * best), 1e-6 * profit_at(best));
  }
}

// Returns ∂f/∂x of a smooth f from a five-point difference.
double difference(const std::function<double(double)>& f, double x) {
  const double h = x * 1e-3;
  return (8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h);
}

// Checks 12 intervals of 99.9 %, and one that must miss: the pathwise derivative of an event.
TEST(ContinuousNewsvendor, PathwiseDerivativesAreThoseOfTheExactMeans) {
  const std::array<std::string, 6> names{"quantity", "cost", "price", "salvage", "alpha", "beta"};
  const ContinuousNewsvendor model{0.3, 5, 9, 1, 2, 20};
  const auto result = simulate(Host(), Pathwise<ContinuousNewsvendor, 6>(model, names), plan_with(1, 100'000));
  std::size_t parameter = 0;
  for_each_parameter<ContinuousNewsvendor>([&](const auto& described) {
    const auto derivative = [&](std::size_t response) {
      return difference(
          [&](double x) {
            ContinuousNewsvendor moved = model;
            moved.*described.member = x;
            return *moved.exact_means()[response];
          },
          model.*described.member);
    };
    ++parameter;
    for (const std::size_t response : {0, 1}) {
      const auto& estimate = result.responses[response + 3 * parameter];
      EXPECT_NEAR(estimate.mean, derivative(response), estimate.half_width + 1e-9) << estimate.name;
    }
    if (described.name == "quantity") {
      EXPECT_EQ(result.responses[2 + 3 * parameter].mean, 0);
      EXPECT_LT(derivative(2), -1) << "control";
    }
  });
}

TEST(ContinuousNewsvendor, RefusesWhatMakesNoDay) {
  const auto with = [](auto member, double value) {
    ContinuousNewsvendor model = defaults;
    model.*member = value;
    return refusal(model);
  };
  using N = ContinuousNewsvendor;
  EXPECT_EQ(with(&N::quantity, -1), "quantity is -1, expected a finite number of at least 0");
  EXPECT_EQ(with(&N::cost, 9), "cost is 9, expected a number below price, 9");
  EXPECT_EQ(with(&N::salvage, 5), "salvage is 5, expected a number below cost, 5");
  EXPECT_EQ(with(&N::alpha, 0.05),
            "alpha * beta is 1, expected a number above 1; otherwise the mean demand is infinite");
  EXPECT_EQ(with(&N::beta, 0), "beta is 0, expected a positive finite number");
  EXPECT_EQ(with(&N::salvage, -3), "taken");
  EXPECT_EQ(refusal(default_model<N>()), "taken");
}

template <class Space>
class ContinuousNewsvendorOn : public ::testing::Test {};
TYPED_TEST_SUITE(ContinuousNewsvendorOn, Backends, BackendName);

TYPED_TEST(ContinuousNewsvendorOn, HasTheKnownBits) { expect_digest<TypeParam>(defaults, 0xd6ea76bdacbd6e28); }

}  // namespace continuous_newsvendor_tests
}  // namespace sporos::test
