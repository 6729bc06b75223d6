// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/device_code.hpp>

#include <Kokkos_Core.hpp>

#include <type_traits>
#include <utility>

/// Replacements for features that older versions of Kokkos (from 3.4 on), or their compilers, lack. Sporos is written
/// to the current Kokkos API.

/// SPOROS_NOINLINE_ON_HOST keeps a function out of line on the host. It does nothing on a device, where a call costs
/// more than it saves. SPOROS_NOINLINE_ON_DEVICE keeps a function that is seldom called out of line on a device, where
/// ptxas takes minutes for a kernel of 50 000 lines. It does nothing on the host, whose compilers choose what to
/// inline.
#ifdef SPOROS_IMPL_DEVICE_CODE
#define SPOROS_NOINLINE_ON_HOST
#define SPOROS_NOINLINE_ON_DEVICE __attribute__((noinline))
#else
#define SPOROS_NOINLINE_ON_HOST __attribute__((noinline))
#define SPOROS_NOINLINE_ON_DEVICE
#endif

/// Keeps a function out of line everywhere.
#define SPOROS_NOINLINE __attribute__((noinline))

/// Prevents the unrolling of the next loop on a GPU. Use it for a long body that seldom repeats: unrolled, the loop
/// would not fit in the instruction cache.
#ifdef __CUDA_ARCH__
#define SPOROS_NOT_UNROLLED _Pragma("unroll 1")
#else
#define SPOROS_NOT_UNROLLED
#endif

/// Marks a function that must not be called: compilers print `sentence` as the error at the call. Compilers without
/// this attribute (g++ before 12) print it as a warning, and the link fails because the function has no definition.
#if __has_attribute(unavailable)
#define SPOROS_UNAVAILABLE(sentence) __attribute__((unavailable(sentence)))
#else
#define SPOROS_UNAVAILABLE(sentence) __attribute__((deprecated(sentence)))
#endif

namespace sporos::impl {

/// A missing part of a contract, as a type for overload resolution. `check_contract` has one overload for each value of
/// the enumeration `Lack`; only the one for `none` may be called. Entry points call it first and guard their bodies
/// with `if constexpr`, so that a wrong type causes no further messages.
template <auto requirement>
using Unmet = std::integral_constant<decltype(requirement), requirement>;

/// Declares the overload of `check_contract` for the missing part `lack`: compilers print `sentence` at the call. nvcc
/// honours the attribute only in functions for devices, but prints the message of a static_assert first.
#ifdef __CUDACC__
#define SPOROS_REQUIREMENT(requirement, sentence)                                              \
  template <class Requirement>                                                                 \
  requires std::is_same_v<Requirement, ::sporos::impl::Unmet<requirement>>                     \
  void check_contract(Requirement) {                                                           \
    static_assert(!std::is_same_v<Requirement, ::sporos::impl::Unmet<requirement>>, sentence); \
  }                                                                                            \
  static_assert(true)
#else
#define SPOROS_REQUIREMENT(requirement, sentence) \
  SPOROS_UNAVAILABLE(sentence) void check_contract(::sporos::impl::Unmet<requirement>)
#endif

/// Pinned host memory, to and from which a device copies while both compute; before Kokkos 4, ordinary host memory.
#if KOKKOS_VERSION >= 40000
using HostPinnedSpace = Kokkos::SharedHostPinnedSpace;
#else
using HostPinnedSpace = Kokkos::HostSpace;
#endif

/// Type of a View's mirror in host memory: View::HostMirror before Kokkos 5, View::host_mirror_type since.
template <class View>
using HostMirrorOf = decltype(Kokkos::create_mirror_view(std::declval<View>()));

/// Instance whose kernels run concurrently with those of other instances; before Kokkos 4, the default instance.
template <class ExecutionSpace>
ExecutionSpace own_instance() {
#if KOKKOS_VERSION >= 40000
  return Kokkos::Experimental::partition_space(ExecutionSpace(), 1)[0];
#else
  return ExecutionSpace();
#endif
}

}  // namespace sporos::impl
