// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/replication/failed_replications.hpp>
#include <sporos/core/replication/summarized_rows.hpp>
#include <sporos/core/replication/summary.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <stdexcept>

namespace sporos {

namespace {

// Summarizes `observations` single replications, a power of two up to `most`, over the tree of MomentsTree.
template <std::int64_t most = impl::block_observations / 2, class Output>
impl::BlockSummary summarize_up_to(std::int64_t observations, const Output& output, std::int64_t first, int response) {
  if constexpr (most > 1) {
    if (observations < most) return summarize_up_to<most / 2>(observations, output, first, response);
  }
  return impl::summarize<most>(output, first, response);
}

// The observations of the largest subtree that begins at `first` and ends by `end`, of at most half a block.
std::int64_t subtree_at(std::int64_t first, std::int64_t end) {
  const std::int64_t half = impl::block_observations / 2, begun = first | half;
  const auto room = static_cast<std::uint64_t>(end - first);
  return std::min({half, begun & -begun, static_cast<std::int64_t>(std::bit_floor(room))});
}

}  // namespace

void SummarizedRows::add_to(ReplicationSummary& summary, std::int64_t point, std::int64_t begin, std::int64_t end,
                            std::span<const std::string> names, const ObservationVisitor& visitor) const {
  for (std::size_t response = 0; response < names.size(); ++response) {
    const auto index = static_cast<int>(response);
    const auto add = [&](const impl::BlockSummary& part, std::int64_t at, std::int64_t rows) {
      check(part, point * m_range.count + at, rows, index, names[response]);
      summary.add(response, part);
      if (visitor) visitor(response, part.observations.mean);
    };
    std::int64_t at = begin;
    for (; at < std::min(end, m_in_blocks); at += m_block) {
      add(in_block(m_blocks, at / m_block, point, index), at, m_block);
    }
    while (at < end) {
      const auto output = [&](std::int64_t i) { return left_over(at + i, point, index); };
      const std::int64_t first = m_range.first + at, rows = visitor ? 1 : subtree_at(first, m_range.first + end);
      add(summarize_up_to(rows, output, first, index), at, rows);
      at += rows;
    }
  }
  add_pairs_to(summary, point, begin, end);
  summary.replications += end - begin;
}

void SummarizedRows::add_pairs_to(ReplicationSummary& summary, std::int64_t point, std::int64_t begin,
                                  std::int64_t end) const {
  for (std::size_t pair = 0; pair < m_pairs.size(); ++pair) {
    std::int64_t at = begin;
    for (; at < std::min(end, m_in_blocks); at += m_block) {
      summary.pairs[pair].add(in_block(m_pair_blocks, at / m_block, point, static_cast<std::int64_t>(pair)));
    }
    for (; at < end; ++at) {
      summary.pairs[pair].add(
          {1, left_over(at, point, m_pairs[pair].first), left_over(at, point, m_pairs[pair].second), 0});
    }
  }
}

// Throws where outputs of a part are not finite, or too large for their variance.
void SummarizedRows::check(const impl::BlockSummary& part, std::int64_t first_row, std::int64_t rows, int response,
                           const std::string& name) const {
  const auto is_finite = [](const Moments& moments) {
    return std::isfinite(moments.mean) && std::isfinite(moments.squared_deviation);
  };
  if (is_finite(part.observations) && is_finite(part.replications)) return;
  const std::vector<double> outputs = outputs_of(response);
  for (std::int64_t row = first_row; row < first_row + rows; ++row) {
    const double output = outputs[static_cast<std::size_t>(row)];
    if (std::isfinite(output)) continue;
    if (failure_marked_by(output).failure != Failure::none) refuse_failed(outputs);
    throw std::runtime_error("response '" + name + "' of replication " +
                             std::to_string(m_range.first + row % m_range.count) + " is " + std::to_string(output) +
                             ", not a finite number");
  }
  throw std::runtime_error("response '" + name + "' takes values too large for their variance to be formed");
}

// Throws for all rows of the launch that have failed. The ones before it have not.
void SummarizedRows::refuse_failed(std::span<const double> outputs) const {
  std::int64_t failed = 0, first_row = -1;
  for (std::size_t row = 0; row < outputs.size(); ++row) {
    if (failure_marked_by(outputs[row]).failure == Failure::none) continue;
    if (failed++ == 0) first_row = static_cast<std::int64_t>(row);
  }
  const std::int64_t run = m_range.first + m_range.count;
  const std::string of_points = m_points > 1 ? " of each of " + std::to_string(m_points) + " design points" : "";
  throw std::runtime_error(
      std::to_string(failed) + " of the first " + std::to_string(run) + " replications" + of_points +
      " have no responses; " +
      impl::failure_text(m_range.first + first_row % m_range.count, outputs[static_cast<std::size_t>(first_row)]));
}

}  // namespace sporos
