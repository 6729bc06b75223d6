// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/memory.hpp>
#include <sporos/core/random_blocks/exchange.hpp>
#include <sporos/core/random_blocks/fillers.hpp>
#include <sporos/core/random_blocks/memory_users.hpp>
#include <sporos/core/random_blocks/model.hpp>
#include <sporos/core/random_blocks/model_fit.hpp>
#include <sporos/core/random_blocks/random_blocks.hpp>
#include <sporos/core/random_blocks/trial.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <list>
#include <thread>
#include <type_traits>
#include <vector>

/// Measures the constants of a BlockModel on this machine.
namespace sporos {

/// Extent of a calibration.
struct BlockCalibrationOptions {
  std::int64_t largest_block = 1 << 20;  ///< draws of the largest block
  int rounds = 5;                        ///< rounds for each size, of which the fastest counts
};

namespace impl {

/// An engine that takes no time.
struct CountingEngine {
  static constexpr int draws_per_block = 1;
  KOKKOS_FUNCTION static Kokkos::Array<std::uint64_t, 1> block(const Stream&, std::uint64_t b) { return {{b}}; }
};

/// Filler for blocks of an engine.
template <class ExecutionSpace, class E>
using FillerOf = std::conditional_t<runs_on_host<ExecutionSpace>, HostFiller<E>, DeviceFiller<ExecutionSpace, E>>;

/// Times of the two parts of filling a block.
struct BlockParts {
  double advance = 0, deliver = 0;

  double together() const { return advance + deliver; }
};

inline void take_smallest(BlockParts& least, const BlockParts& other) {
  if (least.advance == 0 || other.advance < least.advance) least.advance = other.advance;
  if (least.deliver == 0 || other.deliver < least.deliver) least.deliver = other.deliver;
}

/// Fills blocks of one size as a producer does, and measures the time.
template <class Filler>
class TimedFiller {
 public:
  TimedFiller(std::int64_t size, std::int64_t lanes) : m_filler({1, size, lanes}) {}

  /// Fills the next blocks of a ring and returns the mean times per block.
  BlockParts fill(BlockRing<Filler>& ring, std::int64_t blocks = 1) {
    BlockParts parts;
    for (std::int64_t i = 0; i < blocks; ++i) {
      auto& buffer = ring.buffers[ring.place(ring.claimed)];
      const auto start = BlockClock::now();
      m_filler.advance(ring, buffer);
      const auto middle = BlockClock::now();
      m_filler.deliver(buffer);
      parts.deliver += seconds_since(middle) / static_cast<double>(blocks);
      parts.advance += std::chrono::duration<double>(middle - start).count() / static_cast<double>(blocks);
      ++ring.claimed;
    }
    return parts;
  }

