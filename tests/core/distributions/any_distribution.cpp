// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A distribution chosen at run time gives the bits of its own function on every backend, and its mean is the mean of
// its variates. A text that cannot be parsed gives an error message.
#include "uniforms.hpp"

#include "harness/backends.hpp"

#include <sporos/core/distributions/any_distribution.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace sporos::test {
namespace any_distribution_tests {

// Text of a distribution, and the function of u with which its variates are compared.
struct Example {
  std::string text;
  double (*own)(double u);
};

constexpr double observations[] = {1, 2, 4};
constexpr double infinity = std::numeric_limits<double>::infinity();

const std::vector<Example>& examples() {
  static const std::vector<Example> list = {
      {"constant(3)", [](double) { return 3.0; }},
      {"uniform(1,2.5)", [](double u) { return uniform(u, 1, 2.5); }},
      {" uniform-integer ( 1 , 5 ) ", [](double u) { return uniform_integer(u, 1, 5); }},
      {"triangular(1 2 6)", [](double u) { return triangular(u, 1, 2, 6); }},
      {"exponential(0.5)", [](double u) { return exponential(u, 0.5); }},
      {"erlang(3, 2)", [](double u) { return erlang(u, 3, 2); }},
      {"gamma(2.5, 0.5)", [](double u) { return gamma(u, 2.5, 0.5); }},
      {"weibull(1.5, 2)", [](double u) { return weibull(u, 1.5, 2); }},
      {"lognormal(0.1, 0.4)", [](double u) { return lognormal(u, 0.1, 0.4); }},
      {"normal(-1,0.25)", [](double u) { return normal(u, -1, 0.25); }},
      {"geometric(0.3)", [](double u) { return geometric(u, 0.3); }},
      {"poisson(4.5)", [](double u) { return poisson(u, 4.5); }},
      {"discrete(1:0.2 2:0.5 5:0.3)", [](double u) { return u <= 0.2   ? 1.0
                                                            : u <= 0.7 ? 2.0
                                                                       : 5.0; }},
      {"empirical(4, 1, 2)",
       [](double u) {
         return empirical(u, EmpiricalHandle{observations, 3});
       }},
      {"beta(2, 0.75)", [](double u) { return beta(u, 2.0, 0.75); }},
      {"student(4.5, 1, 2)", [](double u) { return student(u, 4.5, 1.0, 2.0); }},
      {"pareto(3.5, 2)", [](double u) { return pareto(u, 3.5, 2); }},
      {"log-logistic(4, 2)", [](double u) { return log_logistic(u, 4, 2); }},
      {"burr(3, 1.5, 2)", [](double u) { return burr(u, 3, 1.5, 2); }},
      {"johnson-su(1, 2, -1, 0.5)", [](double u) { return johnson_su(u, 1, 2, -1, 0.5); }},
      {"johnson-sb(1, 0.5, -1, 3)", [](double u) { return johnson_sb(u, 1, 0.5, -1, 3); }},
      {"truncated-normal(1, 2, 0, inf)", [](double u) { return truncated_normal(u, 1.0, 2.0, 0.0, infinity); }},
      {"binomial(20, 0.3)", [](double u) { return binomial(u, 20, 0.3); }},
      {"negative-binomial(2.5, 0.4)", [](double u) { return negative_binomial(u, 2.5, 0.4); }},
      {"hypergeometric(50, 20, 10)", [](double u) { return hypergeometric(u, 50, 20, 10); }},
      {"hyperexponential(0.3, 0.5, 4)", [](double u) { return hyperexponential(u, 0.3, 0.5, 4.0); }}};
  return list;
}

template <class Space>
struct Variates {
  AnyDistribution distribution;
  Kokkos::View<double*, typename Space::memory_space> numbers;  // uniforms, then variates
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { numbers(i) = variate(numbers(i), distribution); }
};

template <class Space>
std::vector<double> variates_of(const AnyDistribution& distribution, const std::vector<double>& u) {
  Kokkos::View<double*, typename Space::memory_space> numbers("numbers", u.size());
  const auto host = Kokkos::create_mirror_view(numbers);
  std::copy(u.begin(), u.end(), host.data());
  Kokkos::deep_copy(numbers, host);
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(0, static_cast<std::int64_t>(u.size())),
      Variates<Space>{distribution, numbers});
  Space().fence();
  Kokkos::deep_copy(host, numbers);
  return {host.data(), host.data() + u.size()};
}

