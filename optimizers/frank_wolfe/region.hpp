// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/optimizers/frank_wolfe/vertex.hpp>

#include <concepts>
#include <cstdint>

namespace sporos {

namespace impl {

enum class RegionRequirement { none, dimension, minimize, violation };

// The first member that the type requires but does not have.
template <class Region, class ExecutionSpace>
constexpr RegionRequirement unmet_region_requirement() {
  using Point = ConstVector<ExecutionSpace>;
  if constexpr (!requires(Region & region) {
                  { region.dimension() } -> std::convertible_to<std::int64_t>;
                }) {
    return RegionRequirement::dimension;
  } else if constexpr (!requires(Region & region, const ExecutionSpace& space, const Point& g) {
                         { region.minimize(space, g) } -> std::same_as<Vertex<ExecutionSpace>>;
                       }) {
    return RegionRequirement::minimize;
  } else if constexpr (!requires(Region & region, const ExecutionSpace& space, const Point& x) {
                         { region.violation(space, x) } -> std::convertible_to<double>;
                       }) {
    return RegionRequirement::violation;
  }
  return RegionRequirement::none;
}

inline void check_contract(Unmet<RegionRequirement::none>) {}
SPOROS_REQUIREMENT(RegionRequirement::dimension,
                   "Sporos: a region must return its dimension: std::int64_t dimension()");
SPOROS_REQUIREMENT(
    RegionRequirement::minimize,
    "Sporos: a region must minimize a linear function in the execution space of the problem: "
    "sporos::Vertex<ExecutionSpace> minimize(const ExecutionSpace& space, const sporos::ConstVector<ExecutionSpace>& "
    "g)");
SPOROS_REQUIREMENT(
    RegionRequirement::violation,
    "Sporos: a region must return by how much a point violates its constraints: double violation(const ExecutionSpace& "
    "space, const sporos::ConstVector<ExecutionSpace>& x)");

}  // namespace impl

/// A compact convex set with a linear minimization oracle.
///
/// - `dimension()`: dimension of the space that contains the region.
/// - `minimize(space, g)`: an extreme point s with the smallest gᵀs. Among ties it returns the same point on every call
///   and backend (the one with the lowest index, where that is defined). It may cache data that speeds up the next
///   call.
/// - `violation(space, x)`: violation of the most violated constraint at x, relative to the size of that constraint; 0
///   inside the region. Used to check start points.
template <class Region, class ExecutionSpace>
concept OptimizationRegion = impl::unmet_region_requirement<Region, ExecutionSpace>()
== impl::RegionRequirement::none;

}  // namespace sporos
