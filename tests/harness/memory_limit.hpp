// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "environment_variable.hpp"

#include <sporos/core/execution/memory.hpp>

#include <string>

namespace sporos::test {

/// While it lives, the environment says that no more than some bytes of any memory are free.
class MemoryLimit : EnvironmentVariable {
 public:
  explicit MemoryLimit(const std::string& bytes) : EnvironmentVariable(memory_limit_variable, bytes) {}
};

/// What the OutOfMemory says that `action` throws, or "none".
template <class Action>
std::string shortage(const Action& action) {
  try {
    action();
  } catch (const OutOfMemory& error) {
    return error.what();
  }
  return "none";
}

/// Who is said to have too little memory for kernels of `ExecutionSpace`.
template <class ExecutionSpace>
std::string owner_of_memory() {
  return Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename ExecutionSpace::memory_space>::accessible
             ? "the host"
             : "the device";
}

}  // namespace sporos::test
