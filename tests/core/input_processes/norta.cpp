// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks correlations of NORTA against closed forms and against a quadrature with 180 × 180 nodes
// (numpy.polynomial.hermite_e) of SciPy 1.17.1's quantiles. Also checks covariances of normal vectors by their columns,
// and correlations of drawn vectors.
#include "drawn_uniforms.hpp"

#include <sporos/core/input_processes/norta.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace sporos::test {
namespace norta_tests {

NortaMarginal marginal_of(const std::string& text) {
  const AnyDistributionTable<Kokkos::HostSpace> table(parse_distribution(text));
  return NortaMarginal([&](double u) { return variate(u, table.handle()); });
}

double correlation(const std::string& one, const std::string& other, double normal) {
  return marginal_of(one).correlation_with(marginal_of(other), normal);
}

TEST(Norta, HasTheCorrelationsOfClosedForms) {
  const NortaMarginal normal = marginal_of("normal(3, 2)"), uniform = marginal_of("uniform(2, 3)");
  const NortaMarginal lognormal = marginal_of("lognormal(0, 1)"), other = marginal_of("lognormal(2, 0.5)");
  const NortaMarginal coin = marginal_of("binomial(1, 0.5)");
  for (const double rho : {-0.99, -0.5, 0.1, 0.8, 0.95}) {
    EXPECT_NEAR(normal.correlation_with(normal, rho), rho, 1e-6);
    EXPECT_NEAR(uniform.correlation_with(uniform, rho), 6 / M_PI * std::asin(rho / 2), 1e-6);
    EXPECT_NEAR(lognormal.correlation_with(other, rho),
                std::expm1(0.5 * rho) / std::sqrt(std::expm1(1) * std::expm1(0.25)), 1e-6);
    EXPECT_NEAR(coin.correlation_with(coin, rho), 2 / M_PI * std::asin(rho), 1e-3);
  }
}

TEST(Norta, HasTheCorrelationsOfQuadrature) {
  EXPECT_NEAR(correlation("gamma(2.5, 2)", "beta(2, 0.75)", 0.7), 0.6031352984081015, 2e-6);
  EXPECT_NEAR(correlation("gamma(2.5, 2)", "student(9, 0, 1)", -0.5), -0.47749527258102514, 2e-6);
  EXPECT_NEAR(correlation("student(9, 0, 1)", "beta(2, 0.75)", 0.3), 0.28527604797345757, 2e-6);
  EXPECT_NEAR(correlation("exponential(1)", "exponential(3)", 0.6), 0.5547828939369799, 2e-6);
  EXPECT_NEAR(correlation("exponential(1)", "exponential(3)", -0.6), -0.4270259463046329, 2e-6);
  // Variates of the exponential distribution fall as u grows, those of the gamma distribution rise.
  EXPECT_NEAR(correlation("exponential(1)", "gamma(1, 3)", -0.6), 0.5547828939369799, 2e-6);
}

TEST(Norta, FindsTheNormalsCorrelation) {
  const NortaMarginal one = marginal_of("gamma(2.5, 2)"), other = marginal_of("beta(2, 0.75)");
  EXPECT_NEAR(one.normal_correlation_with(other, 0.6031352984081015), 0.7, 4e-6);
  EXPECT_NEAR(one.mean(), 5, 1e-6);
  EXPECT_NEAR(one.deviation(), 2 * std::sqrt(2.5), 1e-6);
  const auto [low, high] = marginal_of("exponential(1)").range_with(marginal_of("exponential(1)"));
  EXPECT_NEAR(high, 1, 1e-12);
  EXPECT_NEAR(low, 1 - M_PI * M_PI / 6, 1e-5);  // the correlation of −ln U and −ln(1 − U)
}

SquareMatrix matrix(const std::vector<std::vector<double>>& rows) {
  SquareMatrix m(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < rows.size(); ++j) m(i, j) = rows[i][j];
  }
  return m;
}

