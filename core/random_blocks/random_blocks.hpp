// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/memory.hpp>
#include <sporos/core/random/philox.hpp>
#include <sporos/core/random/uniform.hpp>
#include <sporos/core/random_blocks/exchange.hpp>
#include <sporos/core/random_blocks/fillers.hpp>
#include <sporos/core/random_blocks/options.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

/// Pre-generated random numbers (Lee 2012, Hybrid parallel computing strategies for scientific computing applications,
/// section 4.3), for programs whose own threads consume them.
namespace sporos {

namespace impl {

/// Source of a consumer's blocks.
class BlockSupply {
 public:
  virtual ~BlockSupply() = default;
  /// Returns block number `block`, which must be the successor of the previous one.
  virtual const std::uint64_t* next(std::int64_t block) = 0;
};

}  // namespace impl

/// Sequence of pre-generated random numbers, as an engine for the standard library and Boost
/// (UniformRandomBitGenerator). One thread at a time may use it. Each value is a function of the seed, the consumer's
/// number and the number of values before it; see RandomBlocks.
class BlockConsumer {
 public:
  using result_type = std::uint64_t;  ///< type of the values, which are all equally likely

  /// Smallest value.
  static constexpr result_type min() { return 0; }
  /// Largest value.
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }

  /// Returns the next 64 random bits. The thread sleeps until they are ready. Throws the exception that has ended their
  /// production.
  result_type operator()() {
    if (m_next == m_end) refill();
    return *m_next++;
  }

  /// Returns the next uniform in (0, 1): open_uniform of the next 64 bits.
  double next() { return open_uniform((*this)()); }

 private:
  template <class ExecutionSpace, class E>
  friend class RandomBlocks;

  BlockConsumer(std::unique_ptr<impl::BlockSupply> supply, std::int64_t block_size)
      : m_supply(std::move(supply)), m_block_size(block_size) {}

  void refill() {
    m_next = m_supply->next(m_block);
    m_end = m_next + m_block_size;
    ++m_block;
  }

  const std::uint64_t* m_next = nullptr;
  const std::uint64_t* m_end = nullptr;
  std::unique_ptr<impl::BlockSupply> m_supply;
  std::int64_t m_block_size;
  std::int64_t m_block = 0;  // number of the next block
};

/// Pre-generates the random numbers of any number of consumers in dedicated threads. On a host these threads compute
/// the numbers. On a device they launch kernels in separate streams and copy each block while the next one is computed.
/// The threads start with the first consumer and end with the last. Consumers may outlive this object but not Kokkos.
///
/// Draw i of consumer c does not depend on other consumers, timing, the block size or the backend. For an engine
/// without state (CounterEngine), it is draw i of Stream{seed, c, 0}. For other engines, it is draw i / lanes of
/// Stream{seed, c, i % lanes}, so that a device computes as many draws at once as BlockOptions has lanes. These are the
/// draws of a model's replication c.
///
/// A consumer takes 8 bytes of memory for each draw of its buffers, and a state for each lane if its engine has one.
template <class ExecutionSpace, class E = Philox4x32>
class RandomBlocks {
 public:
  /// @throws std::invalid_argument if an option is outside of the range that its member documents.
  explicit RandomBlocks(std::uint64_t seed, const BlockOptions& options = {})
      : m_block_size(checked_block_size(options)),
        m_buffers(options.buffers),
        m_exchange(
            std::make_shared<Exchange>(impl::BlockSettings{seed, m_block_size, options.lanes, options.group_size},
                                       producers(options), options.buffers, options.observer)) {}

  /// Number of draws of a block.
  std::int64_t block_size() const { return m_block_size; }

  /// Returns consumer `number`, which starts with its first draw. @throws std::invalid_argument if that consumer exists
  /// already, OutOfMemory if its blocks do not fit into the host's memory.
  BlockConsumer consumer(std::uint64_t number) {
    check_memory<Kokkos::HostSpace>({"random numbers", m_buffers * m_block_size, "draws", sizeof(std::uint64_t)});
    return BlockConsumer(std::make_unique<Supply>(m_exchange, number), m_block_size);
  }

 private:
  using Filler =
      std::conditional_t<runs_on_host<ExecutionSpace>, impl::HostFiller<E>, impl::DeviceFiller<ExecutionSpace, E>>;
  using Exchange = impl::BlockExchange<Filler>;

  class Supply final : public impl::BlockSupply {
   public:
    Supply(std::shared_ptr<Exchange> exchange, std::uint64_t number)
        : m_exchange(std::move(exchange)), m_ring(m_exchange->open(number)) {}
    Supply(const Supply&) = delete;
    Supply& operator=(const Supply&) = delete;
    ~Supply() override { m_exchange->close(m_ring); }

    const std::uint64_t* next(std::int64_t block) override { return m_exchange->next(*m_ring, block); }

   private:
    std::shared_ptr<Exchange> m_exchange;
    std::shared_ptr<typename Exchange::Ring> m_ring;
  };

  static void check_at_least(const char* what, std::int64_t value, std::int64_t least) {
    if (value >= least) return;
    throw std::invalid_argument(std::string(what)
                                    .append(" is ")
                                    .append(std::to_string(value))
                                    .append(", expected at least ")
                                    .append(std::to_string(least)));
  }

  static std::int64_t checked_block_size(const BlockOptions& options) {
    check_at_least("block size", options.block_size, 1);
    check_at_least("number of buffers", options.buffers, 2);
    check_at_least("number of producers", options.producers, 0);
    if (options.lanes < 1 || options.lanes > impl::max_lanes || options.lanes % impl::lanes_of_register != 0) {
      throw std::invalid_argument(std::string("number of lanes is ")
                                      .append(std::to_string(options.lanes))
                                      .append(", expected a multiple of 16 up to 65536"));
    }
    if (options.group_size < 0 || options.group_size > 1024) {
      throw std::invalid_argument(std::string("size of a work group is ")
                                      .append(std::to_string(options.group_size))
                                      .append(", expected a number from 0 to 1024"));
    }
    const std::int64_t unit = impl::draws_at_once<E>(options.lanes);
    if (options.block_size > std::numeric_limits<std::int64_t>::max() / 16 / options.buffers) {
      throw std::invalid_argument(std::string("block size is ")
                                      .append(std::to_string(options.block_size))
                                      .append(", expected less than 2^59 draws in all buffers"));
    }
    return (options.block_size + unit - 1) / unit * unit;
  }

  static int producers(const BlockOptions& options) {
    if (options.producers > 0) return options.producers;
    return runs_on_host<ExecutionSpace> ? 1 : 2;  // one copies while the other computes
  }

  std::int64_t m_block_size;
  std::int64_t m_buffers;
  std::shared_ptr<Exchange> m_exchange;
};

}  // namespace sporos
