// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/for_each_index.hpp>

#include <Kokkos_Core.hpp>

/// Vectors and matrices of optimizers. What is computed with them is in vector_operations.hpp.
namespace sporos {

/// A vector of doubles where the kernels of `ExecutionSpace` can reach it.
template <class ExecutionSpace>
using Vector = Kokkos::View<double*, typename ExecutionSpace::memory_space>;

/// A vector that is only read.
template <class ExecutionSpace>
using ConstVector = Kokkos::View<const double*, typename ExecutionSpace::memory_space>;

/// A matrix of doubles where the kernels of `ExecutionSpace` can reach it: by rows on a host, by columns on a device.
template <class ExecutionSpace>
using Matrix = Kokkos::View<double**, typename ExecutionSpace::array_layout, typename ExecutionSpace::memory_space>;

/// A matrix that is only read.
template <class ExecutionSpace>
using ConstMatrix =
    Kokkos::View<const double**, typename ExecutionSpace::array_layout, typename ExecutionSpace::memory_space>;

namespace impl {

// Time of a host for one element of an operation on vectors that lie in its caches.
inline constexpr double nanoseconds_of_element = 0.3;

}  // namespace impl

}  // namespace sporos
