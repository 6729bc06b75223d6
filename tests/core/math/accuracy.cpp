// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the elementary functions against MPFR: errors in units in the last place (ulp) over ranges that contain their
// branch boundaries and hard cases, special values, and the float functions over a stride of all bit patterns.
#include <sporos/core/math/exp.hpp>
#include <sporos/core/math/log.hpp>
#include <sporos/core/math/normal.hpp>
#include <sporos/core/math/pow.hpp>
#include <sporos/core/math/trigonometric.hpp>

#include <gtest/gtest.h>
#include <boost/multiprecision/mpfr.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <utility>
#include <vector>

namespace sporos::test {
namespace accuracy_tests {

using Reference =
    boost::multiprecision::number<boost::multiprecision::mpfr_float_backend<45>, boost::multiprecision::et_off>;
using Numbers = std::vector<double>;
using Pairs = std::vector<std::pair<double, double>>;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double smallest = std::numeric_limits<double>::denorm_min();
constexpr double largest = std::numeric_limits<double>::max();
constexpr int samples = 4000;

class Inputs {
 public:
  double between(double a, double b) { return a + (b - a) * (static_cast<double>(m_bits() >> 11) * 0x1p-53); }
  double of_any_bits() {
    for (;;) {
      const double x = std::bit_cast<double>(std::uint64_t{m_bits()});
      if (std::isfinite(x)) return x;
    }
  }
  double of_any_size(double a, double b) { return std::exp(between(std::log(a), std::log(b))); }
  double integer_below(std::uint64_t n) { return static_cast<double>(m_bits() % n); }

