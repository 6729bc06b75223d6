// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/lane.hpp>
#include <sporos/core/execution/mapping.hpp>
#include <sporos/core/random/engine.hpp>
#include <sporos/core/replication/automatic_mapping.hpp>
#include <sporos/core/replication/model.hpp>
#include <sporos/core/replication/replicator.hpp>
#include <sporos/core/sampling/inputs.hpp>
#include <sporos/core/sampling/prepared_source.hpp>
#include <sporos/core/sampling/queued_inputs.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

/// Replications under Mapping::warp. Either a group of lanes runs each replication, or each lane of a warp runs one
/// while the lanes of another warp pre-generate its draws. On a host, a team is one thread, which computes the draws of
/// all 32 lanes of its group.
namespace sporos::impl {

// The memory that a warp shares for the numbers of `Inputs`. A team can use up to 64 KiB on every GPU since 2018, and
// on a host, where Kokkos provides it, up to 32 KiB.
template <class Inputs, class ExecutionSpace>
struct WarpMemory {
  static constexpr std::size_t bytes = Inputs::shared_numbers * sizeof(double);
  static constexpr bool has_room = bytes <= (std::size_t{runs_on_host<ExecutionSpace> ? 32 : 64} << 10);
};

// Runs warp-level replications. A team is one warp. Teams of four warps took 0.99 to 1.02 times as long on an H100.
// This was measured for π, M/M/1 and the random walk at the sizes of Passerat-Palmbach et al. (2011), Warp-level
// parallelism: enabling multiple replications in parallel on GPU. A group of lanes of a warp runs a task in step, so
// that each lane can prepare random numbers for all of them. Lane 0 of the group writes the results.
template <class Source, class Model, class ExecutionSpace, class Body>
struct WarpReplicator {
  using Tasks = Replicator<Source, Mapping::warp, Model, ExecutionSpace, Body>;
  using Member = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;
  using Memory = WarpMemory<typename Tasks::Inputs, ExecutionSpace>;

  Tasks tasks;
  std::int64_t first_task, end_task;
  int tasks_of_warp;  // a power of two

  KOKKOS_INLINE_FUNCTION void operator()(const Member& member) const {
    const std::int64_t warp = member.league_rank();
    const int lanes = warp_lanes / tasks_of_warp;
    const std::int64_t task = first_task + warp * tasks_of_warp + lane_index() / lanes;
    if (task >= end_task) return;
    constexpr std::size_t bytes = Memory::bytes;  // get_shmem may take a reference; devices have no static members
    const LaneGroup group{lanes, static_cast<double*>(member.team_shmem().get_shmem(bytes))};
    tasks.run(task, group.lane() == 0, group);
  }
};

// Runs each replication on the first lane of a team of one warp, while the other lanes wait.
template <class Source, class Model, class ExecutionSpace, class Body>
struct OneLaneReplicator {
  using Tasks = Replicator<Source, Mapping::thread, Model, ExecutionSpace, Body>;

  Tasks tasks;
  std::int64_t first_task;

  KOKKOS_INLINE_FUNCTION void operator()(const typename Kokkos::TeamPolicy<ExecutionSpace>::member_type& warp) const {
    Kokkos::single(Kokkos::PerThread(warp), [&]() { tasks(first_task + warp.league_rank()); });
  }
};

// Whether there is a warp-level kernel, with memory for the numbers of all inputs. If not, replications run at thread
// level.
template <class Source, class Model, class ExecutionSpace>
constexpr bool has_warps() {
  if constexpr (runs_on_host<ExecutionSpace> && !WarpsOnHosts<Model>) {
    return false;
  } else {
    constexpr int inputs = static_cast<int>(Model::input_count);
    return WarpMemory<typename Source::template InputsOn<ExecutionSpace, Mapping::warp, inputs>,
                      ExecutionSpace>::has_room;
  }
}

// Whether there is a warp-level kernel for the source that `source` selects.
template <class Model, class ExecutionSpace>
bool has_warps(const UniformSource& source) {
  return source.is_default() ? has_warps<DefaultSource, Model, ExecutionSpace>()
                             : has_warps<ChosenSource, Model, ExecutionSpace>();
}

// A model that states whether its draws should be pre-generated.
template <class Model>
concept StatesWhetherDrawsAreBuffered = requires(const Model& model) {
  { model.buffers_draws() } -> std::same_as<bool>;
};

template <class Source>
concept HasCounterEngine = CounterEngine<typename Source::engine>;

// Runs a team of two warps: each lane of one warp runs a task, and the lanes of the other warp pre-generate its draws
// (queued_inputs.hpp). Only CUDA guarantees that warps make progress while other warps wait in loops.
template <HasCounterEngine Source, class Model, class ExecutionSpace, class Body>
struct QueuedReplicator {
  using Tasks = Replicator<Source, Mapping::thread, Model, ExecutionSpace, Body>;
  using Member = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;
  using Inputs = QueuedInputs<typename Source::engine, static_cast<int>(Model::input_count)>;
  using Queues = typename Inputs::Queues;
  static constexpr int alignment = alignof(Queues), warps = 2, bytes = sizeof(Queues) + alignment;

  Tasks tasks;
  std::int64_t first_task, end_task;

