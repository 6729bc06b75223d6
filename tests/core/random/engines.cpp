// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/math/pack.hpp>
#include <sporos/core/random/block_in_lanes.hpp>
#include <sporos/core/random/engine.hpp>
#include <sporos/core/random/uniform.hpp>

#include <Random123/philox.h>
#include <gtest/gtest.h>

#include <boost/random/taus88.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace engines_tests {

using namespace sporos;

struct KnownAnswer {
  Stream stream;
  std::uint64_t block;
  std::array<std::uint64_t, 2> draws;
};

template <class E>
void expect_answers(const std::array<KnownAnswer, 3>& answers) {
  for (const auto& answer : answers) {
    const auto draws = E::block(answer.stream, answer.block);
    EXPECT_EQ(draws[0], answer.draws[0]);
    EXPECT_EQ(draws[1], answer.draws[1]);
  }
}

// Random123's kat_vectors has three known answers of philox4x32-10 and philox4x32-7: zeros, ones and digits of pi.
TEST(Philox4x32, GivesRandom123sKnownAnswers) {
  expect_answers<Philox4x32>(
      {{{{0, 0, 0}, 0, {0x6627e8d5e169c58d, 0xbc57ac4c9b00dbd8}},
        {{~0ull, ~0ull, 0xffff}, 0xffffffffffff, {0x408f276d41c83b0e, 0xa20bc7c66d5451fd}},
        {{0x299f31d0a4093822, 0x0370734413198a2e, 0x85a3}, 0x08d3243f6a88, {0xd16cfe0994fdcceb, 0x5001e42024126ea1}}}});
  expect_answers<Philox4x32_7>(
      {{{{0, 0, 0}, 0, {0x5f6fb7090d893f64, 0x4f121f814f730a48}},
        {{~0ull, ~0ull, 0xffff}, 0xffffffffffff, {0x5207ddc245165e59, 0x4d8ee7518c52f662}},
        {{0x299f31d0a4093822, 0x0370734413198a2e, 0x85a3}, 0x08d3243f6a88, {0x4dfccaba190a87f0, 0xc47362bab6b5242a}}}});
}

template <int rounds>
void expect_random123s_bits() {
  std::mt19937_64 any(7);
  for (int i = 0; i < 1000; ++i) {
    const Stream stream{any(), any(), static_cast<std::uint32_t>(any() & 0xffff)};
    const std::uint64_t b = any() >> 16;
    const r123::Philox4x32::ctr_type counter = {
        {static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(b >> 32) | stream.input << 16,
         static_cast<std::uint32_t>(stream.replication), static_cast<std::uint32_t>(stream.replication >> 32)}};
    const r123::Philox4x32::key_type key = {
        {static_cast<std::uint32_t>(stream.seed), static_cast<std::uint32_t>(stream.seed >> 32)}};
    const auto words = r123::Philox4x32_R<rounds>()(counter, key);
    const auto draws = Philox4x32OfRounds<rounds>::block(stream, b);
    EXPECT_EQ(draws[0], std::uint64_t{words[0]} << 32 | words[1]);
    EXPECT_EQ(draws[1], std::uint64_t{words[2]} << 32 | words[3]);
  }
}

TEST(Philox4x32, EqualsRandom123OnAnyStream) {
  expect_random123s_bits<10>();
  expect_random123s_bits<7>();
}

template <class E>
concept HasBlocksInLanes = requires(const Stream& stream, std::uint64_t* bits) {
  E::blocks_in_lanes(stream, bits, bits);
};

template <class E>
void expect_same_blocks_in_lanes(std::uint64_t first) {
  constexpr std::size_t lanes = Pack::lanes;
  const Stream stream{0x299f31d0a4093822, first, 0x85a3};
  std::uint64_t bits[E::draws_per_block * lanes];
  sporos::impl::block_in_lanes<E>(stream, first, bits);
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const auto block = E::block({stream.seed, first + lane, stream.input}, first);
    for (std::size_t w = 0; w < E::draws_per_block; ++w) EXPECT_EQ(bits[w * lanes + lane], block[w]) << first;
  }
  if constexpr (HasBlocksInLanes<E>) {
    std::uint64_t blocks[lanes];
    for (std::size_t lane = 0; lane < lanes; ++lane) blocks[lane] = first + 7 * lane;
    E::blocks_in_lanes(stream, blocks, bits);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const auto block = E::block(stream, blocks[lane]);
      for (std::size_t w = 0; w < E::draws_per_block; ++w) EXPECT_EQ(bits[w * lanes + lane], block[w]) << first;
    }
  }
}

TEST(BlockInLanes, HasTheBitsOfSingleBlocks) {
  static_assert(HasBlocksInLanes<Philox4x32> == sporos::impl::has_word_products);
  constexpr std::uint64_t before_carry = (std::uint64_t{1} << 32) - 3;
  for (const std::uint64_t first : {std::uint64_t{0}, before_carry, std::uint64_t{1} << 47}) {
    expect_same_blocks_in_lanes<Philox4x32>(first);
    expect_same_blocks_in_lanes<Philox4x32_7>(first);
    expect_same_blocks_in_lanes<Philox4x64>(first);
  }
}

