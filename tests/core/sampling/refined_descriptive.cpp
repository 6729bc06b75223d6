// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/sampling/refined_descriptive.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <type_traits>
#include <vector>

namespace refined_descriptive_tests {

using namespace sporos;

static_assert(std::is_trivially_copyable_v<RefinedSequence>);

// The numbers (i - 0.5) / p for i = 1, …, p, as in Aloui and Ourbih-Tari (2011), The use of refined descriptive
// sampling and applications in parallel Monte Carlo simulation.
std::vector<double> paper_numbers(std::uint32_t p) {
  std::vector<double> numbers;
  for (std::uint32_t i = 1; i <= p; ++i) numbers.push_back((i - 0.5) / p);
  return numbers;
}

std::vector<double> sorted(std::vector<double> numbers) {
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

double mean(const std::vector<double>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

TEST(RefinedSequence, GivesEveryRegularNumberOfASubsetOnce) {
  RefinedSequence sequence({3, 2000}, 1, 2);
  PrimeSequence primes({3, 2000}, 1);
  std::uint64_t first = 0;
  for (int subset = 0; subset < 100; ++subset) {
    sequence.seek(first);
    ASSERT_EQ(sequence.first(), first);
    ASSERT_EQ(sequence.size(), primes.next());
    std::vector<double> numbers(sequence.size());
    for (std::uint32_t j = 0; j < sequence.size(); ++j) numbers[j] = sequence.at(first + j);
    ASSERT_EQ(sorted(numbers), paper_numbers(sequence.size()));
    EXPECT_NEAR(mean(numbers), 0.5, 1e-14);
    first += sequence.size();
  }
}

// The numbers of a subset of size p have mean 1/2 and variance (1 - 1/p^2)/12.
TEST(RefinedSequence, ASubsetHasTheMomentsOfTheRegularNumbers) {
  RefinedSequence sequence({10007, 10007}, 1, 2);
  std::vector<double> numbers(10007);
  sequence.fill(0, 10007, numbers.data());
  EXPECT_NEAR(mean(numbers), 0.5, 1e-14);
  for (double& u : numbers) u = (u - 0.5) * (u - 0.5);
  EXPECT_NEAR(mean(numbers), (1 - 1 / (10007.0 * 10007.0)) / 12, 1e-14);
}

TEST(RefinedSequence, FillsAcrossSubsetsWhatItsDrawsAre) {
  for (const PrimeRange range : {PrimeRange{3, 7}, PrimeRange{3, 200}, PrimeRange{}}) {
    RefinedSequence filling(range, 5, 6), drawing(range, 5, 6);
    std::uint64_t draw = 0;
    for (const std::uint32_t count : {1u, 16u, 32u, 64u, 5000u, 0u, 64u, 63u, 20000u, 64u}) {
      std::vector<double> numbers(count + 1, -1);
      filling.fill(draw, count, numbers.data());
      for (std::uint32_t j = 0; j < count; ++j) {
        drawing.seek(draw + j);
        ASSERT_EQ(numbers[j], drawing.at(draw + j)) << "draw " << draw + j;
      }
      EXPECT_EQ(numbers[count], -1) << "wrote too much";
      draw += count;
    }
  }
}

TEST(RefinedSequence, SeeksFarAhead) {
  RefinedSequence there({}, 8, 9), step_by_step({}, 8, 9);
  constexpr std::uint64_t draw = 10'000'000;
  for (std::uint64_t i = 0; i <= draw; i += 1000) step_by_step.seek(i);
  there.seek(draw);
  EXPECT_EQ(there.first(), step_by_step.first());
  EXPECT_EQ(there.at(draw), step_by_step.at(draw));
}

TEST(RefinedSequence, ItsKeysMatter) {
  RefinedSequence sequence({}, 1, 1), other_primes({}, 2, 1), other_shuffles({}, 1, 2);
  EXPECT_NE(sequence.size(), other_primes.size());
  EXPECT_EQ(sequence.size(), other_shuffles.size());
  EXPECT_NE(sequence.at(0), other_shuffles.at(0));
}

// With a single prime, the subsets still differ in their order.
TEST(RefinedSequence, ShufflesEverySubsetAnew) {
  RefinedSequence sequence({101, 101}, 1, 2);
  std::vector<double> numbers(202);
  sequence.fill(0, 202, numbers.data());
  const std::vector<double> one(numbers.begin(), numbers.begin() + 101), two(numbers.begin() + 101, numbers.end());
  EXPECT_NE(one, two);
  EXPECT_EQ(sorted(one), sorted(two));
}

TEST(ArrayRefinedSequence, GivesEveryRegularNumberOfASubsetOnceAndEveryPrimeOnce) {
  ArrayRefinedSequence<std::mt19937_64> sequence({3, 200}, std::mt19937_64(1));
  for (int round = 0; round < 2; ++round) {
    std::vector<std::uint32_t> primes;
    for (std::size_t subset = 0; subset < odd_primes({3, 200}).size(); ++subset) {
      std::vector<double> numbers = {sequence.next()};
      primes.push_back(sequence.size());
      while (numbers.size() < sequence.size()) numbers.push_back(sequence.next());
      ASSERT_EQ(sorted(numbers), paper_numbers(sequence.size()));
    }
    std::sort(primes.begin(), primes.end());
    EXPECT_EQ(primes, odd_primes({3, 200}));
  }
}

}  // namespace refined_descriptive_tests
