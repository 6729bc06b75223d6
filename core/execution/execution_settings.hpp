// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>

namespace sporos {

/// Execution settings that a program can choose when it initializes Kokkos; Kokkos chooses the others.
struct ExecutionSettings {
  std::optional<int> threads = {};  ///< number of threads of the host execution space
  std::optional<int> device = {};   ///< number of the GPU, from 0, among those that CUDA can see
};

}  // namespace sporos
