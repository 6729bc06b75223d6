// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/backends.hpp>
#include <harness/refusal.hpp>

#include <sporos/core/random_blocks/calibration.hpp>
#include <sporos/core/random_blocks/fastest_options.hpp>
#include <sporos/core/random_blocks/model.hpp>
#include <sporos/core/random_blocks/model_fit.hpp>
#include <sporos/core/random_blocks/trial.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace model_tests {

using namespace sporos;

// A model whose kernel takes 2, plus 1 for each 10 draws. Nothing else takes time.
BlockModel plain_model() {
  BlockModel model;
  model.kernel = {2, 1, 10};
  model.processors = 1000;
  return model;
}

BlockModel device_model() {
  BlockModel model = plain_model();
  model.on_host = false;
  model.transfer = {1, 0.05};
  return model;
}

TEST(StepTime, GrowsWithGroupsAndComputeUnits) {
  // Lee (2012), Hybrid parallel computing strategies for scientific computing applications, (4.6) to (4.8): on an ATI
  // Radeon HD 5750 with 10 000 cycles and 80 processors a unit, a n + b = 2.9 ms and n t = 1.6 ms.
  const StepTime group{2.9e-3, 1.6e-3, 80};
  EXPECT_DOUBLE_EQ(group(1), 4.5e-3);
  EXPECT_DOUBLE_EQ(group(80), 4.5e-3);
  EXPECT_DOUBLE_EQ(group(81), 6.1e-3);
  EXPECT_DOUBLE_EQ(group(240), 7.7e-3);
  // (4.16): groups of 80 items on 9 units form steps of 720 items.
  const StepTime all{0, 1, 9 * 80};
  for (const std::int64_t items : {1, 719, 720, 721, 2880, 2881}) {
    const std::int64_t groups = (items + 79) / 80;
    EXPECT_EQ(all(items), static_cast<double>((groups + 8) / 9)) << items;
  }
}

TEST(BlockModel, AddsUpABlocksTime) {
  BlockModel model = device_model();
  model.handover = 0.5;
  EXPECT_EQ(model.production({20}), 2 + 2 + 1 + 1 + 0.5);
  EXPECT_EQ(model.production({21}), 2 + 3 + 1 + 21 * 0.05 + 0.5);
}

TEST(BlockModel, HasTheTwoRegimesOfThePaper) {
  const BlockModel model = plain_model();
  // A block of 20 draws takes 4. Each of two consumers takes 100 draws, which are 5 blocks. If the work is small,
  // (4.22) is in its first regime: p ⌈n/B⌉ T_RN, plus the work for the last block of 20.
  EXPECT_DOUBLE_EQ(model.time({2, 100, 0.01}, {20, 3, 1}), 2 * 5 * 4 + 20 * 0.01);
  EXPECT_TRUE(model.waits_for_producers({2, 100, 0.01}, {20, 3, 1}));
  // If the work is large, (4.22) is in its second regime: p T_RN + T_MC(n).
  EXPECT_DOUBLE_EQ(model.time({2, 100, 1}, {20, 3, 1}), 2 * 4 + 100);
  EXPECT_FALSE(model.waits_for_producers({2, 100, 1}, {20, 3, 1}));
  // 105 draws take 6 blocks, the last one with 5 draws.
  EXPECT_DOUBLE_EQ(model.time({2, 105, 0.01}, {20, 3, 1}), 2 * 6 * 4 + 5 * 0.01);
  // All draws fit into one block.
  EXPECT_DOUBLE_EQ(model.time({3, 15, 0.1}, {20, 3, 1}), 3 * 4 + 15 * 0.1);
}

TEST(BlockModel, LetsProducersOfAHostComputeAtOnce) {
  const BlockModel model = plain_model();
  EXPECT_DOUBLE_EQ(model.time({4, 100, 0}, {20, 3, 2}), 19 * 4.0 / 2 + 4);
  // A single consumer's blocks are produced one after another.
  EXPECT_DOUBLE_EQ(model.time({1, 100, 0}, {20, 3, 2}), 5 * 4);
}

