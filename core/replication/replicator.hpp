// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/lane.hpp>
#include <sporos/core/execution/launch_stop.hpp>
#include <sporos/core/execution/mapping.hpp>
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

/// The replication that a body is called for.
struct Replication {
  std::int64_t index;  ///< its number: random numbers are a function of it and of the design point's seed
  std::int64_t point;  ///< number of its design point
  std::int64_t row;    ///< its place in the launch: point · range.count + index − range.first
  bool writes;         ///< of the lanes of a warp that run it together, one writes; a thread on its own does
  int count = 1;       ///< with packs, how many replications it is the first of: of as many lanes the rows are written
};

namespace impl {

// Writes a replication's number to its row of `table`.
template <class Table>
KOKKOS_FORCEINLINE_FUNCTION void write(double number, const Replication& replication, const Table& table,
                                       std::int64_t column) {
  table(replication.row, column) = number;
}
// The same of the replications in a pack's lanes.
template <class Table>
KOKKOS_FORCEINLINE_FUNCTION void write(const Pack& numbers, const Replication& replication, const Table& table,
                                       std::int64_t column) {
  static_assert(std::is_same_v<typename Table::array_layout, Kokkos::LayoutLeft>);
  double* const first = &table(replication.row, column);
  if (replication.count == Pack::lanes) {
    numbers.store(first);
  } else {
    const Pack in_memory = numbers;  // here alone, so that otherwise they stay in registers
    in_memory.store(first, replication.count);
  }
}

template <class Body>
concept RunsInChunks = requires(const Body& body) {
  { body.chunk() } -> std::convertible_to<std::int64_t>;
};

// The replications of a launch, for threads. They are run in tasks, one replication each or a chunk of them.
template <class Source, Mapping mapping, class Model, class ExecutionSpace, class Body>
struct Replicator {
  using Inputs = typename Source::template InputsOn<ExecutionSpace, mapping, static_cast<int>(Model::input_count)>;

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

  KOKKOS_INLINE_FUNCTION void run(std::int64_t task, bool writes, const LaneGroup& group) const {
    if constexpr (RunsInChunks<Body>) {
      const std::int64_t point = point_of(task);
      const std::int64_t begin = (task - point * tasks_of_point()) * body.chunk(), end = begin + body.chunk();
      for (std::int64_t place = begin; place < (end < range.count ? end : range.count); ++place) {
        replicate({range.first + place, point, point * range.count + place, writes}, group);
      }
    } else {
      replicate(replication_of(task, writes), group);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION std::int64_t point_of(std::int64_t task) const {
    return design.count() == 1 ? 0 : task / tasks_of_point();
  }

  // The replication of a task that is one.
  KOKKOS_FORCEINLINE_FUNCTION Replication replication_of(std::int64_t task, bool writes) const {
    const std::int64_t point = point_of(task);
    return {range.first + (task - point * range.count), point, task, writes};
  }

  KOKKOS_FORCEINLINE_FUNCTION void replicate(const Replication& replication, const LaneGroup& group) const {
    if (leaves_replication_out()) return;
    const DesignPoint<Model>& parameters = design[replication.point];
    Inputs inputs(source, parameters.seed, static_cast<std::uint64_t>(replication.index), draws_of(parameters.model),
                  group);
    body(parameters.model, inputs, replication);
    if (!replication.writes) return;
    if constexpr (requires { inputs.note_excess(replication.point); }) inputs.note_excess(replication.point);
  }
};

}  // namespace impl

}  // namespace sporos
