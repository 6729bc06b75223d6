// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks variates of given uniforms against Boost.Math's quantiles and distribution functions in long double.
#include "uniforms.hpp"
#include "variates.hpp"

#include <gtest/gtest.h>
#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/exponential.hpp>
#include <boost/math/distributions/gamma.hpp>
#include <boost/math/distributions/geometric.hpp>
#include <boost/math/distributions/hypergeometric.hpp>
#include <boost/math/distributions/lognormal.hpp>
#include <boost/math/distributions/negative_binomial.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/pareto.hpp>
#include <boost/math/distributions/poisson.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/distributions/triangular.hpp>
#include <boost/math/distributions/uniform.hpp>
#include <boost/math/distributions/weibull.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace sporos::test {
namespace quantiles_tests {

namespace bm = boost::math;
using Real = long double;

constexpr double few_ulps = 1e-15;

/// Boost's quantile of u, computed from the smaller tail.
template <class Distribution>
Real rising(const Distribution& distribution, double u) {
  return u < 0.5 ? bm::quantile(distribution, Real(u)) : bm::quantile(bm::complement(distribution, 1.0L - u));
}

/// Boost's quantile for variates that fall as u grows: u is the upper tail. The smaller tail is used here, too.
template <class Distribution>
Real falling(const Distribution& distribution, double u) {
  return u < 0.5 ? bm::quantile(bm::complement(distribution, Real(u))) : bm::quantile(distribution, 1.0L - u);
}

/// Largest error of `variate`, relative to the quantile or to `scale`, whichever is larger.
template <class Variate, class Quantile>
double worst_error(const Variate& variate, const Quantile& quantile, double scale) {
  double worst = 0.0;
  for (const double u : uniforms(200)) {
    const Real expected = quantile(u);
    const double error = std::abs(variate(u) - expected) / std::max<Real>(std::abs(expected), scale);
    if (!(error <= worst)) worst = error;
  }
  return worst;
}

template <class Variate>
bool never_falls(const Variate& variate, double slack) {
  double before = std::numeric_limits<double>::lowest();
  for (const double u : uniforms(5000)) {
    const double x = variate(u);
    if (!(x >= before - slack * std::abs(before))) return false;
    before = x;
  }
  return true;
}

TEST(Quantiles, Uniform) {
  const auto expected = [](double u) { return rising(bm::uniform_distribution<Real>(-2.0, 5.0), u); };
  EXPECT_LT(worst_error(Uniform{-2.0, 5.0}, expected, 5.0), few_ulps);
  EXPECT_TRUE(never_falls(Uniform{-2.0, 5.0}, 0.0));
}

TEST(Quantiles, ExponentialFallsAsTheUniformGrows) {
  const auto expected = [](double u) { return falling(bm::exponential_distribution<Real>(3.0L), u); };
  EXPECT_LT(worst_error(Exponential{3.0}, expected, 0.0), few_ulps);
  const auto by_mean = [](double u) { return falling(bm::exponential_distribution<Real>(0.5L), u); };
  EXPECT_LT(worst_error(ExponentialByMean{2.0}, by_mean, 0.0), few_ulps);
}

TEST(Quantiles, Normal) {
  const auto expected = [](double u) { return rising(bm::normal_distribution<Real>(10.0L, 2.0L), u); };
  EXPECT_LT(worst_error(Normal{10.0, 2.0}, expected, 10.0), few_ulps);
  EXPECT_TRUE(never_falls(Normal{10.0, 2.0}, 0.0));
}

TEST(Quantiles, Lognormal) {
  const auto expected = [](double u) { return rising(bm::lognormal_distribution<Real>(0.5L, 1.5L), u); };
  EXPECT_LT(worst_error(Lognormal{0.5, 1.5}, expected, 0.0), 1e-14);  // e^x multiplies errors by |x|
  EXPECT_TRUE(never_falls(Lognormal{0.5, 1.5}, 0.0));
}

TEST(Quantiles, Triangular) {
  for (const double mode : {1.0, 1.75, 5.0}) {
    const auto expected = [&](double u) { return rising(bm::triangular_distribution<Real>(1.0, mode, 5.0), u); };
    EXPECT_LT(worst_error(Triangular{1.0, mode, 5.0}, expected, 5.0), few_ulps) << mode;
    EXPECT_TRUE(never_falls(Triangular{1.0, mode, 5.0}, 0.0)) << mode;
  }
}

TEST(Quantiles, WeibullFallsAsTheUniformGrows) {
  for (const double shape : {0.5, 1.0, 3.7}) {
    const auto expected = [&](double u) { return falling(bm::weibull_distribution<Real>(shape, 2.0), u); };
    EXPECT_LT(worst_error(Weibull{shape, 2.0}, expected, 0.0), 2e-15) << shape;
  }
}

TEST(Quantiles, Gamma) {
  for (const double shape : {0.3, 1.0, 2.5, 11.9, 12.1, 400.0, 1e6}) {
    const auto expected = [&](double u) { return rising(bm::gamma_distribution<Real>(shape, 2.0), u); };
    const double tolerance = shape < 1.0 ? 2e-14 : 1e-14;
    EXPECT_LT(worst_error(Gamma{shape, 2.0}, expected, 0.0), tolerance) << shape;
    EXPECT_LT(worst_error(GammaByRate{shape, 0.5}, expected, 0.0), tolerance) << shape;
    EXPECT_TRUE(never_falls(Gamma{shape, 2.0}, tolerance)) << shape;
  }
}

TEST(Quantiles, TinyGammaShapeEndsAtZero) {
  EXPECT_EQ(gamma(0.25, 1e-4, 1.0), 0.0);
  EXPECT_TRUE(never_falls(Gamma{1e-4, 1.0}, 1e-12));
}

TEST(Quantiles, Erlang) {
  for (const std::int64_t shape : {1, 2, 9, 50}) {
    const auto expected = [&](double u) { return rising(bm::gamma_distribution<Real>(shape, 0.25), u); };
    EXPECT_LT(worst_error(Erlang{shape, 4.0}, expected, 0.0), 1e-14) << shape;
  }
}

TEST(Quantiles, Pareto) {
  const auto expected = [](double u) { return rising(bm::pareto_distribution<Real>(2.0L, 3.5L), u); };
  EXPECT_LT(worst_error(Pareto{3.5, 2.0}, expected, 0.0), 1e-14);
  EXPECT_TRUE(never_falls(Pareto{3.5, 2.0}, 0.0));
}

/// Largest relative error of a variate, from Boost's distribution function of the smaller tail and its density.
template <class Variate, class Distribution>
double worst_error_of_tail(const Variate& variate, const Distribution& distribution) {
  double worst = 0.0;
  for (const double u : uniforms(100)) {
    const Real x = variate(u);
    if (x == 0 || x == 1) continue;  // rounded to an end of a beta distribution
    const Real missing = u < 0.5 ? bm::cdf(distribution, x) - u : 1.0L - u - bm::cdf(bm::complement(distribution, x));
    const double error = static_cast<double>(std::abs(missing / bm::pdf(distribution, x) / x));
    if (!(error <= worst)) worst = error;
  }
  return worst;
}

TEST(Quantiles, Beta) {
  for (const auto& [a, b] : {std::pair{0.3, 0.6}, {1.0, 1.0}, {2.0, 0.75}, {9.9, 40.0}, {300.0, 1e4}}) {
    const bm::beta_distribution<Real> expected(a, b);
    EXPECT_LT(worst_error_of_tail(Beta{a, b}, expected), 1e-13) << a << " " << b;
    EXPECT_GT(worst_error_of_tail(Beta{a * (1 + 1e-9), b}, expected), 1e-11) << a << " " << b;
    EXPECT_TRUE(never_falls(Beta{a, b}, 1e-13)) << a << " " << b;
  }
}

TEST(Quantiles, TinyBetaShapesEndAtZeroAndOne) {
  EXPECT_EQ(beta(0.25, 1e-4, 1e-4), 0.0);
  EXPECT_EQ(beta(0.75, 1e-4, 1e-4), 1.0);
}

TEST(Quantiles, Student) {
  for (const double degrees : {0.125, 0.5, 1.0, 3.7, 30.0, 1e6}) {
    const bm::students_t_distribution<Real> expected(degrees);
    EXPECT_LT(worst_error_of_tail(Student{degrees, 0.0, 1.0}, expected), 1e-12) << degrees;
    EXPECT_GT(worst_error_of_tail(Student{degrees * (1 + 1e-4), 0.0, 1.0}, expected), 2e-12) << degrees;
    EXPECT_TRUE(never_falls(Student{degrees, 0.0, 1.0}, 1e-12)) << degrees;
  }
  EXPECT_EQ(student(0.5, 3.0, 7.0, 2.0), 7.0);
}

/// Whether k is the smallest count with P(K <= k) >= u, by Boost's distribution function of the smaller tail.
template <class Distribution>
bool is_discrete_quantile(const Distribution& distribution, double u, double k) {
  if (!(k >= 0.0) || k != std::floor(k)) return false;
  const auto reaches = [&](double j) {
    if (j < 0.0) return false;
    return u < 0.5 ? bm::cdf(distribution, Real(j)) >= u : bm::cdf(bm::complement(distribution, Real(j))) <= 1.0L - u;
  };
  return reaches(k) && !reaches(k - 1.0);
}

template <class Variate, class Distribution>
int wrong_counts(const Variate& variate, const Distribution& distribution, int strata) {
  int wrong = 0;
  for (const double u : uniforms(strata)) wrong += !is_discrete_quantile(distribution, u, variate(u));
  return wrong;
}

TEST(Quantiles, PoissonIsExact) {
  for (const double mean : {1e-9, 0.3, 1.0, 7.7, 31.9, 32.1, 100.0, 1234.5, 1e5, 1e6}) {
    EXPECT_EQ(wrong_counts(Poisson{mean}, bm::poisson_distribution<Real>(mean), 150), 0) << mean;
    EXPECT_TRUE(never_falls(Poisson{mean}, 0.0)) << mean;
  }
  EXPECT_EQ(poisson(0.999, 0.0), 0.0);
}

TEST(Quantiles, PoissonCheckRejectsANeighbouringMean) {
  for (const double mean : {0.3, 32.1, 1e6}) {
    EXPECT_GT(wrong_counts(Poisson{mean * 1.02}, bm::poisson_distribution<Real>(mean), 150), 0) << mean;
  }
}

TEST(Quantiles, PoissonReachesFarAboveAMillion) {
  for (const double mean : {1e9, 1e12}) {
    for (const double u : {0x1p-53, 0.1, 0.5, 0.9, 1.0 - 0x1p-53}) {
      const double k = poisson(u, mean), z = math::normal_quantile(u);
      EXPECT_NEAR(k, mean + z * std::sqrt(mean) + (z * z - 1.0) / 6.0, 1.0) << mean << " " << u;
    }
  }
}

TEST(Quantiles, GeometricIsExact) {
  for (const double probability : {1e-9, 0.01, 0.3, 0.77, 0.999}) {
    EXPECT_EQ(wrong_counts(Geometric{probability}, bm::geometric_distribution<Real>(probability), 1000), 0)
        << probability;
    EXPECT_TRUE(never_falls(Geometric{probability}, 0.0)) << probability;
  }
  EXPECT_GT(wrong_counts(Geometric{0.31}, bm::geometric_distribution<Real>(0.3), 1000), 0);
}

TEST(Quantiles, GeometricAtStepsOfItsCdf) {
  // If a uniform lies where the CDF steps up, rounding chooses one of the two ends of the step.
  for (int k = 1; k <= 53; ++k) EXPECT_NEAR(geometric(1.0 - std::ldexp(1.0, -k), 0.5), k - 0.5, 0.5) << k;
  EXPECT_EQ(geometric(1.0 - 0x1p-53, 1.0), 0.0);
  EXPECT_GT(geometric(0.5, 1e-300), 1e299);
}

// The probabilities are not fractions with a power of 2, so no uniform is a step of the CDF.
TEST(Quantiles, BinomialIsExact) {
  for (const std::int64_t trials : {1, 5, 40, 1000, 1000000}) {
    for (const double p : {1e-9, 1e-3, 0.1, 0.7, 0.97, 1 - 1e-6}) {
      EXPECT_EQ(wrong_counts(Binomial{trials, p}, bm::binomial_distribution<Real>(Real(trials), p), 20), 0)
          << trials << " " << p;
    }
  }
  EXPECT_GT(wrong_counts(Binomial{1000, 0.1}, bm::binomial_distribution<Real>(1000, 0.102L), 100), 0);
  EXPECT_TRUE(never_falls(Binomial{1000, 0.1}, 0.0));
  EXPECT_EQ(binomial(0.999, 0, 0.5), 0.0);
  EXPECT_EQ(binomial(0.999, 7, 0.0), 0.0);
  EXPECT_EQ(binomial(0.001, 7, 1.0), 7.0);
}

TEST(Quantiles, NegativeBinomialIsExact) {
  for (const double successes : {0.01, 1.0, 5.5, 1000.0}) {
    for (const double p : {1e-6, 1e-3, 0.1, 0.7, 0.97}) {
      const bm::negative_binomial_distribution<Real> expected(successes, p);
      EXPECT_EQ(wrong_counts(NegativeBinomial{successes, p}, expected, 20), 0) << successes << " " << p;
    }
  }
  const bm::negative_binomial_distribution<Real> other(5.6L, 0.1L);
  EXPECT_GT(wrong_counts(NegativeBinomial{5.5, 0.1}, other, 100), 0);
  EXPECT_TRUE(never_falls(NegativeBinomial{5.5, 0.1}, 0.0));
  EXPECT_EQ(negative_binomial(0.999, 2.0, 1.0), 0.0);
}

/// Boost's tail probabilities, extended to counts outside of the support, which Boost does not accept.
template <class Distribution>
struct WithinSupport {
  Distribution distribution;
  Real least, most;
};
template <class Distribution>
Real cdf(const WithinSupport<Distribution>& d, Real k) {
  return k < d.least ? 0 : (k >= d.most ? 1 : bm::cdf(d.distribution, k));
}
template <class Distribution>
Real cdf(const bm::complemented2_type<WithinSupport<Distribution>, Real>& c) {
  const auto& d = c.dist;
  return c.param < d.least ? 1 : (c.param >= d.most ? 0 : bm::cdf(bm::complement(d.distribution, c.param)));
}

TEST(Quantiles, HypergeometricIsExact) {
  using Boosts = bm::hypergeometric_distribution<Real>;
  const auto wrong = [](std::int64_t population, std::int64_t marked, std::int64_t drawn, std::int64_t other) {
    const Real least = static_cast<Real>(std::max<std::int64_t>(0, marked + drawn - population));
    const Boosts boosts(static_cast<unsigned>(marked), static_cast<unsigned>(drawn), static_cast<unsigned>(population));
    const WithinSupport<Boosts> expected{boosts, least, static_cast<Real>(std::min(marked, drawn))};
    int count = 0;
    for (const double u : uniforms(40)) {
      const double k = hypergeometric(u, population, other, drawn);
      const auto reaches = [&](Real j) {
        return u < 0.5 ? cdf(expected, j) >= u : cdf(bm::complement(expected, j)) <= 1.0L - u;
      };
      count += !reaches(k) || reaches(k - 1);
    }
    return count;
  };
  EXPECT_EQ(wrong(10, 4, 3, 4), 0);
  EXPECT_EQ(wrong(51, 20, 40, 20), 0);
  EXPECT_EQ(wrong(1001, 30, 500, 30), 0);
  EXPECT_EQ(wrong(5001, 2000, 300, 2000), 0);
  EXPECT_GT(wrong(1001, 30, 500, 31), 0);
  EXPECT_TRUE(never_falls(Hypergeometric{1001, 30, 500}, 0.0));
  EXPECT_EQ(hypergeometric(0.3, 10, 10, 4), 4.0);
  EXPECT_EQ(hypergeometric(0.3, 10, 4, 10), 4.0);
  EXPECT_EQ(hypergeometric(0.3, 10, 0, 4), 0.0);
}

TEST(Quantiles, UniformInteger) {
  for (const double u : uniforms(999)) {
    const double x = uniform_integer(u, -2, 4);
    EXPECT_EQ(x, -2.0 + std::floor(7.0L * u)) << u;
  }
}

TEST(PoissonVariates, HaveTheBitsOfSingleOnes) {
  for (const double mean : {0.0, 1e-3, 1.0, 6.0, 16.0, 25.0, 31.99, 32.0, 100.0}) {
    const PoissonVariates variates(mean);
    for (const double u : uniforms(2000)) EXPECT_EQ(variates(u), poisson(u, mean)) << mean << " " << u;
    for (const double u : {0x1p-53, 0.9990234374, 0.9990234375, 1 - 0x1p-53})
      EXPECT_EQ(variates(u), poisson(u, mean)) << mean << " " << u;
  }
}

}  // namespace quantiles_tests
}  // namespace sporos::test
