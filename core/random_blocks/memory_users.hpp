// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <latch>
#include <limits>
#include <memory>
#include <span>
#include <thread>
#include <vector>

/// Keeps the host's memory busy from all of its threads.
namespace sporos::impl {

/// Bytes of the largest cache that the threads of a processor share; 0 if the system does not report it.
inline double cache_bytes() { return static_cast<double>(std::max(::sysconf(_SC_LEVEL3_CACHE_SIZE), 0L)); }

/// Threads that read and write draws of 64 bits in memory, each in a separate buffer, until this object is destroyed.
class MemoryUsers {
 public:
  /// Starts `count` threads and returns when all of them have started.
  /// Throws std::system_error or std::bad_alloc if the system has no more threads or memory.
  explicit MemoryUsers(int count) : m_begun(count), m_draws(static_cast<std::size_t>(count)) {
    // All buffers together are larger than the caches, unless that requires more than 64 MiB for each.
    const auto cached = static_cast<std::size_t>(cache_bytes()) / sizeof(std::uint64_t);
    const std::size_t size = std::clamp<std::size_t>(2 * cached / m_draws.size(), 1 << 20, 1 << 23);
    try {
      for (auto& draws : m_draws) {
        // Only the thread touches the memory, so that it lies near the thread's core.
        m_buffers.push_back(std::make_unique_for_overwrite<std::uint64_t[]>(size));
        m_threads.emplace_back([this, &draws, buffer = m_buffers.back().get(), size] { use(draws, {buffer, size}); });
      }
    } catch (...) {
      end();
      throw;
    }
    m_begun.wait();
  }
  MemoryUsers(const MemoryUsers&) = delete;
  MemoryUsers& operator=(const MemoryUsers&) = delete;
  ~MemoryUsers() { end(); }

  /// Seconds for each draw that all threads together read and write, the smallest of several rounds of 10 ms.
  double seconds_of_draw(int rounds) const {
    using Clock = std::chrono::steady_clock;
    double least = std::numeric_limits<double>::infinity();
    for (int round = 0; round < rounds; ++round) {
      const auto start = Clock::now();
      const std::int64_t before = draws();
      std::int64_t done = 0;
      while (done == 0) {  // one iteration, if the system lets the threads run
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        done = draws() - before;
      }
      least = std::min(least, std::chrono::duration<double>(Clock::now() - start).count() / static_cast<double>(done));
    }
    return least;
  }

 private:
  struct alignas(64) Count {
    std::atomic<std::int64_t> draws = 0;
  };

  void end() {
    m_is_ending = true;
    for (auto& thread : m_threads) thread.join();
  }

  void use(Count& count, std::span<std::uint64_t> draws) {
    constexpr std::size_t piece = 1 << 13;
    std::ranges::fill(draws, 0);
    m_begun.count_down();
    while (true) {
      for (std::size_t first = 0; first < draws.size(); first += piece) {
        const std::size_t end = std::min(first + piece, draws.size());
        for (std::size_t i = first; i < end; ++i) ++draws[i];
        count.draws.fetch_add(static_cast<std::int64_t>(end - first), std::memory_order_relaxed);
        if (m_is_ending.load(std::memory_order_relaxed)) return;
      }
    }
  }

  std::int64_t draws() const {
    std::int64_t sum = 0;
    for (const auto& count : m_draws) sum += count.draws.load(std::memory_order_relaxed);
    return sum;
  }

  std::latch m_begun;
  std::vector<Count> m_draws;
  std::vector<std::unique_ptr<std::uint64_t[]>> m_buffers;
  std::vector<std::thread> m_threads;
  std::atomic<bool> m_is_ending = false;
};

}  // namespace sporos::impl
