// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/events/event_keys.hpp>
#include <sporos/core/events/failure.hpp>
#include <sporos/core/events/free_slots.hpp>
#include <sporos/core/events/slots.hpp>
#include <sporos/core/events/trace.hpp>
#include <sporos/core/execution/few_values.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace sporos {

namespace impl {

// Thresholds measured by bench/events.
inline constexpr int max_scanned = 16, max_in_tournament = 256;

template <int slots>
using KeysFor =
    std::conditional_t<slots <= max_scanned, ScannedKeys<slots>,
                       std::conditional_t<slots <= max_in_tournament, KeyTournament<slots>, KeyHeap<slots>>>;

}  // namespace impl

/// Identifies a scheduled event, for example to cancel it. Ticket{} and tickets of past events identify no event.
struct Ticket {
  int slot = 0;             ///< slot of the event in the calendar
  std::uint64_t order = 0;  ///< number of the call that scheduled the event, from 1
};

/// Future events of one replication, at most `slots` at a time. `Event` describes what happens: a small trivially
/// copyable struct, such as a kind and the number of an entity, or an enumeration if the kind is enough.
///
///     enum class Step { arrival, departure };
///     Calendar<Step, 2> calendar;
///     calendar.schedule(exponential(inputs(interarrival), arrival_rate), Step::arrival);
///     while (calendar.next(inputs)) {
///       switch (calendar.event()) { ... }
///     }
///
/// Events happen in the order of their times; among events at exactly the same time, the one scheduled first happens
/// first. The order depends only on the calls, so it is the same on every backend. A calendar is a member of the body's
/// own state: it takes sizeof(Calendar) bytes per replication, known at compile time. On a GPU that is a thread's local
/// memory, which the hardware interleaves by thread in words of 4 bytes. So threads that access the same member access
/// adjacent words. A GPU keeps a calendar with at most 8 slots and events of at most 8 bytes in registers, if it is a
/// separate local variable and not a member of a struct with larger arrays.
///
/// Scheduling an event without room, or in the past, fails the calendar: no event happens afterwards, and
/// responses_unless_failed marks the replication.
template <class Event, int slots, template <int> class Keys = impl::KeysFor>
class Calendar {
 public:
  /// Schedules `event` at `time`, at least now(). An event at infinity is not stored; its ticket identifies no event.
  KOKKOS_FORCEINLINE_FUNCTION Ticket schedule(double time, const Event& event) {
    if (!(time >= m_now)) return fail(Failure::event_in_the_past);
    if (time == math::impl::infinity) return {};
    const impl::EventKey key{math::impl::to_bits(time + 0.0), ++m_scheduled};  // + 0.0 turns -0 into +0
    int slot = m_happened;
    if (slot >= 0) {
      m_keys.replace(slot, key);
      m_happened = -1;
    } else {
      slot = m_free.take();
      if (slot < 0) return fail(Failure::calendar_full);
      m_keys.insert(slot, key);
    }
    m_events.set(slot, event);
    return {slot, key.order};
  }

  /// Cancels the event of `ticket`. Returns false if the event has happened or was cancelled before.
  KOKKOS_INLINE_FUNCTION bool cancel(const Ticket& ticket) {
    if (!is_scheduled(ticket)) return false;
    m_keys.remove(ticket.slot);
    m_free.give_back(ticket.slot);
    return true;
  }

  /// Cancels the event of `ticket`, if it is still scheduled, and schedules `event` at `time` instead. The new event
  /// comes last among the events at its time, like any newly scheduled event.
  KOKKOS_INLINE_FUNCTION Ticket reschedule(const Ticket& ticket, double time, const Event& event) {
    cancel(ticket);
    return schedule(time, event);
  }

  /// Whether the event of `ticket` is still to come.
  KOKKOS_INLINE_FUNCTION bool is_scheduled(const Ticket& ticket) const {
    return ticket.order != 0 && ticket.slot != m_happened && m_keys.holds(ticket.slot, ticket.order);
  }

  /// Advances to the next event, then event() at now(). Returns false if there is none or the calendar has failed.
  KOKKOS_FORCEINLINE_FUNCTION bool next() {
    free_last();
    const impl::Winner least = m_keys.least();
    if (least.key.time == impl::no_event().time || m_failure != Failure::none) return false;
    m_happened = least.slot;
    m_now = math::impl::from_bits(least.key.time);
    m_event = m_events.get(least.slot);
    return true;
  }

  /// Advances as next() does and, if the inputs are TracedInputs, records the event. Use it in the body of a model.
  template <class Inputs>
  KOKKOS_FORCEINLINE_FUNCTION bool next([[maybe_unused]] Inputs& inputs) {
    if (!next()) return false;
    if constexpr (TracesEvents<Inputs>) inputs.trace(impl::traced(m_now, m_event));
    return true;
  }

  /// Time of the next event; infinity if there is none.
  KOKKOS_FORCEINLINE_FUNCTION double next_time() {
    free_last();
    return math::impl::from_bits(m_keys.least().key.time);
  }

  /// Time of the current event; initially 0.
  KOKKOS_FORCEINLINE_FUNCTION double now() const { return m_now; }
  /// Current event.
  KOKKOS_FORCEINLINE_FUNCTION const Event& event() const { return m_event; }
  /// Number of future events.
  KOKKOS_FORCEINLINE_FUNCTION int size() const { return m_free.taken() - (m_happened >= 0 ? 1 : 0); }
  /// Largest number of events at a time.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr std::uint32_t capacity() { return slots; }
  /// Reason for the failure, or Failure::none.
  KOKKOS_FORCEINLINE_FUNCTION Failure failure() const { return m_failure; }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void free_last() {
    if (m_happened < 0) return;
    m_keys.remove(m_happened);
    m_free.give_back(m_happened);
    m_happened = -1;
  }

  KOKKOS_INLINE_FUNCTION Ticket fail(Failure failure) {
    if (m_failure == Failure::none) m_failure = failure;
    return {};
  }

  Keys<slots> m_keys;
  impl::FreeSlots<slots> m_free;
  int m_happened = -1;  // slot of the current event until it is reused or freed: most events schedule another one
  std::conditional_t<impl::FewValues<Event, slots>::are_few, impl::FewValues<Event, slots>, impl::Slots<Event, slots>>
      m_events;
  Event m_event{};
  double m_now = 0;
  std::uint64_t m_scheduled = 0;
  Failure m_failure = Failure::none;
};

}  // namespace sporos
