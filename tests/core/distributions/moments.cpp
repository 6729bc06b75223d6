// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks mean, variance and skewness of the variates of the midpoints of equal parts of (0, 1) against closed forms.
#include "variates.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace sporos::test {
namespace moments_tests {

struct Moments {
  double mean, variance, skewness;
};

template <class Variate>
Moments stratified_moments(const Variate& variate) {
  constexpr int n = 1 << 16;
  std::vector<double> x(n);
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += x[i] = variate((i + 0.5) / n);
  const double mean = sum / n;
  double second = 0.0, third = 0.0;
  for (const double value : x) {
    const double d = value - mean;
    second += d * d;
    third += d * d * d;
  }
  const double variance = second / n;
  return {mean, variance, third / n / (variance * std::sqrt(variance))};
}

/// The midpoint rule's error lies in the tails. With n = 2^16 and tails no heavier than those tested here, it is below
/// 2e-4 standard deviations in the mean, 2e-3 (relative) in the variance and 2e-2 in the skewness.
::testing::AssertionResult agree(const Moments& got, const Moments& expected) {
  const double deviation = std::sqrt(expected.variance);
  if (std::abs(got.mean - expected.mean) < 2e-4 * deviation &&
      std::abs(got.variance - expected.variance) < 2e-3 * expected.variance &&
      std::abs(got.skewness - expected.skewness) < 2e-2 * std::max(1.0, std::abs(expected.skewness))) {
    return ::testing::AssertionSuccess();
  }
  return ::testing::AssertionFailure() << "mean " << got.mean << ", variance " << got.variance << ", skewness "
                                       << got.skewness << ", expected " << expected.mean << ", " << expected.variance
                                       << ", " << expected.skewness;
}

/// Expects these moments of `variate`. Control: `neighbour` has slightly different parameters and fails the same check.
template <class Variate>
void expect_moments(const Variate& variate, const Variate& neighbour, const Moments& expected) {
  EXPECT_TRUE(agree(stratified_moments(variate), expected));
  EXPECT_FALSE(agree(stratified_moments(neighbour), expected));
}

TEST(Moments, Uniform) { expect_moments(Uniform{2.0, 5.0}, Uniform{2.0, 5.01}, {3.5, 0.75, 0.0}); }

TEST(Moments, Exponential) {
  expect_moments(Exponential{4.0}, Exponential{4.01}, {0.25, 0.0625, 2.0});
  expect_moments(ExponentialByMean{0.25}, ExponentialByMean{0.2505}, {0.25, 0.0625, 2.0});
}

TEST(Moments, Normal) { expect_moments(Normal{-1.0, 3.0}, Normal{-1.0, 3.01}, {-1.0, 9.0, 0.0}); }

TEST(Moments, Lognormal) {
  const double w = std::exp(0.25), mean = std::exp(1.0 + 0.125);
  expect_moments(Lognormal{1.0, 0.5}, Lognormal{1.0, 0.502},
                 {mean, (w - 1.0) * mean * mean, (w + 2.0) * std::sqrt(w - 1.0)});
}

TEST(Moments, Triangular) {
  // a = 1, b = 5, c = 2
  const double squares = 1.0 + 25.0 + 4.0 - 5.0 - 2.0 - 10.0;
  const double skewness =
      std::sqrt(2.0) * (1.0 + 5.0 - 4.0) * (2.0 - 5.0 - 2.0) * (1.0 - 10.0 + 2.0) / (5.0 * std::pow(squares, 1.5));
  expect_moments(Triangular{1.0, 2.0, 5.0}, Triangular{1.0, 2.01, 5.0}, {8.0 / 3.0, squares / 18.0, skewness});
}

TEST(Moments, Weibull) {
  const double g1 = std::tgamma(1.5), g2 = std::tgamma(2.0), g3 = std::tgamma(2.5);
  const double variance = g2 - g1 * g1;
  const double skewness = (g3 - 3.0 * g1 * variance - g1 * g1 * g1) / std::pow(variance, 1.5);
  expect_moments(Weibull{2.0, 3.0}, Weibull{2.01, 3.0}, {3.0 * g1, 9.0 * variance, skewness});
}

TEST(Moments, Gamma) {
  expect_moments(Gamma{0.5, 2.0}, Gamma{0.502, 2.0}, {1.0, 2.0, 2.0 * std::sqrt(2.0)});
  expect_moments(Gamma{20.0, 0.5}, Gamma{20.05, 0.5}, {10.0, 5.0, 2.0 / std::sqrt(20.0)});
  expect_moments(GammaByRate{4.0, 2.0}, GammaByRate{4.01, 2.0}, {2.0, 1.0, 1.0});
}

TEST(Moments, Erlang) { expect_moments(Erlang{4, 2.0}, Erlang{4, 2.01}, {2.0, 1.0, 1.0}); }

TEST(Moments, SkewnessTellsANormalFromAGamma) {
  EXPECT_FALSE(agree(stratified_moments(Normal{2.0, 1.0}), {2.0, 1.0, 1.0}));
}

TEST(Moments, UniformInteger) { expect_moments(UniformInteger{1, 5}, UniformInteger{1, 6}, {3.0, 2.0, 0.0}); }

TEST(Moments, Geometric) { expect_moments(Geometric{0.2}, Geometric{0.2005}, {4.0, 20.0, 1.8 / std::sqrt(0.8)}); }

TEST(Moments, Poisson) {
  expect_moments(Poisson{3.0}, Poisson{3.01}, {3.0, 3.0, 1.0 / std::sqrt(3.0)});
  expect_moments(Poisson{200.0}, Poisson{200.1}, {200.0, 200.0, 1.0 / std::sqrt(200.0)});
}

TEST(Moments, Beta) {
  expect_moments(Beta{2.0, 3.0}, Beta{2.005, 3.0}, {0.4, 0.04, 2.0 * std::sqrt(6.0) / (7.0 * std::sqrt(6.0))});
}

TEST(Moments, Student) { expect_moments(Student{9.0, 1.0, 2.0}, Student{9.1, 1.0, 2.0}, {1.0, 4.0 * 9.0 / 7.0, 0.0}); }

// Mean, variance and skewness from the first three moments about zero, such as E X^k = scale^k shape / (shape − k).
Moments moments_of_powers(double first, double second, double third) {
  const double variance = second - first * first;
  return {first, variance, (third - 3.0 * first * variance - first * first * first) / (variance * std::sqrt(variance))};
}

TEST(Moments, PowerTails) {
  expect_moments(Pareto{12.0, 2.0}, Pareto{12.05, 2.0},
                 moments_of_powers(2.0 * 12.0 / 11.0, 4.0 * 12.0 / 10.0, 8.0 * 12.0 / 9.0));
  const auto logistic_power = [](double k) { return k * M_PI / 14.0 / std::sin(k * M_PI / 14.0); };
  expect_moments(LogLogistic{14.0, 1.0}, LogLogistic{14.05, 1.0},
                 moments_of_powers(logistic_power(1.0), logistic_power(2.0), logistic_power(3.0)));
  // E X^k = tail B(tail − k / shape, 1 + k / shape) with scale 1
  const auto burr_power = [](double k) {
    return 6.0 * std::tgamma(6.0 - k / 3.0) * std::tgamma(1.0 + k / 3.0) / std::tgamma(7.0);
  };
  expect_moments(Burr{3.0, 6.0, 1.0}, Burr{3.0, 6.05, 1.0},
                 moments_of_powers(burr_power(1.0), burr_power(2.0), burr_power(3.0)));
}

TEST(Moments, Johnson) {
  // The moments of sinh((Z − γ) / δ) with δ = 2 follow from E e^(kZ/2) = e^(k²/8).
  const double g = 0.5, w = std::exp(0.25), first = -std::exp(0.125) * std::sinh(g);
  const double second = (w * w * std::cosh(2.0 * g) - 1.0) / 2.0;
  const double third = -(std::exp(9.0 / 8.0) * std::sinh(3.0 * g) - 3.0 * std::exp(0.125) * std::sinh(g)) / 4.0;
  expect_moments(JohnsonSu{1.0, 2.0, 0.0, 1.0}, JohnsonSu{1.0, 2.005, 0.0, 1.0},
                 moments_of_powers(first, second, third));
  // SciPy 1.17.1, johnsonsb(0.5, 1.5).stats("mvs")
  expect_moments(JohnsonSb{0.5, 1.5, 0.0, 1.0}, JohnsonSb{0.505, 1.5, 0.0, 1.0},
                 {0.4248687210082289, 0.02212605365970763, 0.22004034279346954});
}

TEST(Moments, TruncatedNormal) {
  // The distribution is that of |Z|.
  const double first = std::sqrt(2.0 / M_PI);
  expect_moments(TruncatedNormal{0.0, 1.0, 0.0, 50.0}, TruncatedNormal{0.005, 1.0, 0.0, 50.0},
                 moments_of_powers(first, 1.0, 2.0 * first));
}

TEST(Moments, Trials) {
  expect_moments(Binomial{50, 0.2}, Binomial{50, 0.201}, {10.0, 8.0, 0.6 / std::sqrt(8.0)});
  expect_moments(Binomial{5000, 0.4}, Binomial{5000, 0.4005}, {2000.0, 1200.0, 0.2 / std::sqrt(1200.0)});
  expect_moments(NegativeBinomial{2.5, 0.4}, NegativeBinomial{2.51, 0.4}, {3.75, 9.375, 1.6 / std::sqrt(1.5)});
  // SciPy 1.17.1, hypergeom(50, 20, 10).stats("mvs")
  expect_moments(Hypergeometric{50, 20, 10}, Hypergeometric{50, 21, 10},
                 {4.0, 1.9591836734693877, 0.08930431353897003});
}

TEST(Moments, Tables) {
  const std::vector<double> values{-1.0, 0.0, 2.0}, probabilities{0.2, 0.5, 0.3}, changed{0.201, 0.499, 0.3};
  const DiscreteTable<Kokkos::HostSpace> table(values, probabilities), other(values, changed);
  // mean 0.4; E(X − 0.4)² = 1.24, E(X − 0.4)³ = 0.2 · −2.744 + 0.5 · −0.064 + 0.3 · 4.096 = 0.648
  expect_moments(Discrete{table.handle()}, Discrete{other.handle()}, {0.4, 1.24, 0.648 / std::pow(1.24, 1.5)});

  const EmpiricalTable<Kokkos::HostSpace> observed(values), moved(std::vector<double>{-1.0, 0.01, 2.0});
  // The variate is uniform on [−1, 0] or on [0, 2], each with probability ½, so that E X = ¼, E X² = 5/6, E X³ = 7/8.
  const double variance = 5.0 / 6 - 1.0 / 16, third = 7.0 / 8 - 3.0 / 4 * 5.0 / 6 + 2.0 / 64;
  expect_moments(Empirical{observed.handle()}, Empirical{moved.handle()},
                 {0.25, variance, third / std::pow(variance, 1.5)});
  // E X = ⅓, E X² = 5/3, E X³ = 7/3
  const double step_variance = 5.0 / 3 - 1.0 / 9, step_third = 7.0 / 3 - 5.0 / 3 + 2.0 / 27;
  expect_moments(EmpiricalStep{observed.handle()}, EmpiricalStep{moved.handle()},
                 {1.0 / 3, step_variance, step_third / std::pow(step_variance, 1.5)});
}

}  // namespace moments_tests
}  // namespace sporos::test
