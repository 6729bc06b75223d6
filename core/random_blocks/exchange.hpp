// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/random_blocks/options.hpp>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <list>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

/// Passes blocks of random numbers from the threads that produce them to the threads that consume them.
namespace sporos::impl {

/// Blocks of one consumer, in a ring of buffers. Block b is in buffer b modulo the number of buffers.
template <class Filler>
struct BlockRing {
  BlockRing(std::uint64_t number, std::size_t buffer_count)
      : consumer(number), buffers(buffer_count), is_full(buffer_count) {}

  std::uint64_t consumer;
  std::vector<typename Filler::Buffer> buffers;
  std::vector<char> is_full;
  typename Filler::State state = {};  // engine state for the next blocks
  std::int64_t claimed = 0;           // blocks that producers have begun
  std::int64_t returned = 0;          // blocks that the consumer has finished with
  std::int64_t taken = 0;             // blocks that the consumer has got
  bool is_advancing = false;          // whether a producer uses the state
  std::condition_variable is_ready;   // signals that the next block is full or never will be

  std::size_t place(std::int64_t block) const { return static_cast<std::size_t>(block) % buffers.size(); }
  std::int64_t held_blocks() const { return claimed - returned; }
  bool wants_a_block() const { return !is_advancing && held_blocks() < static_cast<std::int64_t>(buffers.size()); }
};

/// Rings of all consumers, and the threads that fill them. The threads exist from the arrival of the first consumer
/// until the last one has left. Waiting threads sleep.
///
/// Each of these threads has a `Filler`. `advance(ring, buffer)` computes the ring's next block. `deliver(buffer)` then
/// moves it to where a consumer can read it, if necessary, while another thread may already advance the ring.
template <class Filler>
class BlockExchange {
 public:
  using Ring = BlockRing<Filler>;
  using Settings = typename Filler::Settings;

  BlockExchange(Settings settings, int threads, int buffers, BlockObserver* observer = nullptr)
      : m_settings(std::move(settings)),
        m_threads_wanted(threads),
        m_buffers(static_cast<std::size_t>(buffers)),
        m_observer(observer) {}

  /// Creates a ring for consumer `number`. Throws std::invalid_argument if that consumer exists already.
  std::shared_ptr<Ring> open(std::uint64_t number) {
    const std::lock_guard lifecycle(m_lifecycle);
    auto ring = std::make_shared<Ring>(number, m_buffers);
    {
      const std::lock_guard lock(m_mutex);
      for (const auto& other : m_rings) {
        if (other->consumer != number) continue;
        throw std::invalid_argument(std::string("consumer ")
                                        .append(std::to_string(number))
                                        .append(" of random numbers exists already, expected another number"));
      }
      m_rings.push_back(ring);
    }
    if (m_threads.empty()) begin(ring);
    m_work.notify_all();
    return ring;
  }

  /// Removes a ring. After the last one, also ends the threads.
  void close(const std::shared_ptr<Ring>& ring) {
    if (ring->taken > 0) report(BlockStage::returned, *ring, ring->taken - 1);
    const std::lock_guard lifecycle(m_lifecycle);
    bool is_last = false;
    {
      const std::lock_guard lock(m_mutex);
      m_rings.remove(ring);
      is_last = m_rings.empty();
    }
    if (is_last) end();
  }

  /// Waits for block number `block` of the ring and returns it; all blocks before it go back to the producers. Throws
  /// what a producer has thrown.
  const std::uint64_t* next(Ring& ring, std::int64_t block) {
    if (block > 0) report(BlockStage::returned, ring, block - 1);
    std::unique_lock lock(m_mutex);
    if (block > ring.returned) {
      ring.is_full[ring.place(block - 1)] = 0;
      ring.returned = block;
      m_work.notify_one();
    }
    const std::size_t place = ring.place(block);
    ring.is_ready.wait(lock, [&] { return ring.is_full[place] != 0 || m_failure; });
    if (m_failure) std::rethrow_exception(m_failure);
    ring.taken = block + 1;
    lock.unlock();
    report(BlockStage::consuming, ring, block);
    return ring.buffers[place].data();
  }

 private:
  void report(BlockStage stage, const Ring& ring, std::int64_t block) const {
    if (m_observer) m_observer->reaches(stage, ring.consumer, block);
  }

  // Starts the threads for the first consumer. If the system has no threads left, removes the consumer's ring and
  // throws.
  void begin(const std::shared_ptr<Ring>& first) {
    m_is_ending = false;
    m_failure = nullptr;
    try {
      for (int i = 0; i < m_threads_wanted; ++i) m_threads.emplace_back([this] { produce(); });
    } catch (...) {
      end();
      m_rings.remove(first);
      throw;
    }
  }

  void end() {
    {
      const std::lock_guard lock(m_mutex);
      m_is_ending = true;
    }
    m_work.notify_all();
    for (auto& thread : m_threads) thread.join();
    m_threads.clear();
  }

  void produce() {
    try {
      Filler filler(m_settings);
      while (const auto ring = claim()) fill(filler, *ring);
    } catch (...) {
      const std::lock_guard lock(m_mutex);
      if (!m_failure) m_failure = std::current_exception();
      for (const auto& ring : m_rings) ring->is_ready.notify_all();
    }
  }

  // Waits until a ring needs a block, and returns the one with the fewest blocks. Returns nothing when the threads end.
  std::shared_ptr<Ring> claim() {
    std::unique_lock lock(m_mutex);
    std::shared_ptr<Ring> found;
    m_work.wait(lock, [&] {
      found = nullptr;
      for (const auto& ring : m_rings) {
        if (ring->wants_a_block() && (!found || ring->held_blocks() < found->held_blocks())) found = ring;
      }
      return found || m_is_ending;
    });
    if (m_is_ending) return nullptr;
    found->is_advancing = true;
    return found;
  }

  void fill(Filler& filler, Ring& ring) {
    const std::int64_t block = ring.claimed;
    const std::size_t place = ring.place(block);
    auto& buffer = ring.buffers[place];
    report(BlockStage::computing, ring, block);
    filler.advance(ring, buffer);
    report(BlockStage::copying, ring, block);
    {
      const std::lock_guard lock(m_mutex);
      ++ring.claimed;
      ring.is_advancing = false;
    }
    m_work.notify_one();
    filler.deliver(buffer);
    report(BlockStage::ready, ring, block);
    const std::lock_guard lock(m_mutex);
    ring.is_full[place] = 1;
    ring.is_ready.notify_one();
  }

  const Settings m_settings;
  const int m_threads_wanted;
  const std::size_t m_buffers;
  BlockObserver* const m_observer;
  std::mutex m_lifecycle;  // held while threads start or end
  std::vector<std::thread> m_threads;

  std::mutex m_mutex;              // guards all members below, and the rings except their buffers and states
  std::condition_variable m_work;  // wakes producers
  std::list<std::shared_ptr<Ring>> m_rings;
  std::exception_ptr m_failure;
  bool m_is_ending = false;
};

}  // namespace sporos::impl
