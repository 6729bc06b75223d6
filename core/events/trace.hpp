// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/replication_storage.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// Traces: the events of a replication, recorded one by one for a replay. A body that loops over
/// `calendar.next(inputs)` is traced if its inputs are TracedInputs; with other inputs a trace costs nothing.
namespace sporos {

/// An event that has happened.
struct TracedEvent {
  double time;           ///< time of the event
  int kind;              ///< value of the enumeration that the event is, or of its member `kind`
  std::int64_t station;  ///< member `station` of the event; -1 if it has none
  std::int64_t entity;   ///< member `entity` of the event; -1 if it has none
  int of_class = -1;     ///< class of the entity; -1 if it has none
};

/// The first events of a replication, and the number of all its events.
struct EventTrace {
  TracedEvent* events = nullptr;  ///< array of `room` events
  std::int64_t room = 0;          ///< number of events that can be stored
  std::int64_t count = 0;         ///< number of events so far, including those not stored

  /// Adds an event; once `events` is full, it is only counted.
  KOKKOS_INLINE_FUNCTION void add(const TracedEvent& event) {
    if (count < room) events[count] = event;
    ++count;
  }
};

/// Inputs that record events.
template <class Inputs>
concept TracesEvents = requires(Inputs& inputs, const TracedEvent& event) {
  inputs.trace(event);
};

/// Inputs of a replication whose events are recorded in a trace.
template <class Inputs>
class TracedInputs {
 public:
  /// Draws come from `inputs`; events go to `trace`. Both must outlive this object.
  KOKKOS_FUNCTION TracedInputs(Inputs& inputs, EventTrace& trace) : m_inputs(inputs), m_trace(trace) {}

  TracedInputs(const TracedInputs&) = delete;
  TracedInputs& operator=(const TracedInputs&) = delete;

  /// Next draw of `input`, the same as without a trace.
  KOKKOS_FORCEINLINE_FUNCTION auto operator()(int input) { return m_inputs(input); }
  /// Draws that belong to an entity, the same as without a trace; see Inputs.
  KOKKOS_FORCEINLINE_FUNCTION auto pair_of(std::uint64_t entity, int input, std::uint64_t pair) {
    return m_inputs.pair_of(entity, input, pair);
  }
  /// One draw that belongs to an entity, the same as without a trace; see Inputs.
  KOKKOS_FORCEINLINE_FUNCTION auto of(std::uint64_t entity, int input, std::uint64_t index) {
    return m_inputs.of(entity, input, index);
  }
  /// Memory of the replication; see HoldsStorage.
  KOKKOS_FORCEINLINE_FUNCTION ReplicationStorage storage() const requires(HoldsStorage<Inputs>) {
    return m_inputs.storage();
  }
  /// Records an event.
  KOKKOS_FUNCTION void trace(const TracedEvent& event) { m_trace.add(event); }

 private:
  Inputs& m_inputs;
  EventTrace& m_trace;
};

/// Records `event` if the inputs record events, and costs nothing otherwise. Call it in the body of a model for events
/// that are not in its calendar.
template <class Inputs>
KOKKOS_FORCEINLINE_FUNCTION void trace_event(Inputs& inputs, const TracedEvent& event) {
  if constexpr (TracesEvents<Inputs>) inputs.trace(event);
}

namespace impl {

// Trace entry of a calendar's event, which is an enumeration, or a struct with the member `kind` and optionally
// `station` and `entity`.
template <class Event>
KOKKOS_FUNCTION TracedEvent traced(double time, const Event& event) {
  TracedEvent traced{time, 0, -1, -1};
  if constexpr (requires { static_cast<int>(event); }) {
    traced.kind = static_cast<int>(event);
  } else if constexpr (requires { static_cast<int>(event.kind); }) {
    traced.kind = static_cast<int>(event.kind);
  }
  if constexpr (requires { event.station; }) traced.station = static_cast<std::int64_t>(event.station);
  if constexpr (requires { event.entity; }) traced.entity = static_cast<std::int64_t>(event.entity);
  return traced;
}

}  // namespace impl

}  // namespace sporos
