// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks log densities and their derivatives with respect to the parameters against Boost.Math in long double.
#include <sporos/core/distributions/beta.hpp>
#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/distributions/counts.hpp>
#include <sporos/core/distributions/gamma.hpp>
#include <sporos/core/distributions/johnson.hpp>
#include <sporos/core/distributions/phase_type.hpp>
#include <sporos/core/distributions/power_tails.hpp>
#include <sporos/core/distributions/trials.hpp>

#include <gtest/gtest.h>
#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/exponential.hpp>
#include <boost/math/distributions/gamma.hpp>
#include <boost/math/distributions/geometric.hpp>
#include <boost/math/distributions/negative_binomial.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/pareto.hpp>
#include <boost/math/distributions/poisson.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/distributions/triangular.hpp>
#include <boost/math/distributions/weibull.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace sporos::test {
namespace log_densities_tests {

namespace bm = boost::math;
using Real = long double;

// The derivative of f at x, from five points.
template <class Function>
Real difference(const Function& f, Real x) {
  const Real h = std::abs(x) * 1e-4L;
  return (8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h);
}

bool is_close(double found, Real expected) {
  return std::abs(found - expected) <= 1e-12L * std::max<Real>(1, std::abs(expected));
}

// Whether the log density of `Family` at x and its derivatives by all parameters are those of ln pdf(θ, x).
template <class Family, std::size_t count, class Pdf>
bool agrees(const std::array<double, count>& parameters, double x, const Pdf& pdf) {
  using D = Dual<static_cast<int>(count)>;
  std::array<D, count> duals;
  std::array<Real, count> plain;
  for (std::size_t j = 0; j < count; ++j) {
    plain[j] = parameters[j];
    duals[j] = D(parameters[j]);
    duals[j].slope[static_cast<int>(j)] = 1;
  }
  const D found = std::apply([&](const auto&... theta) { return Family::log_density(x, theta...); }, duals);
  const double value = std::apply([&](auto... theta) { return Family::log_density(x, theta...); }, parameters);
  bool good = found.value == value && is_close(value, std::log(pdf(plain, x)));
  for (std::size_t j = 0; j < count; ++j) {
    const auto of_parameter = [&](Real theta) {
      auto changed = plain;
      changed[j] = theta;
      return std::log(pdf(changed, x));
    };
    good = good && is_close(found.slope[static_cast<int>(j)], difference(of_parameter, plain[j]));
  }
  return good;
}

// Expects agreement at all `places`. Control: no agreement if Boost's parameters are larger by 10⁻⁹ of their values.
template <class Family, std::size_t count, class Pdf>
void expect_agreement(const std::array<double, count>& parameters, const std::vector<double>& places, const Pdf& pdf) {
  const auto neighbour = [&](std::array<Real, count> theta, Real x) {
    for (Real& number : theta) number *= 1 + 1e-9L;
    return pdf(theta, x);
  };
  for (const double x : places) {
    EXPECT_TRUE((agrees<Family>(parameters, x, pdf))) << "x = " << x;
    EXPECT_FALSE((agrees<Family>(parameters, x, neighbour))) << "x = " << x;
  }
}

const std::vector<double> positive{1e-3, 0.2, 1.7, 9.5, 40};
const std::vector<double> counts{0, 1, 2, 7, 31};

TEST(LogDensities, AreThoseOfBoost) {
  using One = std::array<Real, 1>;
  using Two = std::array<Real, 2>;
  expect_agreement<impl::ExponentialFamily, 1>(
      {2.5}, positive, [](const One& p, Real x) { return bm::pdf(bm::exponential_distribution<Real>(p[0]), x); });
  expect_agreement<impl::NormalFamily, 2>({1.5, 2.0}, {-7.5, 0.3, 2.2, 11}, [](const Two& p, Real x) {
    return bm::pdf(bm::normal_distribution<Real>(p[0], p[1]), x);
  });
  for (const double shape : {0.6, 1.7}) {
    expect_agreement<impl::WeibullFamily, 2>({shape, 3.0}, positive, [](const Two& p, Real x) {
      return bm::pdf(bm::weibull_distribution<Real>(p[0], p[1]), x);
    });
  }
  for (const double shape : {0.3, 2.4, 17.0}) {
    expect_agreement<impl::GammaFamily, 2>({shape, 1.3}, positive, [](const Two& p, Real x) {
      return bm::pdf(bm::gamma_distribution<Real>(p[0], p[1]), x);
    });
  }
  expect_agreement<impl::GeometricFamily, 1>(
      {0.2}, counts, [](const One& p, Real k) { return bm::pdf(bm::geometric_distribution<Real>(p[0]), k); });
  for (const double mean : {0.4, 25.5}) {
    expect_agreement<impl::PoissonFamily, 1>(
        {mean}, counts, [](const One& p, Real k) { return bm::pdf(bm::poisson_distribution<Real>(p[0]), k); });
  }
}

TEST(LogDensities, OfATriangleAreThoseOfBoost) {
  const auto pdf = [](const std::array<Real, 3>& p, Real x) {
    return bm::pdf(bm::triangular_distribution<Real>(p[0], p[1], p[2]), x);
  };
  expect_agreement<impl::TriangularFamily, 3>({1.0, 2.0, 5.0}, {1.3, 1.9, 2.1, 3.0, 4.0}, pdf);
}

// The number of trials is not a parameter with a score.
struct Binomial31 {
  template <class Probability>
  static NumberOf<Probability> log_density(double k, const Probability& probability) {
    return impl::BinomialFamily::log_density(k, 31.0, probability);
  }
};

TEST(LogDensities, OfBetaStudentAndTrialsAreThoseOfBoost) {
  using One = std::array<Real, 1>;
  using Two = std::array<Real, 2>;
  using Three = std::array<Real, 3>;
  for (const double shape : {0.6, 7.0}) {
    expect_agreement<impl::BetaFamily, 2>({shape, 2.5}, {1e-3, 0.3, 0.9}, [](const Two& p, Real x) {
      return bm::pdf(bm::beta_distribution<Real>(p[0], p[1]), x);
    });
  }
  expect_agreement<impl::StudentFamily, 3>({3.5, 1.5, 2.0}, {-7.5, 0.3, 2.2, 11}, [](const Three& p, Real x) {
    return bm::pdf(bm::students_t_distribution<Real>(p[0]), (x - p[1]) / p[2]) / p[2];
  });
  expect_agreement<impl::ParetoFamily, 2>({2.5, 3.0}, {3.5, 9.5, 40}, [](const Two& p, Real x) {
    return bm::pdf(bm::pareto_distribution<Real>(p[1], p[0]), x);
  });
  expect_agreement<Binomial31, 1>(
      {0.2}, counts, [](const One& p, Real k) { return bm::pdf(bm::binomial_distribution<Real>(31, p[0]), k); });
  expect_agreement<impl::NegativeBinomialFamily, 2>({2.5, 0.3}, counts, [](const Two& p, Real k) {
    return bm::pdf(bm::negative_binomial_distribution<Real>(p[0], p[1]), k);
  });
}

// Boost.Math has none of these distributions. The reference is the definition of the density in long double.
TEST(LogDensities, OfTransformsAreThoseOfTheirDefinitions) {
  using Two = std::array<Real, 2>;
  using Three = std::array<Real, 3>;
  using Four = std::array<Real, 4>;
  const auto normal_density = [](Real z) { return bm::pdf(bm::normal_distribution<Real>(), z); };
  expect_agreement<impl::LogLogisticFamily, 2>({2.5, 3.0}, positive, [](const Two& p, Real x) {
    const Real power = std::pow(x / p[1], p[0]);
    return p[0] / x * power / ((1 + power) * (1 + power));
  });
  expect_agreement<impl::BurrFamily, 3>({2.5, 1.5, 3.0}, positive, [](const Three& p, Real x) {
    const Real power = std::pow(x / p[2], p[0]);
    return p[0] * p[1] / x * power / std::pow(1 + power, p[1] + 1);
  });
  expect_agreement<impl::JohnsonSuFamily, 4>({0.5, 2.0, -1.0, 1.5}, {-7.5, -0.3, 2.2, 11}, [&](const Four& p, Real x) {
    const Real w = (x - p[2]) / p[3];
    return p[1] / (p[3] * std::sqrt(1 + w * w)) * normal_density(p[0] + p[1] * std::asinh(w));
  });
  expect_agreement<impl::JohnsonSbFamily, 4>({0.5, 2.0, -1.0, 9.0}, {1.5, 3.0, 4.2}, [&](const Four& p, Real x) {
    const Real w = (x - p[2]) / p[3];
    return p[1] / (p[3] * w * (1 - w)) * normal_density(p[0] + p[1] * std::log(w / (1 - w)));
  });
}

// A draw that adds up scores with respect to two parameters.
struct ScoredUniform {
  using Real = Dual<2>;
  double u;
  Real* score;
  template <class Form>
  double as() && {
    return Form::from_uniform(u);
  }
  void add_score(const Real& log_density) const { *score += log_density; }
};
static_assert(ScoredDraw<ScoredUniform>);

// Expects that the variate of a scored draw has no slopes and that the draw's score is that of the family.
template <class Family, class Variate>
void expect_score(const Variate& variate) {
  const Dual<2> a(2.5, {1, 0}), b(0.3, {0, 1});
  Dual<2> score = 0;
  const double x = value_of(variate(ScoredUniform{0.7, &score}, a, b));
  const Dual<2> expected = Family::log_density(x, a, b);
  EXPECT_EQ(score.value, expected.value);
  EXPECT_EQ(score.slope[0], expected.slope[0]);
  EXPECT_EQ(score.slope[1], expected.slope[1]);
  EXPECT_NE(score.slope[1], 0);
}

// Families with all but two parameters held constant.
struct StudentAt3 {
  static Dual<2> log_density(double x, const Dual<2>& a, const Dual<2>& b) {
    return impl::StudentFamily::log_density(x, 3.0, a, b);
  }
};
struct BurrAt3 {
  static Dual<2> log_density(double x, const Dual<2>& a, const Dual<2>& b) {
    return impl::BurrFamily::log_density(x, a, b, 3.0);
  }
};
struct JohnsonSuAt01 {
  static Dual<2> log_density(double x, const Dual<2>& a, const Dual<2>& b) {
    return impl::JohnsonSuFamily::log_density(x, a, b, 0.0, 1.0);
  }
};
struct JohnsonSbAt01 {
  static Dual<2> log_density(double x, const Dual<2>& a, const Dual<2>& b) {
    return impl::JohnsonSbFamily::log_density(x, a, b, 0.0, 1.0);
  }
};
struct BinomialAt20 {
  static Dual<2> log_density(double k, const Dual<2>&, const Dual<2>& b) {
    return impl::BinomialFamily::log_density(k, 20.0, b);
  }
};
struct HyperexponentialAtHalf {
  static Dual<2> log_density(double x, const Dual<2>& a, const Dual<2>& b) {
    return impl::HyperexponentialFamily::log_density(x, 0.5, a, b);
  }
};

TEST(Scores, AreThoseOfTheFamilies) {
  using Draw = ScoredUniform;
  using D = Dual<2>;
  expect_score<impl::BetaFamily>([](Draw&& u, const D& a, const D& b) { return beta(std::move(u), a, b); });
  expect_score<StudentAt3>([](Draw&& u, const D& a, const D& b) { return student(std::move(u), 3.0, a, b); });
  expect_score<impl::LogLogisticFamily>(
      [](Draw&& u, const D& a, const D& b) { return log_logistic(std::move(u), a, b); });
  expect_score<BurrAt3>([](Draw&& u, const D& a, const D& b) { return burr(std::move(u), a, b, 3.0); });
  expect_score<JohnsonSuAt01>(
      [](Draw&& u, const D& a, const D& b) { return johnson_su(std::move(u), a, b, 0.0, 1.0); });
  expect_score<JohnsonSbAt01>(
      [](Draw&& u, const D& a, const D& b) { return johnson_sb(std::move(u), a, b, 0.0, 1.0); });
  expect_score<BinomialAt20>([](Draw&& u, const D&, const D& b) { return binomial(std::move(u), 20, b); });
  expect_score<impl::NegativeBinomialFamily>(
      [](Draw&& u, const D& a, const D& b) { return negative_binomial(std::move(u), a, b); });
  expect_score<HyperexponentialAtHalf>(
      [](Draw&& u, const D& a, const D& b) { return hyperexponential(std::move(u), 0.5, a, b); });
}

TEST(LogDensities, HaveNoSlopeWhereADistributionIsAPoint) {
  const Dual<1> zero(0.0, {1.0}), one(1.0, {1.0});
  EXPECT_TRUE(std::isnan(impl::ExponentialFamily::log_density(0, 1.0 / zero).slope[0]));
  EXPECT_TRUE(std::isnan(impl::NormalFamily::log_density(2, 2.0, zero).slope[0]));
  EXPECT_TRUE(std::isnan(impl::GeometricFamily::log_density(0, one).slope[0]));
  EXPECT_TRUE(std::isnan(impl::PoissonFamily::log_density(0, zero).slope[0]));
}

}  // namespace log_densities_tests
}  // namespace sporos::test
