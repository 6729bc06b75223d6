// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/check_launches.hpp>
#include <sporos/core/execution/host_view.hpp>
#include <sporos/core/linear_algebra/vector.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

/// Numbers from the host to where kernels can reach them, and back. All of these wait, for `space` where it is given
/// and otherwise for all instances; those that read throw as check_launches does.
namespace sporos {

/// A copy of `values` in the memory of `ExecutionSpace`.
template <class ExecutionSpace>
Vector<ExecutionSpace> to_device(const std::vector<double>& values) {
  Vector<ExecutionSpace> copy(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::vector"), values.size());
  Kokkos::deep_copy(copy, host_view(values));
  return copy;
}

/// The same, by way of `space`.
template <class ExecutionSpace>
Vector<ExecutionSpace> to_device(const ExecutionSpace& space, const std::vector<double>& values) {
  Vector<ExecutionSpace> copy(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::vector"), values.size());
  Kokkos::deep_copy(space, copy, host_view(values));
  space.fence();
  return copy;
}

/// A copy of `vector` on the host.
template <class ExecutionSpace>
std::vector<double> to_host(const ConstVector<ExecutionSpace>& vector) {
  std::vector<double> copy(vector.extent(0));
  Kokkos::deep_copy(host_view(copy), vector);
  check_launches<ExecutionSpace>();
  return copy;
}

/// The same, by way of `space`.
template <class ExecutionSpace>
std::vector<double> to_host(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& vector) {
  std::vector<double> copy(vector.extent(0));
  Kokkos::deep_copy(space, host_view(copy), vector);
  space.fence();
  check_launches<ExecutionSpace>();
  return copy;
}

/// One coordinate of `vector`, by way of `space`.
template <class ExecutionSpace>
double value_at(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& vector, std::int64_t index) {
  double value = 0;
  Kokkos::deep_copy(space, value, Kokkos::subview(vector, index));
  space.fence();
  check_launches<ExecutionSpace>();
  return value;
}

}  // namespace sporos
