// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/events/failure.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos {

/// Checks of a model that is translated from Python. Where Python would raise an exception, the check stores the line
/// of the text and returns a harmless value. responses_unless_failed then marks the replication.
class LineChecks {
 public:
  /// Returns `i` as an index of an array of `size` elements; a negative one counts from the end.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t index(std::int64_t i, std::int64_t size, int line) {
    const std::int64_t place = i < 0 ? i + size : i;
    if (static_cast<std::uint64_t>(place) < static_cast<std::uint64_t>(size)) return place;
    fail(line);
    return 0;
  }

  /// Returns the divisor `b`, which must not be 0.
  template <class Number>
  KOKKOS_FORCEINLINE_FUNCTION Number divisor(Number b, int line) {
    if (b != 0) return b;
    fail(line);
    return 1;
  }

  /// Returns x without its fraction; it must have fewer than 63 binary digits.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t whole(double x, int line) {
    constexpr double most = 9.2e18;
    if (x > -most && x < most) return static_cast<std::int64_t>(x);
    fail(line);
    return 0;
  }

  /// Removes and returns the next element of a queue, which must not be empty.
  template <class Queue>
  KOKKOS_FORCEINLINE_FUNCTION double pop(Queue& queue, int line) {
    if (!queue.is_empty()) return queue.pop();
    fail(line);
    return 0;
  }

  /// Returns the next element of a queue, which must not be empty.
  template <class Queue>
  KOKKOS_FORCEINLINE_FUNCTION double front(const Queue& queue, int line) {
    if (!queue.is_empty()) return queue.front();
    fail(line);
    return 0;
  }

  /// Returns the rank of the next element of a queue, which must not be empty.
  template <class Queue>
  KOKKOS_FORCEINLINE_FUNCTION double front_rank(const Queue& queue, int line) {
    if (!queue.is_empty()) return queue.front_rank();
    fail(line);
    return 0;
  }

  /// Returns x, which must not be NaN.
  KOKKOS_FORCEINLINE_FUNCTION double number(double x, int line) {
    if (x == x) return x;
    fail(line);
    return 0;
  }

  /// Adds an entity to a pool and returns its number. If there is no room, the pool fails, and loops end.
  template <class Pool>
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t add(Pool& pool) {
    const int number = pool.add();
    if (number >= 0) return number;
    m_lacks_room = true;
    return 0;
  }

  /// Returns the number of an entity, which must be in the pool.
  template <class Pool>
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t entity(const Pool& pool, std::int64_t number, int line) {
    if (pool.contains(number)) return number;
    fail(line);
    return 0;
  }

  /// Removes an entity, which must be in the pool and in no line.
  template <class Pool>
  KOKKOS_FORCEINLINE_FUNCTION void remove(Pool& pool, std::int64_t number, int line) {
    if (pool.is_in(number, Pool::no_line)) {
      pool.remove(number);
    } else {
      fail(line);
    }
  }

  /// Appends an entity, which must be in no line, to a line.
  template <class Pool, class Line>
  KOKKOS_FORCEINLINE_FUNCTION void push_back(Pool& pool, Line& entities, std::int64_t number, int line) {
    if (pool.is_in(number, Pool::no_line)) {
      pool.push_back(entities, number);
    } else {
      fail(line);
    }
  }

  /// Puts an entity, which must be in no line, at the front of a line.
  template <class Pool, class Line>
  KOKKOS_FORCEINLINE_FUNCTION void push_front(Pool& pool, Line& entities, std::int64_t number, int line) {
    if (pool.is_in(number, Pool::no_line)) {
      pool.push_front(entities, number);
    } else {
      fail(line);
    }
  }

  /// Removes an entity from a line, in which it must be.
  template <class Pool, class Line>
  KOKKOS_FORCEINLINE_FUNCTION void take_out(Pool& pool, Line& entities, std::int64_t number, int line) {
    if (pool.is_in(number, entities.number)) {
      pool.take_out(entities, number);
    } else {
      fail(line);
    }
  }

  /// Removes the first entity from a line, which must not be empty, and returns its number.
  template <class Pool, class Line>
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t pop_front(Pool& pool, Line& entities, int line) {
    const std::int64_t number = entities.first();
    take_out(pool, entities, number, line);
    return number < 0 ? 0 : number;
  }

  /// Returns the number of the entity after `number` in a line; -1 after the last one.
  template <class Pool, class Line>
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t next(const Pool& pool, const Line& entities, std::int64_t number, int line) {
    if (pool.is_in(number, entities.number)) return pool.next(number);
    fail(line);
    return -1;
  }

  /// Fails if a long run is not at the end of its observations.
  template <class Series>
  KOKKOS_FORCEINLINE_FUNCTION void ended(const Series& series, int line) {
    if (series.goes_on()) fail(line);
  }

  /// Whether no check has failed and no pool lacks room. Loops without a fixed number of steps end when it is false.
  KOKKOS_FORCEINLINE_FUNCTION bool good() const { return m_line == 0 && !m_lacks_room; }
  /// Failure::at_line if a check has failed.
  KOKKOS_FORCEINLINE_FUNCTION Failure failure() const { return m_line == 0 ? Failure::none : Failure::at_line; }
  /// Line of the first check that failed.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t capacity() const { return static_cast<std::uint32_t>(m_line); }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void fail(int line) {
    if (good()) m_line = line;
  }

  int m_line = 0;
  bool m_lacks_room = false;
};

/// Whether a calendar, queue, pool or LineChecks has failed.
template <class Container>
KOKKOS_FORCEINLINE_FUNCTION bool fails(const Container& container) {
  return container.failure() != Failure::none;
}

/// Ends a long run of a model that is translated from Python (core/replication/series.hpp): if one of `containers` has
/// failed, the run fails with the reason.
template <class Series, class... Containers>
KOKKOS_FORCEINLINE_FUNCTION void fail_series(Series& series, const Containers&... containers) {
  const auto marked = responses_unless_failed<1>({{0}}, containers...);
  if (failure_marked_by(marked[0]).failure != Failure::none) series.fail(marked[0]);
}

}  // namespace sporos