 private:
  Filler m_filler;
};

/// Smallest times of a block of one size and number of lanes. Each is a mean over enough draws to cover what an engine
/// does only at some of them: RANLUX discards words at every sixth or eighth draw of a lane.
struct BlockSizeTimes {
  BlockParts first;  ///< first block of a consumer
  BlockParts later;
};

/// Measures the times of one block size. Appends the rings to `rings`: while they exist, other rings get memory that
/// nobody has used before.
template <class Filler>
BlockSizeTimes time_block_size(std::int64_t size, std::int64_t unit, int rounds, std::list<BlockRing<Filler>>& rings,
                               std::int64_t lanes = BlockOptions().lanes) {
  constexpr std::int64_t turns = 24;
  constexpr int buffers = 3;
  const std::int64_t averaged = std::max<std::int64_t>(turns * unit / size, 1);
  BlockSizeTimes least;
  TimedFiller<Filler> filler(size, lanes);
  for (int round = 0; round <= rounds; ++round) {
    auto& ring = rings.emplace_back(static_cast<std::uint64_t>(round), buffers);
    const BlockParts first = filler.fill(ring);
    if (round == 0) continue;  // skips the effects of the first use
    take_smallest(least.first, first);
    filler.fill(ring, buffers - 1);
    for (int i = 0; i < buffers; ++i) take_smallest(least.later, filler.fill(ring, averaged));
  }
  return least;
}

/// Measures the time in which a block goes from its producer to its consumer and back, if neither does anything else.
inline double time_handover(int rounds) {
  constexpr std::int64_t blocks = 500;
  double least = std::numeric_limits<double>::infinity();
  for (int round = 0; round < rounds; ++round) {
    BlockExchange<HostFiller<CountingEngine>> exchange({1, 1}, 1, 3);
    const auto ring = exchange.open(0);
    exchange.next(*ring, 0);
    const auto start = BlockClock::now();
    for (std::int64_t block = 1; block <= blocks; ++block) exchange.next(*ring, block);
    least = std::min(least, seconds_since(start) / blocks);
    exchange.close(ring);
  }
  return least;
}

/// Measures the start of the producers, until the first of them has handed over an empty block.
template <class ExecutionSpace>
double time_startup(int rounds) {
  double least = std::numeric_limits<double>::infinity();
  for (int round = 0; round < rounds; ++round) {
    RandomBlocks<ExecutionSpace, CountingEngine> blocks(1, {1, 2, 0});
    const auto start = BlockClock::now();
    blocks.consumer(0)();
    least = std::min(least, seconds_since(start));
  }
  return least;
}

/// Numbers of lanes to measure. A host processes lanes one register after the other, so one number suffices.
template <class ExecutionSpace, class E>
std::vector<std::int64_t> calibration_lanes() {
  constexpr std::int64_t default_value = BlockOptions().lanes;
  if (runs_on_host<ExecutionSpace> || CounterEngine<E>) return {default_value};
  return {default_value, 4 * default_value, max_lanes};
}

/// Candidates for the width of a step, the number of work items that run at once.
template <class ExecutionSpace, class E>
std::vector<std::int64_t> step_widths() {
  if constexpr (!CounterEngine<E>) {
    if (runs_on_host<ExecutionSpace>) return {lanes_of_register};
    std::vector<std::int64_t> widths;
    for (std::int64_t width = BlockOptions().lanes; width <= max_lanes; width *= 2) widths.push_back(width);
    return widths;
  }
  const std::int64_t unit = draws_at_once<E>();
  if (runs_on_host<ExecutionSpace>) return {unit};
  const std::int64_t at_once = ExecutionSpace().concurrency();
  return {unit, unit * std::max<std::int64_t>(at_once / 2, 1), unit * at_once};
}

/// By how much `time` exceeds `other`.
inline LinearTime longer(const LinearTime& time, const LinearTime& other) {
  return {std::max(time.start - other.start, 0.0), std::max(time.each - other.each, 0.0)};
}

/// Block sizes to measure, starting from the larger of `unit` and 256. Each is four times the previous one.
inline std::vector<std::int64_t> calibration_sizes(std::int64_t unit, std::int64_t largest) {
  constexpr std::int64_t smallest = 256;
  std::vector<std::int64_t> sizes;
  for (std::int64_t size = std::max(unit, smallest); size <= largest; size *= 4) sizes.push_back(size);
  return sizes;
}

/// Measures kernels, and the time before a consumer's first block.
template <class ExecutionSpace, class E>
void measure_kernels(BlockModel& model, const BlockCalibrationOptions& options) {
  std::vector<MeasuredTime> kernels;
  for (const std::int64_t lanes : calibration_lanes<ExecutionSpace, E>()) {
    const std::int64_t unit = model.unit_of(lanes);
    for (const std::int64_t size : calibration_sizes(unit, options.largest_block)) {
      std::list<BlockRing<FillerOf<ExecutionSpace, E>>> rings;
      const auto [first, later] = time_block_size(size, unit, options.rounds, rings, lanes);
      if (kernels.empty() && model.has_lanes) model.beginning = std::max(first.together() - later.together(), 0.0);
      kernels.push_back(model.has_lanes ? MeasuredTime{lanes, later.advance, size / lanes}
                                        : MeasuredTime{size, later.advance});
    }
  }
  model.kernel = fit_step_time(kernels, step_widths<ExecutionSpace, E>());
}

/// Times of copies to the host's memory and of new buffers.
struct BufferTimes {
  LinearTime transfer, first_use;
};

/// Measures the times of buffers, which do not depend on an engine.
template <class ExecutionSpace>
BufferTimes time_buffers(const BlockCalibrationOptions& options) {
  std::vector<MeasuredTime> first_ones, later_ones, transfers;
  std::list<BlockRing<FillerOf<ExecutionSpace, CountingEngine>>> rings;
  for (const std::int64_t size : calibration_sizes(1, options.largest_block / 4)) {
    const auto [first, later] = time_block_size(size, 1, options.rounds, rings);
    first_ones.push_back({size, first.together()});
    later_ones.push_back({size, later.together()});
    transfers.push_back({size, later.deliver});
  }
  const LinearTime first = fit_linear_time(first_ones), later = fit_linear_time(later_ones);
  return {runs_on_host<ExecutionSpace> ? LinearTime() : fit_linear_time(transfers), longer(first, later)};
}

/// Measures buffers while one consumer has exclusive use of the host's memory, and the additional time while all other
/// threads use it.
template <class ExecutionSpace>
void measure_buffers(BlockModel& model, const BlockCalibrationOptions& options) {
  const BufferTimes separate = time_buffers<ExecutionSpace>(options);
  model.transfer = separate.transfer;
  model.first_use = separate.first_use;
  model.shared.cache = cache_bytes();
  if (model.processors > 1) {
    const MemoryUsers others(model.processors - 1);
    const BufferTimes concurrent = time_buffers<ExecutionSpace>(options);
    model.shared.transfer = longer(concurrent.transfer, separate.transfer);
    model.shared.first_use = longer(concurrent.first_use, separate.first_use);
  }
  model.shared.draw = MemoryUsers(model.processors).seconds_of_draw(options.rounds);
}

}  // namespace impl

/// Measures the constants of blocks of the engine `E` on `ExecutionSpace`. Fills blocks of sizes from the smallest to
/// the largest as producers do, hands over empty blocks, and takes draws from full ones. The model is fitted to the
/// fastest of several rounds, which other programs have disturbed least. For the costs of shared memory, all hardware
/// threads of the host use it. The measurement takes half a second on a host for a fast engine, and up to two seconds
/// for the slowest. Requires an initialized Kokkos. Throws std::invalid_argument for fewer than one round or fewer than
/// two sizes.
template <class ExecutionSpace, class E>
BlockModel calibrate_blocks(const BlockCalibrationOptions& options = {}) {
  impl::check_block_count("number of rounds", options.rounds);
  BlockModel model;
  model.on_host = runs_on_host<ExecutionSpace>;
  model.processors = static_cast<int>(std::max(std::thread::hardware_concurrency(), 1u));
  model.unit = impl::draws_at_once<E>();
  model.has_lanes = !CounterEngine<E>;
  impl::measure_buffers<ExecutionSpace>(model, options);  // first, before other measurements leave used memory behind
  impl::measure_kernels<ExecutionSpace, E>(model, options);
  model.handover = impl::time_handover(options.rounds);
  model.startup = impl::time_startup<ExecutionSpace>(options.rounds);
  model.taking = time_taking(ConsumerWork(), options.rounds);
  return model;
}

}  // namespace sporos
