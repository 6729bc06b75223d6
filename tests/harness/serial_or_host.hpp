// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

namespace sporos::test {

/// Where tests compute what is cheap or what other backends are compared with: the calling thread, if this build's
/// Kokkos has Serial.
#ifdef KOKKOS_ENABLE_SERIAL
using SerialOrHost = Kokkos::Serial;
#else
using SerialOrHost = Kokkos::DefaultHostExecutionSpace;
#endif

}  // namespace sporos::test
