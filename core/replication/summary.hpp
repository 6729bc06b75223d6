// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/instantiate.hpp>
#include <sporos/core/math/bits.hpp>
#include <sporos/core/random/stream.hpp>
#include <sporos/core/replication/replicate.hpp>
#include <sporos/core/replication/replication_summary.hpp>
#include <sporos/core/replication/response_properties.hpp>
#include <sporos/core/replication/summarized_rows.hpp>
#include <sporos/core/sampling/sub_runs.hpp>
#include <sporos/core/sampling/uniform_source.hpp>
#include <sporos/core/statistics/moments.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace sporos {

namespace impl {

/// Contribution of one output to a digest. The sum over outputs does not depend on the order of summation. It changes
/// if any bit changes, if two outputs are exchanged, or if outputs are shifted.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t digest_of(double output, std::int64_t replication, int response) {
  const auto r = static_cast<std::uint64_t>(response);
  const auto place = mix_bits((static_cast<std::uint64_t>(replication) << 8) + (r & 255) + (r >> 8 << 56) + 1);
  return mix_bits(math::impl::to_bits(output) ^ place);
}

/// Consecutive outputs of one response. It is a pointer, because a View, copied for each block, would count its copies.
struct OutputColumn {
  const double* first;

  template <class View>
  KOKKOS_FORCEINLINE_FUNCTION OutputColumn(const View& outputs, std::int64_t first_row, std::int64_t response)
      : first(&outputs(first_row, response)) {
    static_assert(std::is_same_v<typename View::array_layout, Kokkos::LayoutLeft>);
  }

  KOKKOS_FORCEINLINE_FUNCTION double operator()(std::int64_t i) const { return first[i]; }
};

/// The nodes of one level of the tree of MomentsTree; all have the same number of observations.
template <int nodes>
struct MomentsLevel {
  double mean[nodes], squared_deviation[nodes], cubed_deviation[nodes];

  KOKKOS_FORCEINLINE_FUNCTION Moments of(int node, std::int64_t observations) const {
    return {observations, mean[node], squared_deviation[node], cubed_deviation[node]};
  }

  KOKKOS_FORCEINLINE_FUNCTION void set(int node, const Moments& moments) {
    mean[node] = moments.mean;
    squared_deviation[node] = moments.squared_deviation;
    cubed_deviation[node] = moments.cubed_deviation;
  }

  /// Returns the root above the nodes, computed level by level in loops that compilers vectorize.
  KOKKOS_FORCEINLINE_FUNCTION Moments root(std::int64_t observations_of_node) const {
    if constexpr (nodes == 1) {
      return of(0, observations_of_node);
    } else {
      MomentsLevel<nodes / 2> above;
      for (int i = 0; i < nodes / 2; ++i) {
        above.set(i, sporos::combine_equal(of(2 * i, observations_of_node), of(2 * i + 1, observations_of_node)));
      }
      return above.root(2 * observations_of_node);
    }
  }
};

/// Summarizes `observations` (a power of two) single replications along the tree of MomentsTree. `output(i)` is output
/// i of the block, and `first` is the replication of output 0.
template <std::int64_t observations, class Output>
KOKKOS_INLINE_FUNCTION BlockSummary summarize(const Output& output, std::int64_t first, int response,
                                              std::int64_t at = 0) {
// Hosts combine level by level, because recursion by halves takes one core 4.2 to 5 times as long (AVX-512, g++ 12).
// Devices recurse, because combining by levels takes an H100 twice as long.
#ifndef SPOROS_IMPL_DEVICE_CODE
  if constexpr (observations >= 8) {
    constexpr int pairs = static_cast<int>(observations / 2);
    MomentsLevel<pairs> level;
    for (int i = 0; i < pairs; ++i) {
      level.set(i, sporos::combine_equal(Moments{1, output(at + 2 * i)}, Moments{1, output(at + 2 * i + 1)}));
    }
    std::uint64_t digest = 0;
    for (std::int64_t i = 0; i < observations; ++i) digest += digest_of(output(at + i), first + at + i, response);
    return {level.root(2), {}, digest};
  }
#endif
  if constexpr (observations == 1) {
    const double value = output(at);
    return {{1, value, 0}, {}, digest_of(value, first + at, response)};
  } else {
    return combine_equal(summarize<observations / 2>(output, first, response, at),
                         summarize<observations / 2>(output, first, response, at + observations / 2));
  }
}

/// Average of outputs [begin, end).
template <class Output>
KOKKOS_INLINE_FUNCTION double average(const Output& output, std::int64_t begin, std::int64_t end) {
  double sum = 0;
  for (std::int64_t i = begin; i < end; ++i) sum += output(i);
  return sum / static_cast<double>(end - begin);
}

