// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/replication/summarized_rows.hpp>
#include <sporos/core/replication/summary.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace sporos {

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
    for (; at < end; ++at) {
      const double output = left_over(at, point, index);
      add({{1, output, 0}, {}, impl::digest_of(output, m_range.first + at, index)}, at, 1);
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
    throw std::runtime_error("response '" + name + "' of replication " +
                             std::to_string(m_range.first + row % m_range.count) + " is " + std::to_string(output) +
                             ", not a finite number");
  }
  throw std::runtime_error("response '" + name + "' takes values too large for their variance to be formed");
}

}  // namespace sporos
