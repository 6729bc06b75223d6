// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks paths of Brownian motion: covariances min(s, t) by the columns of the maps from normals to paths, and the
// distribution of the maximum against its closed form.
#include <sporos/core/input_processes/brownian.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace sporos::test {
namespace brownian_tests {

// Inputs whose draws are all equal to u.
struct Fixed {
  double u;
  double operator()(int) const { return u; }
};

template <int n>
void expect_covariance_of_motion(const Kokkos::Array<double, n>& times) {
  const BrownianBridge<n> bridge(times);
  Kokkos::Array<Kokkos::Array<double, n>, n> columns{};
  for (int k = 0; k < n; ++k) {
    Kokkos::Array<double, n> unit{};
    unit[k] = 1;
    columns[k] = bridge.of(unit);
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int k = 0; k < n; ++k) sum += columns[k][i] * columns[k][j];
      EXPECT_NEAR(sum, std::min(times[i], times[j]), 1e-14 * times[n - 1]) << i << " " << j;
    }
    EXPECT_NEAR(columns[0][i], times[i] / std::sqrt(times[n - 1]), 1e-14);  // the first draw determines the end
  }
}

TEST(BrownianBridges, HaveTheCovarianceOfTheMotion) {
  expect_covariance_of_motion<1>({2.0});
  expect_covariance_of_motion<2>({0.5, 2.0});
  expect_covariance_of_motion<8>({1, 2, 3, 4, 5, 6, 7, 8});
  expect_covariance_of_motion<7>({0.1, 0.2, 1.5, 1.6, 2.5, 6, 6.5});
}

TEST(BrownianBridges, DrawAsManyNormalsAsTimes) {
  const BrownianBridge<2> bridge({1.0, 4.0});
  const Fixed inputs{0.975};
  const double z = math::normal_quantile(0.975);
  const auto path = bridge(inputs, 0);
  EXPECT_DOUBLE_EQ(path[1], 2 * z);
  EXPECT_DOUBLE_EQ(path[0], 0.5 * z + std::sqrt(0.75) * z);
}

TEST(BrownianBridges, RefuseTimesThatDoNotIncrease) {
  EXPECT_THROW(BrownianBridge<1>({0.0}), std::invalid_argument);
  try {
    BrownianBridge<3>({1.0, 3.0, 3.0});
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(std::string(error.what()), "times[2] is 3, expected a finite number above 3");
  }
}

TEST(BrownianMotion, StepsAndBridgesHaveTheirMomentsAndDerivatives) {
  using D = Dual<2>;
  const double z = math::normal_quantile(0.3);
  const D x = brownian_step(0.3, 1.0, D(0.5, {1, 0}), D(2.0, {0, 1}), 0.25);
  EXPECT_DOUBLE_EQ(x.value, 1 + 0.125 + z);
  EXPECT_DOUBLE_EQ(x.slope[0], 0.25);
  EXPECT_DOUBLE_EQ(x.slope[1], 0.5 * z);
  const D between = brownian_bridge(0.3, D(1.0, {1, 0}), 5.0, D(2.0, {0, 1}), 1.0, 3.0);
  EXPECT_DOUBLE_EQ(between.value, 2 + 2 * std::sqrt(0.75) * z);
  EXPECT_DOUBLE_EQ(between.slope[0], 0.75);
  EXPECT_DOUBLE_EQ(between.slope[1], std::sqrt(0.75) * z);
}

// The maximum has the distribution P(max > m) = e^(−2 (m − a)(m − b) / (σ² t)).
TEST(BrownianMotion, HasTheDistributionOfItsMaximum) {
  double before = 0;
  for (const double u : {1e-6, 0.1, 0.5, 0.9, 1 - 1e-9}) {
    const double m = brownian_maximum(u, 1.0, 1.5, 2.0, 0.5);
    EXPECT_NEAR(-std::expm1(-2 * (m - 1) * (m - 1.5) / (4 * 0.5)), u, 1e-9 * u);
    EXPECT_GT(m, std::max(before, 1.5));
    before = m;
  }
  const Dual<1> m = brownian_maximum(0.4, 1.0, 1.5, Dual<1>(2.0, {1.0}), 0.5);
  const double h = 1e-5;
  const double difference =
      (brownian_maximum(0.4, 1.0, 1.5, 2 + h, 0.5) - brownian_maximum(0.4, 1.0, 1.5, 2 - h, 0.5)) / (2 * h);
  EXPECT_NEAR(m.slope[0], difference, 1e-8);
}

}  // namespace brownian_tests
}  // namespace sporos::test
