// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pre-generated draws have the same bits whichever thread makes them, and whenever. Host threads act as the lanes.
#include <sporos/core/random/philox.hpp>
#include <sporos/core/sampling/inputs.hpp>
#include <sporos/core/sampling/queued_inputs.hpp>
#include <sporos/core/sampling/standard_variates.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace queued_inputs_tests {

using namespace sporos;

constexpr std::uint64_t seed = 7, replication = 123;
constexpr int lane = 5;
enum Input { gap, service, choice, input_count };

// Philox with blocks of `size` draws, which counts the blocks that each thread computes.
template <int size>
struct Counted {
  static constexpr int draws_per_block = size;
  static inline thread_local std::int64_t blocks = 0;

  static Kokkos::Array<std::uint64_t, size> block(const Stream& stream, std::uint64_t b) {
    ++blocks;
    Kokkos::Array<std::uint64_t, size> draws;
    for (int i = 0; i < size; i += 2) {
      const auto two = Philox4x32::block(stream, b * (size / 2) + i / 2);
      draws[i] = two[0];
      draws[i + 1] = two[1];
    }
    return draws;
  }
};

// Draws as a model does: from inputs in no fixed order, in three forms, one of which replaces another at times.
template <class Inputs>
std::vector<double> draw_all(Inputs& inputs, int draws) {
  std::vector<double> values;
  for (int i = 0; i < draws; ++i) {
    const double u = inputs(choice);
    values.push_back(u);
    if (u < 0.6) values.push_back(inputs(gap).template as<StandardExponential>());
    if (i % 97 < 90) {
      values.push_back(inputs(service).template as<StandardNormal>());
    } else {
      values.push_back(inputs(service));
    }
    if (i % 50 == 0) std::this_thread::yield();
  }
  return values;
}

template <class Engine>
std::vector<double> expected(int draws) {
  Inputs<impl::EngineProducer<Engine, impl::HostLookahead>, input_count> inputs({}, seed, replication, {});
  return draw_all(inputs, draws);
}

// A replication of `lane` and the thread that makes its draws.
template <class Engine>
struct Team {
  using Inputs = impl::QueuedInputs<Engine, input_count>;
  using Queues = typename Inputs::Queues;

  std::unique_ptr<Queues> queues = std::make_unique<Queues>();
  std::jthread maker;

  explicit Team(bool has_maker) {
    queues->clear(lane);
    if (!has_maker) return;
    maker = std::jthread([&all = *queues] { impl::make_draws<Engine, input_count>(all, lane, seed, replication); });
  }
  ~Team() { queues->end(lane); }

  Inputs inputs() { return Inputs(*queues, lane, seed, replication); }

  bool has(int input, std::uint64_t draw) const {
    const auto place = draw % Queues::length * impl::warp_lanes + lane;
    return impl::load_in_team(queues->variates[input][place]).first >> 32 == impl::mark_of_draw(draw);
  }
};

template <class Engine>
class QueuedInputs : public ::testing::Test {};
using Engines = ::testing::Types<Philox4x32, Philox4x64, Counted<2>, Counted<16>>;
TYPED_TEST_SUITE(QueuedInputs, Engines);

TYPED_TEST(QueuedInputs, HaveTheBitsOfOthersWhereverDrawsAreMade) {
  constexpr int draws = 5000;
  const auto wanted = expected<TypeParam>(draws);
  for (const bool has_maker : {false, true}) {
    Team<TypeParam> team(has_maker);
    auto inputs = team.inputs();
    EXPECT_EQ(draw_all(inputs, draws), wanted) << (has_maker ? "made ahead" : "made where they are drawn");
  }
}

TYPED_TEST(QueuedInputs, LeaveTheLanesBesideAlone) {
  Team<TypeParam> team(true);
  auto inputs = team.inputs();
  draw_all(inputs, 500);
  for (int input = 0; input < input_count; ++input) {
    for (unsigned i = 0; i < Team<TypeParam>::Queues::length * impl::warp_lanes; ++i) {
      const bool is_own = i % impl::warp_lanes == lane;
      EXPECT_TRUE(is_own || team.queues->variates[input][i].first == 0) << i;
    }
  }
}

// The maker learns the form from the first draw and starts a few draws after it. The replication waits for these draws,
// and then makes no draw itself.
TEST(MadeAhead, DrawsComeFromTheQueue) {
  using Engine = Counted<2>;
  for (const bool has_maker : {true, false}) {
    Team<Engine> team(has_maker);
    auto inputs = team.inputs();
    constexpr std::uint64_t first_made = 2 * Team<Engine>::Queues::at_once;
    const auto wait_for = [&](std::uint64_t draw) {
      while (has_maker && !team.has(gap, draw)) std::this_thread::yield();
    };
    inputs(gap).as<StandardExponential>();
    wait_for(first_made);
    for (std::uint64_t draw = 1; draw < first_made; ++draw) inputs(gap).as<StandardExponential>();
    const std::int64_t blocks_before = Engine::blocks;
    for (std::uint64_t draw = first_made; draw < 200; ++draw) {
      wait_for(draw);
      inputs(gap).as<StandardExponential>();
    }
    EXPECT_EQ(Engine::blocks - blocks_before, has_maker ? 0 : 200 - static_cast<std::int64_t>(first_made));
  }
}

// A form that the maker does not support.
struct Square {
  static constexpr unsigned index = 3;
  static double from_open_uniform(double u) { return u * u; }
};

TEST(MadeAhead, DrawsOfOtherFormsAreMadeWhereTheyAreDrawn) {
  Team<Philox4x32> team(true), separate(false);
  auto inputs = team.inputs(), uniforms = separate.inputs();
  for (int i = 0; i < 500; ++i) {
    const double u = uniforms(gap);
    EXPECT_EQ(inputs(gap).as<Square>(), u * u) << i;
    if (i % 50 == 0) std::this_thread::yield();
  }
}

// Words of two draws, as a reader may see them while they are overwritten.
TEST(MadeAhead, WordsOfTwoDrawsAreNotMixed) {
  Team<Philox4x32> team(false);
  auto inputs = team.inputs();
  const std::vector<double> wanted = [] {
    Team<Philox4x32> separate(false);
    auto all = separate.inputs();
    std::vector<double> values;
    for (int i = 0; i < 3; ++i) values.push_back(all(gap).as<StandardExponential>());
    return values;
  }();
  const auto word = [](std::uint64_t draw, std::uint32_t half) {
    return std::uint64_t{impl::mark_of_draw(draw)} << 32 | half;
  };
  auto* const ring = &team.queues->variates[gap][lane];
  constexpr std::uint32_t high = 0x3ff80000;  // upper half of 1.5
  EXPECT_EQ(inputs(gap).as<StandardExponential>(), wanted[0]);
  ring[1 * impl::warp_lanes] = {word(1, high), word(17, 0)};
  EXPECT_EQ(inputs(gap).as<StandardExponential>(), wanted[1]);
  ring[2 * impl::warp_lanes] = {word(18, high), word(2, 0)};
  EXPECT_EQ(inputs(gap).as<StandardExponential>(), wanted[2]);
  ring[3 * impl::warp_lanes] = {word(3, high), word(3, 0)};
  EXPECT_EQ(inputs(gap).as<StandardExponential>(), 1.5) << "control: both words of the draw";
}

}  // namespace queued_inputs_tests
