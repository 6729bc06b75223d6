// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/bits.hpp>
#include <sporos/core/random/stream.hpp>
#include <sporos/core/replication/replicate.hpp>
#include <sporos/core/statistics/moments.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace sporos {

namespace impl {

/// What one output adds to a digest. The sum over outputs does not depend on their order, and changes with any bit, any
/// exchange of two outputs, and any shift.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t digest_of(double output, std::int64_t replication, int response) {
  const auto place =
      mix_bits((static_cast<std::uint64_t>(replication) << 8) + static_cast<std::uint64_t>(response) + 1);
  return mix_bits(math::impl::to_bits(output) ^ place);
}

/// Moments and digest of a block of outputs of one response.
struct BlockSummary {
  Moments moments;
  std::uint64_t digest;
};

/// Consecutive outputs of one response.
template <class View>
struct OutputColumn {
  View outputs;
  std::int64_t first_row;
  int response;

  KOKKOS_FORCEINLINE_FUNCTION double operator()(std::int64_t i) const { return outputs(first_row + i, response); }
};

/// Observations in the blocks that a device summarizes.
inline constexpr std::int64_t block_observations = 64;

/// Summarizes `observations` (a power of two) observations of `group` replications each over the tree of MomentsTree.
/// `output(i)` is output i of the block, `first` the replication of output 0.
template <std::int64_t observations, class Output>
KOKKOS_INLINE_FUNCTION BlockSummary summarize(const Output& output, std::int64_t first, int response, int group,
                                              std::int64_t at = 0) {
  if constexpr (observations == 1) {
    BlockSummary leaf{{1, 0, 0}, 0};
    for (int i = 0; i < group; ++i) {
      const double value = output(at * group + i);
      leaf.moments.mean += value;
      leaf.digest += digest_of(value, first + at * group + i, response);
    }
    leaf.moments.mean /= group;
    return leaf;
  } else {
    const auto left = summarize<observations / 2>(output, first, response, group, at);
    const auto right = summarize<observations / 2>(output, first, response, group, at + observations / 2);
    return {combine_equal(left.moments, right.moments), left.digest + right.digest};
  }
}

// Summarizes whole blocks of outputs; an index is a (block, design point, response) triple.
template <class ExecutionSpace>
struct BlockSummarizer {
  using Blocks = Kokkos::View<BlockSummary***, Kokkos::LayoutLeft, typename ExecutionSpace::memory_space>;
  Outputs<ExecutionSpace> outputs;
  Blocks blocks;
  ReplicationRange range;
  int group;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t index) const {
    const auto block_count = static_cast<std::int64_t>(blocks.extent(0));
    const auto point_count = static_cast<std::int64_t>(blocks.extent(1));
    const std::int64_t block = index % block_count;
    const std::int64_t point = index / block_count % point_count;
    const auto response = static_cast<int>(index / block_count / point_count);
    const std::int64_t start = block * block_observations * group;
    const std::int64_t row = point * range.count + start;
    const OutputColumn<Outputs<ExecutionSpace>> output{outputs, row, response};
    blocks(block, point, response) = summarize<block_observations>(output, range.first + start, response, group);
  }
};

// Copies the rows of every design point from `first` on, side by side.
template <class ExecutionSpace>
struct RowCopier {
  Outputs<ExecutionSpace> outputs, rows;
  std::int64_t rows_of_point, first;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t row) const {
    const std::int64_t copied = rows_of_point - first;
    const std::int64_t from = row / copied * rows_of_point + first + row % copied;
    for (int response = 0; response < static_cast<int>(rows.extent(1)); ++response) {
      rows(row, response) = outputs(from, response);
    }
  }
};

}  // namespace impl

/// Moments and digest of one design point's replications, which arrive in order, in pieces of any size. The bits do not
/// depend on the pieces.
struct ReplicationSummary {
  /// For a model with `responses` responses.
  explicit ReplicationSummary(int responses) : trees(static_cast<std::size_t>(responses)) {}

  std::int64_t replications = 0;   ///< so far
  std::uint64_t digest = 0;        ///< of all outputs' bits so far
  std::vector<MomentsTree> trees;  ///< one a response, over observations
};

/// The outputs of one launch, reduced where they lie as far as they form whole blocks, and ready to be added to the
/// summaries of their design points on the host.
template <class ExecutionSpace>
class LaunchSummary {
 public:
  /// Of a launch that wrote `range.count` rows for each of `points` design points; `group` replications make an
  /// observation. The outputs must stay as they are while this lives. Fences `space`.
  ///
  /// The pieces that `add_to` will take begin at multiples of `cut` replications. Where that is a multiple of a block
  /// the blocks are reduced on the device and only what is left over is copied to the host; otherwise every row is.
  LaunchSummary(const ExecutionSpace& space, const Outputs<ExecutionSpace>& outputs, std::int64_t points,
                const ReplicationRange& range, std::int64_t cut, int group);

  /// Adds rows [begin, end) of design point `point` to `summary`. Throws std::runtime_error, naming the replication,
  /// where an output is not finite.
  void add_to(ReplicationSummary& summary, std::int64_t point, std::int64_t begin, std::int64_t end,
              std::span<const std::string> names) const;

