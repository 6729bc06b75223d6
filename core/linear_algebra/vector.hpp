// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/for_each_index.hpp>

#include <Kokkos_Core.hpp>

/// Vectors and matrices for optimizers. Their operations are in vector_operations.hpp.
namespace sporos {

/// A vector of doubles in the memory space of `ExecutionSpace`.
template <class ExecutionSpace>
using Vector = Kokkos::View<double*, typename ExecutionSpace::memory_space>;

/// A read-only vector of doubles in the memory space of `ExecutionSpace`.
template <class ExecutionSpace>
using ConstVector = Kokkos::View<const double*, typename ExecutionSpace::memory_space>;

/// A matrix of doubles in the memory space of `ExecutionSpace`, stored by rows on a host and by columns on a device.
template <class ExecutionSpace>
using Matrix = Kokkos::View<double**, typename ExecutionSpace::array_layout, typename ExecutionSpace::memory_space>;

/// A read-only matrix in the memory space and layout of `ExecutionSpace`.
template <class ExecutionSpace>
using ConstMatrix =
    Kokkos::View<const double**, typename ExecutionSpace::array_layout, typename ExecutionSpace::memory_space>;

namespace impl {

// Nanoseconds that a host takes for one element of an operation on vectors in its caches.
inline constexpr double nanoseconds_of_element = 0.3;

}  // namespace impl

}  // namespace sporos
