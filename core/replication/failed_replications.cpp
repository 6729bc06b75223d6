// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/events/resource_deadlock.hpp>
#include <sporos/core/replication/failed_replications.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace sporos {

namespace impl {

std::string failure_text(std::int64_t replication, double mark, std::span<const std::string> stations) {
  const MarkedFailure marked = failure_marked_by(mark);
  const std::string subject = "replication " + std::to_string(replication) + " failed: ";
  const auto full = [&](const char* what, const char* of) {
    return subject + "its " + what + " has room for " + std::to_string(marked.capacity) + " " + of +
           " and is full: give the model more storage, or less load";
  };
  switch (marked.failure) {
    case Failure::calendar_full:
      return full("calendar", "events");
    case Failure::queue_full:
      return full("queue", "entities");
    case Failure::pool_full:
      return full("pool", "entities");
    case Failure::event_in_the_past:
      return subject +
             "it schedules an event before the current time or at NaN: schedule events at the current time or later";
    case Failure::no_progress:
      return subject + "its events do not come to an end: simulated time must advance, and entities must move on";
    case Failure::no_branch:
      return subject + "all branches at a choice have probability 0: give one of them a positive probability";
    case Failure::overload: {
      const std::size_t station = marked.capacity >> overload_capacity_bits;  // counts from 1; 0 if unknown
      const std::uint32_t capacity = marked.capacity & ((1u << overload_capacity_bits) - 1);
      const bool is_named = station > 0 && station <= stations.size();
      return subject + "more than " + std::to_string(capacity) + " entities were in the system at the same time" +
             (is_named ? ", most of them at station '" + stations[station - 1] + "'" : "") +
             ". It is overloaded: give it less load, more servers, a limit on its queues, or a shorter horizon. If "
             "it " +
             "is not, give it memory for more entities: --most-customers " +
             std::to_string(std::min<std::uint32_t>(4 * capacity, 1000000));
    }
    case Failure::deadlock: {
      const std::size_t at = marked.capacity & (awaits_resource - 1);
      const std::size_t awaited = marked.capacity >> overload_capacity_bits;
      const bool is_named = at < stations.size() && awaited < stations.size();
      if ((marked.capacity & awaits_resource) != 0) {
        return subject + "it deadlocked: entities " + (is_named ? "at station '" + stations[at] + "' " : "") +
               "wait for ever for the resource" + (is_named ? " '" + stations[awaited] + "'" : "") +
               ", whose units other waiting entities hold. Let them release these units before they wait, or seize all "
               "resources at once. To observe the time until a deadlock, use \"until\": {\"deadlock\": true}";
      }
      return subject + "it deadlocked" +
             (is_named ? ": entities at station '" + stations[at] + "' wait for ever for a place at station '" +
                             stations[awaited] + "', whose entities are blocked too"
                       : "") +
             ". Give one of these stations more room or \"full\": \"lose\". To observe the time until a deadlock, "
             "use " +
             "\"until\": {\"deadlock\": true}";
    }
    case Failure::at_line:
      return subject + "line " + std::to_string(marked.capacity) +
             " of its Python source divides by zero, uses an index outside of an array or an entity outside of its "
             "pool or line, takes from an empty queue, makes an int of a number beyond 64 bits, or ends a long run: "
             "see the values there by running it in Python";
    case Failure::none:
      break;
  }
  return subject + "for an unknown reason";
}

std::string reason_of_failure(std::int64_t replication, double response, const std::string& what,
                              std::span<const std::string> stations) {
  const double mark = std::copysign(response, 1.0);
  if (failure_marked_by(mark).failure != Failure::none) return failure_text(replication, mark, stations);
  return what + " of replication " + std::to_string(replication) + " is " +
         (std::isnan(response) ? "nan" : std::to_string(response)) + ", not a finite number";
}

}  // namespace impl

std::optional<std::string> failure_of(std::int64_t replication, std::span<const double> responses,
                                      std::span<const std::string> stations) {
  for (const double response : responses) {
    if (failure_marked_by(response).failure != Failure::none)
      return impl::failure_text(replication, response, stations);
  }
  return std::nullopt;
}

}  // namespace sporos
