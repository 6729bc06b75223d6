// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

namespace sporos::test {

/// Execution space for cheap computations of tests and for the results with which other backends are compared: Serial
/// if this build of Kokkos has it, else the default host space.
#ifdef KOKKOS_ENABLE_SERIAL
using SerialOrHost = Kokkos::Serial;
#else
using SerialOrHost = Kokkos::DefaultHostExecutionSpace;
#endif

}  // namespace sporos::test
