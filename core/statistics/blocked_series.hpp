// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sporos {

/// Averages of blocks of consecutive observations of a growing series, in bounded memory. Blocks begin with one
/// observation each. When the largest number of blocks is reached, adjacent blocks are merged in pairs, which doubles
/// the block size. Each block is completed before the next begins.
class BlockedSeries {
 public:
  /// Keeps fewer than `max_blocks` blocks. Throws std::invalid_argument unless `max_blocks` is even and at least 2.
  explicit BlockedSeries(std::size_t max_blocks);

  /// Adds the average of the next `observations` observations. Throws std::invalid_argument unless `observations` is a
  /// power of two that is at most the block size.
  void add(double average, std::int64_t observations);

  /// Everything needed to continue a series.
  struct State {
    std::int64_t block_size = 1;      ///< number of observations in a block
    std::int64_t pending_count = 0;   ///< number of observations in the incomplete block
    double pending = 0;               ///< sum of the observations in the incomplete block
    std::vector<double> blocks = {};  ///< averages of complete blocks
  };

  /// The current state.
  State state() const { return {m_block_size, m_pending_count, m_pending, m_blocks}; }
  /// Continues from `state`. Throws std::invalid_argument if `state` cannot come from a series with as many blocks.
  void restore(const State& state);

  /// Number of observations in a block, a power of two.
  std::int64_t block_size() const { return m_block_size; }
  /// The averages of complete blocks.
  std::span<const double> blocks() const { return m_blocks; }
  /// Number of observations so far, including those of the incomplete block.
  std::int64_t observations() const {
    return static_cast<std::int64_t>(m_blocks.size()) * m_block_size + m_pending_count;
  }

 private:
  void join();

  std::size_t m_max_blocks;
  std::int64_t m_block_size = 1;
  std::int64_t m_pending_count = 0;
  double m_pending = 0;  // sum of the pending observations
  std::vector<double> m_blocks;
};

}  // namespace sporos
