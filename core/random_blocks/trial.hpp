// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/count.hpp>
#include <sporos/core/random_blocks/model.hpp>
#include <sporos/core/random_blocks/random_blocks.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <latch>
#include <limits>
#include <thread>
#include <utility>
#include <vector>

/// Measures how long consumers of blocks take, for comparison with a BlockModel.
namespace sporos {

/// Work of a consumer for each draw: steps, each of which waits for the previous one.
class ConsumerWork {
 public:
  /// Does `steps` steps for each draw.
  explicit ConsumerWork(std::int64_t steps = 0) : m_steps(steps) {}

  /// Does the work for one uniform.
  void operator()(double uniform) { m_value = after(0.5 * m_value + uniform, m_steps); }

  /// Number of steps for each draw.
  std::int64_t steps() const { return m_steps; }
  /// Result of the work so far.
  double value() const { return m_value; }

 private:
  // Not inlined, since compilers would adapt it to a loop around it.
  [[gnu::noinline]] static double after(double value, std::int64_t steps) {
    constexpr double factor = 1 - 0x1p-40;
    for (std::int64_t i = 0; i < steps; ++i) value *= factor;
    return value;
  }

  std::int64_t m_steps;
  double m_value = 0;
};

namespace impl {

using BlockClock = std::chrono::steady_clock;

inline double seconds_since(BlockClock::time_point start) {
  return std::chrono::duration<double>(BlockClock::now() - start).count();
}

}  // namespace impl

/// Seconds in which a consumer takes a draw from a block that is ready and does its work, the smallest of several
/// rounds.
inline double time_taking(ConsumerWork work, int rounds) {
  constexpr std::int64_t steps = 1 << 20, max_draws = 1 << 14, fewest_draws = 16;
  const std::int64_t size = std::clamp(steps / (work.steps() + 1), fewest_draws, max_draws);
  BlockConsumer consumer = RandomBlocks<Kokkos::DefaultHostExecutionSpace>(1, {size, 2, 1}).consumer(0);
  double least = std::numeric_limits<double>::infinity();
  for (int round = 0; round < rounds; ++round) {
    const double first = consumer.next();
    const auto start = impl::BlockClock::now();
    work(first);
    for (std::int64_t i = 1; i < size; ++i) work(consumer.next());
    least = std::min(least, impl::seconds_since(start) / static_cast<double>(size));
  }
  return work.value() > 0 ? least : 0;  // uses the value, so that compilers compute it
}

/// Returns the work that takes about `seconds` for each draw on this processor.
inline ConsumerWork work_that_takes(double seconds) {
  constexpr int rounds = 5;
  constexpr std::int64_t some = 64;
  const double step = (time_taking(ConsumerWork(2 * some), rounds) - time_taking(ConsumerWork(some), rounds)) / some;
  return ConsumerWork(bounded_count(std::round(seconds / std::max(step, 1e-10))));
}

namespace impl {

/// Threads that start to consume at the same moment. None ends its consumer while others consume.
class TimedConsumers {
 public:
  explicit TimedConsumers(int count) : m_ready(count), m_done(count), m_runs(static_cast<std::size_t>(count)) {}

  /// Seconds from the start of the first thread to the end of the last one. Thread i consumes by `consume(i)`, which
  /// returns the time of its end and a consumer that is kept until all threads have ended.
  template <class Consume>
  double time(const Consume& consume) {
    std::vector<std::thread> threads;
    const auto join = [&] {
      for (auto& thread : threads) thread.join();
    };
    try {
      for (std::size_t i = 0; i < m_runs.size(); ++i) threads.emplace_back([&, i] { run(m_runs[i], i, consume); });
    } catch (...) {  // the system has no more threads: those that exist must not wait for the missing ones
      m_is_short = true;
      const auto missing = static_cast<std::ptrdiff_t>(m_runs.size() - threads.size());
      m_ready.count_down(missing);
      m_done.count_down(missing);
      join();
      throw;
    }
    join();
    return seconds();
  }

 private:
  struct Run {
    BlockClock::time_point start, end;
    std::exception_ptr failure;
  };

  template <class Consume>
  void run(Run& run, std::size_t number, const Consume& consume) {
    m_ready.arrive_and_wait();
    if (m_is_short) return;
    run.start = BlockClock::now();
    try {
      const auto kept = consume(number);
      run.end = kept.first;
      m_done.arrive_and_wait();
    } catch (...) {
      run.failure = std::current_exception();
      m_done.count_down();
    }
  }

  double seconds() const {
    auto start = m_runs.front().start, end = m_runs.front().end;
    for (const Run& run : m_runs) {
      if (run.failure) std::rethrow_exception(run.failure);
      start = std::min(start, run.start);
      end = std::max(end, run.end);
    }
    return std::chrono::duration<double>(end - start).count();
  }

  std::latch m_ready, m_done;
  std::vector<Run> m_runs;
  std::atomic<bool> m_is_short = false;
};

}  // namespace impl

/// Seconds from the start of the first consumer to the last draw of the last one. The consumers of `demand` take draws
/// from blocks of the engine `E` and do `work`, each in a separate thread. BlockModel::time predicts this time. Throws
/// what the blocks throw.
template <class ExecutionSpace, class E>
double time_consumers(const BlockDemand& demand, const BlockOptions& options, const ConsumerWork& work) {
  RandomBlocks<ExecutionSpace, E> blocks(1, options);
  return impl::TimedConsumers(demand.consumers).time([&](std::size_t number) {
    BlockConsumer consumer = blocks.consumer(number);
    ConsumerWork own = work;
    for (std::int64_t i = 0; i < demand.draws; ++i) own(consumer.next());
    // Uses the value, so that compilers compute it.
    const auto end = own.value() > 0 ? impl::BlockClock::now() : impl::BlockClock::time_point();
    return std::pair(end, std::move(consumer));
  });
}

}  // namespace sporos
