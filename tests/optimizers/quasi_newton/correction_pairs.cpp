// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explicit_matrix.hpp"
#include "harness/serial_or_host.hpp"

#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/optimizers/quasi_newton/correction_pairs.hpp>

#include <harness/backends.hpp>
#include <harness/refusal.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <utility>
#include <vector>

namespace correction_pairs_tests {

using namespace sporos;
using test::SerialOrHost;

using Values = std::vector<double>;

Values random_values(std::mt19937_64& engine, std::size_t size) {
  std::normal_distribution<double> normal;
  Values values;
  for (std::size_t i = 0; i < size; ++i) values.push_back(normal(engine));
  return values;
}

// Pairs with s standard normal and y = A s for A = diag(1 … 10) + u uᵀ / d, where u is standard normal and fixed.
std::vector<CorrectionPair> random_pairs(std::size_t count, std::size_t dimension, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  const Values u = random_values(engine, dimension);
  std::vector<CorrectionPair> pairs;
  for (std::size_t k = 0; k < count; ++k) {
    CorrectionPair pair{random_values(engine, dimension), {}};
    const auto along = static_cast<double>(test::inner_product(u, pair.s)) / static_cast<double>(dimension);
    for (std::size_t i = 0; i < dimension; ++i) {
      const double diagonal = 1 + 9 * static_cast<double>(i) / static_cast<double>(dimension);
      pair.y.push_back(diagonal * pair.s[i] + along * u[i]);
    }
    pairs.push_back(pair);
  }
  return pairs;
}

CorrectionPairOptions memory_of(std::int64_t memory) {
  CorrectionPairOptions options;
  options.memory = memory;
  return options;
}

template <class Space>
bool add(CorrectionPairs<Space>& memory, const CorrectionPair& pair) {
  return memory.add(Space(), to_device<Space>(pair.s), to_device<Space>(pair.y));
}

template <class Space>
Values multiply(const CorrectionPairs<Space>& memory, const Values& g) {
  const Vector<Space> out("test::out", g.size());
  const Space space;
  memory.multiply(space, to_device<Space>(g), out);
  space.fence();
  return to_host<Space>(out);
}

template <class Space>
Values product_after(const std::vector<CorrectionPair>& pairs, std::int64_t memory_size, const Values& g) {
  CorrectionPairs<Space> memory(static_cast<std::int64_t>(g.size()), memory_of(memory_size));
  for (const CorrectionPair& pair : pairs) EXPECT_TRUE(add(memory, pair));
  return multiply(memory, g);
}

// Relative distance ‖a − b‖ / ‖b‖.
double relative_distance(const Values& a, const Values& b) {
  double off = 0, length = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    off += (a[i] - b[i]) * (a[i] - b[i]);
    length += b[i] * b[i];
  }
  return std::sqrt(off / length);
}

std::vector<CorrectionPair> last(const std::vector<CorrectionPair>& pairs, std::size_t count) {
  return {pairs.end() - static_cast<std::ptrdiff_t>(std::min(count, pairs.size())), pairs.end()};
}

constexpr double tolerance = 1e-12;  // relative error of H g

template <class Space>
struct Pairs : testing::Test {};
TYPED_TEST_SUITE(Pairs, test::Backends, test::BackendName);

TYPED_TEST(Pairs, MultiplyAsTheExplicitMatrixOfAlgorithm4) {
  constexpr std::size_t dimension = 67;
  std::mt19937_64 engine(11);
  for (std::size_t memory = 1; memory <= 25; ++memory) {
    const Values g = random_values(engine, dimension);
    for (const std::size_t count : {(memory + 1) / 2, memory, memory + 1, 2 * memory + 3}) {
      const auto pairs = random_pairs(count, dimension, 100 * memory + count);
      const Values expected = test::times(test::explicit_matrix(last(pairs, memory), dimension), g);
      const Values found = product_after<TypeParam>(pairs, static_cast<std::int64_t>(memory), g);
      EXPECT_LT(relative_distance(found, expected), tolerance) << memory << " of " << count;
    }
  }
}

// The control: the same pairs in another order yield another matrix.
TYPED_TEST(Pairs, InAnotherOrderMultiplyOtherwise) {
  constexpr std::size_t dimension = 20;
  auto pairs = random_pairs(3, dimension, 5);
  const Values g(dimension, 1.0);
  const Values expected = test::times(test::explicit_matrix(pairs, dimension), g);
  std::swap(pairs[0], pairs[1]);
  EXPECT_GT(relative_distance(product_after<TypeParam>(pairs, 5, g), expected), 1e-3);
}

