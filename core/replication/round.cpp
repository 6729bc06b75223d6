// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/replication/round.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <tuple>
#include <utility>

namespace sporos::impl {

std::vector<std::int64_t> part_ends(std::int64_t first, std::int64_t end, std::int64_t processes, std::int64_t least,
                                    std::int64_t most) {
  if (processes == 1) return {end};
  const auto power_of_two = [](std::int64_t units) {
    return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(std::max<std::int64_t>(units, 1))));
  };
  std::vector<std::int64_t> ends;
  for (std::int64_t begin = first; begin < end;) {
    const std::int64_t size = power_of_two(std::min(std::max((end - begin) / (2 * processes), least), most));
    for (std::int64_t process = 0; process < processes && begin < end; ++process) {
      begin = std::min((begin / size + 1) * size, end);
      ends.push_back(begin);
    }
  }
  return ends;
}

std::vector<RoundPart> parts_of(const ReplicationRange& range, std::int64_t points, std::int64_t unit,
                                std::int64_t processes, std::int64_t min_rows, std::int64_t max_rows) {
  std::vector<RoundPart> parts;
  if (range.count / unit >= points) {
    const std::int64_t end = range.first + range.count;
    std::int64_t begin = range.first;
    const std::int64_t least = min_rows / (unit * points), most = max_rows / (unit * points);
    for (const std::int64_t units : part_ends(begin / unit, end / unit, processes, least, most)) {
      parts.push_back({0, points, {begin, units * unit - begin}});
      begin = units * unit;
    }
  } else {
    std::int64_t begin = 0;
    const std::int64_t least = min_rows / range.count, most = max_rows / range.count;
    for (const std::int64_t point : part_ends(0, points, processes, least, most)) {
      parts.push_back({begin, point - begin, range});
      begin = point;
    }
  }
  return parts;
}

template <class Value>
void SummaryNodes<Value>::gather(Processes& processes) {
  m_nodes = sporos::gather(processes, std::span<const SummaryNode<Value>>(m_nodes));
  const auto place = [](const auto& node) { return std::tuple(node.point, node.first, node.index); };
  std::sort(m_nodes.begin(), m_nodes.end(), [&](const auto& a, const auto& b) { return place(a) < place(b); });
}

template <class Value>
std::span<const SummaryNode<Value>> SummaryNodes<Value>::in(std::int64_t point, std::int64_t first,
                                                            std::int64_t end) const {
  const auto from = [&](std::int64_t replication) {
    return std::lower_bound(
        m_nodes.begin(), m_nodes.end(), std::pair(point, replication),
        [](const auto& node, const auto& place) { return std::pair(node.point, node.first) < place; });
  };
  return {from(first), from(end)};
}

void RoundSummary::add(const RoundPart& part, const SummarizedRows& launched, std::span<const std::string> names,
                       int pair_count) {
  for (std::int64_t point = 0; point < part.points; ++point) {
    for (std::int64_t begin = 0; begin < part.range.count;) {
      const std::int64_t end = end_of_piece(part.range, begin);
      add_piece(part.first_point + point, launched, point, {part.range.first + begin, end - begin}, begin, names,
                pair_count);
      begin = end;
    }
  }
}

void RoundSummary::gather(Processes& processes, std::int64_t first) {
  m_first = first;
  m_responses.gather(processes);
  m_pairs.gather(processes);
  m_failures.gather(processes);
}

void RoundSummary::add_to(ReplicationSummary& summary, std::int64_t point, std::int64_t begin, std::int64_t end,
                          std::span<const std::string>, const ObservationVisitor& visitor) const {
  for (const auto& node : m_responses.in(point, m_first + begin, m_first + end)) {
    const auto response = static_cast<std::size_t>(node.index);
    summary.add(response, node.value);
    if (visitor) visitor(response, node.value.observations.mean);
  }
  for (const auto& node : m_pairs.in(point, m_first + begin, m_first + end)) {
    summary.pairs[static_cast<std::size_t>(node.index)].add(node.value);
  }
  for (const auto& node : m_failures.in(point, m_first + begin, m_first + end)) summary.failures.add(node.value);
  summary.replications += end - begin;
}

std::int64_t RoundSummary::end_of_piece(const ReplicationRange& range, std::int64_t begin) const {
  if (m_cut == 0) return range.count;
  return std::min((range.first + begin) / m_cut * m_cut + m_cut - range.first, range.count);
}

void RoundSummary::add_piece(std::int64_t point, const SummarizedRows& launched, std::int64_t launched_point,
                             const ReplicationRange& piece, std::int64_t begin, std::span<const std::string> names,
                             int pair_count) {
  ReplicationSummary summary(static_cast<int>(names.size()), piece.first, m_run_length, pair_count);
  launched.add_to(summary, launched_point, begin, begin + piece.count, names);
  if (summary.failures.has_failed) m_failures.add({point, 0, piece.first, summary.failures});
  for (std::size_t response = 0; response < names.size(); ++response) {
    const auto& observations = summary.observations[response].nodes();
    const auto& replications = summary.runs_replications[response].nodes();
    std::int64_t first = piece.first;
    for (std::size_t i = 0; i < observations.size(); ++i) {
      const bool has_digest = i == 0 && response == 0;  // the digest of the whole piece
      m_responses.add(
          {point,
           static_cast<std::int64_t>(response),
           first,
           {observations[i], i < replications.size() ? replications[i] : Moments(), has_digest ? summary.digest : 0}});
      first += observations[i].count * m_run_length;
    }
  }
  for (std::size_t pair = 0; pair < summary.pairs.size(); ++pair) {
    std::int64_t first = piece.first;
    for (const CoMoments& node : summary.pairs[pair].nodes()) {
      m_pairs.add({point, static_cast<std::int64_t>(pair), first, node});
      first += node.count * m_run_length;
    }
  }
}

void GatheredRows::add(const RoundPart& part, std::span<const double> values) {
  m_parts.push_back(part);
  m_values.insert(m_values.end(), values.begin(), values.end());
}

std::vector<double> GatheredRows::gather(Processes& processes, const ReplicationRange& range, std::int64_t points,
                                         std::size_t responses) const {
  const auto parts = sporos::gather(processes, std::span<const RoundPart>(m_parts));
  const auto values = sporos::gather(processes, std::span<const double>(m_values));
  std::vector<double> all(values.size());
  const double* from = values.data();
  for (const RoundPart& part : parts) {
    for (std::size_t response = 0; response < responses; ++response) {
      for (std::int64_t point = part.first_point; point < part.first_point + part.points; ++point) {
        const std::int64_t row = (static_cast<std::int64_t>(response) * points + point) * range.count;
        std::copy_n(from, part.range.count, all.data() + row + part.range.first - range.first);
        from += part.range.count;
      }
    }
  }
  return all;
}

}  // namespace sporos::impl
