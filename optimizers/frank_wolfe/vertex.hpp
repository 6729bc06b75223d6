// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/linear_algebra/vector.hpp>

#include <cstdint>
#include <vector>

namespace sporos {

/// One nonzero coordinate of a vertex.
struct VertexEntry {
  std::int64_t index;  ///< Index of the coordinate.
  double value;        ///< Value of the coordinate.

  /// Compares bit by bit.
  friend bool operator==(const VertexEntry&, const VertexEntry&) = default;
};

/// An extreme point of a region, as a linear minimization oracle returns it. It consists of a few nonzero coordinates
/// on the host or, if `dense` is not empty, of all coordinates in the memory of `ExecutionSpace`.
template <class ExecutionSpace>
struct Vertex {
  std::vector<VertexEntry> entries;  ///< Nonzero coordinates in increasing order of index, without duplicates.
  Vector<ExecutionSpace> dense;      ///< All coordinates, or an empty view.
};

}  // namespace sporos
