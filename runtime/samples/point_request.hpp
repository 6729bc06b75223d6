// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/mapping.hpp>
#include <sporos/core/sampling/uniform_source.hpp>

#include <cstdint>
#include <vector>

namespace sporos::runtime {

/// Points of a sampling: of the sets that `source` has, points [first, first + count) of set `set`.
struct PointRequest {
  UniformSource source;
  std::uint64_t seed;
  std::int64_t set, first, count;
  int dimensions;
  Mapping mapping;

  /// Makes them, one after the other, each with its coordinates in order.
  using Runner = std::vector<double>(const PointRequest&);
};

}  // namespace sporos::runtime