/// Average of the averages of a run's sub-runs (Aloui and Ourbih-Tari (2011), The use of refined descriptive sampling
/// and applications in parallel Monte Carlo simulation, section 3.2).
template <class Output>
KOKKOS_INLINE_FUNCTION double average_of_sub_runs(const Output& output, std::int64_t length, SubRuns sub_runs) {
  double sum = 0;
  for (std::int64_t begin = 0; begin < length;) {
    sub_runs.seek(static_cast<std::uint64_t>(begin));
    const auto end = static_cast<std::int64_t>(sub_runs.first() + sub_runs.size());
    sum += average(output, begin, end < length ? end : length);
    begin = end;
  }
  return sum / static_cast<double>(sub_runs.index() + 1);
}

/// Summarizes a run of several replications as one observation. `first` is the run's first replication.
template <class Output>
KOKKOS_INLINE_FUNCTION BlockSummary summarize_run(const Output& output, std::int64_t first, int response,
                                                  const UniformSource& source, std::uint64_t seed) {
  const std::int64_t length = source.replications_of_run();
  Moments replications{length, average(output, 0, length), 0};
  std::uint64_t digest = 0;
  for (std::int64_t i = 0; i < length; ++i) {
    const double value = output(i), deviation = value - replications.mean;
    replications.squared_deviation += deviation * deviation;
    replications.cubed_deviation += deviation * deviation * deviation;
    digest += digest_of(value, first + i, response);
  }
  double observation = replications.mean;
  if (source.sampling == Sampling::refined_descriptive && source.weights == SubRunWeights::equal) {
    observation =
        average_of_sub_runs(output, length, SubRuns(source.primes, seed, static_cast<std::uint64_t>(first / length)));
  }
  return {{1, observation, 0}, replications, digest};
}

/// Co-moments of two responses over `observations` (a power of two) single replications, along the tree of
/// CoMomentsTree.
template <std::int64_t observations, class Output>
KOKKOS_INLINE_FUNCTION CoMoments summarize_pair(const Output& first, const Output& second, std::int64_t at = 0) {
  if constexpr (observations == 1) {
    return {1, first(at), second(at), 0};
  } else {
    return combine_equal(summarize_pair<observations / 2>(first, second, at),
                         summarize_pair<observations / 2>(first, second, at + observations / 2));
  }
}

// Largest number of single replications that a thread summarizes at once. It is large on hosts, where the lower levels
// of a tree are vectorized and its top is not.
template <class ExecutionSpace>
inline constexpr std::int64_t observations_at_once = runs_on_host<ExecutionSpace> ? 128 : block_observations;

// Kernel that summarizes whole blocks of outputs. Blocks of single replications have observations_at_once or
// block_observations replications. An index is a (block, design point, response) triple.
template <class ExecutionSpace>
struct BlockSummarizer {
  // These Views name the execution space: Kokkos destroys Views of a memory space on the default execution space of
  // that memory, for example on OpenMP for Serial.
  using Blocks = Kokkos::View<BlockSummary***, Kokkos::LayoutLeft, ExecutionSpace>;
  using Seeds = Kokkos::View<std::uint64_t*, typename ExecutionSpace::memory_space>;
  Outputs<ExecutionSpace> outputs;
  Blocks blocks;
  ReplicationRange range;
  std::int64_t replications_of_block;
  UniformSource source;
  Seeds seeds;  // seed of each design point, if observations depend on it

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t index) const {
    const auto block_count = static_cast<std::int64_t>(blocks.extent(0));
    const auto point_count = static_cast<std::int64_t>(blocks.extent(1));
    const std::int64_t block = index % block_count;
    const std::int64_t point = index / block_count % point_count;
    const auto response = static_cast<int>(index / block_count / point_count);
    const std::int64_t start = block * replications_of_block, first = range.first + start;
    const OutputColumn output(outputs, point * range.count + start, response);
    if (source.replications_of_run() > 1) {
      blocks(block, point, response) =
          summarize_run(output, first, response, source, seeds.extent(0) > 0 ? seeds(point) : 0);
    } else if (replications_of_block > block_observations) {
      blocks(block, point, response) = summarize<observations_at_once<ExecutionSpace>>(output, first, response);
    } else {
      blocks(block, point, response) = summarize<block_observations>(output, first, response);
    }
  }
};

