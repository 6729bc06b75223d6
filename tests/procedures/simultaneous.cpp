// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks simultaneous intervals: their critical values, and how often all cover at once. Binomial bands for the number
// of covering macro-replications raise a false alarm with probability 10^-5 per side.
#include <harness/binomial_band.hpp>
#include <harness/long_tests.hpp>

#include <sporos/core/statistics/critical_values.hpp>
#include <sporos/core/statistics/simultaneous.hpp>
#include <sporos/procedures/max_t.hpp>
#include <sporos/procedures/point_differences.hpp>
#include <sporos/procedures/simultaneous_intervals.hpp>

#include <gtest/gtest.h>

#include <boost/math/distributions/students_t.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

namespace simultaneous_tests {

using namespace sporos;
using test::binomial_band;

// Quantiles of Harter, Tables of range and studentized range, Ann. Math. Statist. 31 (1960), with three decimals.
TEST(StudentizedRange, HasItsPublishedQuantiles) {
  struct Published {
    double confidence;
    std::int64_t groups;
    double freedom, quantile, rounding;
  };
  for (const auto& [confidence, groups, freedom, quantile, rounding] :
       {Published{0.95, 3, 10, 3.877, 5e-4}, Published{0.95, 10, 20, 5.008, 5e-4}, Published{0.99, 5, 5, 8.421, 5e-4},
        Published{0.95, 3, 2, 8.331, 5e-4}, Published{0.95, 20, 1, 59.56, 5e-3}, Published{0.95, 3, 1e7, 3.314, 5e-4},
        Published{0.90, 4, 15, 3.540, 5e-4}}) {
    EXPECT_NEAR(studentized_range(confidence, groups, freedom), quantile, 1.01 * rounding) << groups << ' ' << freedom;
  }
}

TEST(StudentizedRange, OfTwoIsStudentsTimesRootTwo) {
  for (const double freedom : {1.0, 2.5, 30.0, 1e6}) {
    if (freedom != 2.5 && !test::are_tests_long()) continue;
    for (const double confidence : {0.5, 0.95, 0.9999}) {
      const double student = student_t_quantile(0.5 + confidence / 2, freedom), range = std::sqrt(2.0) * student;
      EXPECT_NEAR(studentized_range_probability(range, 2, freedom), confidence, 1e-9);
      EXPECT_NEAR(studentized_range(confidence, 2, freedom) / range, 1, 1e-8);
    }
  }
}

TEST(SingleConfidences, MakeTheirFamilys) {
  EXPECT_DOUBLE_EQ(bonferroni_confidence(0.95, 5), 0.99);
  EXPECT_NEAR(std::pow(sidak_confidence(0.95, 5), 5), 0.95, 1e-15);
  EXPECT_LT(sidak_confidence(0.95, 5), bonferroni_confidence(0.95, 5));
  EXPECT_EQ(bonferroni_confidence(0.9, 1), 0.9);
}

SquareMatrix equicorrelated(std::size_t size, double correlation) {
  SquareMatrix matrix(size);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) matrix(i, j) = i == j ? 1 : correlation;
  }
  return matrix;
}

std::vector<Contrast> single(std::size_t count) {
  std::vector<Contrast> contrasts;
  for (std::size_t i = 0; i < count; ++i) contrasts.push_back({i});
  return contrasts;
}

std::vector<Contrast> pairs(std::size_t count) {
  std::vector<Contrast> contrasts;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < i; ++j) contrasts.push_back({i, j});
  }
  return contrasts;
}

// The tolerance is 4.3 standard errors: a normal error exceeds it on one side with probability 10^-5.
const double max_t_error = 4.3 * std::sqrt(0.95 * 0.05) / 256;

TEST(MaxT, OfDifferencesOfIndependentEstimatesIsTukeys) {
  for (const std::size_t count : {3, 10, 30}) {
    for (const double freedom : {5.0, 1000.0}) {
      const double level = max_t_confidence(equicorrelated(count, 0), pairs(count), freedom, 0.95);
      const double quantile = student_t_quantile(0.5 + level / 2, freedom);
      EXPECT_NEAR(studentized_range_probability(std::sqrt(2.0) * quantile, static_cast<std::int64_t>(count), freedom),
                  0.95, max_t_error)
          << count << ' ' << freedom;
    }
  }
}