TEST(BlockModel, LetsADeviceCopyBesideTheKernel) {
  const BlockModel model = device_model();  // for a block of 20 draws, the kernel takes 4 and the copy 2
  EXPECT_DOUBLE_EQ(model.time({1, 100, 0}, {20, 3, 1}), 5 * 6);
  EXPECT_DOUBLE_EQ(model.time({1, 100, 0}, {20, 3, 2}), 6 + 4 * 4);
  EXPECT_DOUBLE_EQ(model.time({1, 100, 0}, {20, 3, 0}), 6 + 4 * 4);  // 0 producers on a device mean two
}

TEST(BlockModel, CountsWhatHappensOnce) {
  BlockModel model = plain_model();
  model.startup = 7;
  model.beginning = 5;
  model.first_use = {1, 0.1};  // the first use of a buffer for 20 draws takes 3
  model.taking = 0.1;
  // Each of two consumers starts its engines, uses three buffers for the first time and takes five blocks of 4.
  EXPECT_DOUBLE_EQ(model.time({2, 100, 0}, {20, 3, 1}), 7 + 2 * (5 + 3 * 3) + 2 * 5 * 4 + 20 * 0.1);
  // With more work, consumers wait for three rounds of blocks, while buffers are new, and not afterwards.
  EXPECT_DOUBLE_EQ(model.time({2, 100, 0.4}, {20, 3, 1}), 7 + 2 * (5 + 3 * 3) + 2 * 3 * 4 + 60 * 0.5);
  EXPECT_DOUBLE_EQ(model.time({2, 100, 2}, {20, 3, 1}), 7 + 2 * (5 + 3 + 4) + 100 * 2.1);
}

