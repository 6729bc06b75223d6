// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/for_each_task.hpp>
#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/execution/launch_stop.hpp>
#include <sporos/core/execution/mapping.hpp>
#include <sporos/core/math/pack.hpp>
#include <sporos/core/replication/arena_replicator.hpp>
#include <sporos/core/replication/design.hpp>
#include <sporos/core/replication/model.hpp>
#include <sporos/core/replication/name_of_model.hpp>
#include <sporos/core/replication/replication_range.hpp>
#include <sporos/core/replication/replicator.hpp>
#include <sporos/core/replication/warp_replicators.hpp>
#include <sporos/core/sampling/inputs.hpp>
#include <sporos/core/sampling/prepared_source.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>

/// Launch of replications. A body, which is a functor for kernels, defines the work of one replication:
///
///     struct Tally {
///       Kokkos::View<std::int64_t*> counts;
///       template <class Inputs>
///       KOKKOS_FUNCTION void operator()(const Queue& queue, Inputs& inputs, const Replication& replication) const {
///         const int jobs = queue.longest(inputs);
///         if (replication.writes) Kokkos::atomic_inc(&counts(jobs));
///       }
///     };
///
/// A body that sums numbers in an order-dependent way defines how many replications a thread runs one after the other:
///
///       KOKKOS_FUNCTION std::int64_t chunk() const;   // at least 1
///
/// One thread, or one group of lanes, then runs rows k · chunk() to (k + 1) · chunk() - 1 of a design point in order.
/// Sums of a chunk thus need no atomics and have the same bits on every backend.
///
/// A body that can process several replications at a time defines for which models:
///
///       template <class Model>
///       static constexpr bool takes_packs() { return RunsInLanes<Model>; }
///
/// On hosts, if the model runs in lanes, the body is then called for up to Pack::lanes neighbouring replications, with
/// inputs that return packs. If the model has `side_by_side(inputs, others)`, a body may also define
///
///       template <class Model, class Inputs>
///       KOKKOS_FUNCTION void side_by_side(const Model& model, Inputs& inputs, const Replication& replication,
///                                         Inputs& others, const Replication& following) const;
///
/// which is then called for two packs, if all threads still have work.
namespace sporos {

namespace impl {

template <class Body, class Model>
concept TakesPacks = Body::template takes_packs<Model>();

template <class Source, class Model>
concept GivesPacks = requires {
  typename Source::template PackInputs<static_cast<int>(Model::input_count)>;
};

// Whether replications run in lanes if the model's runs_in_lanes() returns true.
template <class Source, class Model, class ExecutionSpace, class Body>
constexpr bool runs_packs() {
  return has_vectors && runs_on_host<ExecutionSpace> && TakesPacks<Body, Model> && GivesPacks<Source, Model>;
}

template <class Body, class Model, class Inputs>
concept TakesPacksSideBySide = requires(const Body& body, const Model& model, Inputs& inputs, const Replication& of) {
  model.side_by_side(inputs, inputs);
  body.side_by_side(model, inputs, of, inputs, of);
};

// Runs the replications of a launch in lanes on a host. A task is a pack of replications, or two packs.
template <class Source, class Model, class ExecutionSpace, class Body>
struct PackReplicator {
  using Inputs = typename Source::template PackInputs<static_cast<int>(Model::input_count)>;
  using Singles = Replicator<Source, Mapping::thread, Model, ExecutionSpace, Body>;

  Singles singles;
  std::int64_t packs_of_task = 1, tasks_of_point;
  Reuse reuse;

  // Runs two packs in a task if the model and the body support it and `threads` threads then still have tasks.
  PackReplicator(const Singles& of_launch, std::int64_t threads)
      : singles(of_launch), tasks_of_point((of_launch.range.count + Pack::lanes - 1) / Pack::lanes), reuse(reuse_of()) {
    if constexpr (TakesPacksSideBySide<Body, Model, Inputs>) {
      if (tasks_of_point == 1 || tasks() < 2 * threads) return;
      packs_of_task = 2;
      tasks_of_point = (tasks_of_point + 1) / 2;
    }
  }

