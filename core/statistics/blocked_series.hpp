// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sporos {

/// Averages of blocks of neighbouring observations of a growing series, in bounded memory: blocks begin with one
/// observation each, and where there are as many as are kept at most, neighbours are joined to blocks of twice the
/// size. A block is whole before the next begins.
class BlockedSeries {
 public:
  /// Keeps fewer than `most_blocks` blocks, an even number of at least 2. Throws std::invalid_argument for another.
  explicit BlockedSeries(std::size_t most_blocks);

  /// Adds the average of the next `observations` observations, a power of two that is at most the block size. Throws
  /// std::invalid_argument for another number.
  void add(double average, std::int64_t observations);

  /// All that it takes to go on.
  struct State {
    std::int64_t block_size = 1;      ///< observations in a block
    std::int64_t pending_count = 0;   ///< observations of the block that is not whole yet
    double pending = 0;               ///< their sum
    std::vector<double> blocks = {};  ///< averages of whole blocks
  };

  /// The state now.
  State state() const { return {m_block_size, m_pending_count, m_pending, m_blocks}; }
  /// Goes on from there. Throws std::invalid_argument for what is no state of a series that keeps as many blocks.
  void restore(const State& state);

  /// Observations in a block: a power of two.
  std::int64_t block_size() const { return m_block_size; }
  /// The averages of whole blocks.
  std::span<const double> blocks() const { return m_blocks; }
  /// Observations so far, also those of a block that is not whole yet.
  std::int64_t observations() const {
    return static_cast<std::int64_t>(m_blocks.size()) * m_block_size + m_pending_count;
  }

 private:
  void join();

  std::size_t m_most_blocks;
  std::int64_t m_block_size = 1;
  std::int64_t m_pending_count = 0;
  double m_pending = 0;  // their sum
  std::vector<double> m_blocks;
};

}  // namespace sporos
