// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/binomial_band.hpp"
#include "harness/long_tests.hpp"

#include <sporos/core/statistics/batch_means.hpp>
#include <sporos/core/statistics/confidence.hpp>
#include <sporos/core/statistics/estimate_steps.hpp>
#include <sporos/core/statistics/kept_quantile.hpp>
#include <sporos/core/statistics/moments.hpp>
#include <sporos/core/statistics/proportion.hpp>
#include <sporos/core/statistics/quantile.hpp>

#include <gtest/gtest.h>

#include <boost/math/distributions/binomial.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

namespace statistics_tests {

using namespace sporos;

std::vector<double> normals(std::size_t count, double mean, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> distribution(mean, 2.0);
  std::vector<double> values(count);
  for (double& value : values) value = distribution(engine);
  return values;
}

Moments one_by_one(const std::vector<double>& values) {
  MomentsTree tree;
  for (const double value : values) tree.add(value);
  return tree.total();
}

TEST(Moments, AgreeWithLongDoubleSums) {
  const auto values = normals(12345, 1e6, 1);
  long double sum = 0, squares = 0, cubes = 0;
  for (const double value : values) sum += value;
  const long double mean = sum / values.size();
  for (const double value : values) {
    squares += (value - mean) * (value - mean);
    cubes += (value - mean) * (value - mean) * (value - mean);
  }
  const Moments moments = one_by_one(values);
  EXPECT_EQ(moments.count, 12345);
  EXPECT_NEAR(moments.mean, static_cast<double>(mean), 1e-9);
  EXPECT_NEAR(moments.squared_deviation / static_cast<double>(squares), 1, 1e-12);
  EXPECT_NEAR(moments.cubed_deviation / static_cast<double>(cubes), 1, 1e-7);
}

// The skewness of a Bernoulli variable is (1 − 2p) / √(p (1 − p)), here with p = 0.1.
TEST(Moments, KnowTheSkewness) {
  MomentsTree events;
  for (int i = 0; i < 1000; ++i) events.add(1e3 + (i % 10 == 3));
  EXPECT_NEAR(events.total().skewness(), 0.8 / 0.3, 1e-9);
  EXPECT_EQ((Moments{5, 3.0, 0}.skewness()), 0) << "nothing varies";
  MomentsTree large;
  for (int i = 0; i < 6; ++i) large.add(i == 2 ? 1e150 : 0);
  EXPECT_TRUE(std::isfinite(large.total().variance()));
  EXPECT_FALSE(std::isfinite(large.total().skewness()));
}

TEST(MomentsTree, GoesOnFromItsNodes) {
  MomentsTree whole;
  for (int i = 0; i < 100; ++i) {
    whole.add(std::sin(i));
    MomentsTree again(whole.nodes());
    EXPECT_EQ(again.count(), whole.count());
    EXPECT_EQ(again.total().mean, whole.total().mean);
    whole = again;
  }
  MomentsTree at_once;
  for (int i = 0; i < 100; ++i) at_once.add(std::sin(i));
  EXPECT_EQ(whole.total().squared_deviation, at_once.total().squared_deviation);
  EXPECT_EQ(whole.total().cubed_deviation, at_once.total().cubed_deviation);
}

TEST(MomentsTree, HasNoOtherNodes) {
  const double nan = std::nan("");
  for (const std::vector<Moments>& nodes : std::vector<std::vector<Moments>>{{{0, 0, 0}},
                                                                             {{1, nan, 0}},
                                                                             {{1, 0, -1}},
                                                                             {{2, 0, 0}, {2, 0, 0}},
                                                                             {{2, 0, 0}, {4, 0, 0}},
                                                                             {{6, 0, 0}, {2, 0, 0}}}) {
    EXPECT_THROW(MomentsTree{nodes}, std::invalid_argument);
  }
}

TEST(MomentsTree, GivesTheSameBitsHoweverTheSequenceIsCut) {
  const auto values = normals(1000, 0.1, 2);
  const Moments whole = one_by_one(values);
  // Adds blocks of 64 that are formed separately, as on a device, and the remaining values one by one.
  MomentsTree in_blocks;
  std::size_t at = 0;
  for (; at + 64 <= values.size(); at += 64) {
    in_blocks.add(one_by_one({values.begin() + static_cast<long>(at), values.begin() + static_cast<long>(at + 64)}));
  }
  for (; at < values.size(); ++at) in_blocks.add(values[at]);
  EXPECT_EQ(in_blocks.total().mean, whole.mean);
  EXPECT_EQ(in_blocks.total().squared_deviation, whole.squared_deviation);
  EXPECT_EQ(in_blocks.total().cubed_deviation, whole.cubed_deviation);
  // Control: summing from left to right gives other bits, so the equality above is not trivial.
  Moments left_to_right;
  for (const double value : values)
    left_to_right = left_to_right.count == 0 ? Moments{1, value, 0} : combine(left_to_right, {1, value, 0});
  EXPECT_NE(left_to_right.squared_deviation, whole.squared_deviation);
  EXPECT_NEAR(left_to_right.cubed_deviation / whole.cubed_deviation, 1, 1e-6);
}

TEST(CoMoments, AgreeWithLongDoubleSumsAndDoNotDependOnPieces) {
  const auto x = normals(1000, 1e5, 3), other = normals(1000, -3, 4);
  std::vector<double> y;
  for (std::size_t i = 0; i < x.size(); ++i) y.push_back(0.3 * x[i] + other[i]);
  const auto tree_of = [&](std::size_t begin, std::size_t end) {
    CoMomentsTree tree(static_cast<std::int64_t>(begin));
    for (std::size_t i = begin; i < end; ++i) tree.add({1, x[i], y[i], 0});
    return tree;
  };
  const CoMoments moments = tree_of(0, x.size()).total();
  long double mean_x = 0, mean_y = 0, products = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean_x += x[i] / static_cast<long double>(x.size());
    mean_y += y[i] / static_cast<long double>(x.size());
  }
  for (std::size_t i = 0; i < x.size(); ++i) products += (x[i] - mean_x) * (y[i] - mean_y);
  EXPECT_NEAR(moments.codeviation / static_cast<double>(products), 1, 1e-11);
  EXPECT_NEAR(moments.first_mean, static_cast<double>(mean_x), 1e-9);
  CoMomentsTree pieces;
  for (const auto& [begin, end] : {std::pair<std::size_t, std::size_t>{0, 333}, {333, 640}, {640, 1000}}) {
    const CoMomentsTree piece = tree_of(begin, end);
    for (const CoMoments& node : piece.nodes()) pieces.add(node);
  }
  EXPECT_EQ(pieces.total().codeviation, moments.codeviation);
}

