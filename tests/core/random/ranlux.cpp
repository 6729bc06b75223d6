// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks RANLUX bit for bit against Boost.Random, and against the values in the C++ standard.
#include <sporos/core/random/ranlux.hpp>

#include <gtest/gtest.h>

#include <boost/random/discard_block.hpp>
#include <boost/random/ranlux.hpp>
#include <boost/random/subtract_with_carry.hpp>

#include <cstdint>
#include <random>
#include <vector>

namespace ranlux_tests {

using namespace sporos;

using Boost24 = boost::random::subtract_with_carry_engine<std::uint32_t, 24, 10, 24>;
using Boost48 = boost::random::subtract_with_carry_engine<std::uint64_t, 48, 5, 12>;

// State filled from 32-bit words as in Boost and in the C++ standard: each word of the state takes as many of them as
// it needs, the lower ones first.
template <class Base>
typename Base::State state_of(const std::vector<std::uint32_t>& words) {
  constexpr std::size_t parts = (Base::bits + 31) / 32;
  typename Base::State state = {};
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto part = static_cast<typename Base::WordType>(words[i]);
    state[static_cast<int>(i / parts)] |= static_cast<typename Base::WordType>(part << 32 % Base::bits * (i % parts));
  }
  return state;
}

template <class Base>
constexpr std::size_t seed_words = Base::state*((Base::bits + 31) / 32);

template <class Ours, class Base, class Theirs>
void expect_equal_to_boost() {
  std::mt19937 any(13);
  for (int i = 0; i < 20; ++i) {
    std::vector<std::uint32_t> words(seed_words<Base>);
    for (auto& word : words) word = i == 0 ? 0 : i == 1 ? ~0u : static_cast<std::uint32_t>(any());
    if (i == 2) words.end()[-1] = words.end()[-2] = 0;  // the carry is set
    auto first = words.begin();
    Theirs theirs(first, words.end());
    Ours ours(state_of<Base>(words));
    for (int draw = 0; draw < 2000; ++draw) ASSERT_EQ(ours.next(), theirs()) << "seeds " << i << ", draw " << draw;
  }
}

TEST(SubtractWithCarry, EqualsBoostBitForBit) {
  expect_equal_to_boost<SubtractWithCarry24, SubtractWithCarry24, Boost24>();
  expect_equal_to_boost<SubtractWithCarry48, SubtractWithCarry48, Boost48>();
}

template <class Base>
void expect_discard_equals_steps() {
  Base engine(state_of<Base>(std::vector<std::uint32_t>(seed_words<Base>, 4711)));
  for (int count = 0; count < 120; ++count) {
    Base stepped = engine;
    for (int i = 0; i < count; ++i) stepped.next();
    engine.discard(count);
    Base copy = engine;
    for (int i = 0; i < 2 * Base::state; ++i) ASSERT_EQ(copy.next(), stepped.next()) << count;
  }
}

TEST(SubtractWithCarry, DiscardsAsManyAsItIsTold) {
  expect_discard_equals_steps<SubtractWithCarry24>();
  expect_discard_equals_steps<SubtractWithCarry48>();
}

template <class Ours>
struct Shape;
template <class B, int b, int k>
struct Shape<Ranlux<B, b, k>> {
  using Base = B;
  static constexpr int block = b, kept = k;
};

template <class Ours, class BoostBase>
void expect_level_equals_boost() {
  using S = Shape<Ours>;
  expect_equal_to_boost<Ours, typename S::Base, boost::random::discard_block_engine<BoostBase, S::block, S::kept>>();
}

TEST(Ranlux, LuxuryLevelsEqualBoostBitForBit) {
  expect_level_equals_boost<Ranlux24_0, Boost24>();
  expect_level_equals_boost<Ranlux24_1, Boost24>();
  expect_level_equals_boost<Ranlux24_2, Boost24>();
  expect_level_equals_boost<Ranlux48_0, Boost48>();
  expect_level_equals_boost<Ranlux48_1, Boost48>();
  expect_level_equals_boost<Ranlux48_2, Boost48>();
}

using StandardRanlux24 = Ranlux<SubtractWithCarry24, 223, 23>;
using StandardRanlux48 = Ranlux<SubtractWithCarry48, 389, 11>;

TEST(Ranlux, BoostsNamedOnesAreInstances) {
  expect_equal_to_boost<Ranlux<SubtractWithCarry24, 223, 24>, SubtractWithCarry24, boost::random::ranlux3>();
  expect_equal_to_boost<Ranlux<SubtractWithCarry24, 389, 24>, SubtractWithCarry24, boost::random::ranlux4>();
  expect_equal_to_boost<StandardRanlux24, SubtractWithCarry24, boost::random::ranlux24>();
  expect_equal_to_boost<StandardRanlux48, SubtractWithCarry48, boost::random::ranlux48>();
}

// The 10 000th output of a default-constructed engine, which [rand.predef] of the C++ standard specifies.
template <class Ours, class Base>
std::uint64_t ten_thousandth() {
  std::linear_congruential_engine<std::uint32_t, 40014, 0, 2147483563> fill(19780503);
  std::vector<std::uint32_t> words(seed_words<Base>);
  for (auto& word : words) word = static_cast<std::uint32_t>(fill());
  Ours engine(state_of<Base>(words));
  for (int i = 1; i < 10000; ++i) engine.next();
  return engine.next();
}

TEST(Ranlux, GivesTheStandardsValues) {
  EXPECT_EQ((ten_thousandth<SubtractWithCarry24, SubtractWithCarry24>()), 7937952u);
  EXPECT_EQ((ten_thousandth<SubtractWithCarry48, SubtractWithCarry48>()), 61839128582725u);
  EXPECT_EQ((ten_thousandth<StandardRanlux24, SubtractWithCarry24>()), 9901578u);
  EXPECT_EQ((ten_thousandth<StandardRanlux48, SubtractWithCarry48>()), 249142670248501u);
}

TEST(Ranlux, ADrawIsTheTop64BitsOfItsWords) {
  Ranlux24_0 engine24 = Ranlux24_0::of_stream({1, 2, 3}), copy24 = engine24;
  Ranlux48_0 engine48 = Ranlux48_0::of_stream({1, 2, 3}), copy48 = engine48;
  for (int i = 0; i < 20; ++i) {
    const std::uint64_t a = copy24.next(), b = copy24.next(), c = copy24.next();
    EXPECT_EQ(engine24.next_draw(), a << 40 | b << 16 | c >> 8);
    const std::uint64_t d = copy48.next(), e = copy48.next();
    EXPECT_EQ(engine48.next_draw(), d << 16 | e >> 32);
  }
}

}  // namespace ranlux_tests
