// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <stdexcept>
#include <string>
#include <type_traits>

namespace sporos {

#ifdef KOKKOS_ENABLE_CUDA

namespace impl {

/// What CUDA says of an error, and its name.
inline std::string cuda_text(cudaError_t error) {
  return std::string(cudaGetErrorString(error)).append(" (").append(cudaGetErrorName(error)).append(")");
}

}  // namespace impl

#endif

/// Throws std::runtime_error where a kernel of `ExecutionSpace` was refused when it was to be launched, for want of
/// memory or registers, say. Kokkos does not look, and its fences do not tell: without this, what the kernel was to
/// write would be read as if it had. To be called where results of kernels are read; it costs nanoseconds and waits for
/// nothing. A kernel that fails while it runs is another matter: Kokkos' next fence ends the program.
template <class ExecutionSpace>
void check_launches() {
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same_v<ExecutionSpace, Kokkos::Cuda>) {
    if (cudaPeekAtLastError() == cudaSuccess) return;
    const cudaError_t error = cudaGetLastError();  // it is told once
    throw std::runtime_error(std::string("Kokkos could not launch a kernel: ").append(impl::cuda_text(error)));
  }
#endif
}

}  // namespace sporos
