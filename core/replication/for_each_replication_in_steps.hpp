// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/warp_collectives.hpp>
#include <sporos/core/replication/for_each_replication.hpp>
#include <sporos/core/replication/replication_queue.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <new>
#include <string>
#include <type_traits>

/// Launch of replications that proceed in steps and differ widely in their number of steps, such as photons. On a
/// device, a lane whose replication has ended starts another one, instead of waiting for the longest replication of its
/// warp.
///
/// The body is a body of for_each_replication that can also stop after each step:
///
///     struct Tally {
///       template <class Inputs>                  // runs all steps, for hosts
///       KOKKOS_FUNCTION void operator()(const Walk&, Inputs&, const Replication&) const;
///
///       struct State { ... };                    // state of a replication between two steps
///       template <class Inputs>
///       KOKKOS_FUNCTION void begin(const Walk&, Inputs&, const Replication&, State&) const;
///       KOKKOS_FUNCTION bool goes_on(const State&) const;
///       template <class Inputs>
///       KOKKOS_FUNCTION void advance(const Walk&, Inputs&, State&) const;    // by one step
///     };
///
/// If there are two kinds of steps that share little code, the body reports the kind of the next step. At each step,
/// the lanes that require the more frequent kind advance:
///
///       KOKKOS_FUNCTION bool is_other_step(const State&) const;
namespace sporos {

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

// Storage for the inputs of one replication after the other in the same registers. The code that constructs `inputs`
// also destroys it.
template <class Inputs>
union ReusedInputs {
  KOKKOS_FORCEINLINE_FUNCTION ReusedInputs() : none() {}
  KOKKOS_FORCEINLINE_FUNCTION ~ReusedInputs() {}

  Inputs inputs;
  char none;
};

// Replications that a warp has taken from the queue and not started; the same in all lanes.
struct TakenReplications {
  std::int64_t next = 0, end = 0;
  bool are_all_taken = false;
};

// Runs replications in steps, one replication per lane; all lanes take a step together. Starting takes a warp as long
// for one lane as for all lanes. Idle lanes therefore wait until their total waiting time in cycles equals the time
// that all lanes of a warp spend while some of them start. Both times are measured, because they vary: a start takes as
// long as a few steps with philox, and as hundreds of steps with an engine that has to skip ahead; a step through a
// sampled path takes as long as a start.
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
            new (&own.inputs) Inputs(source, seed, static_cast<std::uint64_t>(range.index(mine)), draws_of(model));
            body.begin(model, own.inputs, {range.index(mine), 0, mine, true}, state);
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
  // Takes replications from the queue if the warp has none left.
  KOKKOS_FORCEINLINE_FUNCTION void take(TakenReplications& taken) const {
    if (taken.next < taken.end) return;
    taken.next = shuffle(lane_index() == 0 ? queue.take(taken_at_once) : 0, 0);
    taken.end = taken.next + taken_at_once < range.count ? taken.next + taken_at_once : range.count;
    taken.are_all_taken = taken.next >= taken.end;
  }

  // Whether this lane takes the next step; `lanes` is the number of lanes whose replications go on.
  KOKKOS_FORCEINLINE_FUNCTION bool takes_step([[maybe_unused]] const typename Body::State& state, bool goes_on,
                                              [[maybe_unused]] int lanes) const {
    if constexpr (HasOtherSteps<Body>) {
      const bool is_other = goes_on && body.is_other_step(state);
      const int others = popcount(ballot(is_other));
      return goes_on && is_other == (2 * others >= lanes);
    }
    return goes_on;
  }

  // Whether a replication goes on. If it does not, records its excess draws and destroys its inputs.
  KOKKOS_FORCEINLINE_FUNCTION bool remains(const typename Body::State& state, Inputs& inputs) const {
    if (body.goes_on(state)) return true;
    if constexpr (requires { inputs.note_excess(0); }) inputs.note_excess(0);
    inputs.~Inputs();
    return false;
  }
};

// Launches as many warps as the device can hold at once, or fewer if there is less work.
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
/// point. On a host, the call is identical. On a device, `body` advances step by step, for replications in any order in
/// which `queue` returns them. Asynchronous. A body that stores its results in the replication's row, or sums them as
/// whole numbers, produces the same bits everywhere.
template <class CompiledSource, class Model, class ExecutionSpace, class Body>
void for_each_replication_in_steps_with(const std::string& label, const ExecutionSpace& space, const Model& model,
                                        std::uint64_t seed, const PreparedSource<ExecutionSpace>& source,
                                        const ReplicationRange& range, const ReplicationQueue<ExecutionSpace>& queue,
                                        const Body& body) {
  static_assert(
      impl::GoesInSteps<Body, Model>,
      "Sporos: the body of replications in steps must be callable like a body of for_each_replication and have a "
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

/// Calls for_each_replication_in_steps_with for the engine and sampling that `source` selects at run time.
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