// Kernel that summarizes whole blocks of pairs of responses. An index is a (block, design point, pair) triple.
template <class ExecutionSpace>
struct PairSummarizer {
  using Blocks = Kokkos::View<CoMoments***, Kokkos::LayoutLeft, ExecutionSpace>;
  using Pairs = Kokkos::View<ResponsePair*, ExecutionSpace>;
  BlockSummarizer<ExecutionSpace> of_responses;
  Blocks blocks;
  std::int64_t replications_of_block;
  Pairs pairs;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t index) const {
    const auto& [outputs, responses, range, replications_of_summary, source, seeds] = of_responses;
    const auto block_count = static_cast<std::int64_t>(blocks.extent(0));
    const auto point_count = static_cast<std::int64_t>(blocks.extent(1));
    const std::int64_t block = index % block_count;
    const std::int64_t point = index / block_count % point_count;
    const std::int64_t pair = index / block_count / point_count;
    const std::int64_t start = block * replications_of_block, row = point * range.count + start;
    const ResponsePair of = pairs(pair);
    if (source.replications_of_run() == 1) {
      blocks(block, point, pair) = summarize_pair<block_observations>(OutputColumn(outputs, row, of.first),
                                                                      OutputColumn(outputs, row, of.second));
    } else {
      // The blocks of the responses contain the observations.
      blocks(block, point, pair) = {1, responses(block, point, of.first).observations.mean,
                                    responses(block, point, of.second).observations.mean, 0};
    }
  }
};

// Kernel that combines `parts_of_block` (a power of two) neighbouring parts into each block. Parts are summaries of the
// same number of observations.
template <class Value>
struct BlockCombiner {
  const Value* parts;
  Value* blocks;
  std::int64_t parts_of_block;

  static constexpr int max_levels =
      std::bit_width(static_cast<std::uint64_t>(max_block_observations / block_observations));

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t block) const {
    Value nodes[max_levels];  // complete subtrees so far, from left to right, as in ObservationTree
    int count = 0;
    for (std::int64_t part = 0; part < parts_of_block; ++part) {
      Value node = parts[block * parts_of_block + part];
      for (std::int64_t left = part; left % 2 == 1; left /= 2) node = combine_equal(nodes[--count], node);
      nodes[count++] = node;
    }
    blocks[block] = nodes[0];
  }
};

// Kernel that copies the rows of every design point starting at `first` to contiguous rows.
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

/// The outputs of one launch, ready to be added to the summaries of their design points on the host. Whole blocks of
/// outputs are reduced in the memory of `ExecutionSpace`.
template <class ExecutionSpace>
class LaunchSummary : public SummarizedRows {
 public:
  /// Summarizes a launch that wrote `range.count` rows, which form whole runs, for each design point, with draws from
  /// `source` with `seeds`. The outputs must not change while this object exists. Fences `space`.
  ///
  /// The pieces passed to `add_to` must begin at multiples of `cut` replications. Runs of several replications are
  /// reduced on the device. Single replications are reduced there too, in the largest blocks that `cut` and their
  /// number allow. Remaining rows, and all rows if no block is allowed, are copied to the host. Summaries contain the
  /// covariances of `pairs`.
  LaunchSummary(const ExecutionSpace& space, const Outputs<ExecutionSpace>& outputs, const ReplicationRange& range,
                std::int64_t cut, const UniformSource& source, std::span<const std::uint64_t> seeds,
                std::span<const ResponsePair> pairs = {});

 private:
  using HostRows = Kokkos::View<double**, Kokkos::LayoutLeft, Kokkos::HostSpace>;
  using HostBlocks = Kokkos::View<impl::BlockSummary***, Kokkos::LayoutLeft, Kokkos::HostSpace>;
  using HostPairBlocks = Kokkos::View<CoMoments***, Kokkos::LayoutLeft, Kokkos::HostSpace>;
  using Policy = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;

  void choose_blocks(std::int64_t cut, std::int64_t run_length);
  void reduce_blocks(const ExecutionSpace& space, const UniformSource& source, std::span<const std::uint64_t> seeds);
  template <class Blocks>
  Blocks combined(const ExecutionSpace& space, const Blocks& parts, std::int64_t part) const;
  void copy_rows(const ExecutionSpace& space);
  std::vector<double> outputs_of(int response) const override;

  Outputs<ExecutionSpace> m_outputs;
  HostBlocks m_host_blocks;
  HostPairBlocks m_host_pair_blocks;
  HostRows m_host_rows;
};

template <class ExecutionSpace>
LaunchSummary<ExecutionSpace>::LaunchSummary(const ExecutionSpace& space, const Outputs<ExecutionSpace>& outputs,
                                             const ReplicationRange& range, std::int64_t cut,
                                             const UniformSource& source, std::span<const std::uint64_t> seeds,
                                             std::span<const ResponsePair> pairs)
    : SummarizedRows(range, static_cast<std::int64_t>(seeds.size()), pairs), m_outputs(outputs) {
  choose_blocks(cut, source.replications_of_run());
  if (m_in_blocks > 0) reduce_blocks(space, source, seeds);
  if (m_in_blocks < range.count) copy_rows(space);
}

