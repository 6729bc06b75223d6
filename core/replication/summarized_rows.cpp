// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/replication/summarized_rows.hpp>
#include <sporos/core/replication/summary.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace sporos {

namespace {

// Summarizes `observations` single replications, a power of two up to `most`, along the tree of MomentsTree.
template <std::int64_t most = impl::block_observations / 2, class Output>
impl::BlockSummary summarize_up_to(std::int64_t observations, const Output& output, std::int64_t first, int response) {
  if constexpr (most > 1) {
    if (observations < most) return summarize_up_to<most / 2>(observations, output, first, response);
  }
  return impl::summarize<most>(output, first, response);
}

// Number of observations of the largest subtree that begins at `first`, does not extend beyond `end`, and is at most
// half a block.
std::int64_t subtree_at(std::int64_t first, std::int64_t end) {
  const std::int64_t half = impl::block_observations / 2, begun = first | half;
  const auto room = static_cast<std::uint64_t>(end - first);
  return std::min({half, begun & -begun, static_cast<std::int64_t>(std::bit_floor(room))});
}

bool is_finite(const Moments& moments) {
  return std::isfinite(moments.mean) && std::isfinite(moments.squared_deviation);
}

// Returns zeros instead of co-moments that are not finite, which belong to failed replications.
CoMoments finite_or_none(const CoMoments& moments) {
  const bool is_finite =
      std::isfinite(moments.first_mean) && std::isfinite(moments.second_mean) && std::isfinite(moments.codeviation);
  return is_finite ? moments : CoMoments{moments.count, 0, 0, 0};
}

}  // namespace

void SummarizedRows::begin(const ReplicationRange& range, std::int64_t points, std::span<const ResponsePair> pairs) {
  m_range = range;
  m_points = points;
  m_pairs = pairs;
  m_block = 1;
  m_in_blocks = 0;
  m_blocks = nullptr;
  m_pair_blocks = nullptr;
  m_rows = nullptr;
  m_outputs_on_host.clear();
}

void SummarizedRows::add_to(ReplicationSummary& summary, std::int64_t point, std::int64_t begin, std::int64_t end,
                            std::span<const std::string> names, const ObservationVisitor& visitor) const {
  bool is_failing = false;
  std::int64_t too_large = 0;
  for (std::size_t response = 0; response < names.size(); ++response) {
    const auto index = static_cast<int>(response);
    const auto add = [&](const impl::BlockSummary& part) {
      if (is_finite(part.observations) && is_finite(part.replications)) {
        summary.add(response, part);
      } else {
        is_failing = true;
        too_large = static_cast<std::int64_t>(response);
        summary.add(response, {{part.observations.count, 0, 0}, {part.replications.count, 0, 0}, part.digest});
      }
      if (visitor) visitor(response, part.observations.mean);
    };
    std::int64_t at = begin;
    for (; at < std::min(end, m_in_blocks); at += m_block) {
      add(in_block(m_blocks, at / m_block, point, index));
    }
    while (at < end) {
      const auto output = [&](std::int64_t i) { return left_over(at + i, point, index); };
      const std::int64_t first = m_range.first + at, rows = visitor ? 1 : subtree_at(first, m_range.first + end);
      add(summarize_up_to(rows, output, first, index));
      at += rows;
    }
  }
  add_pairs_to(summary, point, begin, end);
  summary.replications += end - begin;
  if (!is_failing) return;
  for (auto response = static_cast<int>(m_outputs_on_host.size()); response < static_cast<int>(names.size());
       ++response) {
    m_outputs_on_host.push_back(outputs_of(response));
  }
  ReplicationFailures failures = failures_in(point, begin, end);
  if (failures.count == 0) failures.first_response = too_large;
  summary.failures.add(failures);
}

void SummarizedRows::add_pairs_to(ReplicationSummary& summary, std::int64_t point, std::int64_t begin,
                                  std::int64_t end) const {
  for (std::size_t pair = 0; pair < m_pairs.size(); ++pair) {
    std::int64_t at = begin;
    for (; at < std::min(end, m_in_blocks); at += m_block) {
      summary.pairs[pair].add(
          finite_or_none(in_block(m_pair_blocks, at / m_block, point, static_cast<std::int64_t>(pair))));
    }
    for (; at < end; ++at) {
      summary.pairs[pair].add(finite_or_none(
          {1, left_over(at, point, m_pairs[pair].first), left_over(at, point, m_pairs[pair].second), 0}));
    }
  }
}

// The failures among rows [begin, end): rows with an output that is not finite. The count is 0 if all outputs are
// finite but too large for their variance.
ReplicationFailures SummarizedRows::failures_in(std::int64_t point, std::int64_t begin, std::int64_t end) const {
  ReplicationFailures found{.has_failed = true};
  for (std::int64_t row = begin; row < end; ++row) {
    const auto place = static_cast<std::size_t>(point * m_range.count + row);
    for (std::size_t response = 0; response < m_outputs_on_host.size(); ++response) {
      const double output = m_outputs_on_host[response][place];
      if (std::isfinite(output)) continue;
      if (found.count++ == 0) {
        found.first = m_range.first + row;
        found.first_response = static_cast<std::int64_t>(response);
        found.value = output;
      }
      break;
    }
  }
  return found;
}

}  // namespace sporos
