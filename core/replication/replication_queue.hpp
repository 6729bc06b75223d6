// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos {

/// Queue from which the threads or warps of a launch take replications, in the memory space of `ExecutionSpace`.
/// Copies refer to the same queue. Launches that share a queue must run one after the other on the same instance.
template <class ExecutionSpace>
class ReplicationQueue {
 public:
  ReplicationQueue() : m_taken(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::replication::taken")) {}

  /// Resets the queue to the first replication. Each launch does this. Asynchronous.
  void restart(const ExecutionSpace& space) const { Kokkos::deep_copy(space, m_taken, std::int64_t{0}); }

  /// Takes `count` replications and returns the number that had been taken before.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t take(std::int64_t count) const {
    return Kokkos::atomic_fetch_add(m_taken.data(), count);
  }

 private:
  Kokkos::View<std::int64_t, typename ExecutionSpace::memory_space> m_taken;
};

}  // namespace sporos
