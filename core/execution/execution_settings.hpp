// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>

namespace sporos {

/// What a program may choose when it begins to execute kernels; what is missing is Kokkos' own choice.
struct ExecutionSettings {
  std::optional<int> threads = {};  ///< of the host's execution space
  std::optional<int> device = {};   ///< number of the GPU, from 0, among those that CUDA can see
};

}  // namespace sporos
