// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/serial_or_host.hpp"
#include "quasi_newton/sampled_rows.hpp"

#include <sporos/core/linear_algebra/vector_operations.hpp>
#include <sporos/optimizers/derivative_check.hpp>

#include <harness/backends.hpp>
#include <harness/refusal.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace derivative_check_tests {

using namespace sporos;
using test::SerialOrHost;

using Values = std::vector<double>;

constexpr std::size_t dimension = 9;

// A problem whose derivatives have the relative error `by`.
template <class Space>
struct Wrong : test::SampledRows<Space> {
  using Base = test::SampledRows<Space>;

  Wrong(test::Loss of, double by) : Base(of, Values(dimension, 1.0), Values(dimension, 0.5), 0.1), share(1 + by) {}

  void gradient(const ConstVector<Space>& x, const Vector<Space>& g) {
    Base::gradient(x, g);
    set_scaled<Space>(this->space, g, share, g);
  }
  void hessian_product(const ConstVector<Space>& x, const ConstVector<Space>& v, const Vector<Space>& out) {
    Base::hessian_product(x, v, out);
    set_scaled<Space>(this->space, out, is_hessian_right ? share : 1.0, out);
  }

  double share;
  bool is_hessian_right = false;
};

Values point() {
  Values x;
  for (std::size_t i = 0; i < dimension; ++i) x.push_back(0.3 * std::sin(static_cast<double>(i)) - 0.2);
  return x;
}

template <class Space>
struct Derivatives : testing::Test {};
TYPED_TEST_SUITE(Derivatives, test::Backends, test::BackendName);

TYPED_TEST(Derivatives, ThatAreRightAreFoundToBeRight) {
  for (const auto loss : {test::Loss::squares, test::Loss::logistic}) {
    Wrong<TypeParam> problem(loss, 0);
    for (const std::uint64_t seed : {1, 2, 3}) {
      DerivativeCheckOptions options;
      options.seed = seed;
      const DerivativeCheck gradient = check_gradient(problem, point(), options);
      EXPECT_TRUE(gradient.is_right) << report(gradient);
      EXPECT_NEAR(gradient.order, 2, 0.1) << report(gradient);
      const DerivativeCheck hessian = check_hessian(problem, point(), options);
      EXPECT_TRUE(hessian.is_right) << report(hessian);
      EXPECT_NEAR(hessian.order, loss == test::Loss::squares ? 0 : 2, 0.1) << "the gradient of squares is linear";
    }
  }
}

// The controls: derivatives with relative errors down to the smallest that the check can detect.
TYPED_TEST(Derivatives, ThatAreWrongAreFoundToBeWrong) {
  for (const auto loss : {test::Loss::squares, test::Loss::logistic}) {
    for (const double by : {-2.0, -1.0, 0.1, 1e-3, 1e-5}) {
      Wrong<TypeParam> problem(loss, by);
      const DerivativeCheck gradient = check_gradient(problem, point());
      EXPECT_FALSE(gradient.is_right) << by << "\n" << report(gradient);
      EXPECT_LT(gradient.order, 1.5) << by;
      if (by == -1) continue;  // the gradient is 0 everywhere, and so is its change
      EXPECT_FALSE(check_hessian(problem, point()).is_right) << by << "\n" << report(check_hessian(problem, point()));
      problem.is_hessian_right = true;
      EXPECT_TRUE(check_hessian(problem, point()).is_right) << "that of the wrong gradient";
    }
  }
}

TYPED_TEST(Derivatives, ThatAreNotFiniteAreWrong) {
  Wrong<TypeParam> problem(test::Loss::logistic, 0);
  problem.broken_from = 0;
  EXPECT_FALSE(check_gradient(problem, point()).is_right);
  EXPECT_FALSE(check_hessian(problem, point()).is_right);
}

TYPED_TEST(Derivatives, AreReportedStepByStep) {
  Wrong<TypeParam> problem(test::Loss::logistic, 0);
  DerivativeCheckOptions options;
  options.steps = 3;
  const DerivativeCheck check = check_gradient(problem, point(), options);
  ASSERT_EQ(check.steps.size(), 3u);
  EXPECT_EQ(check.steps[0].step, 1);
  EXPECT_NEAR(check.steps[2].step, 0.01, 1e-16);
  EXPECT_EQ(report(check).substr(0, 48), "      step         change      remainder   order");
  EXPECT_NE(report(check).find("right"), std::string::npos);
}

TEST(DerivativeCheckOptions, AreRefusedWhereTheyCannotBeCarriedOut) {
  const auto refusal_of = [](const DerivativeCheckOptions& options, const Values& x) {
    return test::refusal([&] {
      Wrong<SerialOrHost> problem(test::Loss::squares, 0);
      check_gradient(problem, x, options);
    });
  };
  EXPECT_EQ(refusal_of({}, point()), "none");
  EXPECT_EQ(refusal_of({}, {1}), "dimension of the point is 1, expected that of the problem, 9");
  EXPECT_EQ(refusal_of({0}, point()), "first step is 0, expected a positive finite number");
  EXPECT_EQ(refusal_of({1, 1}, point()), "number of steps is 1, expected from 2 to 30");
  EXPECT_EQ(refusal_of({1, 9, 0}, point()), "sample size is 0, expected at least 1");
  EXPECT_EQ(refusal_of({1, 9, 1, 1, 2}, point()),
            "smallest order is 2, expected a number between 1 (wrong derivative) and 2 (right derivative)");
}

}  // namespace derivative_check_tests
