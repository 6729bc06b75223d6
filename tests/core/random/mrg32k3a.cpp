// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks MRG32k3a against the results that its authors publish with their package RngStreams, and its jumps against
// matrices of Boost's multiprecision integers.
#include <sporos/core/random/mrg32k3a.hpp>

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>

#include <array>
#include <cstdint>
#include <random>

namespace mrg32k3a_tests {

using namespace sporos;
using boost::multiprecision::cpp_int;
using Words = std::array<std::uint32_t, 6>;

constexpr std::uint64_t m1 = 4294967087, m2 = 4294944443;
constexpr Words package_seed = {12345, 12345, 12345, 12345, 12345, 12345};

Mrg32k3a engine_of(const Words& words) {
  Mrg32k3a::State state = {};
  for (int i = 0; i < 6; ++i) state[i] = words[static_cast<std::size_t>(i)];
  return Mrg32k3a(state);
}

Words words_of(const Mrg32k3a& engine) {
  const auto state = engine.words();
  return {state[0], state[1], state[2], state[3], state[4], state[5]};
}

Words words_after_jump(const Words& seed, std::uint64_t streams, std::uint32_t substreams) {
  Mrg32k3a engine = engine_of(seed);
  engine.jump(streams, substreams);
  return words_of(engine);
}

double published_uniform(Mrg32k3a& engine) {
  const std::uint32_t z = engine.next();
  return static_cast<double>(z == 0 ? m1 : z) / static_cast<double>(m1 + 1);
}

Words any_words(std::mt19937_64& any) {
  Words words;
  for (std::size_t i = 0; i < 6; ++i) words[i] = static_cast<std::uint32_t>(any() % (i < 3 ? m1 : m2));
  return words;
}

TEST(Mrg32k3a, GivesThePublishedUniforms) {
  Mrg32k3a first = engine_of(package_seed);
  for (const double u : {0.127011122046577, 0.318527565396794, 0.309186015583270}) {
    EXPECT_NEAR(published_uniform(first), u, 1e-15);
  }
  Mrg32k3a third = engine_of(package_seed);
  third.jump(2, 0);
  double sum = 0;
  Mrg32k3a copy = third;
  published_uniform(copy);  // the published sum starts with the second uniform
  for (int i = 0; i < 100; ++i) sum += published_uniform(copy);
  EXPECT_NEAR(sum, 53.98590159232, 1e-11);
  for (const double u : {0.7285097861965, 0.9655872822837, 0.9961841304801, 0.1149884161813, 0.9731454191297}) {
    EXPECT_NEAR(published_uniform(third), u, 1e-13);
  }
}

TEST(Mrg32k3a, GivesThePublishedStates) {
  Mrg32k3a first = engine_of(package_seed);
  for (int i = 0; i < 35; ++i) first.next();
  EXPECT_EQ(words_of(first), (Words{1040577685, 3747037609, 277208355, 1712706441, 627445683, 2408037141}));
  EXPECT_NEAR(published_uniform(first), 0.07941673614985, 1e-14);
}

TEST(Mrg32k3a, StreamsStartWhereThePublishedOnesDo) {
  EXPECT_EQ(words_after_jump(package_seed, 0, 0), package_seed);
  EXPECT_EQ(words_after_jump(package_seed, 1, 0),
            (Words{3692455944, 1366884236, 2968912127, 335948734, 4161675175, 475798818}));
  EXPECT_EQ(words_after_jump(package_seed, 2, 0),
            (Words{1015873554, 1310354410, 2249465273, 994084013, 2912484720, 3876682925}));
  const Words ones = {1, 1, 1, 1, 1, 1};
  EXPECT_EQ(words_after_jump(ones, 1, 0),
            (Words{2662865579, 741857976, 4206142246, 3352832365, 2519202871, 655500294}));
  EXPECT_EQ(words_after_jump(ones, 2, 0), (Words{3784663252, 802042081, 160569404, 3391851556, 2150317468, 54240022}));
  EXPECT_EQ(words_after_jump(ones, 3, 0), (Words{3276123839, 3170955788, 1470482105, 884064067, 1017894425, 16401881}));
}

TEST(Mrg32k3a, SubstreamsStartWhereThePublishedOnesDo) {
  Mrg32k3a engine = engine_of(package_seed);
  engine.jump(2, 4);
  for (const double u : {0.1734545396358, 0.03286351608942, 0.2643169129682, 0.3059403602117, 0.5476303035177}) {
    EXPECT_NEAR(published_uniform(engine), u, 1e-13);
  }
}

TEST(Mrg32k3a, SmallJumpsAreThatManySteps) {
  static constexpr auto jumps = impl::mrg32k3a::jumps<0, 14>();
  std::mt19937_64 any(5);
  for (int k = 0; k < 14; ++k) {
    const Words words = any_words(any);
    Mrg32k3a engine = engine_of(words);
    for (int step = 0; step < 1 << k; ++step) engine.next();
    Words jumped = words;
    impl::mrg32k3a::apply(jumps.first[k], m1, jumped[0], jumped[1], jumped[2]);
    impl::mrg32k3a::apply(jumps.second[k], m2, jumped[3], jumped[4], jumped[5]);
    EXPECT_EQ(jumped, words_of(engine)) << "2^" << k << " steps";
  }
}

using Matrix = std::array<std::array<cpp_int, 3>, 3>;

Matrix product(const Matrix& a, const Matrix& b, std::uint64_t m) {
  Matrix result;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      result[i][j] = (a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j]) % m;
    }
  }
  return result;
}

