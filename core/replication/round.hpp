// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/processes.hpp>
#include <sporos/core/replication/summarized_rows.hpp>

#include <cstdint>
#include <span>
#include <string>
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
std::vector<std::int64_t> part_ends(std::int64_t first, std::int64_t end, std::int64_t processes, std::int64_t least,
                                    std::int64_t most);

/// Cuts a round over `points` design points along its replications, in multiples of `unit`, or along its design points
/// where there are more of these. A part has at least `least_rows` rows or nearly so, as far as there are as many, and
/// at most `most_rows`, or one unit of each point.
std::vector<RoundPart> parts_of(const ReplicationRange& range, std::int64_t points, std::int64_t unit,
                                std::int64_t processes, std::int64_t least_rows, std::int64_t most_rows);

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
  void gather(Processes& processes);

  /// Those of a design point that begin at replications [first, end).
  std::span<const SummaryNode<Value>> in(std::int64_t point, std::int64_t first, std::int64_t end) const;

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
  void add(const RoundPart& part, const SummarizedRows& launched, std::span<const std::string> names, int pair_count);

  /// Puts together what all processes have found. Collective. `first` is the round's first replication.
  void gather(Processes& processes, std::int64_t first);

  /// As SummarizedRows::add_to.
  void add_to(ReplicationSummary& summary, std::int64_t point, std::int64_t begin, std::int64_t end,
              std::span<const std::string>, const ObservationVisitor& visitor = {}) const;

 private:
  std::int64_t end_of_piece(const ReplicationRange& range, std::int64_t begin) const;

  void add_piece(std::int64_t point, const SummarizedRows& launched, std::int64_t launched_point,
                 const ReplicationRange& piece, std::int64_t begin, std::span<const std::string> names, int pair_count);

  std::int64_t m_cut, m_run_length;
  std::int64_t m_first = 0;
  SummaryNodes<BlockSummary> m_responses;
  SummaryNodes<CoMoments> m_pairs;
  SummaryNodes<ReplicationFailures> m_failures;
};

/// The responses of a round that several processes share, a part here and a part there.
class GatheredRows {
 public:
  /// Adds the rows of a part that this process has run, column by column.
  void add(const RoundPart& part, std::span<const double> values);

  /// All rows of a round over `points` design points, column by column, on every process. Collective.
  std::vector<double> gather(Processes& processes, const ReplicationRange& range, std::int64_t points,
                             std::size_t responses) const;

 private:
  std::vector<RoundPart> m_parts;
  std::vector<double> m_values;
};

}  // namespace sporos::impl