TEST(Wilson, GivesTheLongerSideOfTheInterval) {
  const double z = normal_z(0.95);
  EXPECT_NEAR(z, 1.959963984540054, 1e-12);
  EXPECT_NEAR(wilson_half_width(0, 10, z), 0.277532799862889, 1e-12);  // statsmodels: proportion_confint(0, 10, ...)
  EXPECT_NEAR(wilson_half_width(1, 10, z), 0.277532799862889, 1e-12);
  EXPECT_NEAR(wilson_half_width(0.3, 10, z), 0.603222158 - 0.3, 1e-6);
  EXPECT_NEAR(wilson_half_width(0.5, 1'000'000, z), z * 0.0005, 1e-8);
}

TEST(ProbabilityUnseen, IsTheRuleOfThree) {
  EXPECT_NEAR(probability_unseen(1000, 0.95), 1 - std::pow(0.05, 1e-3), 1e-14);
  EXPECT_NEAR(1e9 * probability_unseen(1'000'000'000, 0.95), 2.995732, 1e-6);
}

TEST(StudentT, GivesTableValues) {
  EXPECT_NEAR(student_t(0.95, 2), 12.7062047361747, 1e-9);
  EXPECT_NEAR(student_t(0.95, 31), 2.04227245630124, 1e-10);
  EXPECT_NEAR(student_t(0.99, 1'000'000'001), 2.5758293035489, 1e-7);
}

TEST(HalfWidth, IsInfiniteForOneObservation) {
  EXPECT_TRUE(std::isinf(half_width({1, 3.0, 0.0}, 0.95)));
  EXPECT_TRUE(std::isinf(Moments({1, 3.0, 0.0}).variance()));
}

TEST(Quantile, TellsHowManyObservationsItsIntervalNeeds) {
  for (const double probability : {0.01, 0.5, 0.9, 0.999}) {
    const std::int64_t needed = observations_for_quantile(probability, 0.95);
    const auto is_bounded = [&](std::int64_t count) {
      const auto [value, lower, upper] =
          quantile(std::vector<double>(static_cast<std::size_t>(count), 1.0), probability, 0.95);
      return std::isfinite(lower) && std::isfinite(upper);
    };
    EXPECT_TRUE(is_bounded(needed)) << probability;
    EXPECT_FALSE(is_bounded(needed - 1)) << probability;
  }
}

TEST(Quantile, AgreesWithNumpy) {  // numpy.quantile([3, 1, 4, 1, 5, 9, 2, 6], [0.25, 0.5, 0.9])
  const std::vector<double> values = {3, 1, 4, 1, 5, 9, 2, 6};
  EXPECT_DOUBLE_EQ(quantile(values, 0.25, 0.9).value, 1.75);
  EXPECT_DOUBLE_EQ(quantile(values, 0.5, 0.9).value, 3.5);
  EXPECT_DOUBLE_EQ(quantile(values, 0.9, 0.9).value, 6.9);
}

TEST(Quantile, HasNoEndWhereObservationsAreTooFew) {
  const auto estimate = quantile({1, 2, 3}, 0.5, 0.95);
  EXPECT_TRUE(std::isinf(estimate.lower) && std::isinf(estimate.upper));
}

// The bands have an error probability of 10^-3 on each side. The interval covers at least 95 %. Since ranks are
// discrete, its coverage here is between 95 and 97 %.
TEST(Quantile, CoversAsOftenAsPromised) {
  constexpr int experiments = 2000;
  int covered = 0;
  for (unsigned seed = 0; seed < experiments; ++seed) {
    const auto estimate = quantile(normals(100, 0, seed), 0.5, 0.95);
    covered += estimate.lower <= 0 && 0 <= estimate.upper;
  }
  EXPECT_GE(covered, test::binomial_band(experiments, 0.95, 1e-3).least);
  EXPECT_LE(covered, test::binomial_band(experiments, 0.975, 1e-3).most);
}

TEST(Quantile, RefusesWhatHasNone) {
  EXPECT_THROW(quantile({}, 0.5, 0.95), std::invalid_argument);
  EXPECT_THROW(quantile({1.0}, 1.0, 0.95), std::invalid_argument);
}

// The observations are continuous, have ties, or are all equal.
TEST(KeptQuantile, HasTheBitsOfAllObservationsInLittleMemory) {
  constexpr std::size_t count = 100'000;
  const auto values = normals(count, 3, 5);
  const std::function<double(double)> shapes[] = {[](double x) { return std::exp(x); },
                                                  [](double x) { return std::floor(x); }, [](double) { return 7.0; }};
  for (const auto& shape : shapes) {
    std::vector<double> all;
    for (const double value : values) all.push_back(shape(value));
    for (const double probability : {0.001, 0.5, 0.9999}) {
      KeptQuantile kept(probability);
      std::size_t most = 0;
      for (const double value : all) {
        kept.add(value);
        most = std::max(most, kept.kept());
      }
      const auto expected = quantile(all, probability, 0.99), estimate = kept.estimate(0.99);
      EXPECT_EQ(estimate.value, expected.value) << probability;
      EXPECT_EQ(estimate.lower, expected.lower) << probability;
      EXPECT_EQ(estimate.upper, expected.upper) << probability;
      EXPECT_LT(most, 20'000U);
    }
  }
  EXPECT_THROW(KeptQuantile(1), std::invalid_argument);
  EXPECT_THROW(KeptQuantile(0.5).estimate(0.95), std::invalid_argument);
}

// KeptQuantile has an interval at any time while observations arrive. It must cover the quantile of lognormal
// observations with a probability of at least 95 %. Control: ranks that are one standard deviation too high.
TEST(KeptQuantile, CoversAndAShiftedRankDoesNot) {
  const int experiments = test::runs_in_test(400, 1000);
  constexpr double probability = 0.9, error = 1e-5;
  const double exact = std::exp(2.0 * 1.2815515655446004);
  int covered = 0, covered_by_shifted = 0;
  for (int seed = 0; seed < experiments; ++seed) {
    KeptQuantile kept(probability);
    auto values = normals(6000, 0, static_cast<unsigned>(seed));
    for (double& value : values) kept.add(value = std::exp(value));
    const auto estimate = kept.estimate(0.95);
    covered += estimate.lower <= exact && exact <= estimate.upper;
    std::sort(values.begin(), values.end());
    const auto ranks = quantile_ranks(6000, probability, 0.95);
    const auto shift = static_cast<std::size_t>(std::sqrt(6000 * 0.09));
    covered_by_shifted += values[static_cast<std::size_t>(ranks.low) - 1 + shift] <= exact &&
                          exact <= values[static_cast<std::size_t>(ranks.high) - 1 + shift];
  }
  EXPECT_GE(covered, test::binomial_band(experiments, 0.95, error).least);
  EXPECT_LT(covered_by_shifted, test::binomial_band(experiments, 0.95, error).least);
}

// Reference values are from R's binom.test and from SciPy's binomtest(...).proportion_ci(method='exact').
TEST(ClopperPearson, IsAsOthersHaveIt) {
  const auto some = clopper_pearson(7, 20, 0.95);
  EXPECT_EQ(some.value, 0.35);
  EXPECT_NEAR(some.lower, 0.15390920478454125, 1e-12);
  EXPECT_NEAR(some.upper, 0.5921885345328281, 1e-12);
  const auto none = clopper_pearson(0, 100, 0.99);
  EXPECT_EQ(none.lower, 0);
  EXPECT_NEAR(none.upper, 1 - std::pow(0.005, 0.01), 1e-12);
  EXPECT_EQ(clopper_pearson(100, 100, 0.99).upper, 1);
  EXPECT_THROW(clopper_pearson(3, 2, 0.95), std::invalid_argument);
  EXPECT_THROW(clopper_pearson(0, 0, 0.95), std::invalid_argument);
  EXPECT_THROW(clopper_pearson(1, 2, 1), std::invalid_argument);
}

// Computes the coverage from the binomial distribution itself, without sampling, for many probabilities of the event.
// The coverage is never below 95 %. Control: Wald's interval, share ± 1.96 standard deviations.
TEST(ClopperPearson, CoversEveryProbability) {
  constexpr int trials = 30;
  double least_of_wald = 1;
  for (double probability = 0.005; probability < 1; probability += 0.005) {
    const boost::math::binomial distribution(trials, probability);
    double coverage = 0, of_wald = 0;
    for (int events = 0; events <= trials; ++events) {
      const auto estimate = clopper_pearson(events, trials, 0.95);
      const double share = static_cast<double>(events) / trials, weight = boost::math::pdf(distribution, events);
      if (estimate.lower <= probability && probability <= estimate.upper) coverage += weight;
      if (std::abs(share - probability) <= 1.96 * std::sqrt(share * (1 - share) / trials)) of_wald += weight;
    }
    EXPECT_GE(coverage, 0.95) << probability;
    least_of_wald = std::min(least_of_wald, of_wald);
  }
  EXPECT_LT(least_of_wald, 0.5);
}

// Autoregressive sequence with coefficient 0.9 and mean 5.
std::vector<double> correlated(std::size_t count, unsigned seed) {
  auto values = normals(count, 0, seed);
  double last = 0;
  for (double& value : values) value = 5 + (last = 0.9 * last + value);
  return values;
}

// The band for a coverage of 95 % has an error probability of 10^-3 on each side. Batches of finite length cover
// slightly less often. Control: an interval that treats the correlated sequence as independent covers far too rarely.
TEST(BatchMeans, CoverWhereIndependenceWouldNot) {
  const int experiments = test::runs_in_test(250, 500);
  int covered = 0, naively_covered = 0;
  for (int seed = 0; seed < experiments; ++seed) {
    const auto sequence = correlated(8000, static_cast<unsigned>(seed));
    const auto estimate = batch_means(sequence, 20, 0.95);
    covered += std::abs(estimate.mean - 5) <= estimate.half_width;
    const Moments naive = one_by_one(sequence);
    naively_covered += std::abs(naive.mean - 5) <= half_width(naive, 0.95);
  }
  const auto band = test::binomial_band(experiments, 0.95, 1e-3);
  EXPECT_GE(covered, band.least);
  EXPECT_LE(covered, band.most);
  EXPECT_LT(naively_covered, band.least);
}

TEST(BatchMeans, LeaveOutARemainderAtTheFront) {
  const std::vector<double> sequence = {100, 1, 1, 3, 3};
  const auto estimate = batch_means(sequence, 2, 0.95);
  EXPECT_EQ(estimate.mean, 2);
  EXPECT_EQ(estimate.batch_size, 2);
  EXPECT_THROW(batch_means(sequence, 1, 0.95), std::invalid_argument);
  EXPECT_THROW(batch_means(sequence, 6, 0.95), std::invalid_argument);
}

// If observations arrive in blocks, a look takes place at the end of the block in which it is due.
TEST(Looks, AreAtTenAndWheneverThereAreAQuarterMore) {
  const auto looks_until = [](std::int64_t last, std::int64_t block) {
    Looks looks;
    std::vector<std::int64_t> found;
    for (std::int64_t count = block; count <= last; count += block) {
      if (looks.are_due(count)) found.push_back(count);
    }
    return found;
  };
  EXPECT_EQ(looks_until(30, 1), (std::vector<std::int64_t>{10, 12, 15, 18, 22, 27}));
  EXPECT_EQ(looks_until(104, 8), (std::vector<std::int64_t>{16, 24, 32, 40, 48, 56, 64, 80, 104}));
  EXPECT_LT(looks_until(1'000'000, 1).size(), 60u);
}

TEST(EstimateSteps, EndWithTheLast) {
  const EstimateStep first{10, 1, 0, 2}, last{11, 1.5, 1, 2};
  EXPECT_EQ(with_last({first}, last).size(), 2u);
  EXPECT_EQ(with_last({first, last}, last).size(), 2u);
  EXPECT_EQ(with_last({}, last).back().value, 1.5);
}

}  // namespace statistics_tests