TEST(BlockModel, CountsLanesAsWorkItems) {
  // The machine Athena of Lee (2012, section 4.4.2): 14 compute units of 32 items, 400 ns a cycle and 1 ms to start.
  BlockModel model;
  model.has_lanes = true;
  model.unit = 4096;
  model.kernel = {1e-3, 400e-9, 14 * 32};
  // With 10 000 cycles each, 448 work items take one step and 449 take two. 4096 work items take ten.
  EXPECT_DOUBLE_EQ(model.kernel_of({448 * 10'000, 3, 1, 448}), 1e-3 + 10'000 * 400e-9);
  EXPECT_DOUBLE_EQ(model.kernel_of({449 * 10'000, 3, 1, 449}), 1e-3 + 2 * 10'000 * 400e-9);
  EXPECT_DOUBLE_EQ(model.kernel_of({4096 * 100}), 1e-3 + 10 * 100 * 400e-9);
  EXPECT_DOUBLE_EQ(model.kernel_of({4097}), 1e-3 + 10 * 2 * 400e-9);  // counts of cycles are rounded up
  EXPECT_EQ(model.unit_of(8192), 8192);
  // Starting the states of 8960 lanes takes twice as many steps as for 4096.
  model.beginning = 1;
  const double default_value = model.time({1, 1, 0}, {4096, 2, 1}), twice = model.time({1, 1, 0}, {8960, 2, 1, 8960});
  EXPECT_NEAR(twice - default_value, 1 + 10 * 400e-9, 1e-12);
}

TEST(BlockModel, GivesTheScaledSpeedupOfThePaper) {
  const BlockModel model = plain_model();
  // (4.20): 100 draws with 3 for a draw in place and 1 for the work. (4.22): 2 · 4 + 100 for two consumers.
  EXPECT_DOUBLE_EQ(model.scaled_speedup({2, 100, 1}, {20, 3, 1}, 3), 2 * 100 * (3 + 1) / 108.0);
}

TEST(BlockModel, SharesTheHostsMemory) {
  BlockModel model = device_model();  // for a block of 20 draws, the kernel takes 4 and the copy 2
  model.processors = 5;
  model.shared.transfer = {2, 0.1};  // 4 more for a block of 20 while all other threads use memory
  model.shared.first_use = {4, 0};
  // One consumer has the memory alone. Five consumers pay the whole additional time, three pay half of it.
  EXPECT_DOUBLE_EQ(model.time({1, 100, 0}, {20, 2, 1}), 5 * 6);
  EXPECT_DOUBLE_EQ(model.time({5, 100, 0}, {20, 2, 1}), 5 * 5 * (6 + 4) + 5 * 2 * 4);
  EXPECT_DOUBLE_EQ(model.time({3, 100, 0}, {20, 2, 1}), 3 * 5 * (6 + 2) + 3 * 2 * 2);
  // The additional time does not grow beyond that of all threads.
  EXPECT_DOUBLE_EQ(model.time({9, 100, 0}, {20, 2, 1}), 9 * 5 * (6 + 4) + 9 * 2 * 4);
  // All 300 draws go through memory, unless the 3 · 2 blocks of 20 draws of 8 bytes fit into the caches.
  model.shared.draw = 1;
  EXPECT_DOUBLE_EQ(model.time({3, 100, 0}, {20, 2, 1}), 300);
  model.shared.cache = 3 * 2 * 20 * 8;
  EXPECT_DOUBLE_EQ(model.time({3, 100, 0}, {20, 2, 1}), 3 * 5 * (6 + 2) + 3 * 2 * 2);
}

TEST(BlockModel, IsNoFasterThanTheProcessors) {
  BlockModel model = plain_model();
  model.processors = 2;
  // Each of 4 consumers works for 100, and the producers work on 4 · 5 blocks of 4.
  EXPECT_DOUBLE_EQ(model.time({4, 100, 1}, {20, 3, 1}), (4 * 100 + 4 * 5 * 4) / 2.0);
  model.on_host = false;
  EXPECT_DOUBLE_EQ(model.time({4, 100, 1}, {20, 3, 1}), 4 * 100 / 2.0);
}

// Simulates the same system block by block: one producer serves the consumers in turn and waits while all buffers are
// full. Returns the time of the last draw.
double simulated(const BlockModel& model, const BlockDemand& demand, const BlockOptions& options) {
  const auto consumers = static_cast<std::size_t>(demand.consumers),
             buffers = static_cast<std::size_t>(options.buffers);
  const auto blocks = static_cast<std::size_t>((demand.draws + options.block_size - 1) / options.block_size);
  std::vector<std::vector<double>> begun(consumers, std::vector<double>(blocks, 0));
  std::vector<double> done(consumers, 0);
  double producer = model.startup;
  for (std::size_t j = 0; j < blocks; ++j) {
    const std::int64_t first = static_cast<std::int64_t>(j) * options.block_size;
    const std::int64_t draws = std::min(options.block_size, demand.draws - first);
    for (std::size_t c = 0; c < consumers; ++c) {
      // The consumer must first return the buffer's previous block.
      if (j >= buffers) producer = std::max(producer, begun[c][j - buffers + 1]);
      producer += model.production(options);
      if (j == 0) producer += model.beginning;
      if (j < buffers) producer += model.first_use(options.block_size);
      begun[c][j] = std::max(done[c], producer);
      done[c] = begun[c][j] + static_cast<double>(draws) * (model.taking + demand.work) + model.handover;
    }
  }
  return *std::max_element(done.begin(), done.end());
}

TEST(BlockModel, AgreesWithASimulationBlockByBlock) {
  BlockModel model = plain_model();
  model.startup = 3;
  model.beginning = 2;
  model.first_use = {0.5, 0.02};
  model.handover = 0.25;
  model.taking = 0.01;
  int waiting = 0, cases = 0;
  for (const int consumers : {1, 2, 5}) {
    for (const std::int64_t draws : {1, 90, 100, 1000, 1001}) {
      for (const double work : {0.0, 0.1, 0.3, 0.5, 1.0, 3.0}) {
        for (const std::int64_t size : {10, 20, 70, 500, 2000}) {
          const BlockDemand demand{consumers, draws, work};
          const BlockOptions options{size, 3, 1};
          const double expected = simulated(model, demand, options), found = model.time(demand, options);
          // If neither side waits for the other all the time, the producer at times waits for a buffer, up to one
          // round.
          EXPECT_LE(found, expected * (1 + 1e-12)) << consumers << ' ' << draws << ' ' << work << ' ' << size;
          EXPECT_GE(found, expected - consumers * model.production(options))
              << consumers << ' ' << draws << ' ' << work;
          if (found > expected * (1 - 1e-12)) ++cases;
          waiting += model.waits_for_producers(demand, options) ? 1 : 0;
        }
      }
    }
  }
  EXPECT_GT(cases, 440);  // of 450 cases in all
  EXPECT_GT(waiting, 50);
  EXPECT_LT(waiting, 400);
}

TEST(FastestOptions, AreThoseOfASearch) {
  BlockModel model = plain_model();
  model.handover = 0.1;
  model.unit = 10;
  for (const double work : {0.0, 0.2, 1.0, 20.0}) {
    const BlockDemand demand{2, 10'000, work};
    double least = std::numeric_limits<double>::infinity();
    for (std::int64_t size = 10; size <= 10'000; size += 10) least = std::min(least, model.time(demand, {size, 3, 1}));
    const BlockOptions found = fastest_options(model, demand, {1e9, 3, 1});
    EXPECT_LE(model.time(demand, found), 1.01 * least) << work;
    EXPECT_EQ(found.block_size % 10, 0);
    EXPECT_EQ(found.producers, 1);
  }
}

// Checks (4.19) for an engine with up to 8192 lanes that run at once.
TEST(FastestOptions, ChooseLanesWhereTheyMay) {
  BlockModel model;
  model.has_lanes = true;
  model.unit = 4096;
  model.kernel = {1e-5, 1e-6, 8192};
  model.on_host = false;
  const BlockDemand demand{2, 1 << 22, 0};
  EXPECT_EQ(fastest_options(model, demand).lanes, 4096);
  EXPECT_EQ(fastest_options(model, demand, {.max_lanes = 65'536}).lanes, 8192);  // more lanes gain nothing
  EXPECT_EQ(fastest_options(model, demand, {.max_lanes = 8191}).lanes, 4096);
  model.kernel.width = 1 << 20;
  double least = std::numeric_limits<double>::infinity();
  for (std::int64_t lanes = 4096; lanes <= 65'536; lanes *= 2) {
    for (std::int64_t size = lanes; size <= demand.draws; size += lanes) {
      least = std::min(least, model.time(demand, {size, 3, 2, lanes}));
    }
  }
  const BlockOptions found = fastest_options(model, demand, {.max_lanes = 65'536});
  EXPECT_EQ(found.lanes, 65'536);
  EXPECT_EQ(found.block_size % 65'536, 0);
  EXPECT_LE(model.time(demand, found), 1.01 * least);
  // Memory of 800 000 bytes holds 2 · 3 blocks of 16 666 draws of 8 bytes, which limits the number of lanes.
  EXPECT_EQ(fastest_options(model, demand, {.memory = 800'000, .max_lanes = 65'536}).lanes, 16'384);
  model.has_lanes = false;
  EXPECT_EQ(fastest_options(model, demand, {.max_lanes = 65'536}).lanes, 4096);
  EXPECT_EQ(test::refusal([&] { fastest_options(model, demand, {.max_lanes = 100}); }),
            "largest number of lanes is 100, expected a number from 4096 to 1099511627776");
}

TEST(FastestOptions, TakeWhatTheyMay) {
  const BlockModel model = plain_model();
  const BlockDemand slow_producers{4, 100'000, 0}, slow_consumers{4, 100'000, 100};
  EXPECT_GT(fastest_options(model, slow_producers).producers, 1);
  EXPECT_EQ(fastest_options(model, slow_consumers).producers, 1);
  EXPECT_EQ(fastest_options(model, slow_producers, {1e9, 5, 2}).producers, 2);
  EXPECT_EQ(fastest_options(model, slow_producers, {1e9, 5, 2}).buffers, 5);
  EXPECT_LT(fastest_options(model, slow_consumers).block_size, fastest_options(model, slow_producers).block_size);
  // Memory of 9600 bytes holds 4 · 3 blocks of 100 draws of 8 bytes.
  const std::int64_t bounded = fastest_options(model, slow_producers, {9600, 3, 1}).block_size;
  EXPECT_GT(bounded, 80);
  EXPECT_LE(bounded, 100);
}

TEST(FastestOptions, RefuseTooLittleMemory) {
  BlockModel model = plain_model();
  model.unit = 4096;
  EXPECT_EQ(test::refusal([&] {
              fastest_options(model, {4, 100, 0}, {1000, 3, 1});
            }),
            "memory for blocks is 1000 bytes, expected at least 393216: 12 blocks of at least 4096 draws");
  EXPECT_EQ(test::refusal([] {
              check_block_memory({1000, 3, 1}, 2, 4800);
            }),
            "block size is 1000, expected at most 100 draws: 6 blocks must fit in 4800 bytes");
  EXPECT_EQ(test::refusal([] { check_block_memory({100, 3, 1}, 2, 4800); }), "none");
}

TEST(BlockModel, RefusesConstantsWithoutSense) {
  const auto refused = [](auto change) {
    BlockModel model = plain_model();
    change(model);
    return test::refusal([&] { check(model); });
  };
  const std::string seconds = ", expected a finite number of seconds, at least 0";
  EXPECT_EQ(refused([](BlockModel&) {}), "none");
  EXPECT_EQ(refused([](BlockModel& m) { m.kernel.step = -1; }), "step of the kernel is -1.000000" + seconds);
  EXPECT_EQ(refused([](BlockModel& m) { m.transfer.each = std::nan(""); }), "transfer of a draw is nan" + seconds);
  EXPECT_EQ(refused([](BlockModel& m) {
              m.kernel = {0, 0, 1};
            }),
            "time of a kernel is 0, expected a positive number of seconds");
  EXPECT_EQ(refused([](BlockModel& m) { m.kernel.width = 0; }),
            "width of the kernel's step is 0, expected a number from 1 to 1099511627776");
  EXPECT_EQ(refused([](BlockModel& m) { m.shared.draw = -1; }), "time of a draw through memory is -1.000000" + seconds);
  EXPECT_EQ(refused([](BlockModel& m) { m.shared.cache = -1; }),
            "size of the cache is -1.000000, expected a number of bytes, at least 0");
  EXPECT_EQ(refused([](BlockModel& m) { m.processors = 0; }),
            "number of processors is 0, expected a number from 1 to 1099511627776");
  EXPECT_EQ(test::refusal([] {
              check(BlockDemand{0, 1, 0});
            }),
            "number of consumers is 0, expected a number from 1 to 1099511627776");
  EXPECT_EQ(test::refusal([] {
              check(BlockDemand{1, 0, 0});
            }),
            "number of draws is 0, expected a number from 1 to 1099511627776");
  EXPECT_EQ(test::refusal([] {
              plain_model().time({1, 1, 0}, {0, 3, 1});
            }),
            "block size is 0, expected a number from 1 to 1099511627776");
  EXPECT_EQ(test::refusal([] { check(BlockDemand{1, 1, -1}); }), "work for a draw is -1.000000" + seconds);
}

// Times of steps at 40 sizes, with noise of a relative standard deviation of 1 %.
std::vector<MeasuredTime> noisy_times(const StepTime& time, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> noise(1, 0.01);
  std::vector<MeasuredTime> times;
  for (std::int64_t size = 25; size <= 1000; size += 25) times.push_back({size, time(size) * noise(engine)});
  return times;
}

// By the normal equations, the standard errors of start and step are 0.66 % and 0.4 %. For random seeds, the
// probability that one of the 40 estimates is off by more than five standard errors is 2e-5.
TEST(FitStepTime, FindsStartStepAndWidthUnderNoise) {
  const StepTime steps{5, 2, 100};
  const std::vector<std::int64_t> widths{50, 100, 200};
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const StepTime found = fit_step_time(noisy_times(steps, seed), widths);
    EXPECT_EQ(found.width, 100);
    EXPECT_NEAR(found.start / 5, 1, 0.033);
    EXPECT_NEAR(found.step / 2, 1, 0.02);
  }
  // Control: the fit detects steps that are 5 % longer.
  EXPECT_GT(fit_step_time(noisy_times({5, 2.1, 100}, 1), widths).step / 2, 1.02);
}

TEST(FitLinearTime, FindsTheLineOfThePapersCopies) {
  // Lee (2012), table 4.1: a copy takes 3 ms and 0.37 ns a byte, with 8 bytes a draw.
  std::vector<MeasuredTime> times;
  for (std::int64_t draws = 1 << 10; draws <= 1 << 22; draws *= 2) {
    times.push_back({draws, 3e-3 + 8 * 0.37e-9 * static_cast<double>(draws)});
  }
  const LinearTime found = fit_linear_time(times);
  EXPECT_NEAR(found.start, 3e-3, 1e-12);
  EXPECT_NEAR(found.each, 8 * 0.37e-9, 1e-18);
  EXPECT_EQ(test::refusal([&] { fit_step_time(times, {}); }), "number of widths is 0, expected at least 1");
}

template <class Space>
class BlockCalibration : public ::testing::Test {};
TYPED_TEST_SUITE(BlockCalibration, test::Backends, test::BackendName);

// A measurement is wrong if other programs take the processor. For the measured constants, one right measurement in
// twenty is therefore enough.
constexpr int max_attempts = 20;

bool can_be_seconds_of_draw(double seconds) {
  return seconds > 1e-13 && seconds < 1e-7;  // 160 TB/s and 160 MB/s
}

TYPED_TEST(BlockCalibration, FindsConstantsThatCanBe) {
  bool can_be = false;
  for (int attempt = 0; attempt < max_attempts && !can_be; ++attempt) {
    const BlockModel model = calibrate_blocks<TypeParam, Ranlux24_0>({1 << 16, 1});
    EXPECT_EQ(test::refusal([&] { check(model); }), "none");
    EXPECT_EQ(model.unit, 4096);
    EXPECT_EQ(model.on_host, runs_on_host<TypeParam>);
    EXPECT_TRUE(model.has_lanes);
    can_be = model.kernel(1 << 16) > 0 && model.beginning > 0 && model.handover > 0 && model.taking > 0 &&
             (model.transfer.each > 0) == !model.on_host && can_be_seconds_of_draw(model.shared.draw);
    const BlockOptions options = fastest_options(model, {2, 100'000, 1e-9});
    EXPECT_EQ(options.block_size % 4096, 0);
    EXPECT_GT((time_consumers<TypeParam, Ranlux24_0>({2, 100'000, 0}, options, ConsumerWork(3))), 0);
  }
  EXPECT_TRUE(can_be);
}

TEST(ConsumerWork, TakesAsLongAsItIsTold) {
  bool is_longer = false, has_more_steps = false;
  for (int attempt = 0; attempt < max_attempts && !(is_longer && has_more_steps); ++attempt) {
    is_longer = time_taking(work_that_takes(500e-9), 3) > 3 * time_taking(work_that_takes(50e-9), 3);
    has_more_steps = work_that_takes(1e-6).steps() > work_that_takes(1e-8).steps();
  }
  EXPECT_TRUE(is_longer);
  EXPECT_TRUE(has_more_steps);
}

// Other threads use memory only while a MemoryUsers object exists. A draw of 16 bytes must take a plausible time.
TEST(MemoryUsers, ReadAndWriteUntilTheyGo) {
  const impl::MemoryUsers users(2);
  bool can_be = false;
  for (int attempt = 0; attempt < max_attempts && !can_be; ++attempt)
    can_be = can_be_seconds_of_draw(users.seconds_of_draw(3));
  EXPECT_TRUE(can_be);
}

TEST(TimeConsumers, PassesOnWhatBlocksThrow) {
  EXPECT_THROW((time_consumers<Kokkos::DefaultHostExecutionSpace, Philox4x32>({2, 10, 0}, {64, 1, 1}, ConsumerWork())),
               std::invalid_argument);
}

}  // namespace model_tests
