// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/instantiate.hpp>
#include <sporos/core/execution/kept_memory.hpp>
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
// block_observations replications. An index is a (block, design point, response) triple, of which the block runs
// fastest.
template <class ExecutionSpace>
struct BlockSummarizer {
  Outputs<ExecutionSpace> outputs;
  BlockSummary* blocks;  // one for each index
  ReplicationRange range;
  std::int64_t block_count, point_count, replications_of_block;
  UniformSource source;
  const std::uint64_t* seeds;  // seed of each design point; null if observations do not depend on it

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t index) const {
    const std::int64_t block = index % block_count, point = index / block_count % point_count;
    const auto response = static_cast<int>(index / block_count / point_count);
    const std::int64_t start = block * replications_of_block, first = range.first + start;
    const OutputColumn output(outputs, point * range.count + start, response);
    if (source.replications_of_run() > 1) {
      blocks[index] = summarize_run(output, first, response, source, seeds == nullptr ? 0 : seeds[point]);
    } else if (replications_of_block > block_observations) {
      blocks[index] = summarize<observations_at_once<ExecutionSpace>>(output, first, response);
    } else {
      blocks[index] = summarize<block_observations>(output, first, response);
    }
  }
};

// Kernel that summarizes whole blocks of pairs of responses. An index is a (block, design point, pair) triple, of which
// the block runs fastest.
template <class ExecutionSpace>
struct PairSummarizer {
  BlockSummarizer<ExecutionSpace> of_responses;
  CoMoments* blocks;  // one for each index
  std::int64_t block_count, replications_of_block;
  const ResponsePair* pairs;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t index) const {
    const std::int64_t block = index % block_count, point = index / block_count % of_responses.point_count;
    const ResponsePair pair = pairs[index / block_count / of_responses.point_count];
    if (of_responses.source.replications_of_run() == 1) {
      const std::int64_t row = point * of_responses.range.count + block * replications_of_block;
      blocks[index] = summarize_pair<block_observations>(OutputColumn(of_responses.outputs, row, pair.first),
                                                         OutputColumn(of_responses.outputs, row, pair.second));
    } else {  // the blocks of the responses contain the observations
      blocks[index] = {1, observation(block, point, pair.first), observation(block, point, pair.second), 0};
    }
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION double observation(std::int64_t block, std::int64_t point, std::int64_t response) const {
    return of_responses.blocks[block + block_count * (point + of_responses.point_count * response)].observations.mean;
  }
};

// Largest number of parts that a thread combines. For 64 parts, two levels take an H200 half of the time of one.
inline constexpr std::int64_t combined_at_once = 8;

// Kernel that combines `parts_of_block` neighbouring parts, a power of two up to combined_at_once, into each block.
// Parts are summaries of the same number of observations.
template <class Value>
struct BlockCombiner {
  const Value* parts;
  Value* blocks;
  std::int64_t parts_of_block;

  static constexpr int max_levels = std::bit_width(static_cast<std::uint64_t>(combined_at_once));

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

// Copies values to memory of an execution space.
template <class ExecutionSpace, class Value>
const Value* copied(const ExecutionSpace& space, std::span<const Value> values, KeptMemory<ExecutionSpace>& memory,
                    const char* label) {
  Value* const copies = memory.template provide<Value>(space, static_cast<std::int64_t>(values.size()), label);
  copy_elements(
      Kokkos::View<Value*, typename ExecutionSpace::memory_space, Kokkos::MemoryUnmanaged>(copies, values.size()),
      values);
  return copies;
}

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
/// outputs are reduced in the memory of `ExecutionSpace`. That memory is kept for the next launch, because a GPU takes
/// longer to allocate and free it than to reduce a million outputs.
template <class ExecutionSpace>
class LaunchSummary : public SummarizedRows {
 public:
  /// Replaces the last launch by one that wrote `range.count` rows, which form whole runs, for each design point, with
  /// draws from `source` with `seeds`. The outputs must not change while this summary is used. Fences `space`.
  ///
  /// The pieces passed to `add_to` must begin at multiples of `cut` replications. Runs of several replications are
  /// reduced on the device. Single replications are reduced there too, in the largest blocks that `cut` and their
  /// number allow. Remaining rows, and all rows if no block is allowed, are copied to the host. Summaries contain the
  /// covariances of `pairs`.
  void summarize(const ExecutionSpace& space, const Outputs<ExecutionSpace>& outputs, const ReplicationRange& range,
                 std::int64_t cut, const UniformSource& source, std::span<const std::uint64_t> seeds,
                 std::span<const ResponsePair> pairs = {});

 private:
  using Policy = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;

  void choose_blocks(std::int64_t cut, std::int64_t run_length);
  std::int64_t blocks_of(std::int64_t columns) const { return m_in_blocks / m_block * m_points * columns; }
  void reduce_blocks(const ExecutionSpace& space, const UniformSource& source, std::span<const std::uint64_t> seeds,
                     impl::BlockSummary* blocks, CoMoments* pair_blocks);
  template <class Value>
  void combine(const ExecutionSpace& space, const Value* parts, std::int64_t columns, std::int64_t part, Value* blocks);
  std::vector<double> outputs_of(int response) const override;