  std::int64_t tasks() const { return singles.design.count() * tasks_of_point; }

  void operator()(std::int64_t task) const {
    if (leaves_replication_out()) return;
    const bool shares_variates = singles.design.has_common_random_numbers();
    // If design points share variates, neighbouring tasks run the same replications of neighbouring points.
    const std::int64_t in_row = shares_variates ? singles.design.count() : tasks_of_point;
    const std::int64_t row = singles.design.count() == 1 ? 0 : task / in_row, place = task - row * in_row;
    const std::int64_t point = shares_variates ? place : row, of_point = shares_variates ? row : place;
    const Replication first = pack_at(point, of_point * packs_of_task * Pack::lanes);
    if constexpr (TakesPacksSideBySide<Body, Model, Inputs>) {
      if (packs_of_task == 2) return run_two(first, pack_at(point, (2 * of_point + 1) * Pack::lanes));
    }
    run(first);
  }

 private:
  // The pack of a point that begins at replication `begin` of the range. Its count is not positive after the last one.
  Replication pack_at(std::int64_t point, std::int64_t begin) const {
    const auto& range = singles.range;
    const std::int64_t count = std::min<std::int64_t>(Pack::lanes, range.count - begin);
    return {range.index(begin), point, point * range.count + begin, true, static_cast<int>(count)};
  }

  void run(const Replication& pack) const {
    const DesignPoint<Model>& parameters = singles.design[pack.point];
    if (!runs_in_lanes(pack)) return run_singly(pack);
    Inputs inputs(singles.source, parameters.seed, static_cast<std::uint64_t>(pack.index), draws_of(parameters.model));
    if (!serves(inputs, pack)) return run_singly(pack);
    singles.body(parameters.model, inputs, pack);
    if constexpr (requires { inputs.note_excess(pack.point); }) inputs.note_excess(pack.point);
  }

  // Not inlined, because only some launches have two packs in a task.
  SPOROS_NOINLINE void run_two(const Replication& pack, const Replication& following) const {
    if (following.count <= 0) return run(pack);
    const DesignPoint<Model>& parameters = singles.design[pack.point];
    const auto draws = draws_of(parameters.model);
    Inputs inputs(singles.source, parameters.seed, static_cast<std::uint64_t>(pack.index), draws),
        others(singles.source, parameters.seed, static_cast<std::uint64_t>(following.index), draws);
    if (!runs_in_lanes(following) || !serves(inputs, pack) || !serves(others, following)) {
      run(pack);
      return run(following);
    }
    singles.body.side_by_side(parameters.model, inputs, pack, others, following);
    if constexpr (requires { inputs.note_excess(pack.point); }) {
      inputs.note_excess(pack.point);
      others.note_excess(pack.point);
    }
  }

  bool runs_in_lanes(const Replication& pack) const {
    const Model& model = singles.design[pack.point].model;
    return pack.count >= fewest(model) && model.runs_in_lanes();
  }

  bool serves(Inputs& inputs, const Replication& pack) const {
    const std::int64_t begin = first_place(pack);
    return inputs.serves(
        pack.count, [&](std::int64_t lane) { return singles.range.index(begin + lane); }, reuse);
  }

  std::int64_t first_place(const Replication& pack) const { return pack.row - pack.point * singles.range.count; }

  // Looking for kept variates pays only if later launches can find those of all packs of this launch, and if there are
  // more than a few.
  Reuse reuse_of() const {
    if (singles.design.has_common_random_numbers()) return Reuse::next;
    const bool can_be_found = static_cast<std::uint64_t>(tasks()) <= KeptPacks<Pack::lanes>::for_later;
    return can_be_found && !makes_few_draws(singles.design.first_model()) ? Reuse::possible : Reuse::unlikely;
  }

  // Smallest number of replications that run as a pack; fewer take as long one by one. A single replication computes
  // its variates in vector registers if it makes more than a few draws.
  static std::int64_t fewest(const Model& model) { return Inputs::fills_few_lanes || makes_few_draws(model) ? 2 : 3; }