template <class Space>
class AnyDistributions : public ::testing::Test {};
TYPED_TEST_SUITE(AnyDistributions, Backends, BackendName);

TYPED_TEST(AnyDistributions, GiveTheBitsOfTheirOwnFunctions) {
  const auto u = uniforms(500);
  for (const auto& example : examples()) {
    const AnyDistributionTable<typename TypeParam::memory_space> table(parse_distribution(example.text));
    const auto x = variates_of<TypeParam>(table.handle(), u);
    for (std::size_t i = 0; i < u.size(); ++i) ASSERT_EQ(x[i], example.own(u[i])) << example.text << " at " << u[i];
  }
}

TEST(DistributionChoice, EveryKindIsAnExample) {
  EXPECT_EQ(examples().size(), ChoiceNames<DistributionKind>::values.size());
  for (std::size_t i = 0; i < examples().size(); ++i) {
    EXPECT_EQ(parse_distribution(examples()[i].text).kind, ChoiceNames<DistributionKind>::values[i].value);
  }
}

// The mean is the integral of the quantile function over (0, 1). The error of the midpoint rule on u = sin²(πs/2),
// which flattens the ends, is less than the tolerance.
TEST(DistributionChoice, KnowsMeanAndLeast) {
  for (const auto& example : examples()) {
    const auto choice = parse_distribution(example.text);
    constexpr int points = 50000;
    double mean = 0, least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < points; ++i) {
      const double angle = M_PI / 2 * (i + 0.5) / points;
      const double u = std::sin(angle) * std::sin(angle);
      if (u == 0 || u == 1) continue;
      const double x = example.own(u);
      mean += x * 2 * std::sin(angle) * std::cos(angle) * M_PI / 2 / points;
      least = std::min(least, x);
    }
    EXPECT_NEAR(choice.mean(), mean, 1e-4) << example.text;
    EXPECT_LE(choice.least(), least) << example.text;
  }
  EXPECT_EQ(parse_distribution("pareto(1, 2)").mean(), infinity);
  EXPECT_EQ(parse_distribution("burr(2, 0.5, 2)").mean(), infinity);
  EXPECT_EQ(parse_distribution("log-logistic(0.5, 2)").mean(), infinity);
  EXPECT_TRUE(std::isnan(parse_distribution("student(1, 0, 1)").mean()));
  EXPECT_EQ(parse_distribution("normal(1,0)").least(), 1);
  EXPECT_EQ(parse_distribution("discrete(-2:0.5 1:0.5)").least(), -2);
}

