// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/program.hpp>

#include <Kokkos_Core.hpp>

#include <initializer_list>
#include <string>

namespace sporos::runtime {

namespace impl {

inline std::string dotted(std::initializer_list<int> numbers) {
  std::string text;
  for (const int number : numbers) text += (text.empty() ? "" : ".") + std::to_string(number);
  return text;
}

inline std::string compiler_name() {
#if defined(__clang__)
  const std::string host = "Clang " __clang_version__;
#else
  const std::string host = "GCC " + dotted({__GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__});
#endif
#ifdef __CUDACC__
  return host + ", CUDA " + dotted({__CUDACC_VER_MAJOR__, __CUDACC_VER_MINOR__});
#else
  return host;
#endif
}

inline std::string kokkos_version() {
  return dotted({KOKKOS_VERSION / 10000, KOKKOS_VERSION / 100 % 100, KOKKOS_VERSION % 100});
}

inline std::string vector_instructions() {
#if defined(__AVX512F__)
  return "AVX-512, 8 doubles";
#elif defined(__AVX2__)
  return "AVX2, 4 doubles";
#elif defined(__AVX__)
  return "AVX, 4 doubles";
#elif defined(__SSE2__)
  return "SSE2, 2 doubles";
#elif defined(__ARM_NEON)
  return "NEON, 2 doubles";
#else
  return "unknown";
#endif
}

}  // namespace impl

/// Returns how the source file that includes this header is compiled. sporos_write_program sets the macros.
inline Build this_build() {
  return {impl::compiler_name(), impl::vector_instructions(), impl::kokkos_version(), SPOROS_KOKKOS_SPACES,
          SPOROS_BUILD_TYPE,     SPOROS_NATIVE != 0,          SPOROS_SAME_BITS != 0};
}

}  // namespace sporos::runtime
