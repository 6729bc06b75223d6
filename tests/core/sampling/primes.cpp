// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/sampling/primes.hpp>

#include <gtest/gtest.h>

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/special_functions/prime.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <type_traits>
#include <vector>

namespace primes_tests {

using namespace sporos;

static_assert(std::is_trivially_copyable_v<PrimeSequence>);

constexpr double error_probability = 1e-4;

TEST(Primes, SieveTrialDivisionAndBoostAgree) {
  const std::vector<std::uint32_t> primes = odd_primes({3, 65535});
  ASSERT_EQ(primes.size(), 6541u);
  for (unsigned i = 0; i < primes.size(); ++i) ASSERT_EQ(primes[i], boost::math::prime(i + 1));
  std::vector<std::uint32_t> by_division;
  for (std::uint32_t x = 3; x <= 65535; ++x) {
    if (is_prime(x)) by_division.push_back(x);
  }
  EXPECT_EQ(by_division, primes);
}

TEST(Primes, KnownNumbers) {
  for (const std::uint32_t x : {2u, 3u, 5u, 65537u, 2147483647u, 4294967291u}) EXPECT_TRUE(is_prime(x)) << x;
  for (const std::uint32_t x : {0u, 1u, 4u, 9u, 561u, 65535u, 4294836225u, 4294967295u}) EXPECT_FALSE(is_prime(x)) << x;
  EXPECT_EQ(odd_primes({0, 1000000}).size(), 78497u);
}

TEST(Primes, TheSieveKeepsToTheRange) {
  EXPECT_EQ(odd_primes({0, 13}), (std::vector<std::uint32_t>{3, 5, 7, 11, 13}));
  EXPECT_EQ(odd_primes({7, 18}), (std::vector<std::uint32_t>{7, 11, 13, 17}));
  EXPECT_TRUE(odd_primes({8, 10}).empty());
}

std::string refusal(const PrimeRange& range) {
  try {
    check_prime_range("prime range", range);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(PrimeRange, IsRefusedWithoutAnOddPrime) {
  const std::string expected = ", expected a range that contains an odd prime and ends below 2147483648";
  EXPECT_EQ(refusal({8, 10}), "prime range is 8 to 10" + expected);
  EXPECT_EQ(refusal({0, 2}), "prime range is 0 to 2" + expected);
  EXPECT_EQ(refusal({100, 50}), "prime range is 100 to 50" + expected);
  EXPECT_EQ(refusal({3, 2147483648u}), "prime range is 3 to 2147483648" + expected);
  EXPECT_EQ(refusal({4294967295u, 4294967295u}), "prime range is 4294967295 to 4294967295" + expected);
  EXPECT_EQ(refusal({}), "");
  EXPECT_EQ(refusal({0, 3}), "");
  EXPECT_EQ(refusal({7, 7}), "");
  EXPECT_EQ(refusal({2147483647u, 2147483647u}), "");
}

std::vector<std::uint32_t> next_primes(PrimeSequence& sequence, std::size_t count) {
  std::vector<std::uint32_t> primes(count);
  for (auto& prime : primes) prime = sequence.next();
  return primes;
}

std::vector<std::uint32_t> sorted(std::vector<std::uint32_t> numbers) {
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

TEST(PrimeSequence, UsesEachPrimeOnceThenAnew) {
  for (const PrimeRange range : {PrimeRange{}, PrimeRange{0, 7}, PrimeRange{90, 1000}, PrimeRange{65521, 65537}}) {
    const std::vector<std::uint32_t> primes = odd_primes(range);
    PrimeSequence sequence(range, 17);
    const auto once = next_primes(sequence, primes.size()), again = next_primes(sequence, primes.size());
    EXPECT_EQ(sorted(once), primes);
    EXPECT_EQ(sorted(again), primes);
    if (primes.size() > 100) {
      EXPECT_NE(once, primes);
      EXPECT_NE(once, again);
    }
  }
}

TEST(PrimeSequence, OfOnePrimeRepeatsIt) {
  PrimeSequence sequence({10, 12}, 1);
  EXPECT_EQ(next_primes(sequence, 3), (std::vector<std::uint32_t>{11, 11, 11}));
}

// p-value of the first two primes of sequences of the primes from 3 to 31, for keys 0, 1, 2, …. There are 10 · 9 pairs.
double first_pairs_p(const std::function<std::vector<std::uint32_t>(std::uint64_t key)>& first_pair) {
  constexpr int keys = 90000;
  std::map<std::vector<std::uint32_t>, int> counts;
  for (std::uint64_t key = 0; key < keys; ++key) ++counts[first_pair(key)];
  constexpr double cells = 90, expected = keys / cells;
  double statistic = (cells - static_cast<double>(counts.size())) * expected;
  for (const auto& [pair, count] : counts) statistic += std::pow(count - expected, 2) / expected;
  return boost::math::cdf(boost::math::complement(boost::math::chi_squared(cells - 1), statistic));
}

TEST(PrimeSequence, StartsWithAnyTwoPrimesAlike) {
  const auto first_pair = [](std::uint64_t key) {
    PrimeSequence sequence({3, 31}, key);
    return next_primes(sequence, 2);
  };
  EXPECT_GT(first_pairs_p(first_pair), error_probability);
}

TEST(PrimeSequenceControl, TheNextPrimeAfterARandomNumberIsRejected) {
  const auto biased = [](std::uint64_t key) {  // favours primes after long gaps
    std::vector<std::uint32_t> pair;
    for (std::uint64_t i = 0; pair.size() < 2; ++i) {
      auto x = static_cast<std::uint32_t>(3 + 2 * (mix_bits(mix_bits(key + 1) + i) % 15));
      while (!is_prime(x)) x += 2;
      if (pair.empty() || pair[0] != x) pair.push_back(x);
    }
    return pair;
  };
  EXPECT_LT(first_pairs_p(biased), error_probability);
}

}  // namespace primes_tests
