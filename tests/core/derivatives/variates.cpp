// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks parameter derivatives of variates against differences of Boost.Math's quantiles in long double.
#include <sporos/core/distributions/beta.hpp>
#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/distributions/gamma.hpp>
#include <sporos/core/distributions/johnson.hpp>
#include <sporos/core/distributions/power_tails.hpp>
#include <sporos/core/distributions/truncated.hpp>

#include <gtest/gtest.h>
#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/gamma.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <tuple>

namespace sporos::test {
namespace variates_tests {

using Real = long double;

constexpr double uniforms[] = {1e-6, 0.03, 0.4, 0.5, 0.77, 0.999, 1 - 1e-9};

// Derivative of f at x from five points with distance h. Its errors are of order h⁴ and 10⁻¹⁹ / h.
template <class Function>
Real difference(const Function& f, Real x) {
  const Real h = x * 1e-5L;
  return (8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h);
}

void expect_close(double found, Real expected, double tolerance, double u) {
  EXPECT_NEAR(found, static_cast<double>(expected), tolerance * std::max(1e-2, std::abs(static_cast<double>(expected))))
      << "u = " << u;
}

using D = Dual<2>;
D first(double value) { return {value, {1.0, 0.0}}; }
D second(double value) { return {value, {0.0, 1.0}}; }

TEST(DerivativesOfVariates, AreThoseOfTheQuantile) {
  for (const double u : uniforms) {
    const Real log_u = std::log(static_cast<Real>(u));
    const D e = exponential(u, first(2.5));
    EXPECT_EQ(e.value, exponential(u, 2.5));
    expect_close(e.slope[0], log_u / (2.5L * 2.5L), 1e-15, u);
    expect_close(exponential_by_mean(u, first(2.5)).slope[0], -log_u, 1e-15, u);

    const D w = weibull(u, first(1.7), second(3.0));
    EXPECT_EQ(w.value, weibull(u, 1.7, 3.0));
    expect_close(w.slope[0], difference([&](Real shape) { return 3 * std::pow(-log_u, 1 / shape); }, 1.7L), 1e-13, u);
    expect_close(w.slope[1], std::pow(-log_u, 1 / 1.7L), 1e-14, u);

    const D n = normal(u, first(1.5), second(2.0));
    EXPECT_EQ(n.value, normal(u, 1.5, 2.0));
    EXPECT_EQ(n.slope[0], 1.0);
    EXPECT_EQ(n.slope[1], math::normal_quantile(u));
    const D l = lognormal(u, first(0.5), second(0.25));
    EXPECT_EQ(l.value, lognormal(u, 0.5, 0.25));
    expect_close(l.slope[0], l.value, 1e-15, u);
    expect_close(l.slope[1], static_cast<Real>(l.value) * math::normal_quantile(u), 1e-15, u);

    const D flat = uniform(u, first(-1.0), second(3.0));
    EXPECT_EQ(flat.value, uniform(u, -1.0, 3.0));
    expect_close(flat.slope[0], 1 - static_cast<Real>(u), 1e-15, u);
    expect_close(flat.slope[1], u, 1e-15, u);
  }
}

TEST(DerivativesOfVariates, OfATriangleAreThoseOfItsQuantile) {
  const auto quantile = [](Real u, Real low, Real mode, Real high) {
    const Real width = high - low;
    return u * width < mode - low ? low + std::sqrt(u * width * (mode - low))
                                  : high - std::sqrt((1 - u) * width * (high - mode));
  };
  using T = Dual<3>;
  for (const double u : uniforms) {
    const T x = triangular(u, T(1.0, {1.0, 0.0, 0.0}), T(2.0, {0.0, 1.0, 0.0}), T(5.0, {0.0, 0.0, 1.0}));
    EXPECT_EQ(x.value, triangular(u, 1.0, 2.0, 5.0));
    expect_close(x.slope[0], difference([&](Real low) { return quantile(u, low, 2, 5); }, 1), 5e-12, u);
    expect_close(x.slope[1], difference([&](Real mode) { return quantile(u, 1, mode, 5); }, 2), 5e-12, u);
    expect_close(x.slope[2], difference([&](Real high) { return quantile(u, 1, 2, high); }, 5), 5e-12, u);
  }
}

// The derivative with respect to the shape comes from the series or from the continued fraction; both are checked.
TEST(DerivativesOfVariates, OfGammaIncludeTheShape) {
  for (const double shape : {0.1, 0.7, 1.0, 2.5, 17.0, 300.0}) {
    for (const double u : uniforms) {
      const D x = gamma(u, first(shape), second(2.0));
      EXPECT_EQ(x.value, gamma(u, shape, 2.0));
      expect_close(x.slope[1], static_cast<Real>(x.value) / 2, 1e-15, u);
      const auto quantile = [&](Real a) {
        return 2 * (u < 0.5 ? boost::math::gamma_p_inv(a, static_cast<Real>(u))
                            : boost::math::gamma_q_inv(a, 1 - static_cast<Real>(u)));
      };
      const Real expected = difference(quantile, shape);
      EXPECT_NEAR(x.slope[0], static_cast<double>(expected), 1e-9 * std::abs(static_cast<double>(expected)))
          << "shape " << shape << ", u = " << u;
      const D by_rate = gamma_by_rate(u, first(shape), second(0.5));
      expect_close(by_rate.slope[0], x.slope[0], 1e-14, u);
      expect_close(by_rate.slope[1], -static_cast<Real>(x.value) / 0.5L, 1e-14, u);
    }
  }
  EXPECT_EQ(erlang(0.3, 3, first(2.0)).value, erlang(0.3, 3, 2.0));
}

// Evaluates `variate` in duals with one direction for each parameter. Its value must have the bits of the variate of
// doubles, and its slopes must equal the differences of `quantile` in long double.
template <std::size_t count, class Variate, class Quantile>
void expect_slopes(const std::array<double, count>& parameters, double u, double tolerance, const Variate& variate,
                   const Quantile& quantile) {
  std::array<Dual<static_cast<int>(count)>, count> duals;
  std::array<Real, count> plain;
  for (std::size_t j = 0; j < count; ++j) {
    plain[j] = parameters[j];
    duals[j] = parameters[j];
    duals[j].slope[static_cast<int>(j)] = 1;
  }
  const auto x = std::apply([&](const auto&... theta) { return variate(u, theta...); }, duals);
  EXPECT_EQ(x.value, std::apply([&](auto... theta) { return variate(u, theta...); }, parameters)) << "u = " << u;
  for (std::size_t j = 0; j < count; ++j) {
    const auto of_parameter = [&](Real theta) {
      auto changed = plain;
      changed[j] = theta;
      return std::apply([&](auto... all) { return quantile(static_cast<Real>(u), all...); }, changed);
    };
    const double expected = static_cast<double>(difference(of_parameter, plain[j]));
    EXPECT_NEAR(x.slope[static_cast<int>(j)], expected, tolerance * std::max(0.1, std::abs(expected)))
        << j << ", u = " << u;
  }
}

TEST(DerivativesOfVariates, OfBetaAndStudentIncludeTheShapes) {
  namespace bm = boost::math;
  for (const double u : {1e-6, 0.03, 0.4, 0.77, 0.999}) {
    for (const double shape : {0.3, 1.0, 17.0}) {
      expect_slopes<2>(
          {shape, 2.5}, u, 1e-9, [](double p, const auto&... theta) { return beta(p, theta...); },
          [](Real p, Real a, Real b) { return bm::quantile(bm::beta_distribution<Real>(a, b), p); });
    }
    expect_slopes<3>(
        {3.5, 1.0, 2.0}, u, 1e-9, [](double p, const auto&... theta) { return student(p, theta...); },
        [](Real p, Real degrees, Real location, Real scale) {
          return location + scale * bm::quantile(bm::students_t_distribution<Real>(degrees), p);
        });
  }
  EXPECT_EQ(student(0.5, first(3.0), 1.0, second(2.0)).slope[1], 0.0);
}

TEST(DerivativesOfVariates, OfClosedQuantilesAreTheirs) {
  const boost::math::normal_distribution<Real> unit;
  const auto z = [&](Real p) { return boost::math::quantile(unit, p); };
  const auto phi = [&](Real x) { return boost::math::cdf(unit, x); };
  for (const double u : {1e-6, 0.03, 0.4, 0.77, 0.999}) {
    expect_slopes<2>(
        {2.5, 3.0}, u, 1e-10, [](double p, const auto&... theta) { return pareto(p, theta...); },
        [](Real p, Real a, Real s) { return s * std::pow(1 - p, -1 / a); });
    expect_slopes<2>(
        {2.5, 3.0}, u, 1e-10, [](double p, const auto&... theta) { return log_logistic(p, theta...); },
        [](Real p, Real a, Real s) { return s * std::pow(p / (1 - p), 1 / a); });
    expect_slopes<3>(
        {2.5, 1.5, 3.0}, u, 1e-9, [](double p, const auto&... theta) { return burr(p, theta...); },
        [](Real p, Real a, Real k, Real s) { return s * std::pow(std::pow(1 - p, -1 / k) - 1, 1 / a); });
    expect_slopes<4>(
        {0.5, 2.0, 1.0, 1.5}, u, 1e-10, [](double p, const auto&... theta) { return johnson_su(p, theta...); },
        [&](Real p, Real g, Real d, Real m, Real s) { return m + s * std::sinh((z(p) - g) / d); });
    expect_slopes<4>(
        {0.5, 2.0, 1.0, 1.5}, u, 1e-10, [](double p, const auto&... theta) { return johnson_sb(p, theta...); },
        [&](Real p, Real g, Real d, Real m, Real s) { return m + s / (1 + std::exp((g - z(p)) / d)); });
    for (const double low : {0.5, 2.5}) {  // below and above the mean
      expect_slopes<4>(
          {1.5, 2.0, low, 4.0}, u, 1e-7, [](double p, const auto&... theta) { return truncated_normal(p, theta...); },
          [&](Real p, Real m, Real s, Real a, Real b) {
            const Real from = phi((a - m) / s), to = phi((b - m) / s);
            return m + s * z(from + p * (to - from));
          });
    }
  }
}

// In each lane, the variate of a pack has the bits and the slopes of the variate of that lane's uniform.
template <class Variate>
void expect_lanes(const char* name, const Variate& variate) {
  double u[Pack::lanes], values[Pack::lanes], slopes[Pack::lanes];
  for (int i = 0; i < Pack::lanes; ++i) u[i] = (i + 0.5) / Pack::lanes;
  const D parameter = first(2.5);
  const Dual<2, Pack> x = variate(Pack::load(u), parameter);
  x.value.store(values);
  x.slope[0].store(slopes);
  for (int i = 0; i < Pack::lanes; ++i) {
    const D expected = variate(u[i], parameter);
    EXPECT_EQ(values[i], expected.value) << name;
    EXPECT_EQ(slopes[i], expected.slope[0]) << name;
  }
}

TEST(DerivativesOfVariates, OfClosedQuantilesRunInLanes) {
  expect_lanes("pareto", [](const auto& u, const D& a) { return pareto(u, a, 3.0); });
  expect_lanes("log_logistic", [](const auto& u, const D& a) { return log_logistic(u, a, 3.0); });
  expect_lanes("burr", [](const auto& u, const D& a) { return burr(u, a, 1.5, 3.0); });
  expect_lanes("johnson_su", [](const auto& u, const D& a) { return johnson_su(u, 0.5, a, 1.0, 3.0); });
  expect_lanes("johnson_sb", [](const auto& u, const D& a) { return johnson_sb(u, 0.5, a, 1.0, 3.0); });
  expect_lanes("truncated_normal", [](const auto& u, const D& a) { return truncated_normal(u, a, 1.5, 1.0, 3.0); });
}

// First derivatives of duals of duals have the bits of those of duals. Second derivatives are checked against
// differences of the first ones.
TEST(DerivativesOfVariates, OfGammaIncludeTheShapesSecond) {
  using Second = Dual<1, Dual<1>>;
  const auto twice = [](double value) { return Second({value, {1.0}}, {Dual<1>(1.0)}); };
  const auto slope_of_gamma = [](double u) {
    return [u](double shape) { return gamma(u, Dual<1>(shape, {1.0}), 2.0).slope[0]; };
  };
  const auto second_difference = [](const auto& slope, double x) {
    const double h = 2e-4 * x;
    return (8 * (slope(x + h) - slope(x - h)) - (slope(x + 2 * h) - slope(x - 2 * h))) / (12 * h);
  };
  for (const double shape : {0.1, 0.7, 1.0, 2.5, 17.0, 300.0}) {
    for (const double u : uniforms) {
      const Second x = gamma(u, twice(shape), 2.0);
      EXPECT_EQ(x.value.value, gamma(u, shape, 2.0));
      EXPECT_EQ(x.slope[0].value, x.value.slope[0]);
      EXPECT_NEAR(x.slope[0].value, slope_of_gamma(u)(shape), 1e-13 * std::abs(x.slope[0].value));
      const double expected = second_difference(slope_of_gamma(u), shape);
      const double scale = std::abs(x.slope[0].value) / shape;  // scale of the function that is differenced
      EXPECT_NEAR(x.slope[0].slope[0], expected, 1e-7 * std::abs(expected) + 1e-8 * scale)
          << "shape " << shape << ", u = " << u;
    }
    EXPECT_EQ(math::log_gamma(twice(shape)).slope[0].value, math::digamma(shape));
    EXPECT_EQ(math::log_gamma(twice(shape)).slope[0].slope[0], math::trigamma(shape));
  }
}

}  // namespace variates_tests
}  // namespace sporos::test
