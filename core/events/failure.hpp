// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/bits.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace sporos {

/// Reason why a replication with events failed. Its storage is fixed before the launch; it fails if that is exceeded.
enum class Failure : std::uint32_t {
  none,               ///< the replication did not fail
  calendar_full,      ///< an event was scheduled in a calendar without room
  queue_full,         ///< an entity was pushed into a queue without room
  pool_full,          ///< an entity was added to a pool without room
  event_in_the_past,  ///< an event was scheduled before the current time, or at a NaN
  no_progress,        ///< too many events happened without an end in sight, for example all at one time
  overload,           ///< a system had more entities than it has room for, as an unstable one eventually does
  no_branch,          ///< an entity had to choose among branches whose probabilities are all 0
  deadlock,           ///< entities at stations block each other for ever
  at_line             ///< a line of the model's Python source broke a rule; the marked capacity is its number
};

/// Number of lower bits of the marked capacity of an overload that are the capacity. Those of a deadlock are a station.
inline constexpr int overload_capacity_bits = 20;

/// A failure and the capacity, in events or entities, that was exceeded.
struct MarkedFailure {
  Failure failure = Failure::none;  ///< Failure::none for an ordinary response
  std::uint32_t capacity = 0;       ///< capacity of the calendar, queue, pool or system; see overload_mark
};

namespace impl {

// A quiet NaN has 51 bits of payload: a tag of 15 bits, 4 bits of failure, 32 bits of capacity.
inline constexpr std::uint64_t failure_tag = std::uint64_t{0x7ffe'5e00} << 32;
inline constexpr std::uint64_t failure_tag_bits = ~((std::uint64_t{16} << 32) - 1);

}  // namespace impl

/// Response of a failed replication: a NaN whose payload encodes the reason. No computation returns this NaN by chance.
KOKKOS_INLINE_FUNCTION double failure_mark(Failure failure, std::uint32_t capacity) {
  return math::impl::from_bits(impl::failure_tag | static_cast<std::uint64_t>(failure) << 32 | capacity);
}

/// Mark of an overload. The system has room for `capacity` entities, fewer than 2^20, and most of them were at
/// `station`, a number from 0 below 2^12 - 1. The lower 20 bits of the marked capacity are `capacity`; the upper bits
/// are `station` + 1, which is 0 if no station is known.
KOKKOS_INLINE_FUNCTION double overload_mark(int capacity, int station) {
  return failure_mark(Failure::overload, static_cast<std::uint32_t>(capacity) | static_cast<std::uint32_t>(station + 1)
                                                                                    << overload_capacity_bits);
}

/// Mark of a deadlock. An entity at station `at` waits for ever for a place at station `awaited`; both are numbers from
/// 0 below 2^12. The lower 20 bits of the marked capacity are `at`; the upper bits are `awaited`.
KOKKOS_INLINE_FUNCTION double deadlock_mark(int at, int awaited) {
  return failure_mark(Failure::deadlock, static_cast<std::uint32_t>(at) | static_cast<std::uint32_t>(awaited)
                                                                              << overload_capacity_bits);
}

/// Decodes the mark in a response; Failure::none for an ordinary number or another NaN.
KOKKOS_INLINE_FUNCTION MarkedFailure failure_marked_by(double response) {
  const std::uint64_t bits = math::impl::to_bits(response);
  if ((bits & impl::failure_tag_bits) != impl::failure_tag) return {};
  return {static_cast<Failure>(bits >> 32 & 15), static_cast<std::uint32_t>(bits)};
}

/// Responses of a replication: `responses`, or a failure mark in each of them if one of `containers` (calendars,
/// queues, pools) has failed. The first failed container gives the reason. Use it to return from a model's body:
///
///     return responses_unless_failed<3>({{a, b, c}}, calendar, waiting);
template <std::size_t count, class... Containers>
KOKKOS_INLINE_FUNCTION Kokkos::Array<double, count> responses_unless_failed(
    const Kokkos::Array<double, count>& responses, const Containers&... containers) {
  double mark = 0;
  const bool fails = (... || (containers.failure() != Failure::none &&
                              ((mark = failure_mark(containers.failure(), containers.capacity())), true)));
  if (!fails) return responses;
  Kokkos::Array<double, count> marked;
  for (std::size_t i = 0; i < count; ++i) marked[i] = mark;
  return marked;
}

}  // namespace sporos
