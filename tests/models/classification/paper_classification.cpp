// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the classification instance of He et al. (2024), A preliminary study on accelerating simulation optimization
// with GPU implementation, and scores of probabilities.
#include <harness/binomial_band.hpp>

#include <sporos/models/classification/paper_classification.hpp>
#include <sporos/models/classification/scores.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

namespace paper_classification_tests {

using namespace sporos;
using models::paper_classification, models::PaperClassification;

constexpr double error = 1e-6;  // probability of a false alarm

// Whether `count` of `trials` agrees with `probability`.
bool fits(std::int64_t count, std::int64_t trials, double probability) {
  const auto [least, most] = test::binomial_band(trials, probability, error / 2);
  const auto seen = static_cast<double>(count);
  return seen > least && seen < most;
}

double margin(const PaperClassification& made, std::int64_t row) {
  double sum = 0;
  for (std::int64_t j = 0; j < made.features.columns; ++j) {
    if (made.features.at(row, j)) sum += made.rule[static_cast<std::size_t>(j)];
  }
  return sum;
}

std::int64_t ones(const PaperClassification& made) {
  std::int64_t count = 0;
  for (const std::uint64_t word : made.features.words) count += std::popcount(word);
  return count;
}

std::int64_t turned(const PaperClassification& made) {
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < made.features.rows(); ++i) {
    count += (margin(made, i) > 0) != (made.labels[static_cast<std::size_t>(i)] == 1);
  }
  return count;
}

TEST(PaperClassification, FollowsItsRuleButForTheNoise) {
  const auto made = paper_classification(130, 3900, 0.1, 3);
  EXPECT_NO_THROW(made.features.check());
  EXPECT_EQ(made.features.rows(), 3900);
  EXPECT_TRUE(fits(ones(made), 130 * 3900, 0.5));
  EXPECT_TRUE(fits(turned(made), 3900, 0.1));
  EXPECT_FALSE(fits(turned(paper_classification(130, 3900, 0.2, 3)), 3900, 0.1));
  EXPECT_EQ(turned(paper_classification(130, 390, 0, 3)), 0);
}

TEST(PaperClassification, HasTwoClassesOfLikeSize) {
  std::int64_t count = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (const double label : paper_classification(50, 500, 0.1, seed).labels) count += label == 1;
  }
  EXPECT_NEAR(static_cast<double>(count) / 10000, 0.5, 0.1);
}

TEST(PaperClassification, RowsAreTheSameForEveryNumberOfThem) {
  const auto few = paper_classification(65, 10, 0.1, 3), many = paper_classification(65, 100, 0.1, 3);
  for (std::int64_t i = 0; i < 10; ++i) {
    for (std::int64_t j = 0; j < 65; ++j) ASSERT_EQ(few.features.at(i, j), many.features.at(i, j));
    EXPECT_EQ(few.labels[static_cast<std::size_t>(i)], many.labels[static_cast<std::size_t>(i)]);
  }
  EXPECT_NE(few.features.words, paper_classification(65, 10, 0.1, 4).features.words);
}

TEST(PaperClassification, RefusesWhatIsNoInstance) {
  EXPECT_THROW(paper_classification(0, 10, 0.1, 1), std::invalid_argument);
  EXPECT_THROW(paper_classification(10, 0, 0.1, 1), std::invalid_argument);
  EXPECT_THROW(paper_classification(10, 10, 1.1, 1), std::invalid_argument);
}

TEST(Scores, OfAFewRows) {
  const std::vector<double> p = {0.9, 0.5, 0.5, 0.2, 0.1}, z = {1, 1, 0, 1, 0};
  EXPECT_DOUBLE_EQ(models::accuracy(p, z), 3.0 / 5);
  // The pairs (one, zero) have these outcomes: 0.9 beats both, 0.5 ties and wins, 0.2 loses and wins.
  EXPECT_DOUBLE_EQ(models::area_under_curve(p, z), 4.5 / 6);
  EXPECT_DOUBLE_EQ(models::log_loss(p, z), -(std::log(0.9) + 2 * std::log(0.5) + std::log(0.2) + std::log(0.9)) / 5);
  EXPECT_EQ(models::log_loss(std::vector<double>{0}, std::vector<double>{1}), std::numeric_limits<double>::infinity());
  const std::vector<double> margins = {-800, 1e308, 0}, labels = {1, 0, 1};
  EXPECT_DOUBLE_EQ(models::log_loss_of_margins(std::vector<double>{-800, 0}, std::vector<double>{1, 1}),
                   (800 + std::log(2)) / 2);
  EXPECT_DOUBLE_EQ(models::log_loss_of_margins(margins, labels), 1e308 / 3);
  EXPECT_TRUE(std::isnan(models::area_under_curve(std::vector<double>{0, 1}, std::vector<double>{1, 1})));
}

TEST(Scores, AreaIsTheShareOfPairs) {
  std::vector<double> p, z;
  for (int i = 0; i < 300; ++i) {
    p.push_back(static_cast<double>(i * i % 37) / 37);
    z.push_back(i * i * i % 11 > 4 ? 1 : 0);
  }
  double won = 0, pairs = 0;
  for (std::size_t a = 0; a < p.size(); ++a) {
    for (std::size_t b = 0; b < p.size(); ++b) {
      if (z[a] != 1 || z[b] != 0) continue;
      ++pairs;
      won += p[a] > p[b] ? 1 : p[a] == p[b] ? 0.5 : 0;
    }
  }
  EXPECT_EQ(models::area_under_curve(p, z), won / pairs);
}

TEST(Scores, RefuseWhatIsNoProbability) {
  const std::vector<double> one = {1};
  EXPECT_THROW(models::accuracy({}, {}), std::invalid_argument);
  EXPECT_THROW(models::accuracy(one, std::vector<double>{1, 0}), std::invalid_argument);
  EXPECT_THROW(models::log_loss(std::vector<double>{1.5}, one), std::invalid_argument);
  EXPECT_THROW(models::area_under_curve(one, std::vector<double>{2}), std::invalid_argument);
}

}  // namespace paper_classification_tests
