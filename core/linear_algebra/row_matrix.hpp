// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

namespace sporos {

/// A matrix of doubles, stored by rows, in the memory space of `ExecutionSpace`.
template <class ExecutionSpace>
using RowMatrix = Kokkos::View<double**, Kokkos::LayoutRight, typename ExecutionSpace::memory_space>;

}  // namespace sporos
