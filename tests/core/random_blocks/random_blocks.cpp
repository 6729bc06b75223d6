// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/serial_or_host.hpp"

#include <core/random/engine_cases.hpp>

#include <harness/backends.hpp>
#include <harness/memory_limit.hpp>
#include <harness/refusal.hpp>

#include <sporos/core/random/engine.hpp>
#include <sporos/core/random/uniform.hpp>
#include <sporos/core/random_blocks/random_blocks.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace random_blocks_tests {

using namespace sporos;
using namespace std::chrono_literals;
using test::SerialOrHost;

constexpr std::uint64_t seed = 2024;

static_assert(std::uniform_random_bit_generator<BlockConsumer>);

std::vector<std::uint64_t> taken(BlockConsumer& consumer, std::size_t count) {
  std::vector<std::uint64_t> draws(count);
  for (auto& draw : draws) draw = consumer();
  return draws;
}

// Draws of replication `number` as a kernel computes them in place. They are the expected values.
template <class E>
std::vector<std::uint64_t> in_place(std::uint64_t number, std::size_t count, std::uint32_t lane_count = 4096) {
  std::vector<std::uint64_t> draws;
  if constexpr (CounterEngine<E>) {
    for (std::uint64_t b = 0; draws.size() < count; ++b) {
      for (int i = 0; i < E::draws_per_block; ++i) draws.push_back(E::block({seed, number, 0}, b)[i]);
    }
  } else {
    std::vector<E> lanes;
    for (std::uint32_t lane = 0; lane < lane_count; ++lane) lanes.push_back(E::of_stream({seed, number, lane}));
    while (draws.size() < count) draws.push_back(lanes[draws.size() % lane_count].next_draw());
  }
  draws.resize(count);
  return draws;
}

// Number of threads of this process. The system needs a moment to remove a joined thread. Therefore this counts again,
// up to 1000 times, until the number is `expected`.
int threads_of_process(int expected) {
  using std::filesystem::directory_iterator;
  int count = 0;
  for (int look = 0; look < 1000; ++look) {
    count = static_cast<int>(std::distance(directory_iterator("/proc/self/task"), directory_iterator()));
    if (count == expected) break;
    std::this_thread::sleep_for(1ms);
  }
  return count;
}

template <class Space>
class Blocks : public ::testing::Test {};
TYPED_TEST_SUITE(Blocks, test::Backends, test::BackendName);

TYPED_TEST(Blocks, GiveTheDrawsOfKernelsWhateverTheirSizeAndNumber) {
  const auto expected = in_place<Philox4x32>(7, 3000);
  for (const std::int64_t size : {1, 64, 1000, 5000}) {
    for (const int buffers : {2, 5}) {
      for (const int producers : {0, 1, 3}) {
        RandomBlocks<TypeParam> blocks(seed, {size, buffers, producers});
        auto consumer = blocks.consumer(7);
        EXPECT_EQ(taken(consumer, expected.size()), expected) << size << ", " << buffers << ", " << producers;
      }
    }
  }
}

template <class Space, class E>
void expect_draws_of_kernels() {
  constexpr std::size_t count = 20'000;
  RandomBlocks<Space, E> blocks(seed, {4096, 3, 2});
  for (const std::uint64_t number : {0u, 5u}) {
    auto consumer = blocks.consumer(number);
    EXPECT_EQ(taken(consumer, count), (in_place<E>(number, count)));
  }
}

TYPED_TEST(Blocks, ComeFromAnyEngine) {
  expect_draws_of_kernels<TypeParam, Philox4x64>();
  expect_draws_of_kernels<TypeParam, Philox4x32_7>();
  expect_draws_of_kernels<TypeParam, Taus88>();
  expect_draws_of_kernels<TypeParam, Mrg32k3a>();
  expect_draws_of_kernels<TypeParam, Ranlux24_0>();
  expect_draws_of_kernels<TypeParam, Ranlux24_1>();
  expect_draws_of_kernels<TypeParam, Ranlux24_2>();
  expect_draws_of_kernels<TypeParam, Ranlux48_2>();
}

