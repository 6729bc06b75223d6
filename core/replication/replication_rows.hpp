// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace sporos {

/// The responses of single replications of some design points, as they lie in host memory: replications
/// [first, first + count) of each point, of which those count that come before the point's end.
struct ReplicationRows {
  std::int64_t first;                    ///< replication of a point's first row
  std::int64_t count;                    ///< rows of each point
  std::span<const std::size_t> points;   ///< the design points, in order
  std::span<const std::int64_t> counts;  ///< rows of each that count: a point that is precise enough has no more
  std::size_t responses;                 ///< columns
  const double* values;                  ///< column by column, point by point

  /// Response `response` of replication `first + row` of points[place].
  double operator()(std::size_t place, std::int64_t row, std::size_t response) const {
    const std::size_t rows_of_point = static_cast<std::size_t>(count), rows = points.size() * rows_of_point;
    return values[response * rows + place * rows_of_point + static_cast<std::size_t>(row)];
  }
};

/// Called with the responses of all replications of an experiment, in the order of the replications, some at a time: at
/// most as many as a launch holds.
using Recorder = std::function<void(const ReplicationRows&)>;

}  // namespace sporos