TEST(MaxT, OfIndependentNormalsIsSidaks) {
  for (const std::size_t count : {2, 20}) {
    const double level = max_t_confidence(equicorrelated(count, 0), single(count), 1e8, 0.95);
    EXPECT_NEAR(std::pow(level, static_cast<double>(count)), 0.95, max_t_error);
  }
}

TEST(MaxT, OfEstimatesThatMoveTogetherIsThatOfOne) {
  EXPECT_NEAR(max_t_confidence(equicorrelated(4, 1), single(4), 9, 0.95), 0.95, 1e-7);
  SquareMatrix scaled = equicorrelated(2, 0);  // the second estimate is constant
  scaled(1, 1) = 0;
  EXPECT_EQ(max_t_confidence(scaled, single(2), 9, 0.95), 0.95);
  SquareMatrix opposite = equicorrelated(2, -1);
  opposite(1, 1) = 9;
  opposite(0, 1) = opposite(1, 0) = -3;
  EXPECT_NEAR(max_t_confidence(opposite, single(2), 9, 0.9), 0.9, 1e-7);
}

TEST(MaxT, IsBetweenOneAndBonferroni) {
  double before = bonferroni_confidence(0.95, 5);
  for (const double correlation : {0.0, 0.5, 0.9, 0.99}) {
    const double level = max_t_confidence(equicorrelated(5, correlation), single(5), 50, 0.95);
    EXPECT_LT(level, before);
    EXPECT_GT(level, 0.95);
    before = level;
  }
}

