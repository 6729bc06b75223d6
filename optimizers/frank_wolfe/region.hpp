// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/optimizers/frank_wolfe/vertex.hpp>

#include <concepts>
#include <cstdint>
#include <string>

namespace sporos {

/// A compact convex set with a linear minimization oracle.
///
/// - `dimension()`: of the space it lies in.
/// - `minimize(space, g)`: an extreme point s where gᵀs is least. Of several, the same one on every call and backend
///   (the one with the lowest index, where the field has that). May keep what makes the next call faster.
/// - `violation(space, x)`: by how much x breaks the worst of its constraints, relative to the constraint's size; 0
///   inside. For checking start points.
template <class Region, class ExecutionSpace>
concept OptimizationRegion = requires(Region& region, const ExecutionSpace& space,
                                      const ConstVector<ExecutionSpace>& v) {
  { region.dimension() } -> std::convertible_to<std::int64_t>;
  { region.minimize(space, v) } -> std::same_as<Vertex<ExecutionSpace>>;
  { region.violation(space, v) } -> std::convertible_to<double>;
};

}  // namespace sporos
