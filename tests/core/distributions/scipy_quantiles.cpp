// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks variates, means and distribution functions against SciPy 1.17.1: beta, t, pareto, fisk, burr12, johnsonsu,
// johnsonsb, truncnorm, binom, nbinom and hypergeom, with `ppf` at 10⁻⁶, 0.03, 0.4, 0.77, 0.999 and `mean`.
#include "uniforms.hpp"
#include "variates.hpp"

#include <sporos/core/distributions/any_distribution.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace sporos::test {
namespace scipy_quantiles_tests {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr std::array<double, 5> places = {1e-6, 0.03, 0.4, 0.77, 0.999};

struct Reference {
  std::string text;
  std::array<double, 5> quantiles;
  double mean;
};

const std::vector<Reference> references = {
    {"beta(2, 0.75)",
     {0.0012342997747289274, 0.20976750132673472, 0.7144022244735025, 0.9304257574296879, 0.9999525800560114},
     0.7272727272727273},
    {"beta(0.3, 40)",
     {1.7585197850977782e-22, 1.475321586127967e-07, 0.000850557563383998, 0.009670393828968131, 0.10995203600622797},
     0.007444168734491315},
    {"student(4.5, 1, 2)",
     {-61.16271316629849, -3.9972630822468567, 0.46249632891564985, 2.6146549861966806, 13.842485768591581},
     1.0},
    {"pareto(3.5, 2)",
     {2.000000571428939, 2.017481217380111, 2.3142770718235015, 3.0436413179313013, 14.393713460023035},
     2.8},
    {"burr(3, 1.5, 2)",
     {0.017471614147953753, 0.5474923688644273, 1.480604949718122, 2.369940228090222, 9.252130018365479},
     1.8695761404339386},
    {"burr(0.6, 4, 1)",
     {9.921266909453407e-12, 0.0002966119545740602, 0.036063241503390756, 0.25841013646429706, 12.83131566105682},
     0.29856779658176424},
    {"johnson-su(1, 2, -1, 0.5)",
     {-5.424869787798279, -1.9963842937980867, -1.3342521977600734, -1.0654739761193253, -0.3769805398300703},
     -1.2952391696603125},
    {"johnson-sb(1, 0.5, -1, 3)",
     {-0.9999698174432007, -0.9905912587635648, -0.7738293348984495, 0.11693930469505331, 1.95481671176731},
     -0.3256007361822748},
    {"truncated-normal(1, 2, 0, inf)",
     {3.928033061595393e-06, 0.11620346702070505, 1.4300317192936889, 2.996852408473001, 7.396382664717679},
     2.018320867674067},
    {"truncated-normal(0, 1, 8, 9)",
     {8.000000123109688, 8.003748958246403, 8.062645899051422, 8.178945744992276, 8.791963586618893},
     8.121188992979867},
    {"truncated-normal(3, 0.5, -inf, 2)",
     {0.2659728755774582, 1.3990251086671521, 1.8192391380910338, 1.9460243560922392, 1.9997892265531905},
     1.81339223358858},
    {"binomial(20, 0.3)", {0.0, 2.0, 5.0, 7.0, 13.0}, 6.0},
    {"binomial(5000, 0.97)", {4789.0, 4827.0, 4847.0, 4859.0, 4886.0}, 4850.0},
    {"negative-binomial(2.5, 0.4)", {0.0, 0.0, 2.0, 6.0, 19.0}, 3.75},
    {"negative-binomial(0.2, 0.001)", {0.0, 0.0, 7.0, 209.0, 4100.0}, 199.8},
    {"hypergeometric(50, 20, 10)", {0.0, 1.0, 4.0, 5.0, 8.0}, 4.0},
    {"hypergeometric(100000, 300, 40000)", {81.0, 104.0, 118.0, 126.0, 146.0}, 120.0},
    {"student(0.7, 0, 1)",
     {-70219760.03243221, -28.213154220344702, -0.35603136523468015, 1.3920918873045385, 3637.014630105735},
     std::nan("")},
    {"log-logistic(0.8, 2)",
     {6.324563226039803e-08, 0.025939816302900875, 1.204802671479793, 9.056984137337755, 11232.769728432144},
     inf},
};

double variate_of(const DistributionChoice& choice, double u) {
  return variate(u, AnyDistributionTable<Kokkos::HostSpace>(choice).handle());
}

bool are_close(double x, double expected, double tolerance) {
  return std::abs(x - expected) <= tolerance * std::abs(expected) + 1e-15;
}

TEST(ScipyQuantiles, AreThoseOfVariates) {
  for (const auto& reference : references) {
    const auto choice = parse_distribution(reference.text);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const double x = variate_of(choice, places[i]);
      EXPECT_TRUE(are_close(x, reference.quantiles[i], 1e-11)) << reference.text << " at " << places[i] << ": " << x;
    }
  }
}

TEST(ScipyQuantiles, AreNotThoseOfANeighbour) {
  for (const auto& reference : references) {
    auto choice = parse_distribution(reference.text);
    const bool is_count = choice.kind == DistributionKind::binomial ||
                          choice.kind == DistributionKind::negative_binomial ||
                          choice.kind == DistributionKind::hypergeometric;
    choice.parameters[0] *= choice.kind == DistributionKind::hypergeometric ? 2 : (is_count ? 1.5 : 1 + 1e-6);
    choice.parameters[0] += is_count ? 0 : 1e-6;
    int differences = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
      differences += !are_close(variate_of(choice, places[i]), reference.quantiles[i], 1e-11);
    }
    EXPECT_GE(differences, is_count ? 1 : 4) << reference.text;
  }
}

