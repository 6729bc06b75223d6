// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/mapping.hpp>
#include <sporos/core/sampling/uniform_source.hpp>

#include <cstdint>
#include <vector>

namespace sporos::runtime {

/// A request for points of a sampling: points [first, first + count) of set `set` of `source`.
struct PointRequest {
  UniformSource source;
  std::uint64_t seed;
  std::int64_t set, first, count;
  int dimensions;
  Mapping mapping;

  /// Generates the coordinates of the points, point by point.
  using Runner = std::vector<double>(const PointRequest&);
};

}  // namespace sporos::runtime
