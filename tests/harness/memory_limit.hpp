// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "environment_variable.hpp"

#include <sporos/core/execution/memory.hpp>

#include <string>

namespace sporos::test {

/// Limits the free memory that is reported to `bytes`, by an environment variable, until this object is destroyed.
class MemoryLimit : EnvironmentVariable {
 public:
  explicit MemoryLimit(const std::string& bytes) : EnvironmentVariable(memory_limit_variable, bytes) {}
};

/// Message of the OutOfMemory that `action` throws, or "none".
template <class Action>
std::string shortage(const Action& action) {
  try {
    action();
  } catch (const OutOfMemory& error) {
    return error.what();
  }
  return "none";
}

/// Name by which error messages refer to the owner of the memory of `ExecutionSpace`.
template <class ExecutionSpace>
std::string owner_of_memory() {
  return Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename ExecutionSpace::memory_space>::accessible
             ? "the host"
             : "the device";
}

}  // namespace sporos::test
