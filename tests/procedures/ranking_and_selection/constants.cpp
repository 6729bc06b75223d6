// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/long_tests.hpp>
#include <harness/refusal.hpp>

#include <sporos/procedures/ranking_and_selection/constants.hpp>

#include <gtest/gtest.h>

#include <boost/math/distributions/binomial.hpp>

#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>

namespace selection_constants_tests {

using namespace sporos;
using sporos::test::refusal;

constexpr double accuracy = 1e-8;

void expect_relative(double found, double expected) { EXPECT_NEAR(found / expected, 1, accuracy) << found; }

// With one degree of freedom and two systems, h is a quantile of the sum of two Cauchy variables.
TEST(RinottConstant, OfTwoSystemsAndTwoReplicationsIsAQuantileOfCauchysDistribution) {
  for (const double confidence : {0.75, 0.95, 0.999}) {
    if (confidence != 0.95 && !test::are_tests_long()) continue;  // six seconds each
    expect_relative(rinott_constant(2, 2, confidence), 2 * std::tan(std::numbers::pi * (confidence - 0.5)));
  }
}

// With many first-stage replications, variances are known and the k − 1 comparisons are independent.
TEST(RinottConstant, OfKnownVariancesIsThatOfIndependentComparisons) {
  const double h = rinott_constant(5, 1'000'001, 0.95);
  EXPECT_NEAR(std::pow(0.5 * std::erfc(-h / 2), 4), 0.95, 1e-5);
}

// References: QUADPACK's adaptive quadrature over x and y themselves, and for ten systems mpmath with 25 digits, too.
TEST(RinottConstant, AgreesWithOtherQuadratures) {
  expect_relative(rinott_constant(10, 10, 0.95), 4.28954747157);
  expect_relative(rinott_constant(57'624, 50, 0.975), 7.50867056407);
  expect_relative(rinott_constant(1'000'000'000, 20, 1 - 1e-6), 23.7735371161);
}

// Number of `trials` in which h loses no comparison of Rinott's integral.
std::int64_t successes(double h, int systems, int first_stage, std::int64_t trials) {
  std::mt19937_64 engine(7);
  const double freedom = first_stage - 1;
  std::chi_squared_distribution<double> chi_square(freedom);
  std::normal_distribution<double> normal;
  std::int64_t successes = 0;
  for (std::int64_t trial = 0; trial < trials; ++trial) {
    const double of_best = chi_square(engine);
    bool succeeds = true;
    for (int other = 1; other < systems; ++other) {
      const double bound = h / std::sqrt(freedom * (1 / chi_square(engine) + 1 / of_best));
      succeeds = normal(engine) <= bound && succeeds;
    }
    successes += succeeds ? 1 : 0;
  }
  return successes;
}

// A false alarm has probability 10^-6. A constant that is 5 % too small is detected.
TEST(RinottConstant, AgreesWithSimulation) {
  constexpr std::int64_t trials = 200'000;
  constexpr double confidence = 0.95;
  const boost::math::binomial promised(trials, confidence);
  const double low = quantile(promised, 5e-7), high = quantile(complement(promised, 5e-7));
  const double h = rinott_constant(10, 10, confidence);
  const auto found = static_cast<double>(successes(h, 10, 10, trials));
  EXPECT_TRUE(low <= found && found <= high) << found;
  EXPECT_LT(static_cast<double>(successes(0.95 * h, 10, 10, trials)), low);
}

// With two degrees of freedom, the smaller of two χ² variables is exponential with mean 1, and the integral is
// 1 − η / √(η² + 2).
TEST(GspScreeningConstant, OfThreeReplicationsHasAClosedForm) {
  for (const std::int64_t systems : {2, 10, 1000, 1'000'000'000}) {
    const double loss = -std::expm1(std::log(0.95) / static_cast<double>(systems - 1));
    const double eta = std::numbers::sqrt2 * (1 - loss) / std::sqrt(loss * (2 - loss));
    expect_relative(gsp_screening_constant(systems, 3, 0.95), eta);
  }
}

TEST(GspScreeningConstant, AgreesWithOtherQuadratures) {
  expect_relative(gsp_screening_constant(100, 50, 0.975), 0.587709033856);
  expect_relative(gsp_screening_constant(57'624, 50, 0.975), 0.858696227557);
  expect_relative(gsp_screening_constant(1'000'000'000, 20, 1 - 1e-6), 5.75509288096);
}

TEST(KnConstant, GivesBackItsErrorProbability) {
  const double h_squared = kn_constant(100, 20, 0.95);
  EXPECT_NEAR(std::pow(1 + h_squared / 19, -19.0 / 2) / 2 * 99, 0.05, 1e-12);
}

// The limit of KN's constant, by Fabian's probability that a Brownian motion leaves the triangle on the wrong side.
TEST(KnPlusConstant, IsThatOfManyReplications) {
  const double h_squared = kn_plus_constant(100, 0.95);
  EXPECT_NEAR(std::exp(-h_squared / 2) / 2 * 99, 0.05, 1e-14);
  EXPECT_NEAR(kn_constant(100, 1'000'000'001, 0.95) / h_squared, 1, 1e-7);
  EXPECT_LT(h_squared, kn_constant(100, 50, 0.95));
}

// The constant is KN's for half the error. Its limit is by the probability that a Brownian motion ever falls so low.
TEST(OneSidedConstant, GivesBackItsErrorProbability) {
  EXPECT_NEAR(std::pow(1 + one_sided_constant(20, 0.05) / 19, -19.0 / 2), 0.05, 1e-14);
  expect_relative(one_sided_constant(20, 0.05), kn_constant(2, 20, 0.975));
  EXPECT_NEAR(std::exp(-one_sided_constant(1'000'000'001, 0.05) / 2), 0.05, 1e-7);
}

// For two systems, tables of Student's distribution are the reference. With two degrees of freedom a tail q begins at
// (1 − 2 q) / √(2 q (1 − q)).
TEST(SubsetConstant, IsAQuantileOfStudentsDistribution) {
  EXPECT_NEAR(subset_constant(2, 11, 0.95, false), 1.812461, 1e-6);
  EXPECT_NEAR(subset_constant(5, 11, 0.9, true), 2.228139, 1e-6);
  for (const std::int64_t systems : {2, 10, 1'000'000'000}) {
    const double loss = -std::expm1(std::log(0.95) / static_cast<double>(systems - 1));
    const auto start = [](double tail) { return (1 - 2 * tail) / std::sqrt(2 * tail * (1 - tail)); };
    expect_relative(subset_constant(systems, 3, 0.95, false), start(loss));
    expect_relative(subset_constant(systems, 3, 0.95, true), start(0.05 / static_cast<double>(systems - 1)));
  }
}

TEST(BizConstant, LetsAllOthersDropOut) {
  EXPECT_NEAR(biz_constant(2, 0.9), 0.1, 1e-15);
  EXPECT_NEAR(std::pow(1 - biz_constant(100, 0.95), 99), 0.95, 1e-13);
  expect_relative(biz_constant(1'000'000'001, 1 - 1e-6), 1e-15 * (1 + 0.5e-6));
}

TEST(BiPassConstant, BoundsTheProbabilityOfAFalseElimination) {
  for (const double rate : {1e-9, 0.05, 0.4}) {
    const double c = bi_pass_constant(rate);
    EXPECT_NEAR((std::exp(-c / 2) + std::exp(-c)) / (2 * rate), 1, 1e-12);
    EXPECT_GT(c, -2 * std::log(2 * rate));
  }
}

TEST(SelectionConstants, AreRefusedForWhatNoProcedureCanPromise) {
  EXPECT_EQ(refusal([] { rinott_constant(1, 10, 0.95); }), "systems: 1, expected at least 2");
  EXPECT_EQ(refusal([] { kn_plus_constant(1, 0.95); }), "systems: 1, expected at least 2");
  EXPECT_EQ(refusal([] { subset_constant(2, 1, 0.95, true); }),
            "replications of the first stage: 1, expected at least 2");
  EXPECT_EQ(refusal([] { biz_constant(4, 1); }),
            "confidence: 1.000000, expected above 1/4, the confidence of a random selection, and below 1");
  EXPECT_EQ(refusal([] { kn_constant(2, 1, 0.95); }), "replications of the first stage: 1, expected at least 2");
  EXPECT_EQ(refusal([] { gsp_screening_constant(4, 10, 0.25); }),
            "confidence: 0.250000, expected above 1/4, the confidence of a random selection, and below 1");
  EXPECT_EQ(refusal([] { rinott_constant(2, 10, std::nan("")); }),
            "confidence: nan, expected above 1/2, the confidence of a random selection, and below 1");
  EXPECT_EQ(refusal([] { bi_pass_constant(0.5); }), "rate of false eliminations: 0.500000, expected in (0, 0.5)");
}

}  // namespace selection_constants_tests
