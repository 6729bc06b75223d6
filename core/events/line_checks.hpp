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

  /// Whether no check has failed. Loops without a fixed number of steps end when it is false.
  KOKKOS_FORCEINLINE_FUNCTION bool good() const { return m_line == 0; }
  /// Failure::at_line if a check has failed.
  KOKKOS_FORCEINLINE_FUNCTION Failure failure() const { return good() ? Failure::none : Failure::at_line; }
  /// Line of the first check that failed.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t capacity() const { return static_cast<std::uint32_t>(m_line); }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void fail(int line) {
    if (m_line == 0) m_line = line;
  }

  int m_line = 0;
};

}  // namespace sporos
