// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <atomic>
#include <cstdint>

/// Relaxed atomic loads and stores of 64-bit words in a team's scratch memory. On a host they are atomic among all
/// threads of the process.
namespace sporos::impl {

/// Two adjacent words. One instruction loads or stores both, but each word is atomic only by itself.
struct alignas(16) WordPair {
  std::uint64_t first;   ///< first word
  std::uint64_t second;  ///< second word
};

#if defined(__CUDA_ARCH__)
/// Address of scratch memory for instructions on shared memory.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t shared_address(const void* word) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(word));
}
#endif

/// Loads the word.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t load_in_team(const std::uint64_t& word) {
#if defined(__CUDA_ARCH__)
  std::uint64_t value;
  asm volatile("ld.relaxed.cta.shared.u64 %0, [%1];" : "=l"(value) : "r"(shared_address(&word)) : "memory");
  return value;
#else
  return std::atomic_ref<std::uint64_t>(const_cast<std::uint64_t&>(word)).load(std::memory_order_relaxed);
#endif
}

/// Loads both words.
KOKKOS_FORCEINLINE_FUNCTION WordPair load_in_team(const WordPair& words) {
#if defined(__CUDA_ARCH__)
  WordPair values;
  asm volatile("ld.relaxed.cta.shared.v2.u64 {%0, %1}, [%2];"
               : "=l"(values.first), "=l"(values.second)
               : "r"(shared_address(&words))
               : "memory");
  return values;
#else
  return {load_in_team(words.first), load_in_team(words.second)};
#endif
}

/// Stores the word.
KOKKOS_FORCEINLINE_FUNCTION void store_in_team(std::uint64_t& word, std::uint64_t value) {
#if defined(__CUDA_ARCH__)
  asm volatile("st.relaxed.cta.shared.u64 [%0], %1;" : : "r"(shared_address(&word)), "l"(value) : "memory");
#else
  std::atomic_ref<std::uint64_t>(word).store(value, std::memory_order_relaxed);
#endif
}

/// Stores both words.
KOKKOS_FORCEINLINE_FUNCTION void store_in_team(WordPair& words, const WordPair& values) {
#if defined(__CUDA_ARCH__)
  asm volatile("st.relaxed.cta.shared.v2.u64 [%0], {%1, %2};"
               :
               : "r"(shared_address(&words)), "l"(values.first), "l"(values.second)
               : "memory");
#else
  store_in_team(words.first, values.first);
  store_in_team(words.second, values.second);
#endif
}

}  // namespace sporos::impl
