// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/processes.hpp>
#include <sporos/core/replication/summarized_rows.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// Distribution of a round over several processes. A round consists of the replications between two decisions of an
/// experiment.
namespace sporos::impl {

/// A part of a round: consecutive replications of consecutive design points.
struct RoundPart {
  std::int64_t first_point, points;
  ReplicationRange range;
};

/// Divides units [first, end) of work into parts, which processes take one after the other as they become free. Returns
/// the end of each part. Each step divides half of the remaining units into equal parts, one for each process, down to
/// parts of `least` units (Hummel, Schonberg and Flynn (1992), Factoring: a method for scheduling parallel loops). All
/// processes thus finish at nearly the same time, even if the work is uneven. No part is larger than `most` units.
/// Parts have 2^k units and begin at a multiple of 2^k, as far as `first` and `end` allow: each is one node of a
/// MomentsTree.
std::vector<std::int64_t> part_ends(std::int64_t first, std::int64_t end, std::int64_t processes, std::int64_t least,
                                    std::int64_t most);

/// Divides a round over `points` design points into parts. It divides the replications, in multiples of `unit`, or the
/// design points if there are more of these than units. A part has about `min_rows` rows or more, unless the round is
/// too small, and at most `max_rows` rows or one unit of each point.
std::vector<RoundPart> parts_of(const ReplicationRange& range, std::int64_t points, std::int64_t unit,
                                std::int64_t processes, std::int64_t min_rows, std::int64_t max_rows);

/// Summary of consecutive replications for one response, or pair of responses, of a design point. Processes exchange
/// such nodes.
template <class Value>
struct SummaryNode {
  std::int64_t point;  ///< index of the design point in the round
  std::int64_t index;  ///< index of the response or pair
  std::int64_t first;  ///< first replication
  Value value;         ///< summary of the replications
};

/// The nodes of a round.
template <class Value>
class SummaryNodes {
 public:
  /// Adds a node of this process.
  void add(const SummaryNode<Value>& node) { m_nodes.push_back(node); }

  /// Gathers the nodes of all processes and sorts them. Collective.
  void gather(Processes& processes);

  /// The nodes of a design point whose first replication is in [first, end).
  std::span<const SummaryNode<Value>> in(std::int64_t point, std::int64_t first, std::int64_t end) const;

 private:
  std::vector<SummaryNode<Value>> m_nodes;
};

/// Summary of a round, gathered from all processes. Consecutive observations are combined to nodes of their tree. The
/// amount of gathered data therefore grows with the logarithm of the number of observations, or with the number of
/// checks of the target precision.
class RoundSummary {
 public:
  /// Creates an empty summary. The pieces passed to `add_to` must begin at multiples of `cut` replications if `cut` is
  /// not 0. A run has `run_length` replications.
  RoundSummary(std::int64_t cut, std::int64_t run_length) : m_cut(cut), m_run_length(run_length) {}

  /// Adds a part that this process has run, with responses called `names` and covariances of `pair_count` pairs.
  void add(const RoundPart& part, const SummarizedRows& launched, std::span<const std::string> names, int pair_count);

  /// Gathers the summaries of all processes. `first` is the round's first replication. Collective.
  void gather(Processes& processes, std::int64_t first);

  /// Adds replications [begin, end) of the round to `summary`, as SummarizedRows::add_to does.
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

/// The responses of a round whose parts are distributed over several processes.
class GatheredRows {
 public:
  /// Adds the rows of a part that this process has run, column by column.
  void add(const RoundPart& part, std::span<const double> values);

  /// Returns all rows of a round over `points` design points, column by column, on every process. Collective.
  std::vector<double> gather(Processes& processes, const ReplicationRange& range, std::int64_t points,
                             std::size_t responses) const;

 private:
  std::vector<RoundPart> m_parts;
  std::vector<double> m_values;
};

}  // namespace sporos::impl