TEST(DistributionChoice, KnowsFiniteTables) {
  const auto dice = parse_distribution("uniform-integer(1,6)").finite_table(6);
  ASSERT_TRUE(dice);
  EXPECT_EQ(dice->values, (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(dice->probabilities, std::vector<double>(6, 1.0 / 6));
  EXPECT_FALSE(parse_distribution("uniform-integer(1,6)").finite_table(5));
  EXPECT_FALSE(parse_distribution("poisson(1)").finite_table(1000));
  EXPECT_EQ(parse_distribution("constant(2)").finite_table(1)->values, std::vector<double>{2});
  EXPECT_EQ(parse_distribution("discrete(1:0.5 2:0 3:0.5)").finite_table(9)->values, (std::vector<double>{1, 3}));
}

std::string refusal(const std::string& text) {
  try {
    parse_distribution(text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(DistributionChoice, SaysWhatItCannotRead) {
  const std::string names = "': expected one of " + names_of<DistributionKind>();
  EXPECT_EQ(refusal("gumbel(1,2)"), "unknown distribution 'gumbel" + names);
  EXPECT_EQ(refusal(""), "unknown distribution '" + names);
  EXPECT_EQ(refusal("5"), "unknown distribution '5" + names);
  EXPECT_EQ(refusal("uniform(1,2"), "the parameters do not end with ')'");
  EXPECT_EQ(refusal("uniform(1,2) x"), "the parameters do not end with ')'");
  EXPECT_EQ(refusal("uniform"), "number of parameters is 0, expected uniform(low, high)");
  EXPECT_EQ(refusal("triangular(1,2)"), "number of parameters is 2, expected triangular(low, mode, high)");
  EXPECT_EQ(refusal("uniform(1,two)"), "'two' is not a number");
  EXPECT_EQ(refusal("uniform(2,1)"), "low is 2, expected a number not above high, 1");
  EXPECT_EQ(refusal("uniform(1,inf)"), "high is inf, expected a finite number");
  EXPECT_EQ(refusal("uniform-integer(1,2.5)"),
            "high is 2.5, expected a whole number from -4503599627370496 to 4503599627370496");
  EXPECT_EQ(refusal("triangular(3,2,4)"), "low is 3, expected a number not above mode, 2");
  EXPECT_EQ(refusal("triangular(2,2,2)"), "low is 2, expected a number below high, 2");
  EXPECT_EQ(refusal("exponential(0)"), "rate is 0, expected a positive finite number");
  EXPECT_EQ(refusal("exponential(-1)"), "rate is -1, expected a positive finite number");
  EXPECT_EQ(refusal("erlang(1.5,1)").substr(0, 34), "shape is 1.5, expected a whole num");
  EXPECT_EQ(refusal("geometric(0)"), "probability is 0, expected a probability in (0, 1]");
  EXPECT_EQ(refusal("poisson(-1)"), "mean is -1, expected a number from 0 to 2^50");
  EXPECT_EQ(refusal("discrete(1,2)"), "'1' has no colon, expected value:probability");
  EXPECT_EQ(refusal("discrete()"), "number of values is 0, expected at least 1");
  EXPECT_EQ(refusal("discrete(1:0.5 2:0.4)").substr(0, 29), "sum of the probabilities is 0");
  EXPECT_EQ(refusal("discrete(2:0.5 1:0.5)"), "values[0] is 2, expected a number below values[1], 1");
  EXPECT_EQ(refusal("empirical()"), "number of observations is 0, expected at least 1");
  EXPECT_EQ(refusal("beta(0,2)"), "alpha is 0, expected a positive finite number");
  EXPECT_EQ(refusal("student(0.1,0,1)"), "degrees is 0.1, expected a finite number of at least 0.125");
  EXPECT_EQ(refusal("johnson-su(1,2,3)"),
            "number of parameters is 3, expected johnson-su(gamma, delta, location, scale)");
  EXPECT_EQ(refusal("truncated-normal(0,1,2,2)"), "low is 2, expected a number below high, 2");
  EXPECT_EQ(refusal("truncated-normal(0,1,-inf,nan)"), "high is nan, expected a number or inf");
  EXPECT_EQ(refusal("truncated-normal(0,1,40,inf)"),
            "probability of [low, high] before truncation is 0, expected more than 1e-300");
  EXPECT_EQ(refusal("binomial(2.5,0.5)"), "trials is 2.5, expected a whole number from 0 to 2147483647");
  EXPECT_EQ(refusal("binomial(2,1.5)"), "probability is 1.5, expected a probability in [0, 1]");
  EXPECT_EQ(refusal("negative-binomial(0,0.5)"), "successes is 0, expected a number above 0 and up to 2147483647");
  EXPECT_EQ(refusal("negative-binomial(1000,1e-12)"),
            "probability is 1e-12, expected a value p for which the mean, successes (1 - p) / p, is at most 2^40");
  EXPECT_EQ(refusal("hypergeometric(10,11,5)"), "marked is 11, expected a whole number from 0 to 10");
}

}  // namespace any_distribution_tests
}  // namespace sporos::test
