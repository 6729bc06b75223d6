// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/check_launches.hpp>
#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/linear_algebra/vector.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <span>
#include <vector>

/// Copies of numbers from the host to the memory of an execution space, and back. All functions block: on `space` if it
/// is given, otherwise on all instances. Functions that copy to the host throw the exceptions of check_launches.
namespace sporos {

/// A copy of `values` in the memory space of `ExecutionSpace`.
template <class ExecutionSpace>
Vector<ExecutionSpace> to_device(const std::vector<double>& values) {
  Vector<ExecutionSpace> copy(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::vector"), values.size());
  copy_elements(copy, values);
  return copy;
}

/// A copy of `values` in the memory space of `ExecutionSpace`, made on the instance `space`.
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

/// A copy of `vector` on the host, made on the instance `space`.
template <class ExecutionSpace>
std::vector<double> to_host(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& vector) {
  std::vector<double> copy(vector.extent(0));
  copy_elements(space, copy, vector);
  space.fence();
  check_launches<ExecutionSpace>();
  return copy;
}

/// The coordinate `index` of `vector`, copied to the host on the instance `space`.
template <class ExecutionSpace>
double value_at(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& vector, std::int64_t index) {
  double value = 0;
  copy_elements(space, std::span(&value, 1), ConstVector<ExecutionSpace>(vector.data() + index, 1));
  space.fence();
  check_launches<ExecutionSpace>();
  return value;
}

}  // namespace sporos