  Outputs<ExecutionSpace> m_outputs;
  KeptMemory<ExecutionSpace> m_seeds, m_device_pairs, m_parts, m_pair_parts, m_combined;
  KeptMemory<ExecutionSpace> m_result;  // blocks of the responses, blocks of the pairs, and remaining rows
  Kokkos::View<std::byte*, Kokkos::HostSpace> m_host_result;
};

template <class ExecutionSpace>
void LaunchSummary<ExecutionSpace>::summarize(const ExecutionSpace& space, const Outputs<ExecutionSpace>& outputs,
                                              const ReplicationRange& range, std::int64_t cut,
                                              const UniformSource& source, std::span<const std::uint64_t> seeds,
                                              std::span<const ResponsePair> pairs) {
  begin(range, static_cast<std::int64_t>(seeds.size()), pairs);
  m_outputs = outputs;
  choose_blocks(cut, source.replications_of_run());
  const auto responses = static_cast<std::int64_t>(outputs.extent(1));
  const std::int64_t left_over = m_points * (range.count - m_in_blocks);
  // All results are in one piece of memory, because each copy to the host has a latency.
  const auto place_of_pairs = static_cast<std::size_t>(blocks_of(responses)) * sizeof(impl::BlockSummary);
  const std::size_t place_of_rows =
      place_of_pairs + static_cast<std::size_t>(blocks_of(static_cast<std::int64_t>(pairs.size()))) * sizeof(CoMoments);
  const std::size_t bytes = place_of_rows + static_cast<std::size_t>(left_over * responses) * sizeof(double);
  auto* const result =
      m_result.template provide<std::byte>(space, static_cast<std::int64_t>(bytes), "sporos::replication::result");
  if (m_in_blocks > 0) {
    reduce_blocks(space, source, seeds, reinterpret_cast<impl::BlockSummary*>(result),
                  reinterpret_cast<CoMoments*>(result + place_of_pairs));
  }
  if (left_over > 0) {
    const Outputs<ExecutionSpace> rows(reinterpret_cast<double*>(result + place_of_rows),
                                       static_cast<std::size_t>(left_over), outputs.extent(1));
    Kokkos::parallel_for("sporos::replication::left_over", Policy(space, 0, left_over),
                         impl::RowCopier<ExecutionSpace>{outputs, rows, range.count, m_in_blocks});
  }
  space.fence();
  using Result = Kokkos::View<std::byte*, typename ExecutionSpace::memory_space, Kokkos::MemoryUnmanaged>;
  m_host_result = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), Result(result, bytes));
  m_blocks = reinterpret_cast<const impl::BlockSummary*>(m_host_result.data());
  m_pair_blocks = reinterpret_cast<const CoMoments*>(m_host_result.data() + place_of_pairs);
  m_rows = reinterpret_cast<const double*>(m_host_result.data() + place_of_rows);
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

// Writes the blocks of the responses and of the pairs.
template <class ExecutionSpace>
void LaunchSummary<ExecutionSpace>::reduce_blocks(const ExecutionSpace& space, const UniformSource& source,
                                                  std::span<const std::uint64_t> seeds, impl::BlockSummary* blocks,
                                                  CoMoments* pair_blocks) {
  const auto responses = static_cast<std::int64_t>(m_outputs.extent(1));
  const auto pairs = static_cast<std::int64_t>(m_pairs.size());
  const bool is_in_runs = source.replications_of_run() > 1;
  const auto part_of = [&](std::int64_t at_once) { return is_in_runs ? m_block : std::min(m_block, at_once); };
  const std::int64_t part = part_of(impl::observations_at_once<ExecutionSpace>), parts = m_in_blocks / part;
  const std::int64_t pair_part = part_of(impl::block_observations), pair_parts = m_in_blocks / pair_part;
  const std::int64_t count = parts * m_points * responses, pair_count = pair_parts * m_points * pairs;
  const bool needs_seeds = source.sampling == Sampling::refined_descriptive;
  const impl::BlockSummarizer<ExecutionSpace> of_responses{
      m_outputs,
      part == m_block ? blocks
                      : m_parts.template provide<impl::BlockSummary>(space, count, "sporos::replication::blocks"),
      m_range,
      parts,
      m_points,
      part,
      source,
      needs_seeds ? impl::copied(space, seeds, m_seeds, "sporos::replication::seeds") : nullptr};
  Kokkos::parallel_for("sporos::replication::summarize", Policy(space, 0, count), of_responses);
  if (pairs > 0) {
    const impl::PairSummarizer<ExecutionSpace> of_pairs{
        of_responses,
        pair_part == m_block
            ? pair_blocks
            : m_pair_parts.template provide<CoMoments>(space, pair_count, "sporos::replication::pair_blocks"),
        pair_parts, pair_part, impl::copied(space, m_pairs, m_device_pairs, "sporos::replication::pairs")};
    Kokkos::parallel_for("sporos::replication::summarize_pairs", Policy(space, 0, pair_count), of_pairs);
    combine(space, of_pairs.blocks, pairs, pair_part, pair_blocks);
  }
  combine(space, of_responses.blocks, responses, part, blocks);
}

// Combines parts of `part` observations to blocks of m_block observations, for each design point and column. Does
// nothing if the parts are the blocks.
template <class ExecutionSpace>
template <class Value>
void LaunchSummary<ExecutionSpace>::combine(const ExecutionSpace& space, const Value* parts, std::int64_t columns,
                                            std::int64_t part, Value* blocks) {
  static_assert(impl::max_block_observations <=
                impl::block_observations * impl::combined_at_once * impl::combined_at_once);
  const auto launch = [&](const Value* from, std::int64_t parts_of_block, std::int64_t count, Value* to) {
    Kokkos::parallel_for("sporos::replication::combine", Policy(space, 0, count),
                         impl::BlockCombiner<Value>{from, to, parts_of_block});
  };
  std::int64_t left = m_block / part;
  if (left > impl::combined_at_once) {
    left /= impl::combined_at_once;
    const std::int64_t count = blocks_of(columns) * left;
    auto* const combined = m_combined.template provide<Value>(space, count, "sporos::replication::combined");
    launch(parts, impl::combined_at_once, count, combined);
    parts = combined;
  }
  if (left > 1) launch(parts, left, blocks_of(columns), blocks);
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