Matrix power(Matrix a, cpp_int exponent, std::uint64_t m) {
  Matrix result = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result = product(result, a, m);
    a = product(a, a, m);
  }
  return result;
}

Words words_by_multiprecision(const Words& words, const cpp_int& steps) {
  const Matrix a = power({{{0, 1, 0}, {0, 0, 1}, {m1 - 810728, 1403580, 0}}}, steps, m1);
  const Matrix b = power({{{0, 1, 0}, {0, 0, 1}, {m2 - 1370589, 0, 527612}}}, steps, m2);
  Words result;
  for (std::size_t i = 0; i < 3; ++i) {
    result[i] = static_cast<std::uint32_t>((a[i][0] * words[0] + a[i][1] * words[1] + a[i][2] * words[2]) % m1);
    result[3 + i] = static_cast<std::uint32_t>((b[i][0] * words[3] + b[i][1] * words[4] + b[i][2] * words[5]) % m2);
  }
  return result;
}

TEST(Mrg32k3a, JumpsEqualMultiprecisionMatrices) {
  std::mt19937_64 any(6);
  for (int i = 0; i < 40; ++i) {
    const Words words = any_words(any);
    const std::uint64_t streams = any() >> any() % 64;
    const auto substreams = static_cast<std::uint32_t>((any() >> 32) >> any() % 32);
    const cpp_int steps = (cpp_int(streams) << 127) + (cpp_int(substreams) << 76);
    EXPECT_EQ(words_after_jump(words, streams, substreams), words_by_multiprecision(words, steps))
        << "streams " << streams << ", substreams " << substreams;
  }
}

TEST(Mrg32k3a, AStreamIsASubstreamOfItsReplication) {
  Mrg32k3a base = Mrg32k3a::of_stream({99, 0, 0});
  base.jump(1234567, 89);
  EXPECT_EQ(words_of(Mrg32k3a::of_stream({99, 1234567, 89})), words_of(base));
  EXPECT_NE(words_of(Mrg32k3a::of_stream({98, 1234567, 89})), words_of(base));
}

TEST(Mrg32k3a, BringsStatesIntoRange) {
  EXPECT_EQ(words_of(engine_of({0, 0, 0, 0, 0, 0})), (Words{1, 0, 0, 1, 0, 0}));
  constexpr auto n1 = static_cast<std::uint32_t>(m1), n2 = static_cast<std::uint32_t>(m2);
  EXPECT_EQ(words_of(engine_of({n1, n1, n1, n2, n2, n2})), (Words{1, 0, 0, 1, 0, 0}));
  EXPECT_EQ(words_of(engine_of({0, ~0u, 0, 0, 0, ~0u})), (Words{0, 208, 0, 0, 0, 22852}));
}

TEST(Mrg32k3a, StretchesItsOutputsOverAll64Bits) {
  EXPECT_EQ(Mrg32k3a::stretch(0), 0u);
  EXPECT_EQ(Mrg32k3a::stretch(m1 * m1 - 1), ~0ull - 1);
  std::mt19937_64 any(8);
  for (int i = 0; i < 10000; ++i) {
    // For every other x, the step to x + 1 carries into the upper half of x.
    std::uint64_t x = any() % (m1 * m1 - 1);
    if (i % 2 == 0) x |= 0xffffffffu;
    if (x >= m1 * m1 - 1) continue;
    const std::uint64_t stretched = Mrg32k3a::stretch(x);
    EXPECT_LT(stretched, Mrg32k3a::stretch(x + 1));
    const cpp_int exact = (cpp_int(x) << 64) / (cpp_int(m1) * m1);
    EXPECT_LE(stretched, exact);
    EXPECT_GE(stretched + 2, exact);
  }
}

TEST(Mrg32k3a, ADrawIsTwoOutputsTheEarlierOnTop) {
  Mrg32k3a engine = Mrg32k3a::of_stream({1, 2, 3}), copy = engine;
  const std::uint64_t high = copy.next(), low = copy.next();
  EXPECT_EQ(engine.next_draw(), Mrg32k3a::stretch(high * m1 + low));
}

}  // namespace mrg32k3a_tests
