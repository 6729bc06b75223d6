// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/events/event_keys.hpp>
#include <sporos/core/events/failure.hpp>
#include <sporos/core/events/free_slots.hpp>
#include <sporos/core/events/slots.hpp>
#include <sporos/core/events/trace.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace sporos {

namespace impl {

// Measured by bench/events.
inline constexpr int most_scanned = 16, most_in_tournament = 256;

template <int slots>
using KeysFor =
    std::conditional_t<slots <= most_scanned, ScannedKeys<slots>,
                       std::conditional_t<slots <= most_in_tournament, KeyTournament<slots>, KeyHeap<slots>>>;

}  // namespace impl

/// Names a scheduled event, so that it can be cancelled. Ticket{} names none, nor does one whose event has happened.
struct Ticket {
  int slot = 0;             ///< where the calendar keeps it
  std::uint64_t order = 0;  ///< number of the call that scheduled it, from 1
};

/// The future events of one replication: at most `slots` at a time. `Event` is a small trivially copyable struct that
/// says what happens, such as a kind and the number of an entity; where the kind is all, an enumeration.
///
///     enum class Step { arrival, departure };
///     Calendar<Step, 2> calendar;
///     calendar.schedule(exponential(inputs(interarrival), arrival_rate), Step::arrival);
///     while (calendar.next(inputs)) {
///       switch (calendar.event()) { ... }
///     }
///
/// Events happen in the order of their times; of events at exactly the same time, the one that was scheduled first. The
/// order of operations is a function of the calls alone, so that it is the same on every backend. A calendar is a
/// member of the body's own state: its storage is sizeof(Calendar) bytes a replication, known to the compiler. On a GPU
/// that is a thread's local memory, which the hardware interleaves by thread in words of 4 bytes, so that threads that
/// touch the same member touch neighbouring words.
///
/// What is scheduled without room, or in the past, fails the calendar: nothing happens after it, and
/// responses_unless_failed marks the replication.
template <class Event, int slots, template <int> class Keys = impl::KeysFor>
class Calendar {
 public:
  /// Schedules `event` at `time`, at least now(). Infinity is never: nothing is kept, and the ticket names nothing.
  KOKKOS_FORCEINLINE_FUNCTION Ticket schedule(double time, const Event& event) {
    if (!(time >= m_now)) return fail(Failure::event_in_the_past);
    if (time == math::impl::infinity) return {};
    const impl::EventKey key{math::impl::to_bits(time + 0.0), ++m_scheduled};  // -0 is +0
    int slot = m_happened;
    if (slot >= 0) {
      m_keys.replace(slot, key);
      m_happened = -1;
    } else {
      slot = m_free.take();
      if (slot < 0) return fail(Failure::calendar_full);
      m_keys.insert(slot, key);
    }
    m_events[slot] = event;
    return {slot, key.order};
  }

  /// Takes the event that `ticket` names from the calendar; false where it has happened, or was cancelled before.
  KOKKOS_INLINE_FUNCTION bool cancel(const Ticket& ticket) {
    if (!is_scheduled(ticket)) return false;
    m_keys.remove(ticket.slot);
    m_free.give_back(ticket.slot);
    return true;
  }

  /// Cancels the event that `ticket` names, if it is to come, and schedules `event` at `time` in its place, as if it
  /// had not been scheduled before: of events at this time it is the last one.
  KOKKOS_INLINE_FUNCTION Ticket reschedule(const Ticket& ticket, double time, const Event& event) {
    cancel(ticket);
    return schedule(time, event);
  }

  /// Whether the event that `ticket` names is to come.
  KOKKOS_INLINE_FUNCTION bool is_scheduled(const Ticket& ticket) const {
    return ticket.order != 0 && ticket.slot != m_happened && m_keys.holds(ticket.slot, ticket.order);
  }

  /// Goes to the next event, which is then event() at now(). False where there is none, or the calendar has failed.
  KOKKOS_FORCEINLINE_FUNCTION bool next() {
    free_last();
    const impl::Winner least = m_keys.least();
    if (least.key.time == impl::no_event().time || m_failure != Failure::none) return false;
    m_happened = least.slot;
    m_now = math::impl::from_bits(least.key.time);
    m_event = m_events[least.slot];
    return true;
  }

  /// The same in the body of a model, with its inputs: where a replication is traced, they take note of the event.
  template <class Inputs>
  KOKKOS_FORCEINLINE_FUNCTION bool next([[maybe_unused]] Inputs& inputs) {
    if (!next()) return false;
    if constexpr (TracesEvents<Inputs>) inputs.trace(impl::traced(m_now, m_event));
    return true;
  }

  /// Time of the event to come next; infinite where there is none.
  KOKKOS_FORCEINLINE_FUNCTION double next_time() {
    free_last();
    return math::impl::from_bits(m_keys.least().key.time);
  }

  /// Time of the last event; 0 at first.
  KOKKOS_FORCEINLINE_FUNCTION double now() const { return m_now; }
  /// The last event.
  KOKKOS_FORCEINLINE_FUNCTION const Event& event() const { return m_event; }
  /// Events to come.
  KOKKOS_FORCEINLINE_FUNCTION int size() const { return m_free.taken() - (m_happened >= 0 ? 1 : 0); }
  /// Most events at a time.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr std::uint32_t capacity() { return slots; }
  /// Why it has failed, if it has.
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
  int m_happened = -1;  // slot of the last event, until it is used again or emptied: most events schedule another one
  impl::Slots<Event, slots> m_events;
  Event m_event{};
  double m_now = 0;
  std::uint64_t m_scheduled = 0;
  Failure m_failure = Failure::none;
};

}  // namespace sporos
