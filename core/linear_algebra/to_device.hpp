// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/check_launches.hpp>
#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/linear_algebra/vector.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// Numbers from the host to where kernels can reach them, and back. All of these wait, for `space` where it is given
/// and otherwise for all instances; those that read throw as check_launches does.
namespace sporos {

/// A copy of `values` in the memory of `ExecutionSpace`.
template <class ExecutionSpace>
Vector<ExecutionSpace> to_device(const std::vector<double>& values) {
  Vector<ExecutionSpace> copy(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::vector"), values.size());
  copy_elements(copy, values);
  return copy;
}

/// The same, by way of `space`.
template <class ExecutionSpace>
Vector<ExecutionSpace> to_device(const ExecutionSpace& space, const std::vector<double>& values) {
  Vector<ExecutionSpace> copy(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::vector"), values.size());
  copy_elements(space, copy, values);
  space.fence();
  return copy;
}

/// A copy of `vector` on the host.
template <class ExecutionSpace>
std::vector<double> to_host(const ConstVector<ExecutionSpace>& vector) {
  std::vector<double> copy(vector.extent(0));
  copy_elements(copy, vector);
  check_launches<ExecutionSpace>();
  return copy;
}

/// The same, by way of `space`.
template <class ExecutionSpace>
std::vector<double> to_host(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& vector) {
  std::vector<double> copy(vector.extent(0));
  copy_elements(space, copy, vector);
  space.fence();
  check_launches<ExecutionSpace>();
  return copy;
}

/// One coordinate of `vector`, by way of `space`.
template <class ExecutionSpace>
double value_at(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& vector, std::int64_t index) {
  double value = 0;
  copy_elements(space, std::span(&value, 1), ConstVector<ExecutionSpace>(vector.data() + index, 1));
  space.fence();
  check_launches<ExecutionSpace>();
  return value;
}

}  // namespace sporos
