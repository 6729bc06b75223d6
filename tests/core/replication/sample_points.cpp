// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The points of each sampling, generated without a model, have the properties that the sampling promises.
#include <harness/backends.hpp>
#include "harness/serial_or_host.hpp"
#include "sampled_columns.hpp"

#include <sporos/core/sampling/halton.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace sample_points_tests {

using namespace sporos;
using test::Columns;
using test::sampled_columns;
using test::SampleOf;
using test::SerialOrHost;

/// Whether each of n equal intervals of [0, 1) contains one of the n numbers.
bool one_in_each(const std::vector<double>& numbers) {
  const auto n = static_cast<double>(numbers.size());
  std::vector<bool> seen(numbers.size());
  for (const double u : numbers) {
    const auto interval = static_cast<std::size_t>(u * n);
    if (interval >= seen.size() || seen[interval]) return false;
    seen[interval] = true;
  }
  return true;
}

bool one_in_each(const Columns& columns) {
  return std::all_of(columns.begin(), columns.end(), [](const auto& column) { return one_in_each(column); });
}

/// The numbers (i + 1/2) / n in increasing order.
std::vector<double> midpoints(std::size_t n) {
  std::vector<double> numbers(n);
  for (std::size_t i = 0; i < n; ++i) numbers[i] = (static_cast<double>(i) + 0.5) / static_cast<double>(n);
  return numbers;
}