TEST(MaxT, RefusesWhatIsNoCovariance) {
  SquareMatrix indefinite = equicorrelated(2, 2);
  EXPECT_THROW(max_t_confidence(indefinite, single(2), 9, 0.95), std::invalid_argument);
  indefinite(0, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(max_t_confidence(indefinite, single(2), 9, 0.95), std::invalid_argument);
}

using Observations = std::vector<std::vector<double>>;  // by design point

// Normal observations: `common` is the share of the variance that the design points have in common; point p has mean p²
// and deviation 1 + spread · p.
Observations normals(std::size_t points, std::size_t count, double common, double spread, std::mt19937_64& generator) {
  std::normal_distribution<double> normal;
  Observations observations(points);
  for (std::size_t i = 0; i < count; ++i) {
    const double shared = std::sqrt(common) * normal(generator);
    for (std::size_t p = 0; p < points; ++p) {
      const auto place = static_cast<double>(p);
      observations[p].push_back(place * place +
                                (1 + spread * place) * (shared + std::sqrt(1 - common) * normal(generator)));
    }
  }
  return observations;
}

PointDifferences differences_of(const Observations& observations, bool is_paired) {
  PointDifferences found(std::vector(observations.size(), estimator_of(0)), is_paired);
  for (std::size_t point = 0; point < observations.size(); ++point) {
    for (const double observation : observations[point]) found.add(point, 0, observation);
  }
  return found;
}

bool all_cover(const std::vector<PointDifference>& differences) {
  bool cover = true;
  for (const auto& [first, second, difference, half_width] : differences) {
    const auto p = static_cast<double>(first), q = static_cast<double>(second);
    cover = cover && std::abs(difference - (p * p - q * q)) <= half_width;
  }
  return cover;
}

// Number of macro-replications in which all intervals cover.
std::int64_t covering(std::int64_t experiments, std::size_t points, std::size_t count, double common, double spread,
                      bool is_paired, DifferencesOf which, Simultaneous method, double confidence) {
  std::mt19937_64 generator(7);
  std::int64_t found = 0;
  for (std::int64_t e = 0; e < experiments; ++e) {
    const auto differences = differences_of(normals(points, count, common, spread, generator), is_paired);
    found += all_cover(differences.differences(which, method, confidence));
  }
  return found;
}

constexpr auto all = DifferencesOf::all, from_first = DifferencesOf::first;
constexpr auto bonferroni = Simultaneous::bonferroni, max_t = Simultaneous::max_t;

TEST(PairedDifferences, CoverTogetherByBonferroni) {
  const std::int64_t experiments = test::runs_in_test(1000, 4000);
  for (const auto which : {all, from_first}) {
    EXPECT_GE(covering(experiments, 5, 12, 0.7, 0.5, true, which, bonferroni, 0.95),
              binomial_band(experiments, 0.95).least);
  }
}

// Ten single intervals of 95 % cover simultaneously in fewer than 80 % of macro-replications.
TEST(PairedDifferencesControl, SingleIntervalsDoNotCoverTogether) {
  constexpr std::int64_t experiments = 4000;
  const double single_confidence = 1 - 10 * (1 - 0.95);  // Bonferroni's correction for ten makes this 95 %
  EXPECT_LT(covering(experiments, 5, 12, 0.7, 0.5, true, all, bonferroni, single_confidence),
            binomial_band(experiments, 0.8).least);
}

// Max-t with an estimated covariance is exact in the limit; with 200 observations its error is smaller than the band.
// For differences that move together its intervals are much narrower than Bonferroni's.
TEST(PairedDifferences, CoverTogetherByMaxT) {
  const std::int64_t experiments = test::runs_in_test(150, 300);
  const std::int64_t found = covering(experiments, 3, 200, 0.5, 4, true, all, max_t, 0.8);
  EXPECT_GE(found, binomial_band(experiments, 0.8).least);
  EXPECT_LE(found, binomial_band(experiments, 0.8).most);
  EXPECT_LT(covering(experiments, 3, 200, 0.5, 4, true, all, bonferroni, 1 - 3 * (1 - 0.8)),
            binomial_band(experiments, 0.8).least)
      << "control: single intervals of 80 %";
}

TEST(PairedDifferences, AreNarrowerByMaxT) {
  std::mt19937_64 generator(1);
  const auto differences = differences_of(normals(4, 100, 0.5, 4, generator), true);
  const auto narrow = differences.differences(all, max_t, 0.95), wide = differences.differences(all, bonferroni, 0.95);
  for (std::size_t i = 0; i < narrow.size(); ++i) EXPECT_LT(narrow[i].half_width, wide[i].half_width);
}

TEST(IndependentDifferences, HaveTukeysHalfWidths) {
  std::mt19937_64 generator(3);
  const auto differences = differences_of(normals(4, 7, 0, 1, generator), false);
  const SquareMatrix covariance = differences.covariance();
  const double quantile = studentized_range(0.9, 4, 6) / std::sqrt(2.0);
  EXPECT_EQ(covariance(0, 1), 0);
  for (const auto& [first, second, difference, half_width] : differences.differences(all, bonferroni, 0.9)) {
    const double error = std::sqrt(covariance(first, first) + covariance(second, second));
    EXPECT_NEAR(half_width, quantile * error, 1e-9);
  }
}

// Number of macro-replications in which all intervals of the differences of four points by Tukey's range cover. They
// are scaled from Bonferroni's intervals, which are quick to compute.
std::int64_t covering_by_tukey(std::int64_t experiments, std::size_t count, double spread, double confidence) {
  const auto freedom = static_cast<double>(count - 1);
  const double quantile = studentized_range(confidence, 4, freedom) / std::sqrt(2.0);
  std::mt19937_64 generator(11);
  std::int64_t found = 0;
  for (std::int64_t e = 0; e < experiments; ++e) {
    const Observations observations = normals(4, count, 0, spread, generator);
    bool cover = true;
    for (std::size_t point = 0; point + 1 < 4; ++point) {  // differences from the first of the remaining points
      PointDifferences some(std::vector(4 - point, estimator_of(0)), false);
      for (std::size_t p = point; p < 4; ++p) {
        for (const double observation : observations[p]) some.add(p - point, 0, observation);
      }
      for (auto [first, second, difference, half_width] : some.differences(from_first, bonferroni, 0.95)) {
        half_width *= quantile / student_t(bonferroni_confidence(0.95, static_cast<std::int64_t>(3 - point)),
                                           static_cast<std::int64_t>(count));
        cover = cover && all_cover({{first + point, second + point, difference, half_width}});
      }
    }
    found += cover;
  }
  return found;
}

// With equal variances the pairs have twice as many degrees of freedom as are counted. Intervals from few observations
// therefore cover more often than stated, those from many as often as stated.
TEST(IndependentDifferences, CoverTogetherByTukeysRange) {
  const std::int64_t experiments = test::runs_in_test(800, 2000);
  for (const double spread : {0.0, 1.0}) {
    EXPECT_GE(covering_by_tukey(experiments, 6, spread, 0.95), binomial_band(experiments, 0.95).least);
  }
  const std::int64_t found = covering_by_tukey(experiments, 200, 0, 0.9);
  EXPECT_GE(found, binomial_band(experiments, 0.9).least);
  EXPECT_LE(found, binomial_band(experiments, 0.9).most);
}

TEST(IndependentDifferencesControl, SingleIntervalsDoNotCoverTogether) {
  constexpr std::int64_t experiments = 2000;
  const double single_confidence = 1 - 6 * (1 - 0.95);  // Bonferroni's correction for six makes this 95 %
  EXPECT_LT(covering(experiments, 4, 50, 0, 0, true, all, bonferroni, single_confidence),
            binomial_band(experiments, 0.95).least);
}

TEST(PointDifferences, HaveTheVarianceOfPairedDifferences) {
  std::mt19937_64 generator(3);
  const Observations observations = normals(2, 40, 0.6, 1, generator);
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < 40; ++i) {
    const double difference = observations[1][i] - observations[0][i];
    sum += difference;
    squares += difference * difference;
  }
  const double error = std::sqrt((squares - sum * sum / 40) / 39 / 40);
  const auto found = differences_of(observations, true).differences(all, bonferroni, 0.95);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].difference, sum / 40, 1e-12);
  EXPECT_NEAR(found[0].half_width, student_t(0.95, 40) * error, 1e-12);
}