// Compares blocks written in order, for every number of blocks around whole packs, with those computed one by one; the
// words after them are left alone.
template <CounterEngine E>
void expect_same_blocks_in_order(std::uint64_t first, std::int64_t count) {
  constexpr std::size_t width = E::draws_per_block;
  constexpr std::uint64_t untouched = 12345;
  const Stream stream{11, first, 3};
  const auto size = static_cast<std::size_t>(count);
  std::vector<std::uint64_t> in_order(width * size + 1, untouched), across[width];
  std::uint64_t* rows[width];
  for (std::size_t w = 0; w < width; ++w) {
    across[w].assign(size + 1, untouched);
    rows[w] = across[w].data();
  }
  sporos::impl::write_blocks<E>(stream, first, count, in_order.data());
  sporos::impl::write_block_across<E>(stream, first, count, rows);
  for (std::size_t i = 0; i < size; ++i) {
    const auto block = E::block(stream, first + i), of_replication = E::block({11, first + i, 3}, first);
    for (std::size_t w = 0; w < width; ++w) {
      EXPECT_EQ(in_order[width * i + w], block[w]) << first << " + " << i;
      EXPECT_EQ(across[w][i], of_replication[w]) << first << " + " << i;
    }
  }
  EXPECT_EQ(in_order.back(), untouched);
  for (const auto& row : across) EXPECT_EQ(row.back(), untouched);
}

TEST(Blocks, AreTheSameInOrder) {
  for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{5}, std::uint64_t{1} << 32 | 7}) {
    for (std::int64_t count = 0; count <= 2 * Pack::lanes + 1; ++count) {
      expect_same_blocks_in_order<Philox4x32>(first, count);
      expect_same_blocks_in_order<Philox4x64>(first, count);
    }
  }
}

TEST(Philox4x64, GivesRandom123sKnownAnswer) {
  const auto draws = Philox4x64::block({0, 0, 0}, 0);
  EXPECT_EQ(draws[0], 0x16554d9eca36314cu);
  EXPECT_EQ(draws[1], 0xdb20fe9d672d0fdcu);
  EXPECT_EQ(draws[2], 0xd7e772cee186176bu);
  EXPECT_EQ(draws[3], 0x7e68b68aec7ba23bu);
}

TEST(Philox4x64, EqualsRandom123OnAnyStream) {
  std::mt19937_64 any(7);
  for (int i = 0; i < 1000; ++i) {
    const Stream stream{any(), any(), static_cast<std::uint32_t>(any() & 0xffff)};
    const std::uint64_t b = any();
    const auto words = r123::Philox4x64()({{b, stream.input, stream.replication, 0}}, {{stream.seed, 0}});
    const auto draws = Philox4x64::block(stream, b);
    for (int draw = 0; draw < 4; ++draw) EXPECT_EQ(draws[draw], words[static_cast<std::size_t>(draw)]);
  }
}

TEST(Taus88, EqualsBoostBitForBit) {
  std::mt19937 any(11);
  for (int i = 0; i < 20; ++i) {
    std::array<std::uint32_t, 3> seeds = {static_cast<std::uint32_t>(any()), static_cast<std::uint32_t>(any()),
                                          static_cast<std::uint32_t>(any())};
    if (i < 16) seeds[i % 3] = static_cast<std::uint32_t>(i);  // too small for a valid state
    auto first = seeds.begin();
    boost::random::taus88 theirs(first, seeds.end());
    Taus88 ours(seeds[0], seeds[1], seeds[2]);
    for (int draw = 0; draw < 1000; ++draw) ASSERT_EQ(ours.next(), theirs()) << "seeds " << i << ", draw " << draw;
  }
}

TEST(OpenUniform, ExcludesBothEndsAndIsSymmetric) {
  EXPECT_EQ(open_uniform(0), 0x1p-53);
  EXPECT_EQ(open_uniform(~0ull), 1.0 - 0x1p-53);
  std::mt19937_64 any(3);
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t bits = any();
    EXPECT_EQ(open_uniform(~bits), 1.0 - open_uniform(bits));
  }
}

TEST(DesignPointSeed, DiffersForEveryPoint) {
  std::vector<std::uint64_t> seeds;
  for (std::uint64_t point = 0; point < 10000; ++point) seeds.push_back(design_point_seed(1, point));
  std::sort(seeds.begin(), seeds.end());
  EXPECT_EQ(std::adjacent_find(seeds.begin(), seeds.end()), seeds.end());
}

TEST(EngineChoice, NamesWhatThereIs) {
  for (const auto& [name, engine] : ChoiceNames<Engine>::values) {
    EXPECT_EQ(parse_choice<Engine>(name), engine);
    EXPECT_EQ(name_of(engine), name);
  }
  EXPECT_EQ(parse_choice<Engine>("ranlux24-2"), Engine::ranlux24_2);
  try {
    parse_choice<Engine>("rand");
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(error.what(), "unknown engine 'rand': expected one of " + names_of<Engine>());
  }
}

}  // namespace engines_tests
