// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/bits.hpp>
#include <sporos/core/random/stream.hpp>
#include <sporos/core/replication/replicate.hpp>
#include <sporos/core/statistics/moments.hpp>

#include <Kokkos_Core.hpp>

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
  /// Blocks are formed where the range and every piece that `add_to` will take begin and end at multiples of
  /// `cut` replications that are multiples of a block's; otherwise every row is copied to the host.
  LaunchSummary(const ExecutionSpace& space, const Outputs<ExecutionSpace>& outputs, std::int64_t points,
                const ReplicationRange& range, std::int64_t cut, int group);

  /// Adds rows [begin, end) of design point `point` to `summary`. Throws std::runtime_error, naming the replication,
  /// where an output is not finite.
  void add_to(ReplicationSummary& summary, std::int64_t point, std::int64_t begin, std::int64_t end,
              std::span<const std::string> names) const;

 private:
  impl::BlockSummary part(std::int64_t point, std::int64_t at, int response) const;
  [[noreturn]] void refuse(std::int64_t point, std::int64_t at, int response, const std::string& name) const;

  using HostRows = Kokkos::View<double**, Kokkos::LayoutLeft, Kokkos::HostSpace>;

  Outputs<ExecutionSpace> m_outputs;
  HostRows m_rows;                                                                      // all outputs, or
  Kokkos::View<impl::BlockSummary***, Kokkos::LayoutLeft, Kokkos::HostSpace> m_blocks;  // by block, point, response
  ReplicationRange m_range;
  int m_group;
  std::int64_t m_step;  // replications in one part: a block or an observation
};

template <class ExecutionSpace>
LaunchSummary<ExecutionSpace>::LaunchSummary(const ExecutionSpace& space, const Outputs<ExecutionSpace>& outputs,
                                             std::int64_t points, const ReplicationRange& range, std::int64_t cut,
                                             int group)
    : m_outputs(outputs), m_range(range), m_group(group), m_step(impl::block_observations * group) {
  if (range.first % m_step != 0 || range.count % m_step != 0 || cut % m_step != 0) {
    m_step = group;
    space.fence();
    m_rows = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), outputs);
    return;
  }
  using Summarizer = impl::BlockSummarizer<ExecutionSpace>;
  const typename Summarizer::Blocks blocks(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::replication::blocks"),
      static_cast<std::size_t>(range.count / m_step), static_cast<std::size_t>(points), outputs.extent(1));
  using Policy = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;
  Kokkos::parallel_for("sporos::replication::summarize", Policy(space, 0, static_cast<std::int64_t>(blocks.size())),
                       Summarizer{outputs, blocks, range, group});
  space.fence();
  m_blocks = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), blocks);
}

template <class ExecutionSpace>
void LaunchSummary<ExecutionSpace>::add_to(ReplicationSummary& summary, std::int64_t point, std::int64_t begin,
                                           std::int64_t end, std::span<const std::string> names) const {
  for (std::size_t response = 0; response < names.size(); ++response) {
    for (std::int64_t at = begin; at < end; at += m_step) {
      const auto added = part(point, at, static_cast<int>(response));
      if (!std::isfinite(added.moments.mean) || !std::isfinite(added.moments.squared_deviation)) {
        refuse(point, at, static_cast<int>(response), names[response]);
      }
      summary.trees[response].add(added.moments);
      summary.digest += added.digest;
    }
  }
  summary.replications += end - begin;
}

template <class ExecutionSpace>
impl::BlockSummary LaunchSummary<ExecutionSpace>::part(std::int64_t point, std::int64_t at, int response) const {
  if (m_rows.data() == nullptr) return m_blocks(at / m_step, point, response);
  const impl::OutputColumn<HostRows> output{m_rows, point * m_range.count + at, response};
  return impl::summarize<1>(output, m_range.first + at, response, m_group);
}

template <class ExecutionSpace>
void LaunchSummary<ExecutionSpace>::refuse(std::int64_t point, std::int64_t at, int response,
                                           const std::string& name) const {
  const auto rows = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), m_outputs);
  for (std::int64_t offset = at; offset < at + m_step; ++offset) {
    const double value = rows(point * m_range.count + offset, response);
    if (!std::isfinite(value)) {
      throw std::runtime_error("response '" + name + "' of replication " + std::to_string(m_range.first + offset) +
                               " is " + std::to_string(value) + ", not a finite number");
    }
  }
  throw std::runtime_error("response '" + name + "' takes values too large for their variance to be formed");
}

}  // namespace sporos