// Bits do not depend on the order in which rows arrive.
TEST(PointDifferences, TakeObservationsInAnyOrderOfPoints) {
  std::mt19937_64 generator(3);
  const Observations observations = normals(3, 100, 0.6, 1, generator);
  const auto expected = differences_of(observations, true).differences(all, bonferroni, 0.95);
  PointDifferences rows(std::vector(3, estimator_of(0)), true);
  for (std::size_t i = 0; i < 100; ++i) {
    for (const std::size_t point : {2, 0, 1}) rows.add(point, 0, observations[point][i]);
  }
  EXPECT_EQ(rows.count(), 100);
  const auto found = rows.differences(all, bonferroni, 0.95);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(found[i].difference, expected[i].difference);
    EXPECT_EQ(found[i].half_width, expected[i].half_width);
  }
}

// For y / x with y = 2 x + e, the linearized variance is that of e / mean of x.
TEST(PointDifferences, OfRatiosAreLinearized) {
  const RatioOfMeans ratio{2, {0, {{1, 1}}}, {0, {{0, 1}}}};
  PointDifferences differences({ratio, ratio}, true);
  std::mt19937_64 generator(5);
  std::normal_distribution<double> normal;
  double sum = 0, squares = 0, below = 0;
  for (int i = 0; i < 500; ++i) {
    const double x = 10 + normal(generator), e = normal(generator);
    differences.add(0, 0, x);
    differences.add(0, 1, 2 * x + e);
    differences.add(0, 2, 1e9);
    differences.add(1, 0, x);
    differences.add(1, 1, 2 * x);
    sum += e;
    squares += e * e;
    below += x / 500;
  }
  const auto found = differences.differences(all, bonferroni, 0.95);
  EXPECT_NEAR(found[0].difference, -sum / 500 / below, 1e-12);
  const double error = std::sqrt((squares - sum * sum / 500) / 499 / 500) / below;
  EXPECT_NEAR(found[0].half_width / (student_t(0.95, 500) * error), 1, 0.03);
}

