// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Macros.hpp>

/// For which side, host or device, the compiler compiles. Only headers of this folder look at the compilers' own
/// macros.

#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__) || defined(__SYCL_DEVICE_ONLY__)
#define SPOROS_IMPL_DEVICE_CODE  // the compiler compiles for a device
#endif

// Kokkos has these two since 3.6.
#ifndef KOKKOS_IF_ON_HOST
#define SPOROS_IMPL_WITHOUT_PARENTHESES(...) __VA_ARGS__
#ifdef SPOROS_IMPL_DEVICE_CODE
#define KOKKOS_IF_ON_HOST(code)
#define KOKKOS_IF_ON_DEVICE(code) SPOROS_IMPL_WITHOUT_PARENTHESES code
#else
#define KOKKOS_IF_ON_HOST(code) SPOROS_IMPL_WITHOUT_PARENTHESES code
#define KOKKOS_IF_ON_DEVICE(code)
#endif
#endif

namespace sporos::impl {

/// Whether the compiler compiles for a device.
KOKKOS_FORCEINLINE_FUNCTION constexpr bool on_device() {
  KOKKOS_IF_ON_DEVICE((return true;))
  KOKKOS_IF_ON_HOST((return false;))
}

}  // namespace sporos::impl
