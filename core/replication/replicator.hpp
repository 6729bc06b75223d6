// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/lane.hpp>
#include <sporos/core/execution/launch_stop.hpp>
#include <sporos/core/execution/mapping.hpp>
#include <sporos/core/execution/replication_storage.hpp>
#include <sporos/core/math/pack.hpp>
#include <sporos/core/replication/design.hpp>
#include <sporos/core/replication/model.hpp>
#include <sporos/core/replication/replication_range.hpp>
#include <sporos/core/sampling/prepared_source.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace sporos {

/// The replication for which a body is called.
struct Replication {
  std::int64_t index;  ///< index; with the design point's seed, it determines the random numbers
  std::int64_t point;  ///< index of its design point
  std::int64_t row;    ///< row in the launch: point · range.count + place, for index = range.index(place)
  bool writes;         ///< whether to write results; true for one of the lanes that run it together
  int count = 1;       ///< with packs, number of replications in the pack, which begins with this one
};

namespace impl {

// Writes a number of a replication to its row of `table`.
template <class Table>
KOKKOS_FORCEINLINE_FUNCTION void write(double number, const Replication& replication, const Table& table,
                                       std::int64_t column) {
  table(replication.row, column) = number;
}
// Writes the numbers of the replications in a pack's lanes to their rows of `table`.
template <class Table>
KOKKOS_FORCEINLINE_FUNCTION void write(const Pack& numbers, const Replication& replication, const Table& table,
                                       std::int64_t column) {
  static_assert(std::is_same_v<typename Table::array_layout, Kokkos::LayoutLeft>);
  double* const first = &table(replication.row, column);
  if (replication.count == Pack::lanes) {
    numbers.store(first);
  } else {
    const Pack in_memory = numbers;  // only here, so that `numbers` otherwise stays in registers
    in_memory.store(first, replication.count);
  }
}

// Inputs that also hold the memory of the replication.
template <class Inputs>
class StoringInputs : public Inputs {
 public:
  using Inputs::Inputs;

  /// Sets the memory.
  KOKKOS_FORCEINLINE_FUNCTION void use(const ReplicationStorage& storage) { m_storage = storage; }
  /// Memory of the replication, with as many bytes as the model's storage_bytes().
  KOKKOS_FORCEINLINE_FUNCTION ReplicationStorage storage() const { return m_storage; }

 private:
  ReplicationStorage m_storage;
};

template <class Body>
concept RunsInChunks = requires(const Body& body) {
  { body.chunk() } -> std::convertible_to<std::int64_t>;
};

// Runs the replications of a launch in tasks. A task is one replication or a chunk of replications.
template <class Source, Mapping mapping, class Model, class ExecutionSpace, class Body>
struct Replicator {
  using PlainInputs = typename Source::template InputsOn<ExecutionSpace, mapping, static_cast<int>(Model::input_count)>;
  using Inputs = std::conditional_t<NeedsStorage<Model>, StoringInputs<PlainInputs>, PlainInputs>;

  Design<Model, ExecutionSpace> design;
  DeviceSource source;
  ReplicationRange range;
  Body body;

  KOKKOS_INLINE_FUNCTION std::int64_t tasks_of_point() const {
    if constexpr (RunsInChunks<Body>) {
      return (range.count + body.chunk() - 1) / body.chunk();
    } else {
      return range.count;
    }
  }
  std::int64_t tasks() const { return design.count() * tasks_of_point(); }

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t task) const { run(task, true, {}); }

  KOKKOS_INLINE_FUNCTION void run(std::int64_t task, bool writes, const LaneGroup& group,
                                  const ReplicationStorage& storage = {}) const {
    if constexpr (RunsInChunks<Body>) {
      const std::int64_t point = point_of(task);
      const std::int64_t begin = (task - point * tasks_of_point()) * body.chunk(), end = begin + body.chunk();
      for (std::int64_t place = begin; place < (end < range.count ? end : range.count); ++place) {
        replicate({range.index(place), point, point * range.count + place, writes}, group, storage);
      }
    } else {
      replicate(replication_of(task, writes), group, storage);
    }
  }

  // Runs a task in an arena.
  KOKKOS_FORCEINLINE_FUNCTION void run(std::int64_t task, const ReplicationStorage& storage) const {
    run(task, true, {}, storage);
  }

  KOKKOS_FORCEINLINE_FUNCTION std::int64_t point_of(std::int64_t task) const {
    return design.count() == 1 ? 0 : task / tasks_of_point();
  }

  // Whether design points share their variates, on hosts. Neighbouring tasks are then the same replication of
  // neighbouring points.
  KOKKOS_FORCEINLINE_FUNCTION bool shares_variates() const {
    if constexpr (!NeedsStorage<Model> && !RunsInChunks<Body> &&
                  requires(Inputs & inputs) { inputs.share_variates(); }) {
      return design.has_common_random_numbers();
    }
    return false;
  }

  // Returns the replication of a task, if a task is a single replication.
  KOKKOS_FORCEINLINE_FUNCTION Replication replication_of(std::int64_t task, bool writes) const {
    if (shares_variates()) {
      const std::int64_t place = task / design.count(), point = task - place * design.count();
      return {range.index(place), point, point * range.count + place, writes};
    }
    const std::int64_t point = point_of(task);
    return {range.index(task - point * range.count), point, task, writes};
  }

  KOKKOS_FORCEINLINE_FUNCTION void replicate(const Replication& replication, const LaneGroup& group,
                                             [[maybe_unused]] const ReplicationStorage& storage = {}) const {
    if (leaves_replication_out()) return;
    const DesignPoint<Model>& parameters = design[replication.point];
    Inputs inputs(source, parameters.seed, static_cast<std::uint64_t>(replication.index), draws_of(parameters.model),
                  group);
    if constexpr (NeedsStorage<Model>) inputs.use(storage);
    if constexpr (requires { inputs.share_variates(); }) {
      if (shares_variates()) inputs.share_variates();
    }
    body(parameters.model, inputs, replication);
    if (!replication.writes) return;
    if constexpr (requires { inputs.note_excess(replication.point); }) inputs.note_excess(replication.point);
  }
};

}  // namespace impl

}  // namespace sporos
