// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace sporos {

/// The responses of single replications of some design points in host memory: replications [first, first + count) of
/// each point. Only replications before the point stops are valid.
struct ReplicationRows {
  std::int64_t first;                    ///< index of the replication in a point's first row
  std::int64_t count;                    ///< number of rows of each point
  std::span<const std::size_t> points;   ///< the design points, in order
  std::span<const std::int64_t> counts;  ///< valid rows of each; fewer if a point is precise enough
  std::size_t responses;                 ///< number of columns
  const double* values;                  ///< responses, ordered by column, then point, then row

  /// Response `response` of replication `first + row` of points[place].
  double operator()(std::size_t place, std::int64_t row, std::size_t response) const {
    const std::size_t rows_of_point = static_cast<std::size_t>(count), rows = points.size() * rows_of_point;
    return values[response * rows + place * rows_of_point + static_cast<std::size_t>(row)];
  }
};

/// Function that is called with the responses of all replications of an experiment. Each call passes the next
/// replications in order, at most as many as one launch holds.
using Recorder = std::function<void(const ReplicationRows&)>;

}  // namespace sporos