  // Whether a model states that it draws at most once for each lane of a vector register.
  static bool makes_few_draws(const Model& model) {
    const auto of_inputs = draws_of(model);
    std::int64_t draws = 0;  // 0 if the model does not state them
    for (int input = 0; input < static_cast<int>(Model::input_count); ++input) draws += of_inputs[input].total();
    return draws > 0 && draws <= part_lanes;
  }

  SPOROS_NOINLINE void run_singly(const Replication& first) const {
    const std::int64_t place = first_place(first);
    for (int i = 0; i < first.count; ++i) {
      singles.replicate({singles.range.index(place + i), first.point, first.row + i, true}, {});
    }
  }
};

// Number of blocks of 4 warps that a GPU's multiprocessor, which has 65536 registers, must be able to hold. With 6
// blocks, a thread has 80 registers, and 10^5 replications run concurrently on an H200. Models over wide number types
// specialize it.
template <class Model>
inline constexpr unsigned blocks_at_once = 6;

// Launches in chunks have few tasks, so that each task may use all the registers it needs.
template <class Model, class Body>
using ReplicationBounds =
    std::conditional_t<RunsInChunks<Body>, Kokkos::LaunchBounds<>, Kokkos::LaunchBounds<128, blocks_at_once<Model>>>;

// Execution policy that distributes tasks over threads.
template <class Model, class Body, class ExecutionSpace>
auto thread_policy(const ExecutionSpace& space, std::int64_t tasks) {
  Kokkos::RangePolicy<ExecutionSpace, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<std::int64_t>,
                      ReplicationBounds<Model, Body>>
      policy(space, 0, tasks);
  if constexpr (runs_on_host<ExecutionSpace>) {
    // Replications differ in length, so that chunks are small, but large enough to make scheduling costs negligible.
    policy.set_chunk_size(static_cast<int>(std::clamp<std::int64_t>(tasks / (64 * space.concurrency()), 1, 1024)));
  }
  return policy;
}

enum class BodyRequirement { none, inputs, call };

template <class Body, class Model>
concept RunsReplications = requires(const Body& body, const Model& model, AnyInputs& inputs, const Replication& which) {
  body(model, inputs, which);
};

// The first requirement that a body, or the model it is called with, does not meet.
template <class Body, class Model>
constexpr BodyRequirement unmet_body_requirement() {
  if constexpr (!NamesInputs<Model>) {
    return BodyRequirement::inputs;
  } else {
    return RunsReplications<Body, Model> ? BodyRequirement::none : BodyRequirement::call;
  }
}

inline void check_contract(Unmet<BodyRequirement::none>) {}
SPOROS_REQUIREMENT(
    BodyRequirement::inputs,
    "Sporos: a replicated model must name its input variables and end with their count: enum Input { interarrival, "
    "service, input_count };");
SPOROS_REQUIREMENT(
    BodyRequirement::call,
    "Sporos: the body of replications must be callable with the design's model and any inputs and be const: template "
    "<class Inputs> KOKKOS_FUNCTION void operator()(const Model& model, Inputs& inputs, const sporos::Replication& "
    "replication) const");

}  // namespace impl

/// Calls `body(model, inputs, replication)` on `space`, in a kernel that tools see as "LABEL[MODEL]" (for_each_task),
/// for the replications of `range` at every design point. The arguments are the point's model, the inputs of
/// the replication, and a Replication that identifies it. The body is a functor such as
///
///     struct Body {
///       template <class Inputs>
///       KOKKOS_FUNCTION void operator()(const Model& model, Inputs& inputs, const Replication& replication) const;
///     };
///
/// Asynchronous. The draws of the inputs depend only on (seed of the point, engine, sampling, index). A body that
/// stores values computed from them, or sums these in chunks or as whole numbers, produces the same bits on every
/// backend under every mapping. Throws LaunchStopped (core/execution/launch_stop.hpp).
///
/// A model whose replications need memory sized at run time has `std::int64_t storage_bytes() const`; its inputs then
/// have `ReplicationStorage storage() const`. All replications of a launch get the largest size of a design point. The
/// launch then waits for its kernel, because it frees the memory.
///
/// `Model` must have an `input_count` and may have `input_draws()`, as models do; it needs no responses and no call
/// operator. With one design point it may hold Views; several design points are copied byte by byte. `mapping` is
/// `by_threads`, `by_one_lane`, or a Mapping, where Mapping::automatic means Mapping::thread. Under Mapping::warp,
/// several lanes run a replication together; the body must write only if `replication.writes` is true.
///
/// `CompiledSource` is the type of the source of uniforms. Use EngineSource<MyEngine> to plug in your own engine at
/// compile time.
template <class CompiledSource, class Model, class ExecutionSpace, std::convertible_to<Mapping> MappingChoice,
          class Body>
void for_each_replication_with(const std::string& label, const ExecutionSpace& space,
                               const Design<Model, ExecutionSpace>& design,
                               const PreparedSource<ExecutionSpace>& source, const ReplicationRange& range,
                               const MappingChoice& mapping, const Body& body) {
  constexpr auto unmet_source_requirement = impl::unmet_source_requirement<CompiledSource>();
  constexpr auto unmet_body_requirement = impl::unmet_body_requirement<Body, Model>();
  impl::check_contract(impl::Unmet<unmet_source_requirement>());
  impl::check_contract(impl::Unmet<unmet_body_requirement>());
  if constexpr (unmet_source_requirement == impl::SourceRequirement::none &&
                unmet_body_requirement == impl::BodyRequirement::none) {
    impl::name_of_launched = &impl::name_of_model<Model>;
    if (impl::AnyInputs any; false) body(design.first_model(), any, Replication());  // reports errors of the body first
    check_launch_stop();
    const std::string named = impl::label_with_model<Model>(label);
    const impl::Replicator<CompiledSource, Mapping::thread, Model, ExecutionSpace, Body> replicator{
        design, source.on_device(), range, body};
    if constexpr (impl::NeedsStorage<Model>) {
      impl::launch_in_arena(named, space, static_cast<Mapping>(mapping), design.memory(), replicator.tasks(),
                            replicator);
    } else if constexpr (std::is_same_v<MappingChoice, OneLane>) {
      impl::launch_one_lane<CompiledSource, Model, ExecutionSpace, Body>(named, space, replicator);
    } else {
      bool is_launched = false;
      if constexpr (std::is_same_v<MappingChoice, Mapping> &&
                    impl::has_warps<CompiledSource, Model, ExecutionSpace>()) {
        is_launched = mapping == Mapping::warp;
        if (is_launched) impl::run_by_warps<CompiledSource>(named, space, design, source.on_device(), range, body);
      }
      if constexpr (impl::runs_packs<CompiledSource, Model, ExecutionSpace, Body>()) {
        // If the model does not run in lanes, tasks are single replications, so that few replications keep all threads
        // busy.
        if (!is_launched && (design.count() > 1 || design.first_model().runs_in_lanes())) {
          is_launched = true;
          const impl::PackReplicator<CompiledSource, Model, ExecutionSpace, Body> packs(replicator,
                                                                                        space.concurrency());
          for_each_task(named, impl::thread_policy<Model, Body>(space, packs.tasks()), packs);
        }
      }
      if (!is_launched) for_each_task(named, impl::thread_policy<Model, Body>(space, replicator.tasks()), replicator);
    }
    if constexpr (runs_on_host<ExecutionSpace>) check_launch_stop();
  }
}

/// Calls for_each_replication_with for the engine and sampling that `source` selects at run time. If replications share
/// a sample, call check_draws afterwards: it throws if a model drew more often than it states.
template <class Model, class ExecutionSpace, std::convertible_to<Mapping> MappingChoice, class Body>
void for_each_replication(const std::string& label, const ExecutionSpace& space,
                          const Design<Model, ExecutionSpace>& design, const PreparedSource<ExecutionSpace>& source,
                          const ReplicationRange& range, const MappingChoice& mapping, const Body& body) {
  if (source.source().is_default()) {
    for_each_replication_with<DefaultSource>(label, space, design, source, range, mapping, body);
  } else {
    for_each_replication_with<ChosenSource>(label, space, design, source, range, mapping, body);
  }
}

}  // namespace sporos
