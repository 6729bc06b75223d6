// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks Sobol's sequence without its scrambling against Boost's, and the digits that scrambling appends to its own.
#include <sporos/core/sampling/sobol.hpp>

#include <gtest/gtest.h>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/random/sobol.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace sobol_tests {

using namespace sporos;

TEST(Sobol, IsThatOfBoostInAllDimensions) {
  constexpr std::uint32_t points = 1000;
  const auto directions = sobol_directions(max_sobol_dimensions);
  boost::random::sobol_engine<std::uint32_t, 32> boost_sobol(static_cast<std::size_t>(max_sobol_dimensions));
  std::vector<std::uint32_t> coordinates(max_sobol_dimensions);
  int mismatches = 0;
  for (std::uint32_t point = 1; point <= points; ++point) {  // Boost omits the origin
    sobol_coordinates(directions.data(), coordinates.size(), point, max_sobol_dimensions, coordinates.data());
    for (const std::uint32_t coordinate : coordinates) mismatches += coordinate != boost_sobol();
  }
  EXPECT_EQ(mismatches, 0);
  sobol_coordinates(directions.data(), coordinates.size(), 0, max_sobol_dimensions, coordinates.data());
  EXPECT_EQ(coordinates, std::vector<std::uint32_t>(max_sobol_dimensions));
}

// Counts of pairs of five binary digits.
class DigitPairs {
 public:
  // `is_stratified`: all values of the first five digits have the same number of pairs.
  explicit DigitPairs(bool is_stratified = false) : m_freedom(is_stratified ? 32 * 31 : 32 * 32 - 1) {}

  void add(std::uint32_t a, std::uint32_t b) { m_counts[(a & 31u) << 5 | (b & 31u)] += 1; }

  // Two-sided p-value of the chi-squared statistic for independent, uniform digits.
  double probability() const {
    double total = 0, sum = 0;
    for (const double count : m_counts) total += count;
    const double expected = total / static_cast<double>(m_counts.size());
    for (const double count : m_counts) sum += (count - expected) * (count - expected) / expected;
    const boost::math::chi_squared distribution(m_freedom);
    return 2 * std::min(cdf(distribution, sum), cdf(complement(distribution, sum)));
  }

 private:
  double m_freedom;
  std::vector<double> m_counts = std::vector<double>(1024);
};

// Smallest p-value of several counts of digit pairs for each of 20 keys, times the number of counts. They pair the
// first appended digits with each other, with digits of the coordinate, of the next point and of another key, and with
// the last digits that a uniform has.
template <class FollowingDigits>
double min_probability(const FollowingDigits& following_digits) {
  constexpr int keys = 20;
  constexpr std::uint32_t points = 1u << 16;
  std::mt19937_64 engine(1);
  DigitPairs of_all_keys;
  double least = 1;
  int tallies = 1;
  for (int k = 0; k < keys; ++k) {
    const ScramblingKey key = ScramblingKey::of(engine()), other = ScramblingKey::of(engine());
    DigitPairs separate, beside_next, beside_last, beside_other, beside_coordinate(true);
    std::uint32_t before = 0;
    for (std::uint32_t i = 0; i < points; ++i) {
      // The first coordinates of the points in their order.
      const std::uint32_t coordinate = impl::reversed_bits(i ^ i >> 1), scrambled = owen_scrambled(coordinate, key);
      const std::uint32_t after = following_digits(scrambled, key);
      separate.add(after >> 27, after >> 22);
      beside_coordinate.add(scrambled >> 27, after >> 27);
      if (i % 2 == 1) beside_next.add(before, after >> 27);
      beside_last.add(after >> 12, after >> 27);
      beside_other.add(following_digits(owen_scrambled(coordinate, other), other) >> 27, after >> 27);
      before = after >> 27;
    }
    for (const DigitPairs* pairs : {&separate, &beside_coordinate, &beside_next, &beside_last, &beside_other}) {
      least = std::min(least, pairs->probability());
      ++tallies;
    }
  }
  for (int k = 0; k < 100'000; ++k) {
    const ScramblingKey key = ScramblingKey::of(engine());
    of_all_keys.add(following_digits(0, key) >> 27, following_digits(1, key) >> 27);
  }
  return std::min(least, of_all_keys.probability()) * tallies;
}

// Uniform and independent digits fail this check with a probability of 1e-6.
TEST(Sobol, ScrambledDigitsBehindAreUniform) { EXPECT_GT(min_probability(owen_following_digits), 1e-6); }

// Negative control: the digits are made with one multiplication less.
TEST(Sobol, WeakerDigitsBehindAreNot) {
  const auto weaker = [](std::uint32_t scrambled, const ScramblingKey& key) {
    const std::uint32_t x = scrambled + key.low;
    return (x ^ x >> 16) * 0x7feb352du + key.high;
  };
  EXPECT_LT(min_probability(weaker), 1e-6);
}

}  // namespace sobol_tests