// A block of single replications must be a node of the tree of MomentsTree and lie within one piece.
template <class ExecutionSpace>
void LaunchSummary<ExecutionSpace>::choose_blocks(std::int64_t cut, std::int64_t run_length) {
  const auto is_aligned = [&] { return m_range.first % m_block == 0 && cut % m_block == 0; };
  m_block = run_length > 1 ? run_length : impl::block_of(m_range.count);
  if (run_length == 1) {
    while (!is_aligned() && m_block > impl::block_observations) m_block /= 2;
  }
  m_in_blocks = run_length > 1 || is_aligned() ? m_range.count / m_block * m_block : 0;
}

template <class ExecutionSpace>
void LaunchSummary<ExecutionSpace>::reduce_blocks(const ExecutionSpace& space, const UniformSource& source,
                                                  std::span<const std::uint64_t> seeds) {
  using Summarizer = impl::BlockSummarizer<ExecutionSpace>;
  typename Summarizer::Seeds device_seeds;
  if (source.sampling == Sampling::refined_descriptive) {
    device_seeds = typename Summarizer::Seeds(
        Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::replication::seeds"), seeds.size());
    copy_elements(device_seeds, seeds);
  }
  const bool is_in_runs = source.replications_of_run() > 1;
  const std::int64_t part = is_in_runs ? m_block : std::min(m_block, impl::observations_at_once<ExecutionSpace>);
  const typename Summarizer::Blocks blocks(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::replication::blocks"),
      static_cast<std::size_t>(m_in_blocks / part), seeds.size(), m_outputs.extent(1));
  const Summarizer summarizer{m_outputs, blocks, m_range, part, source, device_seeds};
  Kokkos::parallel_for("sporos::replication::summarize", Policy(space, 0, static_cast<std::int64_t>(blocks.size())),
                       summarizer);
  if (!m_pairs.empty()) {
    using OfPairs = impl::PairSummarizer<ExecutionSpace>;
    const typename OfPairs::Pairs pairs(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::replication::pairs"),
                                        m_pairs.size());
    copy_elements(pairs, m_pairs);
    const std::int64_t pair_part = is_in_runs ? m_block : impl::block_observations;
    const typename OfPairs::Blocks pair_blocks(
        Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::replication::pair_blocks"),
        static_cast<std::size_t>(m_in_blocks / pair_part), seeds.size(), m_pairs.size());
    Kokkos::parallel_for("sporos::replication::summarize_pairs",
                         Policy(space, 0, static_cast<std::int64_t>(pair_blocks.size())),
                         OfPairs{summarizer, pair_blocks, pair_part, pairs});
    const auto whole = combined(space, pair_blocks, pair_part);
    space.fence();
    m_host_pair_blocks = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), whole);
    m_pair_blocks = m_host_pair_blocks.data();
  }
  const auto whole = combined(space, blocks, part);
  space.fence();
  m_host_blocks = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), whole);
  m_blocks = m_host_blocks.data();
}

// Returns blocks of m_block observations, combined from parts of `part` observations each.
template <class ExecutionSpace>
template <class Blocks>
Blocks LaunchSummary<ExecutionSpace>::combined(const ExecutionSpace& space, const Blocks& parts,
                                               std::int64_t part) const {
  if (part == m_block) return parts;
  const Blocks blocks(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::replication::combined"),
                      static_cast<std::size_t>(m_in_blocks / m_block), parts.extent(1), parts.extent(2));
  using Combiner = impl::BlockCombiner<typename Blocks::value_type>;
  Kokkos::parallel_for("sporos::replication::combine", Policy(space, 0, static_cast<std::int64_t>(blocks.size())),
                       Combiner{parts.data(), blocks.data(), m_block / part});
  return blocks;
}

template <class ExecutionSpace>
void LaunchSummary<ExecutionSpace>::copy_rows(const ExecutionSpace& space) {
  using Copier = impl::RowCopier<ExecutionSpace>;
  const std::int64_t left_over = m_range.count - m_in_blocks;
  const Outputs<ExecutionSpace> rows(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::replication::rows"),
                                     static_cast<std::size_t>(m_points * left_over), m_outputs.extent(1));
  Kokkos::parallel_for("sporos::replication::left_over", Policy(space, 0, m_points * left_over),
                       Copier{m_outputs, rows, m_range.count, m_in_blocks});
  space.fence();
  m_host_rows = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), rows);
  m_rows = m_host_rows.data();
}

template <class ExecutionSpace>
std::vector<double> LaunchSummary<ExecutionSpace>::outputs_of(int response) const {
  const auto outputs = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), m_outputs);
  const double* const first = outputs.data() + outputs.extent(0) * static_cast<std::size_t>(response);
  return {first, first + outputs.extent(0)};
}

#define SPOROS_LAUNCH_SUMMARY_ON(ExecutionSpace) class LaunchSummary<ExecutionSpace>
SPOROS_INSTANTIATE(SPOROS_LAUNCH_SUMMARY_ON)

}  // namespace sporos
