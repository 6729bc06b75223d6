// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/memory.hpp>

#include <cstdlib>
#include <string>

namespace sporos::test {

/// While it lives, the environment says that no more than some bytes of any memory are free.
class MemoryLimit {
 public:
  explicit MemoryLimit(const std::string& bytes) { ::setenv(memory_limit_variable, bytes.c_str(), 1); }
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;
  ~MemoryLimit() { ::unsetenv(memory_limit_variable); }
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
