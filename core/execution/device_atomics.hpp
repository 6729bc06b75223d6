// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <atomic>
#include <cstdint>
#include <type_traits>

/// Atomic operations for which Kokkos has no instruction of a device.
///
/// Loads and stores of words of 64 bits are at device scope: by all threads of a kernel, on a host by all of the
/// process. Kokkos' own have no memory order before 4.6, and those of desul are read-modify-write operations on CUDA.
namespace sporos::impl {

/// The word, by an atomic load that is relaxed or acquires.
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

/// Sets the word by an atomic store that is relaxed or releases.
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

/// Lowers a number that threads share. Kokkos 4.6 compares and swaps on CUDA until that has succeeded.
KOKKOS_FORCEINLINE_FUNCTION void lower_atomically(std::uint32_t& shared, std::uint32_t value) {
#if defined(__CUDA_ARCH__)
  atomicMin(&shared, value);
#else
  Kokkos::atomic_fetch_min(&shared, value);
#endif
}

/// Raises a number that threads share.
KOKKOS_FORCEINLINE_FUNCTION void raise_atomically(std::uint32_t& shared, std::uint32_t value) {
#if defined(__CUDA_ARCH__)
  atomicMax(&shared, value);
#else
  Kokkos::atomic_fetch_max(&shared, value);
#endif
}

}  // namespace sporos::impl
