// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

/// How a replication tells its events, one by one, to who replays it. A body that goes on by `calendar.next(inputs)` is
/// traced where its inputs are TracedInputs, and pays nothing elsewhere.
namespace sporos {

/// An event that has happened.
struct TracedEvent {
  double time;           ///< when
  int kind;              ///< the value of the enumeration that the event is, or of its member `kind`
  std::int64_t station;  ///< its member `station`; -1 where it has none
  std::int64_t entity;   ///< its member `entity`; -1 where it has none
};

/// Room for the first events of a replication, and how many there were.
struct EventTrace {
  TracedEvent* events = nullptr;  ///< of the first `room` events
  std::int64_t room = 0;          ///< how many are kept
  std::int64_t count = 0;         ///< how many there were

  /// One more event.
  KOKKOS_INLINE_FUNCTION void add(const TracedEvent& event) {
    if (count < room) events[count] = event;
    ++count;
  }
};

/// Inputs that take note of events.
template <class Inputs>
concept TracesEvents = requires(Inputs& inputs, const TracedEvent& event) {
  inputs.trace(event);
};

/// The inputs of a replication whose events are kept in a trace.
template <class Inputs>
class TracedInputs {
 public:
  /// Draws from `inputs`, adds to `trace`.
  KOKKOS_FUNCTION TracedInputs(Inputs& inputs, EventTrace& trace) : m_inputs(inputs), m_trace(trace) {}

  TracedInputs(const TracedInputs&) = delete;
  TracedInputs& operator=(const TracedInputs&) = delete;

  /// The next draw of `input`, as without a trace.
  KOKKOS_FORCEINLINE_FUNCTION auto operator()(int input) { return m_inputs(input); }
  /// Takes note of an event.
  KOKKOS_FUNCTION void trace(const TracedEvent& event) { m_trace.add(event); }

 private:
  Inputs& m_inputs;
  EventTrace& m_trace;
};

/// In the body of a model, for what is no event of its calendar: takes note of `event` where the inputs do, and costs
/// nothing elsewhere.
template <class Inputs>
KOKKOS_FORCEINLINE_FUNCTION void trace_event(Inputs& inputs, const TracedEvent& event) {
  if constexpr (TracesEvents<Inputs>) inputs.trace(event);
}

namespace impl {

// What a trace says of an event of a calendar: an enumeration, or a struct with the members `kind` and, where it has
// them, `station` and `entity`.
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