TEST(PointDifferences, AreUnknownWhereNothingIsKnown) {
  PointDifferences one(std::vector(2, estimator_of(0)), true);
  one.add(0, 0, 1);
  one.add(1, 0, 3);
  for (const auto method : {bonferroni, max_t}) {
    const auto found = one.differences(all, method, 0.95);
    EXPECT_EQ(found[0].difference, 2);
    EXPECT_EQ(found[0].half_width, std::numeric_limits<double>::infinity());
  }
  const RatioOfMeans ratio{1, {1, {}}, {0, {{0, 1}}}};
  PointDifferences undefined({ratio, ratio}, true);
  for (const double x : {-1.0, 1.0}) {
    for (const std::size_t point : {0, 1}) undefined.add(point, 0, x);
  }
  for (const auto method : {bonferroni, max_t}) {
    EXPECT_EQ(undefined.differences(all, method, 0.95)[0].half_width, std::numeric_limits<double>::infinity());
  }
}

// Intervals of differences that all hold imply those of the distances, which therefore cover at least as often.
TEST(DistancesFromBest, AreWhatDifferencesImply) {
  const std::vector<PointDifference> differences{{1, 0, 2, 1}, {2, 0, 5, 1}, {2, 1, 3, 1}};
  const auto largest = distances_from_best(differences, 3, true), smallest = distances_from_best(differences, 3, false);
  EXPECT_EQ(largest[0].lower, -6);
  EXPECT_EQ(largest[0].upper, -4);
  EXPECT_EQ(largest[1].difference, -3);
  EXPECT_EQ(largest[2].difference, 3);
  EXPECT_EQ(largest[2].lower, 2);
  EXPECT_EQ(largest[2].upper, 4);
  EXPECT_EQ(smallest[0].difference, -2);
  EXPECT_EQ(smallest[0].lower, -3);
  EXPECT_EQ(smallest[0].upper, -1);
  EXPECT_EQ(smallest[2].difference, 5);
  EXPECT_EQ(smallest[2].lower, 4);
  EXPECT_EQ(smallest[2].upper, 6);
}

// Number of macro-replications in which all distances of five points from the best one are covered.
std::int64_t covering_distances(std::int64_t experiments, bool is_largest_best, double confidence) {
  constexpr std::size_t points = 5;
  std::mt19937_64 generator(19);
  std::int64_t found = 0;
  for (std::int64_t e = 0; e < experiments; ++e) {
    const auto differences = differences_of(normals(points, 12, 0, 0.5, generator), true);
    const auto distances =
        distances_from_best(differences.differences(all, bonferroni, confidence), points, is_largest_best);
    bool cover = true;
    for (std::size_t p = 0; p < points; ++p) {  // the means are p²
      const double best = is_largest_best ? (p == 4 ? 9 : 16) : (p == 0 ? 1 : 0),
                   off = static_cast<double>(p * p) - best;
      cover = cover && distances[p].lower <= off && off <= distances[p].upper;
    }
    found += cover;
  }
  return found;
}

// The control uses single intervals of 95 % for the ten differences.
TEST(DistancesFromBest, HoldTogether) {
  constexpr std::int64_t experiments = 4000;
  const auto least = binomial_band(experiments, 0.95).least;
  for (const bool is_largest_best : {true, false}) {
    EXPECT_GE(covering_distances(experiments, is_largest_best, 0.95), least);
    EXPECT_LT(covering_distances(experiments, is_largest_best, 1 - 10 * (1 - 0.95)), least) << "control";
  }
}

