// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Macros.hpp>

/// Macros for whether the compiler compiles host or device code. Only headers of this folder test compilers' macros.

#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__) || defined(__SYCL_DEVICE_ONLY__)
#define SPOROS_IMPL_DEVICE_CODE  // the compiler compiles for a device
#endif

/// Defined if fused multiply-add is an instruction.
#if defined(SPOROS_IMPL_DEVICE_CODE) || defined(__FMA__) || defined(__FP_FAST_FMA)
#define SPOROS_IMPL_HAS_FMA
#endif

/// Declares a function that only hosts call and that compilers inline.
#define SPOROS_HOST_FORCEINLINE_FUNCTION inline __attribute__((always_inline))

/// Compile `code`, given in parentheses, only for hosts or only for devices, in a function for both. Kokkos has these
/// macros since 3.6.
#ifdef KOKKOS_IF_ON_HOST
#define SPOROS_IF_ON_HOST(code) KOKKOS_IF_ON_HOST(code)
#define SPOROS_IF_ON_DEVICE(code) KOKKOS_IF_ON_DEVICE(code)
#elif defined(SPOROS_IMPL_DEVICE_CODE)
#define SPOROS_IF_ON_HOST(code)
#define SPOROS_IF_ON_DEVICE(code) \
  { SPOROS_WITHOUT_PARENTHESES code }
#else
#define SPOROS_IF_ON_HOST(code) \
  { SPOROS_WITHOUT_PARENTHESES code }
#define SPOROS_IF_ON_DEVICE(code)
#endif
#define SPOROS_WITHOUT_PARENTHESES(...) __VA_ARGS__

namespace sporos::impl {

/// Whether the compiler compiles device code.
KOKKOS_FORCEINLINE_FUNCTION constexpr bool on_device() {
  SPOROS_IF_ON_DEVICE((return true;))
  SPOROS_IF_ON_HOST((return false;))
}

}  // namespace sporos::impl
