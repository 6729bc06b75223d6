// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/statistics/blocked_series.hpp>

#include <bit>
#include <stdexcept>
#include <string>

namespace sporos {

BlockedSeries::BlockedSeries(std::size_t max_blocks) : m_max_blocks(max_blocks) {
  if (max_blocks >= 2 && max_blocks % 2 == 0) return;
  throw std::invalid_argument("largest number of blocks of a series is " + std::to_string(max_blocks) +
                              ", expected an even number of at least 2");
}

void BlockedSeries::add(double average, std::int64_t observations) {
  if (observations < 1 || observations > m_block_size ||
      !std::has_single_bit(static_cast<std::uint64_t>(observations))) {
    throw std::invalid_argument("an average of " + std::to_string(observations) +
                                " observations is added, expected a power of two up to " +
                                std::to_string(m_block_size));
  }
  m_pending += average * static_cast<double>(observations);
  m_pending_count += observations;
  if (m_pending_count < m_block_size) return;
  m_blocks.push_back(m_pending / static_cast<double>(m_block_size));
  m_pending = 0;
  m_pending_count = 0;
  if (m_blocks.size() == m_max_blocks) join();
}

void BlockedSeries::restore(const State& state) {
  const bool is_block_size = state.block_size >= 1 && std::has_single_bit(static_cast<std::uint64_t>(state.block_size));
  if (!is_block_size || state.pending_count < 0 || state.pending_count >= state.block_size ||
      state.blocks.size() >= m_max_blocks) {
    throw std::invalid_argument("the state of a series does not fit a series with fewer than " +
                                std::to_string(m_max_blocks) + " blocks");
  }
  m_block_size = state.block_size;
  m_pending_count = state.pending_count;
  m_pending = state.pending;
  m_blocks = state.blocks;
}

void BlockedSeries::join() {
  for (std::size_t pair = 0; 2 * pair < m_blocks.size(); ++pair) {
    m_blocks[pair] = 0.5 * (m_blocks[2 * pair] + m_blocks[2 * pair + 1]);
  }
  m_blocks.resize(m_blocks.size() / 2);
  m_block_size *= 2;
}

}  // namespace sporos