 private:
  using HostRows = Kokkos::View<double**, Kokkos::LayoutLeft, Kokkos::HostSpace>;
  using HostBlocks = Kokkos::View<impl::BlockSummary***, Kokkos::LayoutLeft, Kokkos::HostSpace>;

  void reduce_blocks(const ExecutionSpace& space, std::int64_t points);
  void copy_rows(const ExecutionSpace& space, std::int64_t points);
  void add(ReplicationSummary& summary, std::size_t response, const impl::BlockSummary& part, std::int64_t first_row,
           std::int64_t rows, const std::string& name) const;
  [[noreturn]] void refuse(std::int64_t first_row, std::int64_t rows, int response, const std::string& name) const;

  Outputs<ExecutionSpace> m_outputs;
  ReplicationRange m_range;
  int m_group;
  std::int64_t m_block;      // replications in a block
  std::int64_t m_in_blocks;  // rows of a design point that are reduced, from its first on
  HostBlocks m_blocks;       // by block, design point, response
  HostRows m_rows;           // what is left over, design point by design point
};

template <class ExecutionSpace>
LaunchSummary<ExecutionSpace>::LaunchSummary(const ExecutionSpace& space, const Outputs<ExecutionSpace>& outputs,
                                             std::int64_t points, const ReplicationRange& range, std::int64_t cut,
                                             int group)
    : m_outputs(outputs), m_range(range), m_group(group), m_block(impl::block_observations * group) {
  const bool aligned = range.first % m_block == 0 && cut % m_block == 0;
  m_in_blocks = aligned ? range.count / m_block * m_block : 0;
  if (m_in_blocks > 0) reduce_blocks(space, points);
  if (m_in_blocks < range.count) copy_rows(space, points);
}

template <class ExecutionSpace>
void LaunchSummary<ExecutionSpace>::reduce_blocks(const ExecutionSpace& space, std::int64_t points) {
  using Summarizer = impl::BlockSummarizer<ExecutionSpace>;
  const typename Summarizer::Blocks blocks(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::replication::blocks"),
      static_cast<std::size_t>(m_in_blocks / m_block), static_cast<std::size_t>(points), m_outputs.extent(1));
  using Policy = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;
  Kokkos::parallel_for("sporos::replication::summarize", Policy(space, 0, static_cast<std::int64_t>(blocks.size())),
                       Summarizer{m_outputs, blocks, m_range, m_group});
  space.fence();
  m_blocks = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), blocks);
}

template <class ExecutionSpace>
void LaunchSummary<ExecutionSpace>::copy_rows(const ExecutionSpace& space, std::int64_t points) {
  using Copier = impl::RowCopier<ExecutionSpace>;
  const std::int64_t left_over = m_range.count - m_in_blocks;
  const Outputs<ExecutionSpace> rows(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::replication::rows"),
                                     static_cast<std::size_t>(points * left_over), m_outputs.extent(1));
  using Policy = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;
  Kokkos::parallel_for("sporos::replication::left_over", Policy(space, 0, points * left_over),
                       Copier{m_outputs, rows, m_range.count, m_in_blocks});
  space.fence();
  m_rows = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), rows);
}

template <class ExecutionSpace>
void LaunchSummary<ExecutionSpace>::add_to(ReplicationSummary& summary, std::int64_t point, std::int64_t begin,
                                           std::int64_t end, std::span<const std::string> names) const {
  const std::int64_t left_over = m_range.count - m_in_blocks;
  for (std::size_t response = 0; response < names.size(); ++response) {
    const auto index = static_cast<int>(response);
    std::int64_t at = begin;
    for (; at < std::min(end, m_in_blocks); at += m_block) {
      add(summary, response, m_blocks(at / m_block, point, index), point * m_range.count + at, m_block,
          names[response]);
    }
    for (; at < end; at += m_group) {
      const impl::OutputColumn<HostRows> output{m_rows, point * left_over + at - m_in_blocks, index};
      const auto part = impl::summarize<1>(output, m_range.first + at, index, m_group);
      add(summary, response, part, point * m_range.count + at, m_group, names[response]);
    }
  }
  summary.replications += end - begin;
}

template <class ExecutionSpace>
void LaunchSummary<ExecutionSpace>::add(ReplicationSummary& summary, std::size_t response,
                                        const impl::BlockSummary& part, std::int64_t first_row, std::int64_t rows,
                                        const std::string& name) const {
  if (!std::isfinite(part.moments.mean) || !std::isfinite(part.moments.squared_deviation)) {
    refuse(first_row, rows, static_cast<int>(response), name);
  }
  summary.trees[response].add(part.moments);
  summary.digest += part.digest;
}

template <class ExecutionSpace>
void LaunchSummary<ExecutionSpace>::refuse(std::int64_t first_row, std::int64_t rows, int response,
                                           const std::string& name) const {
  const auto outputs = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), m_outputs);
  for (std::int64_t row = first_row; row < first_row + rows; ++row) {
    if (std::isfinite(outputs(row, response))) continue;
    throw std::runtime_error("response '" + name + "' of replication " +
                             std::to_string(m_range.first + row % m_range.count) + " is " +
                             std::to_string(outputs(row, response)) + ", not a finite number");
  }
  throw std::runtime_error("response '" + name + "' takes values too large for their variance to be formed");
}

}  // namespace sporos
