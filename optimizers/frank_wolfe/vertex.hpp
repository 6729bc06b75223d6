// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/linear_algebra/vector.hpp>

#include <cstdint>
#include <vector>

namespace sporos {

/// One nonzero coordinate of a vertex.
struct VertexEntry {
  std::int64_t index;  ///< of the coordinate
  double value;        ///< of the coordinate

  /// Bit for bit.
  friend bool operator==(const VertexEntry&, const VertexEntry&) = default;
};

/// An extreme point of a region, as its linear minimization oracle returns it: a few nonzero coordinates on the host,
/// or, where `dense` has an extent, all of them in the memory of `ExecutionSpace`.
template <class ExecutionSpace>
struct Vertex {
  std::vector<VertexEntry> entries;  ///< in the order of their indices, none twice, none zero
  Vector<ExecutionSpace> dense;      ///< of the region's dimension, or without extent
};

}  // namespace sporos
