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

/// Called with each observation of a design point as it is added: the response's index and the observation.
using ObservationVisitor = std::function<void(std::size_t response, double observation)>;

/// The outputs of one launch on the host: summaries of whole blocks of replications, and the rows that are left over.
class SummarizedRows {
 public:
  virtual ~SummarizedRows() = default;

  /// Adds rows [begin, end) of design point `point` to `summary`, and to its failures those with an output that is not
  /// finite. A visitor sees every observation, if blocks are runs or there are none.
  void add_to(ReplicationSummary& summary, std::int64_t point, std::int64_t begin, std::int64_t end,
              std::span<const std::string> names, const ObservationVisitor& visitor = {}) const;

 protected:
  /// Of a launch of `range` for `points` design points; summaries keep the covariances of `pairs`.
  SummarizedRows(const ReplicationRange& range, std::int64_t points, std::span<const ResponsePair> pairs)
      : m_range(range), m_points(points), m_pairs(pairs) {}
  /// For who derives from this.
  SummarizedRows(const SummarizedRows&) = default;
  /// The same.
  SummarizedRows& operator=(const SummarizedRows&) = default;

  // Who derives from this sets them, and owns what they point to. The first index runs fastest.
  ReplicationRange m_range;                      ///< of each design point
  std::int64_t m_points;                         ///< design points
  std::span<const ResponsePair> m_pairs;         ///< whose covariances are kept
  std::int64_t m_block = 1;                      ///< replications in a block
  std::int64_t m_in_blocks = 0;                  ///< rows of a design point that are reduced, from its first on
  const impl::BlockSummary* m_blocks = nullptr;  ///< by block, design point, response
  const CoMoments* m_pair_blocks = nullptr;      ///< by block, design point, pair
  const double* m_rows = nullptr;                ///< what is left over: by row, design point, response

 private:
  /// All outputs of a response.
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

  mutable std::vector<std::vector<double>> m_outputs_on_host;  // of each response, once there are failures
};

}  // namespace sporos