  KOKKOS_INLINE_FUNCTION void operator()(const Member& member) const {
    Queues& queues = *static_cast<Queues*>(member.team_shmem().get_shmem_aligned(sizeof(Queues), alignment));
    const bool makes_draws = member.team_rank() == 1;
    const int lane = lane_index();
    if (makes_draws) queues.clear(lane);
    member.team_barrier();
    const std::int64_t task = first_task + static_cast<std::int64_t>(member.league_rank()) * warp_lanes + lane;
    if (task >= end_task) return;
    const Replication replication = tasks.replication_of(task, true);
    const DesignPoint<Model>& parameters = tasks.design[replication.point];
    const auto index = static_cast<std::uint64_t>(replication.index);
    if (makes_draws) {
      make_draws<typename Source::engine, static_cast<int>(Model::input_count)>(queues, lane, parameters.seed, index);
    } else {
      Inputs inputs(queues, lane, parameters.seed, index);
      tasks.body(parameters.model, inputs, replication);
      queues.end(lane);
    }
  }
};

// Whether there is a kernel with pre-generated draws.
template <class Source, class Model, class ExecutionSpace>
constexpr bool has_queues() {
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same_v<ExecutionSpace, Kokkos::Cuda> && StatesWhetherDrawsAreBuffered<Model> &&
                HasCounterEngine<Source>) {
    constexpr std::size_t max_bytes = std::size_t{47} << 10;  // available to each team without a special request
    return sizeof(DrawQueues<static_cast<int>(Model::input_count), Source::engine::draws_per_block>) <= max_bytes;
  }
#endif
  return false;
}

// Properties of `model` that determine how its replications use warps.
template <class Source, class Model, class ExecutionSpace>
WarpUse warp_use([[maybe_unused]] const Model& model) {
  bool buffers_draws = false;
  if constexpr (has_queues<Source, Model, ExecutionSpace>()) buffers_draws = model.buffers_draws();
  return {runs_in_step<Model>, draw_transform<Model>, buffers_draws};
}

// Properties of `model` that determine how its replications use warps, for the source that `source` selects.
template <class ExecutionSpace, class Model>
WarpUse warp_use(const Model& model, const UniformSource& source) {
  return source.is_default() ? warp_use<DefaultSource, Model, ExecutionSpace>(model)
                             : warp_use<ChosenSource, Model, ExecutionSpace>(model);
}

// Calls `launch(teams, first, end)` for consecutive ranges [first, end) of tasks, because the size of a league is an
// int.
template <class Launch>
void for_each_league(std::int64_t tasks, std::int64_t tasks_of_team, const Launch& launch) {
  const std::int64_t max_tasks = tasks_of_team << 28;
  for (std::int64_t first = 0; first < tasks; first += max_tasks) {
    const std::int64_t end = std::min(tasks, first + max_tasks);
    launch(static_cast<int>((end - first + tasks_of_team - 1) / tasks_of_team), first, end);
  }
}

template <class Source, class Model, class ExecutionSpace, class Body>
void launch_warps(const std::string& label, const ExecutionSpace& space,
                  const Replicator<Source, Mapping::warp, Model, ExecutionSpace, Body>& replicator) {
  using Policy = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::Schedule<Kokkos::Dynamic>>;
  using Runner = WarpReplicator<Source, Model, ExecutionSpace, Body>;
  constexpr bool host = runs_on_host<ExecutionSpace>;
  const std::int64_t tasks = replicator.tasks();
  const int tasks_of_warp = host ? 1 : rows_of_a_warp(tasks, space.concurrency(), runs_in_step<Model>);
  for_each_league(tasks, tasks_of_warp, [&](int league, std::int64_t first, std::int64_t end) {
    Policy policy(space, league, 1, host ? 1 : warp_lanes);
    policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(Runner::Memory::bytes)));
    Kokkos::parallel_for(label, policy, Runner{replicator, first, end, tasks_of_warp});
  });
}

template <class Source, class Model, class ExecutionSpace, class Body>
void launch_one_lane(const std::string& label, const ExecutionSpace& space,
                     const Replicator<Source, Mapping::thread, Model, ExecutionSpace, Body>& replicator) {
  constexpr int lanes = runs_on_host<ExecutionSpace> ? 1 : warp_lanes;
  for_each_league(replicator.tasks(), 1, [&](int league, std::int64_t first, std::int64_t) {
    Kokkos::parallel_for(label, Kokkos::TeamPolicy<ExecutionSpace>(space, league, 1, lanes),
                         OneLaneReplicator<Source, Model, ExecutionSpace, Body>{replicator, first});
  });
}

template <class Source, class Model, class ExecutionSpace, class Body>
void launch_queued(const std::string& label, const ExecutionSpace& space,
                   const Replicator<Source, Mapping::thread, Model, ExecutionSpace, Body>& replicator) {
  using Runner = QueuedReplicator<Source, Model, ExecutionSpace, Body>;
  for_each_league(replicator.tasks(), warp_lanes, [&](int league, std::int64_t first, std::int64_t end) {
    Kokkos::TeamPolicy<ExecutionSpace> policy(space, league, Runner::warps, warp_lanes);
    policy.set_scratch_size(0, Kokkos::PerTeam(Runner::bytes));
    Kokkos::parallel_for(label, policy, Runner{replicator, first, end});
  });
}

// Runs warp-level replications with the faster of the two kernels.
template <class Source, class Model, class ExecutionSpace, class Body>
void run_by_warps(const std::string& label, const ExecutionSpace& space, const Design<Model, ExecutionSpace>& design,
                  const DeviceSource& source, const ReplicationRange& range, const Body& body) {
  if constexpr (has_queues<Source, Model, ExecutionSpace>() && !RunsInChunks<Body>) {
    const WarpUse use = warp_use<Source, Model, ExecutionSpace>(design.first_model());
    if (buffers_draws_for(design.count() * range.count, space.concurrency(), use)) {
      return launch_queued<Source, Model, ExecutionSpace, Body>(label, space, {design, source, range, body});
    }
  }
  launch_warps<Source, Model, ExecutionSpace, Body>(label, space, {design, source, range, body});
}

}  // namespace sporos::impl