// Result of `points` design points with four normal responses each, of means 0 to 3, variance 1 and a correlation.
ExperimentResult four_responses(std::size_t points, std::size_t count, double correlation, std::mt19937_64& generator) {
  std::normal_distribution<double> normal;
  ExperimentResult result;
  for (std::size_t p = 0; p < points; ++p) {
    PointDifferences moments(std::vector(4, estimator_of(0)), true);  // the "points" are the responses
    for (std::size_t i = 0; i < count; ++i) {
      const double shared = std::sqrt(correlation) * normal(generator);
      for (std::size_t r = 0; r < 4; ++r) {
        moments.add(r, 0, static_cast<double>(r) + shared + std::sqrt(1 - correlation) * normal(generator));
      }
    }
    PointResult& point = result.points.emplace_back();
    const auto means = moments.estimates();
    const SquareMatrix covariance = moments.covariance();
    for (std::size_t r = 0; r < 4; ++r) {
      ResponseEstimate& response = point.responses.emplace_back();
      response.mean = means[r];
      response.observations = static_cast<std::int64_t>(count);
      response.variance = static_cast<double>(count) * covariance(r, r);
      for (std::size_t other = 0; other < 4; ++other) {
        point.covariances.push_back(static_cast<double>(count) * covariance(r, other));
      }
    }
  }
  return result;
}

// Number of macro-replications in which the intervals of all responses at all design points cover.
std::int64_t covering_means(std::int64_t experiments, std::size_t points, double correlation, Simultaneous method,
                            bool are_dependent, double confidence) {
  Plan plan;
  plan.confidence = confidence;
  plan.common_random_numbers = are_dependent;
  std::mt19937_64 generator(13);
  std::int64_t found = 0;
  for (std::int64_t e = 0; e < experiments; ++e) {
    const ExperimentResult result = four_responses(points, 100, correlation, generator);
    const auto half_widths = simultaneous_intervals(method, plan, result).half_widths;
    bool cover = true;
    for (std::size_t p = 0; p < points; ++p) {
      for (std::size_t r = 0; r < 4; ++r) {
        cover = cover && std::abs(result.points[p].responses[r].mean - static_cast<double>(r)) <= half_widths[p][r];
      }
    }
    found += cover;
  }
  return found;
}

TEST(SimultaneousIntervals, OfAllMeansCoverTogether) {
  const std::int64_t experiments = test::runs_in_test(400, 1000);
  EXPECT_GE(covering_means(experiments, 3, 0, bonferroni, true, 0.9), binomial_band(experiments, 0.9).least);
  EXPECT_GE(covering_means(experiments, 3, 0, bonferroni, false, 0.9), binomial_band(experiments, 0.9).least);
  const std::int64_t fewer = test::runs_in_test(150, 300);
  const std::int64_t found = covering_means(fewer, 1, 0.8, max_t, true, 0.8);
  EXPECT_GE(found, binomial_band(fewer, 0.8).least);
  EXPECT_LE(found, binomial_band(fewer, 0.8).most);
}

TEST(SimultaneousIntervalsControl, SingleIntervalsDoNotCoverTogether) {
  const std::int64_t experiments = test::runs_in_test(400, 1000);
  EXPECT_LT(covering_means(experiments, 3, 0, bonferroni, true, 1 - 12 * 0.05), binomial_band(experiments, 0.9).least)
      << "twelve intervals of 95 % each";
  EXPECT_LT(covering_means(experiments, 1, 0.8, bonferroni, true, 1 - 4 * 0.2), binomial_band(experiments, 0.8).least);
}

TEST(SimultaneousIntervals, OfIndependentPointsAreNarrower) {
  std::mt19937_64 generator(1);
  const ExperimentResult result = four_responses(3, 100, 0.5, generator);
  Plan dependent, independent;
  independent.common_random_numbers = false;
  for (const auto method : {bonferroni, max_t}) {
    EXPECT_LT(simultaneous_intervals(method, independent, result).half_widths[2][3],
              simultaneous_intervals(method, dependent, result).half_widths[2][3]);
  }
  const double error = std::sqrt(result.points[2].responses[3].variance / 100);
  EXPECT_NEAR(simultaneous_intervals(bonferroni, dependent, result).half_widths[2][3],
              student_t(1 - 0.05 / 12, 100) * error, 1e-12);
  EXPECT_LT(simultaneous_intervals(max_t, dependent, result).half_widths[2][3],
            simultaneous_intervals(bonferroni, dependent, result).half_widths[2][3]);
}

}  // namespace simultaneous_tests
