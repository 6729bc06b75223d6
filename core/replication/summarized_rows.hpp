// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/replication/for_each_replication.hpp>
#include <sporos/core/replication/replication_summary.hpp>
#include <sporos/core/replication/response_properties.hpp>
#include <sporos/core/statistics/moments.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace sporos {

/// Function that is called with each added observation of a design point: the index of the response and the
/// observation.
using ObservationVisitor = std::function<void(std::size_t response, double observation)>;

/// The outputs of one launch on the host: summaries of whole blocks of replications, and the remaining rows.
class SummarizedRows {
 public:
  virtual ~SummarizedRows() = default;

  /// Adds rows [begin, end) of design point `point` to `summary`, and rows with an output that is not finite to its
  /// failures. A visitor receives every observation, provided that blocks are runs or there are no blocks.
  void add_to(ReplicationSummary& summary, std::int64_t point, std::int64_t begin, std::int64_t end,
              std::span<const std::string> names, const ObservationVisitor& visitor = {}) const;

 protected:
  SummarizedRows() = default;
  /// Copy constructor, for derived classes.
  SummarizedRows(const SummarizedRows&) = default;
  /// Copy assignment, for derived classes.
  SummarizedRows& operator=(const SummarizedRows&) = default;

  /// Replaces the outputs by those of a launch of `range` for `points` design points, which are not summarized yet.
  /// Summaries contain the covariances of `pairs`.
  void begin(const ReplicationRange& range, std::int64_t points, std::span<const ResponsePair> pairs);

  // Derived classes set these members and own the memory that they point to. The first index runs fastest.
  ReplicationRange m_range;                      ///< replications of each design point
  std::int64_t m_points = 0;                     ///< number of design points
  std::span<const ResponsePair> m_pairs;         ///< pairs of responses whose covariances are kept
  std::int64_t m_block = 1;                      ///< number of replications in a block
  std::int64_t m_in_blocks = 0;                  ///< number of leading rows of a design point in blocks
  const impl::BlockSummary* m_blocks = nullptr;  ///< summaries by block, design point, response
  const CoMoments* m_pair_blocks = nullptr;      ///< co-moments by block, design point, pair
  const double* m_rows = nullptr;                ///< remaining outputs by row, design point, response

 private:
  /// Returns all outputs of a response.
  virtual std::vector<double> outputs_of(int response) const = 0;

  template <class Value>
  const Value& in_block(const Value* blocks, std::int64_t block, std::int64_t point, std::int64_t column) const {
    return blocks[block + m_in_blocks / m_block * (point + m_points * column)];
  }
  double left_over(std::int64_t row, std::int64_t point, std::int64_t response) const {
    return m_rows[row - m_in_blocks + (m_range.count - m_in_blocks) * (point + m_points * response)];
  }
  void add_pairs_to(ReplicationSummary& summary, std::int64_t point, std::int64_t begin, std::int64_t end) const;
  ReplicationFailures failures_in(std::int64_t point, std::int64_t begin, std::int64_t end) const;

  mutable std::vector<std::vector<double>> m_outputs_on_host;  // outputs of each response, filled at the first failure
};

}  // namespace sporos