std::vector<double> sorted(std::vector<double> numbers) {
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

/// Whether base^m points with two coordinates have one point in each box of base^a by base^(m-a), for every a.
bool is_net(const std::vector<double>& first, const std::vector<double>& second, int m, int base = 2) {
  for (int a = 0; a <= m; ++a) {
    std::vector<double> boxes;
    const double across = std::pow(base, a), along = std::pow(base, m - a);
    for (std::size_t i = 0; i < first.size(); ++i) {
      boxes.push_back((std::floor(first[i] * across) * along + std::floor(second[i] * along) + 0.5) / (across * along));
    }
    if (!one_in_each(boxes)) return false;
  }
  return true;
}

template <class Space>
class SamplePointsOn : public ::testing::Test {};
TYPED_TEST_SUITE(SamplePointsOn, test::Backends, test::BackendName);

TYPED_TEST(SamplePointsOn, SobolHasOneInEachInterval) {
  for (int m = 1; m <= 10; ++m) {
    const std::int64_t n = std::int64_t{1} << m;
    for (const std::int64_t first : {std::int64_t{0}, n, 5 * n}) {
      EXPECT_TRUE(one_in_each(sampled_columns<TypeParam>({.sampling = Sampling::sobol, .first = first, .count = n})))
          << m;
    }
  }
  EXPECT_FALSE(one_in_each(sampled_columns<TypeParam>({.sampling = Sampling::random, .count = 64}))) << "control";
  EXPECT_FALSE(one_in_each(sampled_columns<TypeParam>({.sampling = Sampling::sobol, .first = 1, .count = 64})))
      << "control: not aligned";
}

TYPED_TEST(SamplePointsOn, TheFirstTwoOfSobolAreANet) {
  for (const int m : {3, 6, 9}) {
    const auto columns = sampled_columns<TypeParam>({.sampling = Sampling::sobol, .count = 1 << m});
    EXPECT_TRUE(is_net(columns[0], columns[1], m));
    const auto latin = sampled_columns<TypeParam>({.sampling = Sampling::latin_hypercube, .count = 1 << m});
    EXPECT_FALSE(is_net(latin[0], latin[1], m)) << "control";
  }
}

TYPED_TEST(SamplePointsOn, HaltonHasOneInEachIntervalOfItsBase) {
  const auto bases = halton_bases(10);
  for (std::size_t d = 0; d < bases.size(); ++d) {
    for (std::int64_t n = bases[d]; n < 1500; n *= bases[d]) {
      const auto columns = sampled_columns<TypeParam>({.sampling = Sampling::halton, .first = 2 * n, .count = n});
      EXPECT_TRUE(one_in_each(columns[d])) << bases[d] << ", " << n;
      EXPECT_FALSE(one_in_each(columns[(d + 1) % bases.size()]) && n > 100) << "control: another base";
    }
  }
}

TYPED_TEST(SamplePointsOn, AnyTwoOfFaureAreANet) {
  for (const auto& [dimensions, base] : {std::pair{2, 2}, {3, 3}, {4, 5}, {7, 7}}) {
    for (int m = 1; std::pow(base, m) < 1500; ++m) {
      const auto n = static_cast<std::int64_t>(std::llround(std::pow(base, m)));
      const SampleOf sample{.sampling = Sampling::faure, .first = 2 * n, .count = n, .dimensions = dimensions};
      const auto columns = sampled_columns<TypeParam>(sample);
      for (std::size_t i = 1; i < columns.size(); ++i) {
        EXPECT_TRUE(is_net(columns[i - 1], columns[i], m, base)) << base << ", " << m << ", " << i;
        EXPECT_TRUE(is_net(columns[0], columns[i], m, base)) << base << ", " << m << ", " << i;
      }
    }
  }
  const auto halton = sampled_columns<TypeParam>({.sampling = Sampling::halton, .count = 243, .dimensions = 3});
  EXPECT_FALSE(is_net(halton[0], halton[1], 5, 3)) << "control";
}

// Whether the differences of n points from the first one are multiples of 1/n, those in dimension d generators[d] times
// those in dimension 0, modulo 1.
bool is_shifted_lattice(const Columns& columns, const std::vector<std::uint32_t>& generators) {
  const auto n = static_cast<std::int64_t>(columns.front().size());
  const auto steps = [&](std::size_t d, std::size_t point) {
    const double difference = columns[d][point] - columns[d][0];
    return std::llround((difference < 0 ? difference + 1 : difference) * static_cast<double>(n)) % n;
  };
  for (std::size_t d = 0; d < columns.size(); ++d) {
    if (!one_in_each(columns[d])) return false;
    for (std::size_t point = 0; point < static_cast<std::size_t>(n); ++point) {
      if (steps(d, point) != steps(0, point) * generators[d] % n) return false;
    }
  }
  return true;
}

TYPED_TEST(SamplePointsOn, LatticesAreShiftedInEachRun) {
  const auto generators = lattice_generators(7);
  for (const std::int64_t n : {2, 64, 1024}) {
    const SampleOf sample{.sampling = Sampling::lattice, .first = 2 * n, .count = n, .dimensions = 7};
    EXPECT_TRUE(is_shifted_lattice(sampled_columns<TypeParam>(sample), generators)) << n;
  }
  const auto sobol = sampled_columns<TypeParam>({.sampling = Sampling::sobol, .count = 64, .dimensions = 7});
  EXPECT_FALSE(is_shifted_lattice(sobol, generators)) << "control";
  const auto one = sampled_columns<TypeParam>({.sampling = Sampling::lattice, .count = 64, .dimensions = 7});
  const auto next = sampled_columns<TypeParam>({.sampling = Sampling::lattice, .count = 64, .dimensions = 7, .set = 1});
  for (std::size_t d = 0; d < one.size(); ++d) EXPECT_NE(sorted(one[d]), sorted(next[d])) << d;
}

TYPED_TEST(SamplePointsOn, LatinHypercubesHaveOneInEachStratum) {
  for (const std::int64_t n : {1, 2, 7, 100, 1024}) {
    EXPECT_TRUE(one_in_each(sampled_columns<TypeParam>({.sampling = Sampling::latin_hypercube, .count = n}))) << n;
    for (const auto& column : sampled_columns<TypeParam>({.sampling = Sampling::latin_hypercube_centred, .count = n})) {
      EXPECT_EQ(sorted(column), midpoints(static_cast<std::size_t>(n)));
    }
  }
}

TYPED_TEST(SamplePointsOn, DescriptiveSetsAreOrdersOfTheMidpoints) {
  for (const std::int64_t n : {2, 7, 100, 1024}) {
    const auto columns = sampled_columns<TypeParam>({.sampling = Sampling::descriptive, .count = n});
    for (const auto& column : columns) EXPECT_EQ(sorted(column), midpoints(static_cast<std::size_t>(n)));
    EXPECT_TRUE(n < 10 || columns[0] != columns[1]) << "each coordinate has an order of its own";
  }
}

TYPED_TEST(SamplePointsOn, RefinedDescriptiveSetsGoFromSubRunToSubRun) {
  const SampleOf sample{.sampling = Sampling::refined_descriptive, .count = 70, .primes = {7, 10}};
  for (const auto& column : sampled_columns<TypeParam>(sample)) {
    for (auto sub_run = column.begin(); sub_run != column.end(); sub_run += 7) {
      EXPECT_EQ(sorted({sub_run, sub_run + 7}), midpoints(7));
    }
  }
}

TYPED_TEST(SamplePointsOn, AntitheticPointsComeInPairs) {
  for (const auto engine : {Engine::philox4x32, Engine::taus88}) {
    const SampleOf sample{.sampling = Sampling::antithetic, .count = 100, .engine = engine};
    for (const auto& column : sampled_columns<TypeParam>(sample)) {
      for (std::size_t i = 0; i < column.size(); i += 2) EXPECT_EQ(column[i] + column[i + 1], 1);
    }
  }
}

constexpr int wide = 70;  // more than any engine's block of draws

// The first 130 points, which are more than two sub-runs or four warps have.
SampleOf any_sample(Sampling sampling) {
  return {.sampling = sampling, .count = 130, .dimensions = wide, .primes = {3, 61}};
}

TYPED_TEST(SamplePointsOn, AreTheSameOnEveryBackendAndMapping) {
  for (const auto& [name, sampling] : ChoiceNames<Sampling>::values) {
    const auto expected = sampled_columns<SerialOrHost>(any_sample(sampling));
    for (const auto mapping : {Mapping::thread, Mapping::warp}) {
      EXPECT_EQ(sampled_columns<TypeParam>(any_sample(sampling), mapping), expected) << name;
    }
    for (const auto& column : expected) {
      EXPECT_TRUE(std::all_of(column.begin(), column.end(), [](double u) { return u > 0 && u < 1; })) << name;
    }
  }
}

TYPED_TEST(SamplePointsOn, OfSetsThatGoOnAreTheSameInEveryPart) {
  for (const auto& [name, sampling] : ChoiceNames<Sampling>::values) {
    const auto whole = sampled_columns<TypeParam>(any_sample(sampling));
    SampleOf part = any_sample(sampling);
    part.first = 47;
    part.count = 50;
    const auto columns = sampled_columns<TypeParam>(part);
    bool equal = true;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      equal = equal && std::equal(columns[i].begin(), columns[i].end(), whole[i].begin() + 47);
    }
    EXPECT_EQ(equal, goes_on(sampling)) << name;
  }
}

