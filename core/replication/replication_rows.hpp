// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/processes.hpp>
#include <sporos/core/replication/round.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

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

namespace impl {

/// The responses of a round that several processes share, a part here and a part there.
class GatheredRows {
 public:
  /// Adds the rows of a part that this process has run, column by column.
  void add(const RoundPart& part, std::span<const double> values) {
    m_parts.push_back(part);
    m_values.insert(m_values.end(), values.begin(), values.end());
  }

  /// All rows of a round over `points` design points, column by column, on every process. Collective.
  std::vector<double> gather(Processes& processes, const ReplicationRange& range, std::int64_t points,
                             std::size_t responses) const {
    const auto parts = sporos::gather(processes, std::span<const RoundPart>(m_parts));
    const auto values = sporos::gather(processes, std::span<const double>(m_values));
    std::vector<double> all(values.size());
    const double* from = values.data();
    for (const RoundPart& part : parts) {
      for (std::size_t response = 0; response < responses; ++response) {
        for (std::int64_t point = part.first_point; point < part.first_point + part.points; ++point) {
          const std::int64_t row = (static_cast<std::int64_t>(response) * points + point) * range.count;
          from = copy(from, part.range.count, all.data() + row + part.range.first - range.first);
        }
      }
    }
    return all;
  }

 private:
  static const double* copy(const double* from, std::int64_t count, double* to) {
    std::copy(from, from + count, to);
    return from + count;
  }

  std::vector<RoundPart> m_parts;
  std::vector<double> m_values;
};

}  // namespace impl

}  // namespace sporos
