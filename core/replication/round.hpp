// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/processes.hpp>
#include <sporos/core/replication/summarized_rows.hpp>

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
/// Schonberg, Flynn 1992), so that uneven work ends nearly at once everywhere. No part is larger than `most`. Parts
/// have 2^k units and begin at a multiple of them, where the first and last can: one node of a MomentsTree.
inline std::vector<std::int64_t> part_ends(std::int64_t first, std::int64_t end, std::int64_t processes,
                                           std::int64_t least, std::int64_t most) {
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

/// Cuts a round over `points` design points along its replications, in multiples of `unit`, or along its design points
/// where there are more of these. A part has at least `least_rows` rows or nearly so, as far as there are as many, and
/// at most `most_rows`, or one unit of each point.
inline std::vector<RoundPart> parts_of(const ReplicationRange& range, std::int64_t points, std::int64_t unit,
                                       std::int64_t processes, std::int64_t least_rows, std::int64_t most_rows) {
  std::vector<RoundPart> parts;
  if (range.count / unit >= points) {
    const std::int64_t end = range.first + range.count;
    std::int64_t begin = range.first;
    const std::int64_t least = least_rows / (unit * points), most = most_rows / (unit * points);
    for (const std::int64_t units : part_ends(begin / unit, end / unit, processes, least, most)) {
      parts.push_back({0, points, {begin, units * unit - begin}});
      begin = units * unit;
    }
  } else {
    std::int64_t begin = 0;
    const std::int64_t least = least_rows / range.count, most = most_rows / range.count;
    for (const std::int64_t point : part_ends(0, points, processes, least, most)) {
      parts.push_back({begin, point - begin, range});
      begin = point;
    }
  }
  return parts;
}

/// What came out of neighbouring replications of one response, or pair of responses, of a design point, as it goes from
/// process to process.
template <class Value>
struct SummaryNode {
  std::int64_t point;  ///< its place among those of the round
  std::int64_t index;  ///< of the response or pair
  std::int64_t first;  ///< replication
  Value value;         ///< of them
};

/// The nodes that processes have found in a round.
template <class Value>
class SummaryNodes {
 public:
  /// Adds one of this process.
  void add(const SummaryNode<Value>& node) { m_nodes.push_back(node); }

  /// Puts those of all processes in order. Collective.
  void gather(Processes& processes) {
    m_nodes = sporos::gather(processes, std::span<const SummaryNode<Value>>(m_nodes));
    const auto place = [](const auto& node) { return std::tuple(node.point, node.first, node.index); };
    std::sort(m_nodes.begin(), m_nodes.end(), [&](const auto& a, const auto& b) { return place(a) < place(b); });
  }

  /// Those of a design point that begin at replications [first, end).
  std::span<const SummaryNode<Value>> in(std::int64_t point, std::int64_t first, std::int64_t end) const {
    const auto from = [&](std::int64_t replication) {
      return std::lower_bound(
          m_nodes.begin(), m_nodes.end(), std::pair(point, replication),
          [](const auto& node, const auto& place) { return std::pair(node.point, node.first) < place; });
    };
    return {from(first), from(end)};
  }

 private:
  std::vector<SummaryNode<Value>> m_nodes;
};

/// What came out of a round, gathered from all processes. Neighbouring observations go together as nodes of their tree,
/// so that what is gathered grows with the logarithm of their number, or with the number of looks.
class RoundSummary {
 public:
  /// The pieces that `add_to` will take begin at multiples of `cut` replications, where it is not 0. A run has
  /// `run_length` replications.
  RoundSummary(std::int64_t cut, std::int64_t run_length) : m_cut(cut), m_run_length(run_length) {}

  /// Adds what this process has found in a part, responses called `names`, covariances of `pair_count` pairs.
  void add(const RoundPart& part, const SummarizedRows& launched, std::span<const std::string> names, int pair_count) {
    for (std::int64_t point = 0; point < part.points; ++point) {
      for (std::int64_t begin = 0; begin < part.range.count;) {
        const std::int64_t end = end_of_piece(part.range, begin);
        add_piece(part.first_point + point, launched, point, {part.range.first + begin, end - begin}, begin, names,
                  pair_count);
        begin = end;
      }
    }
  }

  /// Puts together what all processes have found. Collective. `first` is the round's first replication.
  void gather(Processes& processes, std::int64_t first) {
    m_first = first;
    m_responses.gather(processes);
    m_pairs.gather(processes);
  }

  /// As SummarizedRows::add_to.
  void add_to(ReplicationSummary& summary, std::int64_t point, std::int64_t begin, std::int64_t end,
              std::span<const std::string>, const ObservationVisitor& visitor = {}) const {
    for (const auto& node : m_responses.in(point, m_first + begin, m_first + end)) {
      const auto response = static_cast<std::size_t>(node.index);
      summary.add(response, node.value);
      if (visitor) visitor(response, node.value.observations.mean);
    }
    for (const auto& node : m_pairs.in(point, m_first + begin, m_first + end)) {
      summary.pairs[static_cast<std::size_t>(node.index)].add(node.value);
    }
    summary.replications += end - begin;
  }

 private:
  std::int64_t end_of_piece(const ReplicationRange& range, std::int64_t begin) const {
    if (m_cut == 0) return range.count;
    return std::min((range.first + begin) / m_cut * m_cut + m_cut - range.first, range.count);
  }

  void add_piece(std::int64_t point, const SummarizedRows& launched, std::int64_t launched_point,
                 const ReplicationRange& piece, std::int64_t begin, std::span<const std::string> names, int pair_count);

  std::int64_t m_cut, m_run_length;
  std::int64_t m_first = 0;
  SummaryNodes<BlockSummary> m_responses;
  SummaryNodes<CoMoments> m_pairs;
};

inline void RoundSummary::add_piece(std::int64_t point, const SummarizedRows& launched, std::int64_t launched_point,
                                    const ReplicationRange& piece, std::int64_t begin,
                                    std::span<const std::string> names, int pair_count) {
  ReplicationSummary summary(static_cast<int>(names.size()), piece.first, m_run_length, pair_count);
  launched.add_to(summary, launched_point, begin, begin + piece.count, names);
  for (std::size_t response = 0; response < names.size(); ++response) {
    const auto& observations = summary.observations[response].nodes();
    const auto& replications = summary.runs_replications[response].nodes();
    std::int64_t first = piece.first;
    for (std::size_t i = 0; i < observations.size(); ++i) {
      const bool has_digest = i == 0 && response == 0;  // of the whole piece
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

}  // namespace sporos::impl