TYPED_TEST(SamplePointsOn, DifferFromSetToSetAndSeedToSeed) {
  for (const auto& [name, sampling] : ChoiceNames<Sampling>::values) {
    const auto columns = sampled_columns<TypeParam>(any_sample(sampling));
    SampleOf other_set = any_sample(sampling), other_seed = any_sample(sampling);
    other_set.set = 1;
    other_seed.seed = 2;
    const auto of_set = sampled_columns<TypeParam>(other_set), of_seed = sampled_columns<TypeParam>(other_seed);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      EXPECT_NE(columns[i], of_set[i]) << name;
      EXPECT_NE(columns[i], of_seed[i]) << name;
      EXPECT_NE(of_set[i], of_seed[i]) << name;
      EXPECT_NE(columns[i], columns[(i + 1) % columns.size()]) << name;
    }
  }
}

std::string refusal(Sampling sampling, int dimensions) {
  try {
    sampled_columns<SerialOrHost>({.sampling = sampling, .count = 2, .dimensions = dimensions});
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(SamplePoints, HaveNoMoreDimensionsThanTheSequence) {
  EXPECT_EQ(refusal(Sampling::sobol, 3667), "");
  EXPECT_EQ(refusal(Sampling::sobol, 3668), "sampling sobol has 3667 dimensions, but a replication draws 3668 times");
  EXPECT_EQ(refusal(Sampling::faure, 10000), "");
  EXPECT_EQ(refusal(Sampling::faure, 10001),
            "sampling faure has 10000 dimensions, but a replication draws 10001 times");
  EXPECT_EQ(refusal(Sampling::halton, 10000), "");
  EXPECT_EQ(refusal(Sampling::halton, 10001),
            "sampling halton has 10000 dimensions, but a replication draws 10001 times");
  EXPECT_EQ(refusal(Sampling::lattice, 250), "");
  EXPECT_EQ(refusal(Sampling::lattice, 251), "sampling lattice has 250 dimensions, but a replication draws 251 times");
}

}  // namespace sample_points_tests