TYPED_TEST(Blocks, TakeTheirDrawsFromAsManyLanesAsTheyAreTold) {
  constexpr std::size_t count = 3000;
  for (const std::int64_t lanes : {16, 208, 65'536}) {
    RandomBlocks<TypeParam, Ranlux24_0> blocks(seed, {1000, 2, 1, lanes});
    EXPECT_EQ(blocks.block_size() % lanes, 0);
    auto consumer = blocks.consumer(3);
    EXPECT_EQ(taken(consumer, count), in_place<Ranlux24_0>(3, count, static_cast<std::uint32_t>(lanes))) << lanes;
  }
}

TYPED_TEST(Blocks, DoNotDependOnTheSizeOfAWorkGroup) {
  constexpr std::size_t count = 3000;
  const auto expected = in_place<Ranlux24_0>(3, count, 208);
  for (const int size : {1, 32, 80, 96}) {
    RandomBlocks<TypeParam, Ranlux24_0> blocks(seed, {1000, 2, 1, 208, size});
    auto consumer = blocks.consumer(3);
    EXPECT_EQ(taken(consumer, count), expected) << size;
  }
}

// Stages of the blocks of one consumer.
class SeenStages : public BlockObserver {
 public:
  void reaches(BlockStage stage, std::uint64_t, std::int64_t block) override {
    const std::lock_guard lock(m_mutex);
    m_stages[block].push_back(stage);
  }
  const std::map<std::int64_t, std::vector<BlockStage>>& stages() const { return m_stages; }

 private:
  std::mutex m_mutex;
  std::map<std::int64_t, std::vector<BlockStage>> m_stages;
};

TYPED_TEST(Blocks, ReportTheirStagesInOrder) {
  const std::vector<BlockStage> all = {BlockStage::computing, BlockStage::copying, BlockStage::ready,
                                       BlockStage::consuming, BlockStage::returned};
  SeenStages seen;
  {
    RandomBlocks<TypeParam> blocks(seed, {64, 2, 2, 4096, 0, &seen});
    auto consumer = blocks.consumer(3);
    taken(consumer, 300);
  }
  ASSERT_GE(seen.stages().size(), 5u);
  for (const auto& [block, stages] : seen.stages()) {
    const std::size_t reached = block < 5 ? all.size() : std::min<std::size_t>(stages.size(), 3);
    EXPECT_EQ(stages, std::vector<BlockStage>(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(reached)))
        << block;
  }
}

TYPED_TEST(Blocks, DoNotDependOnWhoElseConsumes) {
  RandomBlocks<TypeParam, Ranlux24_0> blocks(seed, {4096, 2, 2});
  constexpr std::size_t count = 30'000;
  std::vector<std::vector<std::uint64_t>> found(5);
  std::vector<std::thread> threads;
  for (std::size_t number = 0; number < found.size(); ++number) {
    threads.emplace_back([&, number] {
      auto consumer = blocks.consumer(number);
      for (std::size_t i = 0; i < count; ++i) {
        found[number].push_back(consumer());
        if (i % (1000 * (number + 1)) == 0) std::this_thread::sleep_for(100us);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  for (std::size_t number = 0; number < found.size(); ++number) {
    EXPECT_EQ(found[number], in_place<Ranlux24_0>(number, count)) << number;
  }
}

TYPED_TEST(Blocks, FeedOtherLibrariesDistributions) {
  RandomBlocks<TypeParam> blocks(seed);
  auto consumer = blocks.consumer(1);
  EXPECT_EQ(consumer.next(), open_uniform(in_place<Philox4x32>(1, 1)[0]));
  std::normal_distribution<double> normal(5, 2);
  constexpr int count = 100'000;
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += normal(consumer);
  EXPECT_NEAR(sum / count, 5, 4 * 2 / std::sqrt(count));  // fails with a probability of 6e-5 for a random seed
  std::vector<int> order(100), sorted(100);
  std::iota(order.begin(), order.end(), 0);
  sorted = order;
  std::shuffle(order.begin(), order.end(), consumer);
  EXPECT_NE(order, sorted);
  EXPECT_TRUE(std::is_permutation(order.begin(), order.end(), sorted.begin()));
}

TYPED_TEST(Blocks, BeginWithTheFirstConsumerAndEndWithTheLast) {
  // This starts the threads that a device's runtime starts for itself.
  { RandomBlocks<TypeParam>(seed).consumer(0)(); }
  const int before = threads_of_process(0);
  RandomBlocks<TypeParam> blocks(seed, {64, 2, 2});
  EXPECT_EQ(threads_of_process(before), before);
  for (int round = 0; round < 3; ++round) {
    std::optional<BlockConsumer> first(blocks.consumer(1)), second(blocks.consumer(2));
    EXPECT_EQ(threads_of_process(before + 2), before + 2);
    EXPECT_EQ(taken(*first, 100), in_place<Philox4x32>(1, 100));
    first.reset();
    EXPECT_EQ(threads_of_process(before + 2), before + 2);
    EXPECT_EQ(taken(*second, 100), in_place<Philox4x32>(2, 100));
    second.reset();
    EXPECT_EQ(threads_of_process(before), before);
  }
}

TYPED_TEST(Blocks, OutliveTheirFactory) {
  std::optional<RandomBlocks<TypeParam>> blocks(std::in_place, seed, BlockOptions{64, 2, 1});
  auto consumer = blocks->consumer(3);
  blocks.reset();
  EXPECT_EQ(taken(consumer, 1000), in_place<Philox4x32>(3, 1000));
}

TYPED_TEST(Blocks, AreNotHeldUpByConsumersThatThrow) {
  RandomBlocks<TypeParam> blocks(seed, {64, 2, 1});
  auto survivor = blocks.consumer(0);
  std::vector<std::thread> threads;
  for (std::uint64_t number = 1; number < 9; ++number) {
    threads.emplace_back([&, number] {
      try {
        auto consumer = blocks.consumer(number);
        taken(consumer, 50 * number);
        throw std::runtime_error("of the consumer");
      } catch (const std::runtime_error&) {
      }
    });
  }
  EXPECT_EQ(taken(survivor, 10'000), in_place<Philox4x32>(0, 10'000));
  for (auto& thread : threads) thread.join();
}

// Consumers start, stop, throw and move at random.
TYPED_TEST(Blocks, SurviveAnyOrderOfEvents) {
  RandomBlocks<TypeParam> blocks(seed, {32, 2, 2});
  const auto expected = in_place<Philox4x32>(0, 300);
  std::vector<std::thread> threads;
  std::vector<int> wrong(8);
  const auto end = std::chrono::steady_clock::now() + 300ms;
  for (std::uint64_t thread = 0; thread < wrong.size(); ++thread) {
    threads.emplace_back([&, thread] {
      std::mt19937_64 chance(thread);
      while (std::chrono::steady_clock::now() < end) {
        try {
          auto consumer = blocks.consumer(thread);
          auto moved = std::move(consumer);
          const std::size_t count = chance() % 300;
          const auto found = taken(moved, count);
          if (thread == 0 && !std::equal(found.begin(), found.end(), expected.begin())) ++wrong[thread];
          if (chance() % 3 == 0) throw std::runtime_error("of the consumer");
          if (chance() % 5 == 0) std::this_thread::sleep_for(50us);
        } catch (const std::runtime_error&) {
        }
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(std::accumulate(wrong.begin(), wrong.end(), 0), 0);
}

// Nothing runs while no consumer draws. Threads that spin would use as much processor time as the 0.2 s of waiting.
TYPED_TEST(Blocks, WaitAsleep) {
  RandomBlocks<TypeParam> blocks(seed, {64, 2, 2});
  auto consumer = blocks.consumer(0);
  consumer();
  std::this_thread::sleep_for(20ms);
  bool is_asleep = false;
  for (int attempt = 0; attempt < 5 && !is_asleep; ++attempt) {  // the threads may still be on their way to sleep
    const std::clock_t before = std::clock();
    std::this_thread::sleep_for(200ms);
    is_asleep = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC < 0.05;
  }
  EXPECT_TRUE(is_asleep);
}

TYPED_TEST(Blocks, RefuseBadOptionsAndNumbers) {
  using OfSpace = RandomBlocks<TypeParam>;
  EXPECT_EQ(test::refusal([] { OfSpace(seed, {0, 3, 1}); }), "block size is 0, expected at least 1");
  EXPECT_EQ(test::refusal([] { OfSpace(seed, {64, 1, 1}); }), "number of buffers is 1, expected at least 2");
  EXPECT_EQ(test::refusal([] { OfSpace(seed, {64, 2, -1}); }), "number of producers is -1, expected at least 0");
  EXPECT_EQ(test::refusal([] {
              OfSpace(seed, {std::int64_t{1} << 62, 2, 1});
            }),
            "block size is 4611686018427387904, expected less than 2^59 draws in all buffers");
  for (const std::int64_t lanes : {0, -16, 100, 1 << 17}) {
    EXPECT_EQ(test::refusal([&] {
                RandomBlocks<TypeParam, Ranlux24_0>(seed, {64, 2, 1, lanes});
              }),
              "number of lanes is " + std::to_string(lanes) + ", expected a multiple of 16 up to 65536");
  }
  for (const int size : {-1, 1025}) {
    EXPECT_EQ(test::refusal([&] {
                OfSpace(seed, {64, 2, 1, 4096, size});
              }),
              "size of a work group is " + std::to_string(size) + ", expected a number from 0 to 1024");
  }
  OfSpace blocks(seed, {63, 2, 1});
  EXPECT_EQ(blocks.block_size(), 64);
  auto consumer = blocks.consumer(4);
  EXPECT_EQ(test::refusal([&] { blocks.consumer(4); }),
            "consumer 4 of random numbers exists already, expected another number");
  EXPECT_EQ(taken(consumer, 100), in_place<Philox4x32>(4, 100));
}

TYPED_TEST(Blocks, RefuseBlocksThatDoNotFitIntoMemory) {
  const test::MemoryLimit limit("1048576");
  RandomBlocks<TypeParam> blocks(seed, {100'000, 3, 1});
  EXPECT_EQ(
      test::shortage([&] { blocks.consumer(0); }),
      "the random numbers of 300000 draws need 2.289 MiB, the host has 1 MiB free: at most 131072 draws would fit");
}

// An engine that throws after 100 blocks.
struct Breaking {
  static constexpr int draws_per_block = 1;
  static Kokkos::Array<std::uint64_t, 1> block(const Stream&, std::uint64_t b) {
    if (b >= 100) throw std::runtime_error("the engine broke");
    return {{b}};
  }
};

TEST(BlocksOfABrokenEngine, TellEveryConsumer) {
  RandomBlocks<SerialOrHost, Breaking> blocks(seed, {10, 2, 2});
  for (int round = 0; round < 2; ++round) {
    auto first = blocks.consumer(1), second = blocks.consumer(2);
    EXPECT_EQ(first(), 0u);
    EXPECT_THROW(taken(first, 200), std::runtime_error);
    EXPECT_THROW(taken(second, 200), std::runtime_error);
  }
}

// Slope of ln(spread of the means of 1024 consumers) over ln(number of draws in each mean), from five numbers of draws.
// Its standard error is 0.005. Consumers draw the same numbers again after `repeat` draws, which is the control.
double slope_of_spread(std::int64_t repeat) {
  constexpr int consumers = 1024, sizes = 5;
  double products = 0, squares = 0;
  for (int k = 0; k < sizes; ++k) {
    const std::int64_t size = std::int64_t{16} << 2 * k;
    RandomBlocks<SerialOrHost> blocks(seed + static_cast<std::uint64_t>(k), {std::min(size, repeat), 2, 1});
    const BlockConsumer another = blocks.consumer(consumers);  // keeps the producers running
    double spread = 0;
    for (std::uint64_t number = 0; number < consumers; ++number) {
      double sum = 0;
      for (std::int64_t done = 0; done < size; done += repeat) {
        auto consumer = blocks.consumer(number);
        for (std::int64_t i = 0; i < std::min(size, repeat); ++i) sum += consumer.next() - 0.5;
      }
      spread += sum * sum / static_cast<double>(size * size);
    }
    const double x = (k - 0.5 * (sizes - 1)) * std::log(4);
    products += x * 0.5 * std::log(spread / consumers);
    squares += x * x;
  }
  return products / squares;
}

TEST(BlocksOfManyConsumers, SpreadTheirMeansAsIndependentDrawsDo) {
  EXPECT_NEAR(slope_of_spread(1 << 20), -0.5, 0.02);
  EXPECT_GT(slope_of_spread(256), -0.48);
}

// Correlation of two consumers' uniforms in standard deviations. Of independent pairs, 1 in 10 000 exceeds 3.9.
double correlation(BlockConsumer first, BlockConsumer second) {
  constexpr int count = 100'000;
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += 12 * (first.next() - 0.5) * (second.next() - 0.5);
  return sum / std::sqrt(count);
}

TEST(BlocksOfManyConsumers, AreIndependentOfEachOther) {
  RandomBlocks<SerialOrHost> blocks(seed), same(seed);
  for (std::uint64_t number = 1; number < 9; ++number) {
    EXPECT_LT(std::abs(correlation(blocks.consumer(0), blocks.consumer(number))), 3.9) << number;
  }
  EXPECT_GT(correlation(blocks.consumer(0), same.consumer(0)), 100);  // control: two consumers with one stream
}

}  // namespace random_blocks_tests
