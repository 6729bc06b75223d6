// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/warp_collectives.hpp>
#include <sporos/core/replication/for_each_replication.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <new>
#include <string>
#include <type_traits>

/// The launch of replications that go in steps, some many more than others, such as photons. On a device a lane of a
/// warp whose replication has ended begins another one, instead of waiting for the longest of the warp.
///
/// The body is one of for_each_replication that can also stop after each step:
///
///     struct Tally {
///       template <class Inputs>                  // all steps, for hosts
///       KOKKOS_FUNCTION void operator()(const Walk&, Inputs&, const Replication&) const;
///
///       struct State { ... };                    // of a replication between two steps: what has to be kept
///       template <class Inputs>
///       KOKKOS_FUNCTION void begin(const Walk&, Inputs&, const Replication&, State&) const;
///       KOKKOS_FUNCTION bool goes_on(const State&) const;
///       template <class Inputs>
///       KOKKOS_FUNCTION void advance(const Walk&, Inputs&, State&) const;    // by one step
///     };
///
/// Where steps are of two kinds that share little of their text, it says of which one the next is; at each step those
/// lanes go on that need the kind which most of them need:
///
///       KOKKOS_FUNCTION bool is_other_step(const State&) const;
namespace sporos {

/// Where the warps of a launch take their replications from, in the memory of `ExecutionSpace`. Copies share it.
/// Launches that share it follow one another on one instance.
template <class ExecutionSpace>
class ReplicationQueue {
 public:
  ReplicationQueue() : m_taken(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::replication::taken")) {}

  /// Begins with the first replication, as each launch does. Asynchronous.
  void restart(const ExecutionSpace& space) const { Kokkos::deep_copy(space, m_taken, std::int64_t{0}); }

  /// Takes `count` replications and returns how many were taken before.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t take(std::int64_t count) const {
    return Kokkos::atomic_fetch_add(m_taken.data(), count);
  }

 private:
  Kokkos::View<std::int64_t, typename ExecutionSpace::memory_space> m_taken;
};

namespace impl {

template <class Body, class Model>
concept GoesInSteps = RunsReplications<Body, Model> && std::is_trivially_copyable_v<typename Body::State> &&
    requires(const Body& body, const Model& model, AnyInputs& inputs, const Replication& which,
             typename Body::State& state) {
  body.begin(model, inputs, which, state);
  { body.goes_on(state) } -> std::same_as<bool>;
  body.advance(model, inputs, state);
};

template <class Body>
concept HasOtherSteps = requires(const Body& body, const typename Body::State& state) {
  { body.is_other_step(state) } -> std::same_as<bool>;
};

// Inputs of one replication after the other in the same registers. Who makes them destroys them.
template <class Inputs>
union ReusedInputs {
  KOKKOS_FORCEINLINE_FUNCTION ReusedInputs() : none() {}
  KOKKOS_FORCEINLINE_FUNCTION ~ReusedInputs() {}

  Inputs inputs;
  char none;
};

// What a warp has taken from the queue and not begun; the same in all lanes.
struct TakenReplications {
  std::int64_t next = 0, end = 0;
  bool are_all_taken = false;
};

// The steps of replications, each lane with its own. All lanes take a step together. To begin takes a warp as long for
// one lane as for all of them: lanes without a replication wait for each other, until they have waited as many cycles
// in all as the lanes of a warp do while some of them begin. Both are measured: to begin is a few steps long with
// philox, and hundreds with an engine that has to skip ahead; a step through a sampled path is as long as a beginning.
template <class Source, class Model, class ExecutionSpace, class Body>
struct StepReplicator {
  using Inputs =
      typename Source::template InputsOn<ExecutionSpace, Mapping::thread, static_cast<int>(Model::input_count)>;
  using Member = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;

  static constexpr std::int64_t taken_at_once = warp_lanes;

  Model model;
  std::uint64_t seed;
  DeviceSource source;
  ReplicationRange range;
  ReplicationQueue<ExecutionSpace> queue;
  Body body;

  KOKKOS_INLINE_FUNCTION void operator()(const Member&) const {
    ReusedInputs<Inputs> own;
    typename Body::State state{};
    TakenReplications taken;
    bool goes_on = false;
    std::uint32_t waited = 0, beginning = 0, before = warp_cycles();
    for (;;) {
      const std::uint32_t idle = ballot(!goes_on);
      int idle_lanes = popcount(idle);
      if (taken.are_all_taken) {
        if (idle_lanes == lane_count()) return;
      } else {
        const std::uint32_t now = warp_cycles();
        waited += static_cast<std::uint32_t>(idle_lanes) * (now - before);
        before = now;
        const bool is_worth_it = waited >= static_cast<std::uint32_t>(lane_count()) * beginning;
        if (idle_lanes == lane_count() || (idle_lanes > 0 && is_worth_it)) {
          take(taken);
          const std::int64_t mine = taken.next + popcount_below(idle, lane_index());
          if (!goes_on && mine < taken.end) {
            new (&own.inputs) Inputs(source, seed, static_cast<std::uint64_t>(range.first + mine), draws_of(model));
            body.begin(model, own.inputs, {range.first + mine, 0, mine, true}, state);
            goes_on = remains(state, own.inputs);
          }
          taken.next = taken.next + idle_lanes < taken.end ? taken.next + idle_lanes : taken.end;
          idle_lanes = popcount(ballot(!goes_on));
          waited = 0;
          before = warp_cycles();
          beginning = before - now;
        }
      }
      if (takes_step(state, goes_on, lane_count() - idle_lanes)) {
        body.advance(model, own.inputs, state);
        goes_on = remains(state, own.inputs);
      }
    }
  }

