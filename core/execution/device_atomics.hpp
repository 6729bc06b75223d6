// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <atomic>
#include <cstdint>
#include <type_traits>

/// Atomic operations for which Kokkos does not use a device instruction.
///
/// Loads and stores of 64-bit words have device scope: they are atomic among all threads of a kernel, and on a host
/// among all threads of the process. Kokkos' own operations have no memory order before 4.6, and those of desul are
/// read-modify-write operations on CUDA.
namespace sporos::impl {

/// Loads the word atomically, with relaxed or acquire order.
template <std::memory_order order>
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t load_at_device_scope(const std::uint64_t& word) {
  static_assert(order == std::memory_order_relaxed || order == std::memory_order_acquire);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
  std::uint64_t value;
  if constexpr (order == std::memory_order_relaxed) {
    asm volatile("ld.relaxed.gpu.u64 %0, [%1];" : "=l"(value) : "l"(&word) : "memory");
  } else {
    asm volatile("ld.acquire.gpu.u64 %0, [%1];" : "=l"(value) : "l"(&word) : "memory");
  }
  return value;
#elif defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  using Order =
      std::conditional_t<order == std::memory_order_relaxed, desul::MemoryOrderRelaxed, desul::MemoryOrderAcquire>;
  return desul::atomic_load(&word, Order(), desul::MemoryScopeDevice());
#else
  return std::atomic_ref<std::uint64_t>(const_cast<std::uint64_t&>(word)).load(order);
#endif
}

/// Stores the word atomically, with relaxed or release order.
template <std::memory_order order>
KOKKOS_FORCEINLINE_FUNCTION void store_at_device_scope(std::uint64_t& word, std::uint64_t value) {
  static_assert(order == std::memory_order_relaxed || order == std::memory_order_release);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
  if constexpr (order == std::memory_order_relaxed) {
    asm volatile("st.relaxed.gpu.u64 [%0], %1;" : : "l"(&word), "l"(value) : "memory");
  } else {
    asm volatile("st.release.gpu.u64 [%0], %1;" : : "l"(&word), "l"(value) : "memory");
  }
#elif defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  using Order =
      std::conditional_t<order == std::memory_order_relaxed, desul::MemoryOrderRelaxed, desul::MemoryOrderRelease>;
  desul::atomic_store(&word, value, Order(), desul::MemoryScopeDevice());
#else
  std::atomic_ref<std::uint64_t>(word).store(value, order);
#endif
}

/// Replaces a shared number by the minimum of it and `value`. On CUDA, Kokkos 4.6 would use a compare-and-swap loop.
KOKKOS_FORCEINLINE_FUNCTION void lower_atomically(std::uint32_t& shared, std::uint32_t value) {
#if defined(__CUDA_ARCH__)
  atomicMin(&shared, value);
#else
  Kokkos::atomic_fetch_min(&shared, value);
#endif
}

/// Replaces a shared number by the maximum of it and `value`.
KOKKOS_FORCEINLINE_FUNCTION void raise_atomically(std::uint32_t& shared, std::uint32_t value) {
#if defined(__CUDA_ARCH__)
  atomicMax(&shared, value);
#else
  Kokkos::atomic_fetch_max(&shared, value);
#endif
}

}  // namespace sporos::impl
