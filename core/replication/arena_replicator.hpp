// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/lane.hpp>
#include <sporos/core/execution/mapping.hpp>
#include <sporos/core/execution/memory.hpp>
#include <sporos/core/execution/replication_storage.hpp>
#include <sporos/core/replication/automatic_mapping.hpp>
#include <sporos/core/replication/design.hpp>
#include <sporos/core/replication/replication_queue.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

/// Replications of models that need memory whose size depends on their parameters (NeedsStorage). The memory is an
/// arena with one part per worker. A worker is a thread on a host and a lane of a warp on a device; it runs one
/// replication after the other in the same memory.
namespace sporos::impl {

/// The memory of the workers of a launch.
template <class ExecutionSpace>
class Arena {
 public:
  /// Allocates memory for about `workers` workers, as far as half of the free memory has room for them. Throws
  /// OutOfMemory if a single block does not fit.
  Arena(std::int64_t workers, std::int64_t bytes_of_worker) : m_bytes_of_block(lanes * bytes_of_worker) {
    using MemorySpace = typename ExecutionSpace::memory_space;
    std::int64_t blocks = (workers + lanes - 1) / lanes;
    constexpr std::int64_t worth_a_look = std::int64_t{1} << 28;
    if (blocks * m_bytes_of_block > worth_a_look) {
      check_memory<MemorySpace>({"storage", lanes, "replications", static_cast<double>(bytes_of_worker)});
      const auto half = static_cast<double>(memory_of<MemorySpace>().free) / 2;
      blocks =
          std::clamp<std::int64_t>(static_cast<std::int64_t>(half / static_cast<double>(m_bytes_of_block)), 1, blocks);
    }
    m_workers = std::min(workers, blocks * lanes);
    m_memory = Bytes(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::replication::arena"),
                     static_cast<std::size_t>(blocks * m_bytes_of_block + alignment));
  }

  /// Number of workers.
  KOKKOS_FUNCTION std::int64_t workers() const { return m_workers; }

  /// Memory of worker `worker`.
  KOKKOS_FORCEINLINE_FUNCTION ReplicationStorage storage_of(std::int64_t worker) const {
    const auto first = reinterpret_cast<std::uintptr_t>(m_memory.data());
    std::byte* const aligned = m_memory.data() + (alignment - first % alignment) % alignment;
    return {aligned + worker / lanes * m_bytes_of_block, static_cast<int>(worker % lanes)};
  }

 private:
  using Bytes = Kokkos::View<std::byte*, typename ExecutionSpace::memory_space>;
  static constexpr std::int64_t lanes = runs_on_host<ExecutionSpace> ? 1 : warp_lanes;
  static constexpr std::int64_t alignment = 128;

  std::int64_t m_bytes_of_block;
  std::int64_t m_workers;
  Bytes m_memory;
};

// Runs tasks in an arena: calls `tasks.run(task, storage)`. A team is one warp on a device, whose first
// `workers_of_warp` lanes are workers: all lanes, or one if tasks are too few to occupy the device. On a host a team is
// one thread. Each worker has `scratch_stride` bytes of the team's scratch memory; 0 if the tasks use none, and on a
// host.
template <class Tasks, class ExecutionSpace>
struct ArenaReplicator {
  using Member = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;

  Tasks tasks;
  std::int64_t end_task;
  int workers_of_warp;
  int scratch_stride;
  ReplicationQueue<ExecutionSpace> queue;
  Arena<ExecutionSpace> arena;

  KOKKOS_INLINE_FUNCTION void operator()(const Member& member) const {
    const int lane = lane_index();
    const std::int64_t worker = std::int64_t{member.league_rank()} * workers_of_warp + lane;
    if (lane >= workers_of_warp || worker >= arena.workers()) return;
    const ReplicationStorage storage = arena.storage_of(worker).with_scratch(scratch_of(member, lane));
    for (std::int64_t task = queue.take(1); task < end_task; task = queue.take(1)) tasks.run(task, storage);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION std::byte* scratch_of(const Member& member, int lane) const {
    if (scratch_stride == 0) return nullptr;
    void* const of_team = member.team_scratch(0).get_shmem_aligned(workers_of_warp * scratch_stride,
                                                                   ReplicationStorage::scratch_alignment);
    return static_cast<std::byte*>(of_team) + lane * scratch_stride;
  }
};

// Bytes of scratch memory between two lanes: an odd multiple of the alignment, so that lanes that access the same
// element access different banks.
inline int scratch_stride_for(std::int64_t bytes) {
  constexpr std::int64_t alignment = ReplicationStorage::scratch_alignment;
  return static_cast<int>(bytes == 0 ? 0 : (round_up(bytes, alignment) / alignment | 1) * alignment);
}

// Launches `count` tasks in an arena with `memory` for each, and waits for them, because it frees the arena. `mapping`
// is Mapping::warp if tasks are too few to occupy the device.
template <class ExecutionSpace, class Tasks>
void launch_in_arena(const std::string& label, const ExecutionSpace& space, Mapping mapping,
                     const ReplicationMemory& memory, std::int64_t count, const Tasks& tasks) {
  constexpr bool host = runs_on_host<ExecutionSpace>;
  if (count == 0) return;
  const std::int64_t most = host ? space.concurrency() : replications_side_by_side(space.concurrency());
  const Arena<ExecutionSpace> arena(std::clamp<std::int64_t>(count, 1, most), memory.storage);
  const int workers_of_warp = host || mapping == Mapping::warp ? 1 : warp_lanes;
  const auto league = static_cast<int>((arena.workers() + workers_of_warp - 1) / workers_of_warp);
  const int stride = host ? 0 : scratch_stride_for(memory.scratch);
  Kokkos::TeamPolicy<ExecutionSpace> policy(space, league, 1, host ? 1 : warp_lanes);
  if (stride > 0) {
    constexpr int for_alignment = ReplicationStorage::scratch_alignment;
    policy.set_scratch_size(0, Kokkos::PerTeam(workers_of_warp * stride + for_alignment));
  }
  const ReplicationQueue<ExecutionSpace> queue;
  queue.restart(space);
  Kokkos::parallel_for(label, policy,
                       ArenaReplicator<Tasks, ExecutionSpace>{tasks, count, workers_of_warp, stride, queue, arena});
}

}  // namespace sporos::impl
