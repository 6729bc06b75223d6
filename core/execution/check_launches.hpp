// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <stdexcept>
#include <string>
#include <type_traits>

namespace sporos {

#ifdef KOKKOS_ENABLE_CUDA

namespace impl {

/// Message and name of a CUDA error.
inline std::string cuda_text(cudaError_t error) {
  return std::string(cudaGetErrorString(error)).append(" (").append(cudaGetErrorName(error)).append(")");
}

}  // namespace impl

#endif

/// Throws std::runtime_error if CUDA refused to launch a kernel of `ExecutionSpace`, for example for lack of memory or
/// registers. Kokkos does not check this, and its fences do not report it: without this call, you would read results
/// that the kernel never wrote. Call it where results of kernels are read; it takes nanoseconds and does not wait. A
/// kernel that fails while it runs is a different case: the next Kokkos fence ends the program.
template <class ExecutionSpace>
void check_launches() {
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same_v<ExecutionSpace, Kokkos::Cuda>) {
    if (cudaPeekAtLastError() == cudaSuccess) return;
    const cudaError_t error = cudaGetLastError();  // CUDA reports the error once
    throw std::runtime_error(std::string("Kokkos could not launch a kernel: ").append(impl::cuda_text(error)));
  }
#endif
}

}  // namespace sporos