// The secant equation H y = s holds for the newest pair, also if the coordinates fill several chunks.
TYPED_TEST(Pairs, OfLongVectorsMeetTheSecantEquation) {
  for (const std::size_t dimension : {std::size_t{1}, std::size_t{2048}, std::size_t{10'001}}) {
    const auto pairs = random_pairs(dimension == 1 ? 1 : 7, dimension, 3);
    EXPECT_LT(relative_distance(product_after<TypeParam>(pairs, 4, pairs.back().y), pairs.back().s), tolerance);
  }
}

TYPED_TEST(Pairs, MultiplyByTheIdentityWhereThereAreNone) {
  CorrectionPairs<TypeParam> memory(3, memory_of(2));
  EXPECT_EQ(multiply(memory, {1, -2, 3}), (Values{1, -2, 3}));
  EXPECT_TRUE(add(memory, {{1, 0, 0}, {2, 0, 0}}));
  EXPECT_EQ(multiply(memory, {1, -2, 3}), (Values{0.5, -1, 1.5}));
  memory.clear();
  EXPECT_EQ(memory.size(), 0);
  EXPECT_EQ(multiply(memory, {1, -2, 3}), (Values{1, -2, 3}));
}

TYPED_TEST(Pairs, AreSkippedWhereTheyHaveNoPositiveCurvature) {
  CorrectionPairOptions options = memory_of(3);
  options.skip_up_to = 0.01;
  CorrectionPairs<TypeParam> memory(2, options);
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(add(memory, {{1, 0}, {-1, 0}}));
  EXPECT_FALSE(add(memory, {{1, 0}, {0, 1}}));
  EXPECT_FALSE(add(memory, {{1, 0}, {0, 0}})) << "a flat objective";
  EXPECT_FALSE(add(memory, {{0, 0}, {0, 0}})) << "no step";
  EXPECT_FALSE(add(memory, {{1, 0}, {0.009, 1}}));
  EXPECT_FALSE(add(memory, {{1, 0}, {nan, 1}}));
  EXPECT_FALSE(add(memory, {{infinity, 0}, {1, 1}}));
  EXPECT_EQ(memory.size(), 0);
  EXPECT_TRUE(add(memory, {{1, 0}, {0.011, 1}}));
  EXPECT_EQ(memory.size(), 1);
  EXPECT_EQ(memory.counts().skipped, 7);
  EXPECT_EQ(memory.counts().stored, 1);
  EXPECT_EQ(memory.counts().damped, 0);
}

// After damping, the cosine measured with ‖s‖ and the previous ‖y‖ is the requested one.
TYPED_TEST(Pairs, AreDampedToTheCosineAskedFor) {
  CorrectionPairOptions options = memory_of(5);
  options.damp_below = 0.2;
  CorrectionPairs<TypeParam> memory(2, options);
  for (const Values& y : {Values{-3, 4}, Values{0, 5}, Values{0.9, std::sqrt(25 - 0.81)}}) {
    EXPECT_TRUE(add(memory, {{2, 0}, y}));
    const CorrectionPair stored = memory.to_host().back();
    EXPECT_NEAR(static_cast<double>(test::inner_product(stored.s, stored.y)), 0.2 * 2 * 5, 1e-14);
  }
  EXPECT_EQ(memory.counts().damped, 3);
  EXPECT_TRUE(add(memory, {{2, 0}, {1.1, 4}}));
  EXPECT_EQ(memory.to_host().back().y, (Values{1.1, 4}));
  EXPECT_FALSE(add(memory, {{2, 0}, {0, 0}}));
  EXPECT_EQ(memory.counts().damped, 3);
  EXPECT_EQ(memory.counts().stored, 4);
  EXPECT_EQ(memory.counts().skipped, 1);
}

TYPED_TEST(Pairs, ComeBackWithTheSameBits) {
  constexpr std::size_t dimension = 3000;
  const auto pairs = random_pairs(9, dimension, 8);
  CorrectionPairs<TypeParam> memory(dimension, memory_of(4)), other(dimension, memory_of(4));
  for (const CorrectionPair& pair : pairs) add(memory, pair);
  const auto saved = memory.to_host();
  ASSERT_EQ(saved.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(saved[i].s, pairs[i + 5].s);
    EXPECT_EQ(saved[i].y, pairs[i + 5].y);
  }
  other.restore(TypeParam(), saved);
  EXPECT_EQ(multiply(other, pairs[0].s), multiply(memory, pairs[0].s));
  EXPECT_EQ(other.counts().stored, 0);
}

// The host forms all sums in one order, whatever the number of threads.
TYPED_TEST(Pairs, MultiplyAlikeOnEveryBackend) {
  constexpr std::size_t dimension = 5001;
  const auto pairs = random_pairs(6, dimension, 9);
  const Values here = product_after<TypeParam>(pairs, 5, pairs[0].s);
  const Values there = product_after<SerialOrHost>(pairs, 5, pairs[0].s);
  if (runs_on_host<TypeParam>) {
    EXPECT_EQ(here, there);
  } else {
    EXPECT_LT(relative_distance(here, there), tolerance);
  }
}

TEST(PairOptions, AreRefusedWhereTheyCannotBeCarriedOut) {
  const auto with = [](std::int64_t memory, double skip, double damp) {
    return test::refusal([&] { check(CorrectionPairOptions{memory, skip, damp}); });
  };
  EXPECT_EQ(with(1, 0, 0), "none");
  EXPECT_EQ(with(0, 0, 0), "memory is 0, expected from 1 to 10000 pairs");
  EXPECT_EQ(with(1, -1, 0), "cosine up to which pairs are skipped is -1, expected a number of at least 0 and below 1");
  EXPECT_EQ(with(1, 0, 1), "cosine below which pairs are damped is 1, expected a number of at least 0 and below 1");
}

TEST(PairOptions, AndSavedPairsAreRefusedWhereTheyDoNotFit) {
  const auto restore = [](const std::vector<CorrectionPair>& pairs) {
    return test::refusal([&] { CorrectionPairs<SerialOrHost>(2, memory_of(1)).restore(SerialOrHost(), pairs); });
  };
  const CorrectionPair good{{1, 0}, {1, 0}};
  EXPECT_EQ(restore({good}), "none");
  EXPECT_EQ(restore({good, good}), "number of correction pairs is 2, expected at most the memory, 1");
  EXPECT_EQ(restore({{{1, 0}, {1}}}), "dimension of the correction pair is 1, expected that of the problem, 2");
}

}  // namespace correction_pairs_tests