TEST(ScipyQuantiles, MeansAgree) {
  for (const auto& reference : references) {
    const double mean = parse_distribution(reference.text).mean();
    const bool agrees = std::isfinite(reference.mean) ? are_close(mean, reference.mean, 1e-10) : !std::isfinite(mean);
    EXPECT_TRUE(agrees) << reference.text << ": " << mean;
  }
}

// Checks that F(variate(u)) = u.
template <class Variate, class Cdf>
void expect_inverse(const char* name, const Variate& variate, const Cdf& cdf) {
  for (const double u : uniforms(40)) {
    const double tail = std::min(u, 1 - u);
    EXPECT_NEAR(cdf(variate(u)), u, 1e-12 * tail + 1e-15) << name << " at " << u;
  }
}

// Checks that F(k − 1) < u <= F(k) for the count k of u, if u is not a step of F.
template <class Variate, class Cdf>
void expect_count(const char* name, const Variate& variate, const Cdf& cdf) {
  for (const double u : uniforms(40)) {
    const double k = variate(u);
    EXPECT_GE(cdf(k), u * (1 - 1e-12)) << name << " at " << u;
    EXPECT_LT(cdf(k - 0.5), u * (1 + 1e-12)) << name << " at " << u;
  }
}

TEST(DistributionFunctions, InvertTheVariates) {
  expect_inverse("beta", Beta{2.0, 3.0}, [](double x) { return beta_cdf(x, 2.0, 3.0); });
  expect_inverse("student", Student{4.5, 1.0, 2.0}, [](double x) { return student_cdf(x, 4.5, 1.0, 2.0); });
  expect_inverse("pareto", Pareto{3.5, 2.0}, [](double x) { return pareto_cdf(x, 3.5, 2.0); });
  expect_inverse("log_logistic", LogLogistic{4.0, 2.0}, [](double x) { return log_logistic_cdf(x, 4.0, 2.0); });
  expect_inverse("burr", Burr{3.0, 1.5, 2.0}, [](double x) { return burr_cdf(x, 3.0, 1.5, 2.0); });
  expect_inverse("johnson_su", JohnsonSu{1.0, 2.0, 0.0, 0.5},
                 [](double x) { return johnson_su_cdf(x, 1.0, 2.0, 0.0, 0.5); });
  expect_inverse("johnson_sb", JohnsonSb{1.0, 2.0, 0.0, 3.0},
                 [](double x) { return johnson_sb_cdf(x, 1.0, 2.0, 0.0, 3.0); });
  expect_inverse("truncated_normal", TruncatedNormal{1.0, 2.0, -3.0, 4.0},
                 [](double x) { return truncated_normal_cdf(x, 1.0, 2.0, -3.0, 4.0); });
  expect_count("binomial", Binomial{20, 0.3}, [](double x) { return binomial_cdf(x, 20, 0.3); });
  expect_count("negative_binomial", NegativeBinomial{2.5, 0.4},
               [](double x) { return negative_binomial_cdf(x, 2.5, 0.4); });
  expect_count("hypergeometric", Hypergeometric{50, 20, 10},
               [](double x) { return hypergeometric_cdf(x, 50, 20, 10); });
}

TEST(DistributionFunctions, AreZeroAndOneBeyondTheEnds) {
  EXPECT_EQ(beta_cdf(-1, 2, 3), 0);
  EXPECT_EQ(beta_cdf(2, 2, 3), 1);
  EXPECT_EQ(student_cdf(-inf, 2, 0, 1), 0);
  EXPECT_EQ(student_cdf(inf, 2, 0, 1), 1);
  EXPECT_EQ(pareto_cdf(2, 3, 2), 0);
  EXPECT_EQ(pareto_cdf(inf, 3, 2), 1);
  EXPECT_EQ(log_logistic_cdf(0, 3, 2), 0);
  EXPECT_EQ(log_logistic_cdf(inf, 3, 2), 1);
  EXPECT_EQ(burr_cdf(0, 3, 2, 1), 0);
  EXPECT_EQ(burr_cdf(inf, 3, 2, 1), 1);
  EXPECT_EQ(johnson_su_cdf(-inf, 0, 1, 0, 1), 0);
  EXPECT_EQ(johnson_su_cdf(inf, 0, 1, 0, 1), 1);
  EXPECT_EQ(johnson_sb_cdf(0, 0, 1, 0, 1), 0);
  EXPECT_EQ(johnson_sb_cdf(1, 0, 1, 0, 1), 1);
  EXPECT_EQ(truncated_normal_cdf(8, 0, 1, 8, 9), 0);
  EXPECT_EQ(truncated_normal_cdf(9, 0, 1, 8, 9), 1);
  EXPECT_EQ(binomial_cdf(-0.5, 3, 0.5), 0);
  EXPECT_EQ(binomial_cdf(3, 3, 0.5), 1);
  EXPECT_EQ(negative_binomial_cdf(-0.5, 3, 0.5), 0);
  EXPECT_EQ(negative_binomial_cdf(inf, 3, 0.5), 1);
  EXPECT_EQ(hypergeometric_cdf(9, 50, 40, 20), 0);
  EXPECT_EQ(hypergeometric_cdf(20, 50, 40, 20), 1);
}

}  // namespace scipy_quantiles_tests
}  // namespace sporos::test