 private:
  std::mt19937_64 m_bits{20240229};
};

template <class Draw>
auto sample(const Draw& draw) {
  std::vector<decltype(draw())> inputs(samples);
  std::generate(inputs.begin(), inputs.end(), draw);
  return inputs;
}

Numbers uniform(double a, double b) {
  Inputs in;
  return sample([&] { return in.between(a, b); });
}

/// Numbers of either sign, with equally likely orders of magnitude from a to b.
Numbers scales(double a, double b) {
  Inputs in;
  return sample([&] { return std::copysign(in.of_any_size(a, b), in.between(-1.0, 1.0)); });
}

Numbers positive(Numbers x) {
  for (double& value : x) value = std::abs(value);
  return x;
}

Numbers any_bits() {
  Inputs in;
  return sample([&] { return in.of_any_bits(); });
}

/// The points and the 50 doubles on either side of each.
Numbers around(const Numbers& points) {
  Numbers x;
  for (const double point : points) {
    double below = point, above = point;
    x.push_back(point);
    for (int i = 0; i < 50; ++i) {
      x.push_back(below = std::nextafter(below, -infinity));
      x.push_back(above = std::nextafter(above, infinity));
    }
  }
  return x;
}

/// |computed − exact| in units in the last place of the exact value. Infinity is right if that overflows.
double error_in_ulp(double computed, const Reference& exact) {
  if (std::isnan(computed)) return infinity;
  if (abs(exact) > Reference(largest)) {
    return std::isinf(computed) && (computed > 0.0) == (exact > 0) ? 0.0 : infinity;
  }
  if (std::isinf(computed)) return infinity;
  int exponent = -2000;
  if (exact != 0) frexp(exact, &exponent);
  return static_cast<double>(abs(ldexp(Reference(computed) - exact, -std::max(exponent - 53, -1074))));
}

struct Worst {
  double error = 0.0, where = 0.0;
};

template <class Error>
Worst worst_of(const Numbers& inputs, const Error& error_at) {
  Worst worst;
  for (const double x : inputs) {
    const double error = error_at(x);
    if (error > worst.error) worst = {error, x};
  }
  return worst;
}

void expect_below(double bound, const Worst& worst) {
  EXPECT_LT(worst.error, bound) << "at " << std::hexfloat << worst.where << std::defaultfloat << " = " << worst.where;
}

template <class Function, class Exact>
void expect_error_below(double bound, const Numbers& inputs, const Function& function, const Exact& exact) {
  expect_below(bound, worst_of(inputs, [&](double x) { return error_in_ulp(function(x), exact(Reference(x))); }));
}

Reference exact_normal_cdf(const Reference& x) { return erfc(-x / sqrt(Reference(2))) / 2; }

/// Error of z as Φ⁻¹(p) in ulp, estimated by one step of Newton's method.
double quantile_error(double p, double z) {
  if (!std::isfinite(z)) return infinity;
  const Reference x(z), density = exp(-x * x / 2) / sqrt(8 * atan(Reference(1)));
  const Reference excess = p <= 0.5 ? exact_normal_cdf(x) - p : (1 - Reference(p)) - exact_normal_cdf(-x);
  int exponent = 0;
  std::frexp(z, &exponent);
  return static_cast<double>(abs(ldexp(excess / density, 53 - exponent)));
}

void expect_quantile_error_below(double bound, const Numbers& inputs) {
  expect_below(bound, worst_of(inputs, [](double p) {
                 const double z = math::normal_quantile(p);
                 return p == 0.5 ? std::abs(z) : quantile_error(p, z);
               }));
}

double log_of(double x) { return math::log(x); }
double log1p_of(double x) { return math::log1p(x); }
double exp_of(double x) { return math::exp(x); }
double expm1_of(double x) { return math::expm1(x); }
double sin_of(double x) { return math::sin(x); }
double cos_of(double x) { return math::cos(x); }
double cdf_of(double x) { return math::normal_cdf(x); }

TEST(Accuracy, Log) {
  const auto exact = [](const Reference& x) { return Reference(log(x)); };
  for (const Numbers& x : {positive(any_bits()), uniform(0.0, 1.0), uniform(0.7, 0.72), uniform(1.38, 1.42),
                           uniform(0.999, 1.001), uniform(smallest, 0x1p-1022),
                           around({std::sqrt(0.5), std::sqrt(2.0)}), around({1.0, 0x1p-1022, 0x1.5p-1060})}) {
    expect_error_below(0.9, x, log_of, exact);
  }
}

TEST(Accuracy, Log1p) {
  const auto exact = [](const Reference& x) { return Reference(log1p(x)); };
  for (const Numbers& x : {positive(any_bits()), uniform(-1.0, 1.0), uniform(-0.4, -0.2), uniform(0.3, 0.7),
                           scales(1e-300, 0.9), positive(scales(0.5, 1e20)),
                           around({std::sqrt(0.5) - 1.0, std::sqrt(2.0) - 1.0, 1.0, 0x1p-54, -0x1p-54, 0x1p53})}) {
    expect_error_below(1.0, x, log1p_of, exact);
  }
}

TEST(Accuracy, Log1pOfFractionIsLog1p) {
  for (const Numbers& inputs : {uniform(0.0, 1.0), uniform(0.41, 0.42), positive(scales(1e-300, 1.0)),
                                Numbers{0.0, 1.0, 0x1p-54, 0x1p-53, std::sqrt(2.0) - 1.0}}) {
    for (const double x : inputs) {
      if (x > 1) continue;
      ASSERT_EQ(math::log1p_of_fraction(x), math::log1p(x)) << x;
    }
  }
  EXPECT_TRUE(std::isnan(math::log1p_of_fraction(std::nan(""))));
}

TEST(Accuracy, Exp) {
  const auto exact = [](const Reference& x) { return Reference(exp(x)); };
  for (const Numbers& x : {uniform(-708.0, 709.7), uniform(-1.0, 1.0), scales(1e-300, 700.0), uniform(-0.36, -0.33),
                           around({0.0, 0.34657359, -0.34657359, 709.782712893384, 709.0})}) {
    expect_error_below(0.65, x, exp_of, exact);
  }
  for (const Numbers& x : {uniform(-746.0, -708.0), around({-708.3964185322641, -745.1332191019411, -744.4})}) {
    expect_error_below(0.8, x, exp_of, exact);
  }
}

TEST(Accuracy, Expm1) {
  const auto exact = [](const Reference& x) { return Reference(expm1(x)); };
  for (const Numbers& x :
       {any_bits(), uniform(-45.0, 45.0), uniform(-2.0, 2.0), uniform(0.33, 0.37), uniform(-0.37, -0.33),
        scales(1e-300, 700.0), around({smallest, 0.34657359, -0.34657359, 709.782712893384, 40.0, -40.0, 36.7})}) {
    expect_error_below(0.75, x, expm1_of, exact);
  }
}

TEST(Accuracy, SinAndCos) {
  const auto exact_sin = [](const Reference& x) { return Reference(sin(x)); };
  const auto exact_cos = [](const Reference& x) { return Reference(cos(x)); };
  Inputs in;
  const Numbers multiples = sample([&] { return in.integer_below(1000000) * 1.57079632679489661923; });
  const Numbers huge_multiples = sample([&] { return in.of_any_size(1e6, 1e15) * 1.57079632679489661923; });
  // The last of these is the double nearest to a multiple of π/2 relative to its size (Muller 2016, section 11.3.2).
  const Numbers points =
      around({0.7853981633974483, 0x1p-27, 0x1p20, -0x1p20, 1.5707963267948966, 6381956970095103.0 * 0x1p797});
  for (const Numbers& x : {any_bits(), uniform(-4.0, 4.0), scales(1e-10, 0x1p20), scales(0x1p20, 0x1p24), multiples,
                           huge_multiples, points}) {
    expect_error_below(0.85, x, sin_of, exact_sin);
    expect_error_below(0.85, x, cos_of, exact_cos);
  }
}

TEST(Accuracy, Pow) {
  Inputs in;
  const auto any_base = [&] { return std::abs(in.of_any_bits()); };
  const auto with_log_of_power = [&](double base, double low, double high) {
    return std::pair(base, in.between(low, high) / std::log(base));
  };
  const auto expect = [](double bound, const Pairs& inputs) {
    double worst = 0.0;
    std::pair<double, double> where;
    for (const auto& [x, y] : inputs) {
      const double error = error_in_ulp(math::pow(x, y), pow(Reference(x), Reference(y)));
      if (error > worst) {
        worst = error;
        where = {x, y};
      }
    }
    EXPECT_LT(worst, bound) << "at " << std::hexfloat << where.first << ", " << where.second;
  };
  expect(0.75, sample([&] { return std::pair(any_base(), in.of_any_bits()); }));
  expect(0.75, sample([&] { return with_log_of_power(any_base(), -708.0, 709.0); }));
  expect(0.75, sample([&] { return with_log_of_power(in.between(0.7, 1.42), -708.0, 709.0); }));
  expect(0.75, sample([&] { return with_log_of_power(in.between(0.7, 0.715), -708.0, 709.0); }));
  expect(0.75, sample([&] { return with_log_of_power(1.0 + (in.integer_below(99) + 1.0) * 0x1p-52, -708.0, 709.0); }));
  expect(0.75, sample([&] { return std::pair(in.integer_below(1000) - 500.0, in.integer_below(64) - 32.0); }));
  expect(0.75, sample([&] { return std::pair(in.between(smallest, 0x1p-1022), in.between(-0.9, 0.9)); }));
  expect(1.0, sample([&] { return with_log_of_power(any_base(), -746.0, -708.0); }));
}

TEST(Accuracy, NormalCdf) {
  for (const Numbers& x :
       {any_bits(), uniform(-1.0, 1.0), uniform(-37.5, 0.0), uniform(-39.0, -37.5), uniform(0.0, 9.0),
        scales(1e-300, 1.0), uniform(-0.6, -0.4), around({0.5, -0.5, -5.0, 5.0, -37.519, -39.0})}) {
    expect_error_below(1.3, x, cdf_of, exact_normal_cdf);
  }
}

TEST(Accuracy, NormalQuantile) {
  Inputs in;
  for (const Numbers& p : {uniform(0.0011, 0.9989), uniform(0.12, 0.2), uniform(0.8, 0.88), uniform(0.49, 0.51),
                           uniform(0.0011, 0.003), around({0.0011001, 0.9988999, 0.25, 0.75, 0.5})}) {
    expect_quantile_error_below(1.8, p);
  }
  const Numbers upper = sample([&] { return 1.0 - in.of_any_size(0x1p-53, 0.0011); });
  for (const Numbers& p : {positive(scales(0x1p-54, 0.0011)), upper, around({0.0011, 0.9989, 0x1.00001p-54})}) {
    expect_quantile_error_below(2.6, p);
  }
  expect_quantile_error_below(0.6, positive(scales(0x1p-1000, 0x1p-54)));
  expect_quantile_error_below(6.0, positive(scales(smallest, 0x1p-1000)));
}

// The quantile is strictly increasing: the errors of two neighbours are less than its growth between them.
TEST(Accuracy, NormalQuantileGrowsByMoreThanTwiceItsError) {
  Inputs in;
  double worst = 0.0;
  for (int i = 0; i < 10 * samples; ++i) {
    const double p = std::max(1.0, std::floor(in.between(0.0, 1.0) * 0x1p53)) * 0x1p-53;
    const double z = math::normal_quantile(p);
    if (z == 0.0) continue;
    const double growth = 0x1p-53 * 2.5066282746310002 * std::exp(z * z / 2);
    worst = std::max(worst, quantile_error(p, z) * std::ldexp(1.0, std::ilogb(z) - 52) / growth);
  }
  EXPECT_LT(worst, 0.499);
}

void expect_same(double computed, double expected) {
  EXPECT_EQ(std::bit_cast<std::uint64_t>(computed), std::bit_cast<std::uint64_t>(expected))
      << computed << " instead of " << expected;
}

TEST(SpecialValues, OfOneArgument) {
  for (const double any_nan : {nan, -nan}) {
    for (const auto function : {log_of, log1p_of, exp_of, expm1_of, sin_of, cos_of, cdf_of}) {
      expect_same(function(any_nan), nan);
    }
    expect_same(math::normal_quantile(any_nan), nan);
  }
  expect_same(math::log(1.0), 0.0);
  expect_same(math::log(0.0), -infinity);
  expect_same(math::log(-0.0), -infinity);
  expect_same(math::log(-smallest), nan);
  expect_same(math::log(-infinity), nan);
  expect_same(math::log(infinity), infinity);
  for (const double zero : {0.0, -0.0}) {
    expect_same(math::log1p(zero), zero);
    expect_same(math::expm1(zero), zero);
    expect_same(math::sin(zero), zero);
    expect_same(math::exp(zero), 1.0);
    expect_same(math::cos(zero), 1.0);
    expect_same(math::normal_cdf(zero), 0.5);
  }
  expect_same(math::log1p(-1.0), -infinity);
  expect_same(math::log1p(-1.5), nan);
  expect_same(math::log1p(infinity), infinity);
  expect_same(math::exp(infinity), infinity);
  expect_same(math::exp(-infinity), 0.0);
  expect_same(math::exp(largest), infinity);
  expect_same(math::exp(-largest), 0.0);
  expect_same(math::expm1(infinity), infinity);
  expect_same(math::expm1(-infinity), -1.0);
  expect_same(math::sin(infinity), nan);
  expect_same(math::cos(-infinity), nan);
  expect_same(math::normal_cdf(infinity), 1.0);
  expect_same(math::normal_cdf(-infinity), 0.0);
  expect_same(math::normal_quantile(0.0), -infinity);
  expect_same(math::normal_quantile(0.5), 0.0);
  expect_same(math::normal_quantile(1.0), infinity);
  expect_same(math::normal_quantile(-smallest), nan);
  expect_same(math::normal_quantile(std::nextafter(1.0, 2.0)), nan);
}

// ISO/IEC 9899, annex F.10.4.4, specifies these values.
TEST(SpecialValues, OfPow) {
  for (const double x : {nan, 0.0, -0.0, 1.0, -3.0, infinity, -infinity}) {
    expect_same(math::pow(x, 0.0), 1.0);
    expect_same(math::pow(x, -0.0), 1.0);
    expect_same(math::pow(1.0, x), 1.0);
  }
  expect_same(math::pow(nan, 1.0), nan);
  expect_same(math::pow(2.0, -nan), nan);
  expect_same(math::pow(-1.0, infinity), 1.0);
  expect_same(math::pow(-1.0, -infinity), 1.0);
  expect_same(math::pow(-2.0, 0.5), nan);
  expect_same(math::pow(-2.0, 0x1p52 + 1.0), -infinity);
  expect_same(math::pow(-2.0, -(0x1p52 + 1.0)), -0.0);
  expect_same(math::pow(-2.0, 0x1p53 + 2.0), infinity);
  expect_same(math::pow(-2.0, 3.0), -8.0);
  expect_same(math::pow(-2.0, 2.0), 4.0);
  for (const double small : {0.5, -0.5, 0.0, -0.0}) {
    expect_same(math::pow(small, infinity), 0.0);
    expect_same(math::pow(small, -infinity), infinity);
  }
  for (const double large : {2.0, -2.0, infinity, -infinity}) {
    expect_same(math::pow(large, infinity), infinity);
    expect_same(math::pow(large, -infinity), 0.0);
  }
  expect_same(math::pow(0.0, 3.0), 0.0);
  expect_same(math::pow(-0.0, 3.0), -0.0);
  expect_same(math::pow(-0.0, 2.0), 0.0);
  expect_same(math::pow(-0.0, 2.5), 0.0);
  expect_same(math::pow(0.0, -3.0), infinity);
  expect_same(math::pow(-0.0, -3.0), -infinity);
  expect_same(math::pow(-0.0, -2.0), infinity);
  expect_same(math::pow(-infinity, 3.0), -infinity);
  expect_same(math::pow(-infinity, 2.5), infinity);
  expect_same(math::pow(-infinity, -3.0), -0.0);
  expect_same(math::pow(-infinity, -2.0), 0.0);
  expect_same(math::pow(infinity, -0.5), 0.0);
  expect_same(math::pow(largest, largest), infinity);
  expect_same(math::pow(std::nextafter(1.0, 0.0), largest), 0.0);
  expect_same(math::pow(std::nextafter(1.0, 2.0), smallest), 1.0);
}

TEST(ExactValues, OfPowAndExp) {
  for (int k = -1074; k < 1024; ++k) expect_same(math::pow(2.0, static_cast<double>(k)), std::ldexp(1.0, k));
  for (int k = 0; k <= 22; ++k) {
    expect_same(math::pow(10.0, static_cast<double>(k)), static_cast<double>(std::pow(10.0L, k)));
  }
  for (int k = 1; k < 1000; ++k) {
    const double x = k;
    expect_same(math::pow(x, 2.0), x * x);
    expect_same(math::pow(x, 1.0), x);
    expect_same(math::pow(x * x, 0.5), x);
    expect_same(math::pow(x, 5.0), x * x * x * x * x);
  }
}

/// Largest error in ulp of a float function over a stride of all its arguments.
template <class Function, class Exact>
double largest_float_error(const Function& function, const Exact& exact) {
  double worst = 0.0;
  for (std::uint64_t pattern = 0; pattern < (std::uint64_t{1} << 32); pattern += 16381) {
    const float x = std::bit_cast<float>(static_cast<std::uint32_t>(pattern));
    const float computed = function(x);
    const long double expected = exact(static_cast<long double>(x));
    if (std::isnan(expected)) {
      EXPECT_EQ(std::bit_cast<std::uint32_t>(computed), 0x7fc00000u) << x;
    } else if (std::isinf(static_cast<float>(expected))) {
      EXPECT_EQ(computed, static_cast<float>(expected)) << x;
    } else {
      const int exponent = expected == 0.0L ? -149 : std::max(std::ilogb(expected) - 23, -149);
      const long double error = std::ldexp(std::abs(computed - expected), -exponent);
      worst = std::max(worst, static_cast<double>(error));
    }
  }
  return worst;
}

TEST(FloatAccuracy, IsThatOfRoundingTheDoubleFunction) {
  const auto cdf = [](long double x) { return std::erfc(-x / std::sqrt(2.0L)) / 2; };
  EXPECT_LT(largest_float_error([](float x) { return math::log(x); }, [](long double x) { return std::log(x); }),
            0.5001);
  EXPECT_LT(largest_float_error([](float x) { return math::log1p(x); }, [](long double x) { return std::log1p(x); }),
            0.5001);
  EXPECT_LT(largest_float_error([](float x) { return math::exp(x); }, [](long double x) { return std::exp(x); }),
            0.5001);
  EXPECT_LT(largest_float_error([](float x) { return math::expm1(x); }, [](long double x) { return std::expm1(x); }),
            0.5001);
  EXPECT_LT(largest_float_error([](float x) { return math::sin(x); }, [](long double x) { return std::sin(x); }),
            0.5001);
  EXPECT_LT(largest_float_error([](float x) { return math::cos(x); }, [](long double x) { return std::cos(x); }),
            0.5001);
  EXPECT_LT(largest_float_error([](float x) { return math::normal_cdf(x); }, cdf), 0.5001);
  EXPECT_LT(largest_float_error([](float x) { return math::pow(x, 1.7f); },
                                [](long double x) { return std::pow(x, static_cast<long double>(1.7f)); }),
            0.5001);
}

TEST(FloatAccuracy, OfTheNormalQuantileIsThatOfRoundingTheDoubleFunction) {
  for (float p = 1e-45f; p < 1.0f; p = std::nextafter(p * 1.003f, 2.0f)) {
    EXPECT_EQ(math::normal_quantile(p), static_cast<float>(math::normal_quantile(static_cast<double>(p))));
  }
}

TEST(NegativeControl, AnUlpMoreIsSeen) {
  const auto exact = [](const Reference& x) { return Reference(exp(x)); };
  const auto error = [&](double x) {
    return error_in_ulp(std::nextafter(math::exp(x), infinity), exact(Reference(x)));
  };
  EXPECT_GT(worst_of(uniform(-1.0, 1.0), error).error, 1.3);
  EXPECT_GT(quantile_error(0.2, std::nextafter(std::nextafter(math::normal_quantile(0.2), 0.0), 0.0)), 1.0);
}

}  // namespace accuracy_tests
}  // namespace sporos::test