 private:
  // Takes some where none are left.
  KOKKOS_FORCEINLINE_FUNCTION void take(TakenReplications& taken) const {
    if (taken.next < taken.end) return;
    taken.next = shuffle(lane_index() == 0 ? queue.take(taken_at_once) : 0, 0);
    taken.end = taken.next + taken_at_once < range.count ? taken.next + taken_at_once : range.count;
    taken.are_all_taken = taken.next >= taken.end;
  }

  // Whether this lane takes the next step; `lanes` of the warp go on.
  KOKKOS_FORCEINLINE_FUNCTION bool takes_step([[maybe_unused]] const typename Body::State& state, bool goes_on,
                                              [[maybe_unused]] int lanes) const {
    if constexpr (HasOtherSteps<Body>) {
      const bool is_other = goes_on && body.is_other_step(state);
      const int others = popcount(ballot(is_other));
      return goes_on && is_other == (2 * others >= lanes);
    }
    return goes_on;
  }

  // Whether a replication goes on. If it does not, notes its draws and destroys its inputs.
  KOKKOS_FORCEINLINE_FUNCTION bool remains(const typename Body::State& state, Inputs& inputs) const {
    if (body.goes_on(state)) return true;
    if constexpr (requires { inputs.note_excess(0); }) inputs.note_excess(0);
    inputs.~Inputs();
    return false;
  }
};

// As many warps as a device holds at once, or as there is work for.
template <class Source, class Model, class ExecutionSpace, class Body>
void launch_steps(const std::string& label, const ExecutionSpace& space,
                  const StepReplicator<Source, Model, ExecutionSpace, Body>& replicator) {
  using Policy = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::LaunchBounds<128, blocks_at_once<Model>>>;
  constexpr int warps = runs_on_host<ExecutionSpace> ? 1 : 4, lanes = runs_on_host<ExecutionSpace> ? 1 : warp_lanes;
  constexpr std::int64_t threads = warps * lanes;
  const std::int64_t most = std::min<std::int64_t>(replicator.range.count, space.concurrency());
  replicator.queue.restart(space);
  Kokkos::parallel_for(label, Policy(space, static_cast<int>((most + threads - 1) / threads), warps, lanes),
                       replicator);
}

}  // namespace impl

/// Calls `body` for replications [first, first + count) of `model`, as for_each_replication does for a design of one
/// point. On a host it is the same call; on a device `body` takes its steps, for replications in any order that `queue`
/// hands out. Asynchronous. A body that stores what it finds by the replication's row, or adds it up as whole numbers,
/// has the same bits everywhere.
template <class CompiledSource, class Model, class ExecutionSpace, class Body>
void for_each_replication_in_steps_with(const std::string& label, const ExecutionSpace& space, const Model& model,
                                        std::uint64_t seed, const PreparedSource<ExecutionSpace>& source,
                                        const ReplicationRange& range, const ReplicationQueue<ExecutionSpace>& queue,
                                        const Body& body) {
  static_assert(impl::GoesInSteps<Body, Model>,
                "Sporos: the body of replications in steps must be callable as one of for_each_replication and have a "
                "trivially copyable State, begin(model, inputs, replication, state), goes_on(state), a bool, and "
                "advance(model, inputs, state), all const");
  if constexpr (runs_on_host<ExecutionSpace>) {
    for_each_replication_with<CompiledSource>(label, space, Design<Model, ExecutionSpace>(model, seed), source, range,
                                              by_threads, body);
  } else {
    impl::launch_steps<CompiledSource, Model, ExecutionSpace, Body>(
        label, space, {model, seed, source.on_device(), range, queue, body});
  }
}

/// The same with the engine and sampling that `source` names at run time.
template <class Model, class ExecutionSpace, class Body>
void for_each_replication_in_steps(const std::string& label, const ExecutionSpace& space, const Model& model,
                                   std::uint64_t seed, const PreparedSource<ExecutionSpace>& source,
                                   const ReplicationRange& range, const ReplicationQueue<ExecutionSpace>& queue,
                                   const Body& body) {
  if (source.source().is_default()) {
    for_each_replication_in_steps_with<DefaultSource>(label, space, model, seed, source, range, queue, body);
  } else {
    for_each_replication_in_steps_with<ChosenSource>(label, space, model, seed, source, range, queue, body);
  }
}

}  // namespace sporos