// √n (artanh r − artanh ρ) is nearly normal. Its standard deviation is at most 3 for these marginals, so that it leaves
// a band of 3 · 4.9 with a probability below 1e-6.
TEST(Norta, DrawsVectorsWithTheWantedCorrelations) {
  const SquareMatrix wanted = matrix({{1, 0.5, -0.3}, {0.5, 1, 0.2}, {-0.3, 0.2, 1}});
  const std::array marginals{parse_distribution("lognormal(0, 1)"), parse_distribution("poisson(2)"),
                             parse_distribution("beta(0.5, 0.5)")};
  const NortaTable<3, Kokkos::HostSpace> table(marginals, wanted);
  Norta<3> norta = table.handle(), uncorrected{MultivariateNormal<3>({}, wanted), norta.marginal};
  const auto differences = [&](const Norta<3>& draw) {
    constexpr int n = 40000;
    DrawnUniforms inputs(20260101);
    std::array<double, 3> sum{};
    std::array<std::array<double, 3>, 3> products{};
    for (int k = 0; k < n; ++k) {
      const auto x = draw(inputs, 0);
      for (int i = 0; i < 3; ++i) {
        sum[static_cast<std::size_t>(i)] += x[i] / n;
        for (int j = 0; j <= i; ++j)
          products[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] += x[i] * x[j] / n;
      }
    }
    double worst = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const double covariance = products[i][j] - sum[i] * sum[j];
        const double r =
            covariance / std::sqrt((products[i][i] - sum[i] * sum[i]) * (products[j][j] - sum[j] * sum[j]));
        worst = std::max(worst, std::abs(std::atanh(r) - std::atanh(wanted(i, j))) * std::sqrt(n));
      }
    }
    return worst;
  };
  EXPECT_LT(differences(norta), 3 * 4.9);
  // Control: the correlations of the variates, used as those of the normals.
  EXPECT_GT(differences(uncorrected), 3 * 4.9);
}

TEST(MultivariateNormals, HaveTheirCovariance) {
  const SquareMatrix covariance = matrix({{4, 1, -0.5}, {1, 2, 0.3}, {-0.5, 0.3, 1}});
  const MultivariateNormal<3> normals({1, 2, 3}, covariance);
  const auto zero = normals.of({0, 0, 0});
  EXPECT_EQ(zero[1], 2);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      double sum = 0;
      for (int k = 0; k < 3; ++k) {
        Kokkos::Array<double, 3> unit{0, 0, 0};
        unit[k] = 1;
        const auto column = normals.of(unit);
        sum += (column[i] - zero[i]) * (column[j] - zero[j]);
      }
      EXPECT_NEAR(sum, covariance(static_cast<std::size_t>(i), static_cast<std::size_t>(j)), 1e-14);
    }
  }
}

template <class Action>
std::string refusal(const Action& action) {
  try {
    action();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Norta, SaysWhatCannotBe) {
  const std::vector<NortaMarginal> two{marginal_of("exponential(1)"), marginal_of("exponential(2)")};
  const auto with = [&](double r) { return refusal([&] { normal_correlations(two, matrix({{1, r}, {r, 1}})); }); };
  EXPECT_EQ(with(-0.7).substr(0, 76), "distributions 0 and 1: correlation is -0.7, expected a number from -0.644934");
  EXPECT_EQ(with(1.5).substr(0, 55), "pivot of correlations[1][1] in the Cholesky factorizati");
  EXPECT_EQ(refusal([&] { normal_correlations(two, SquareMatrix(3)); }),
            "number of rows of correlations is 3, expected one for each distribution, 2");
  EXPECT_EQ(refusal([&] {
              normal_correlations(two, matrix({{1, 0.5}, {0.4, 1}}));
            }),
            "correlations[1][0] is 0.4, expected the value of correlations[0][1], 0.5: the matrix must be symmetric");
  EXPECT_EQ(refusal([&] {
              normal_correlations(two, matrix({{2, 0.5}, {0.5, 2}}));
            }),
            "correlations[0][0] is 2, expected 1");
  const std::vector<NortaMarginal> three(3, marginal_of("exponential(1)"));
  const double r = -0.499;
  EXPECT_EQ(refusal([&] {
              normal_correlations(three, matrix({{1, r, r}, {r, 1, r}, {r, r, 1}}));
            }).substr(0, 57),
            "no multivariate normal vector yields these correlations: ");
  EXPECT_EQ(refusal([] { marginal_of("constant(3)"); }),
            "standard deviation of a marginal is 0, expected a positive number");
  EXPECT_EQ(refusal([] { marginal_of("pareto(1.5, 1)"); }).substr(0, 35), "share of a marginal's variance in v");
  EXPECT_EQ(refusal([] {
              MultivariateNormal<2>({0, 0}, matrix({{1}}));
            }),
            "number of rows of the covariance is 1, expected 2");
  EXPECT_EQ(refusal([] {
              MultivariateNormal<2>({0, std::nan("")}, matrix({{1, 0}, {0, 1}}));
            }),
            "mean[1] is nan, expected a finite number");
}

}  // namespace norta_tests
}  // namespace sporos::test
