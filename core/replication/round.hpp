// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/processes.hpp>
#include <sporos/core/replication/summary.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

/// How several processes share the replications between two decisions of an experiment, a round.
namespace sporos::impl {

/// A part of a round: some replications of some neighbouring design points.
struct RoundPart {
  std::int64_t first_point, points;
  ReplicationRange range;
};

/// Cuts units [first, end) of work for processes that take part after part, whoever is free, and gives the end of each
/// part: half of what is left goes in equal parts to all, and so on down to parts of `least` (factoring: Hummel,
/// Schonberg, Flynn 1992), so that uneven work ends nearly at once everywhere. Parts are some log2 of the units for
/// each process. They have 2^k units and begin at a multiple of them, where the first and last can: one node of a
/// MomentsTree.
inline std::vector<std::int64_t> part_ends(std::int64_t first, std::int64_t end, std::int64_t processes,
                                           std::int64_t least) {
  if (processes == 1) return {end};
  const auto power_of_two = [](std::int64_t units) {
    return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(std::max<std::int64_t>(units, 1))));
  };
  std::vector<std::int64_t> ends;
  for (std::int64_t begin = first; begin < end;) {
    const std::int64_t size = power_of_two(std::max((end - begin) / (2 * processes), least));
    for (std::int64_t process = 0; process < processes && begin < end; ++process) {
      begin = std::min((begin / size + 1) * size, end);
      ends.push_back(begin);
    }
  }
  return ends;
}

/// Cuts a round over `points` design points along its replications, in multiples of `unit`, or along its design points
/// where there are more of these. A part has at least `least_rows` rows or nearly so, as far as there are as many.
inline std::vector<RoundPart> parts_of(const ReplicationRange& range, std::int64_t points, std::int64_t unit,
                                       std::int64_t processes, std::int64_t least_rows) {
  std::vector<RoundPart> parts;
  if (range.count / unit >= points) {
    const std::int64_t end = range.first + range.count;
    std::int64_t begin = range.first;
    for (const std::int64_t units : part_ends(begin / unit, end / unit, processes, least_rows / (unit * points))) {
      parts.push_back({0, points, {begin, units * unit - begin}});
      begin = units * unit;
    }
  } else {
    std::int64_t begin = 0;
    for (const std::int64_t point : part_ends(0, points, processes, least_rows / range.count)) {
      parts.push_back({begin, point - begin, range});
      begin = point;
    }
  }
  return parts;
}

/// What came out of neighbouring replications of one response of a design point, as it goes from process to process.
struct SummaryNode {
  std::int64_t point;     ///< its place among those of the round
  std::int64_t response;  ///< its index
  std::int64_t first;     ///< replication
  BlockSummary summary;   ///< of them
};

/// What came out of a round, gathered from all processes. Neighbouring observations go together as nodes of their tree,
/// so that what is gathered grows with the logarithm of their number, or with the number of looks.
class RoundSummary {
 public:
  /// The pieces that `add_to` will take begin at multiples of `cut` replications, where it is not 0. A run has
  /// `run_length` replications.
  RoundSummary(std::int64_t cut, std::int64_t run_length) : m_cut(cut), m_run_length(run_length) {}

  /// Adds what this process has found in a part, responses called `names`.
  template <class ExecutionSpace>
  void add(const RoundPart& part, const LaunchSummary<ExecutionSpace>& launched, std::span<const std::string> names) {
    for (std::int64_t point = 0; point < part.points; ++point) {
      for (std::int64_t begin = 0; begin < part.range.count;) {
        const std::int64_t end = end_of_piece(part.range, begin);
        add_piece(part.first_point + point, launched, point, {part.range.first + begin, end - begin}, begin, names);
        begin = end;
      }
    }
  }

  /// Puts together what all processes have found. Collective. `first` is the round's first replication.
  void gather(Processes& processes, std::int64_t first) {
    m_first = first;
    m_nodes = sporos::gather(processes, std::span<const SummaryNode>(m_nodes));
    const auto place = [](const SummaryNode& node) { return std::tuple(node.point, node.first, node.response); };
    std::sort(m_nodes.begin(), m_nodes.end(),
              [&](const SummaryNode& a, const SummaryNode& b) { return place(a) < place(b); });
  }

  /// As LaunchSummary::add_to.
  void add_to(ReplicationSummary& summary, std::int64_t point, std::int64_t begin, std::int64_t end,
              std::span<const std::string>, const ObservationVisitor& visitor = {}) const {
    const auto is_before = [](const SummaryNode& node, const std::pair<std::int64_t, std::int64_t>& place) {
      return std::pair(node.point, node.first) < place;
    };
    const auto first_from = [&](std::int64_t row) {
      return std::lower_bound(m_nodes.begin(), m_nodes.end(), std::pair(point, m_first + row), is_before);
    };
    const auto last = first_from(end);
    for (auto node = first_from(begin); node != last; ++node) {
      const auto response = static_cast<std::size_t>(node->response);
      summary.add(response, node->summary);
      if (visitor) visitor(response, node->summary.observations.mean);
    }
    summary.replications += end - begin;
  }

 private:
  std::int64_t end_of_piece(const ReplicationRange& range, std::int64_t begin) const {
    if (m_cut == 0) return range.count;
    return std::min((range.first + begin) / m_cut * m_cut + m_cut - range.first, range.count);
  }

  template <class ExecutionSpace>
  void add_piece(std::int64_t point, const LaunchSummary<ExecutionSpace>& launched, std::int64_t launched_point,
                 const ReplicationRange& piece, std::int64_t begin, std::span<const std::string> names);

  std::int64_t m_cut, m_run_length;
  std::int64_t m_first = 0;
  std::vector<SummaryNode> m_nodes;  // of this process, then of all
};

template <class ExecutionSpace>
void RoundSummary::add_piece(std::int64_t point, const LaunchSummary<ExecutionSpace>& launched,
                             std::int64_t launched_point, const ReplicationRange& piece, std::int64_t begin,
                             std::span<const std::string> names) {
  ReplicationSummary summary(static_cast<int>(names.size()), piece.first, m_run_length);
  launched.add_to(summary, launched_point, begin, begin + piece.count, names);
  for (std::size_t response = 0; response < names.size(); ++response) {
    const auto& observations = summary.observations[response].nodes();
    const auto& replications = summary.runs_replications[response].nodes();
    std::int64_t first = piece.first;
    for (std::size_t i = 0; i < observations.size(); ++i) {
      const bool has_digest = i == 0 && response == 0;  // of the whole piece
      m_nodes.push_back(
          {point,
           static_cast<std::int64_t>(response),
           first,
           {observations[i], i < replications.size() ? replications[i] : Moments(), has_digest ? summary.digest : 0}});
      first += observations[i].count * m_run_length;
    }
  }
}

}  // namespace sporos::impl
