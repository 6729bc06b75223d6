// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/device_code.hpp>

#include <Kokkos_Core.hpp>

#include <type_traits>
#include <utility>

/// Sporos is written to today's Kokkos. What older ones (from 3.4 on) or the compilers behind them lack stands here.

/// Keeps a function out of line on the host; on a device, where a call costs more than it saves, it does nothing.
#ifdef SPOROS_IMPL_DEVICE_CODE
#define SPOROS_NOINLINE_ON_HOST
#else
#define SPOROS_NOINLINE_ON_HOST __attribute__((noinline))
#endif

/// Keeps a function out of line everywhere.
#define SPOROS_NOINLINE __attribute__((noinline))

/// Before a loop of a kernel that is long and seldom repeats: unrolled, it would not stay in a GPU's instruction cache.
#ifdef __CUDA_ARCH__
#define SPOROS_NOT_UNROLLED _Pragma("unroll 1")
#else
#define SPOROS_NOT_UNROLLED
#endif

/// Before the declaration of a function that nobody may call: compilers say `sentence` where it is called, in the line
/// of their error. Those that do not know the attribute (g++ before 12) warn, and the function is not there to link.
#if __has_attribute(unavailable)
#define SPOROS_UNAVAILABLE(sentence) __attribute__((unavailable(sentence)))
#else
#define SPOROS_UNAVAILABLE(sentence) __attribute__((deprecated(sentence)))
#endif

namespace sporos::impl {

/// What a type lacks of a contract, as an argument: each value of the enumeration `Lack` has an overload of
/// `check_contract` of its own, of which only that for `none` may be called. Entry points call it before all else, and
/// hold their bodies behind `if constexpr`: what they would instantiate from a wrong type has to say nothing.
template <auto lack>
using Lacks = std::integral_constant<decltype(lack), lack>;

/// Declares the overload of `check_contract` for what is lacking: where it is called, compilers say `sentence`. nvcc
/// minds the attribute in functions for devices only, but begins with what an assertion says.
#ifdef __CUDACC__
#define SPOROS_TELL(lack, sentence)                                                                          \
  template <class Lack>                                                                                      \
  requires std::is_same_v<Lack, ::sporos::impl::Lacks<lack>>                                                 \
  void check_contract(Lack) { static_assert(!std::is_same_v<Lack, ::sporos::impl::Lacks<lack>>, sentence); } \
  static_assert(true)
#else
#define SPOROS_TELL(lack, sentence) SPOROS_UNAVAILABLE(sentence) void check_contract(::sporos::impl::Lacks<lack>)
#endif

/// Memory of the host to and from which a device copies while both compute; where Kokkos has no name for it, any.
#if KOKKOS_VERSION >= 40000
using HostPinnedSpace = Kokkos::SharedHostPinnedSpace;
#else
using HostPinnedSpace = Kokkos::HostSpace;
#endif

/// The type of a View's mirror in host memory: View::HostMirror before Kokkos 5, View::host_mirror_type since.
template <class View>
using HostMirrorOf = decltype(Kokkos::create_mirror_view(std::declval<View>()));

/// An instance whose kernels run beside those of others; where Kokkos makes none, the one of all.
template <class ExecutionSpace>
ExecutionSpace own_instance() {
#if KOKKOS_VERSION >= 40000
  return Kokkos::Experimental::partition_space(ExecutionSpace(), 1)[0];
#else
  return ExecutionSpace();
#endif
}

}  // namespace sporos::impl
