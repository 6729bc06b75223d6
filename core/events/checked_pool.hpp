// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/events/entity_pool.hpp>
#include <sporos/core/events/failure.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos {

/// Line of a CheckedPool. The lines of a pool have different numbers, from 1.
struct CheckedLine {
  int number;  ///< number of the line
  Line line;   ///< its entities

  /// Number of its first entity; -1 if the line is empty.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t first() const { return line.first; }
  /// Number of entities.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t size() const { return line.size; }
  /// Whether no entity waits.
  KOKKOS_FORCEINLINE_FUNCTION bool is_empty() const { return line.size == 0; }
};

/// Numbers of entities of a model that is translated from Python, whose properties are in arrays. The pool stores the
/// line of each entity, so that LineChecks can refuse wrong numbers.
template <int slots>
class CheckedPool {
 public:
  enum : int {
    removed = -1,  ///< line of an entity that is not in the pool
    no_line = 0    ///< line of an entity that is in no line
  };

  /// Adds an entity and returns its number; -1 if there is no room.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION int add() {
    const int number = m_pool.add(no_line);
    if (number >= m_touched) m_touched = number + 1;
    return number;
  }

  /// Whether the pool has an entity with this number.
  KOKKOS_FORCEINLINE_FUNCTION bool contains(std::int64_t number) const {
    return number >= 0 && number < m_touched && m_pool[static_cast<int>(number)] >= no_line;
  }

  /// Whether the entity `number` exists and is in this line.
  KOKKOS_FORCEINLINE_FUNCTION bool is_in(std::int64_t number, int line) const {
    return contains(number) && m_pool[static_cast<int>(number)] == line;
  }

  /// Removes an entity, which must be in no line.
  KOKKOS_FORCEINLINE_FUNCTION void remove(std::int64_t number) {
    m_pool[static_cast<int>(number)] = removed;
    m_pool.remove(static_cast<int>(number));
  }

  /// Appends an entity, which must be in no line, to a line.
  KOKKOS_FORCEINLINE_FUNCTION void push_back(CheckedLine& line, std::int64_t number) {
    m_pool[static_cast<int>(number)] = line.number;
    m_pool.push_back(line.line, static_cast<int>(number));
  }

  /// Puts an entity, which must be in no line, at the front of a line.
  KOKKOS_FORCEINLINE_FUNCTION void push_front(CheckedLine& line, std::int64_t number) {
    m_pool[static_cast<int>(number)] = line.number;
    m_pool.push_front(line.line, static_cast<int>(number));
  }

  /// Removes an entity from its line.
  KOKKOS_FORCEINLINE_FUNCTION void take_out(CheckedLine& line, std::int64_t number) {
    m_pool[static_cast<int>(number)] = no_line;
    m_pool.take_out(line.line, static_cast<int>(number));
  }

  /// Number of the entity after `number` in its line; -1 after the last one.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t next(std::int64_t number) const {
    return m_pool.next(static_cast<int>(number));
  }

  /// Number of entities.
  KOKKOS_FORCEINLINE_FUNCTION int size() const { return m_pool.size(); }
  /// Largest number of entities at a time.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr std::uint32_t capacity() { return slots; }
  /// Failure::pool_full if an entity was added to a full pool.
  KOKKOS_FORCEINLINE_FUNCTION Failure failure() const { return m_pool.failure(); }

 private:
  EntityPool<int, slots> m_pool;
  int m_touched = 0;  // all numbers so far are below
};

}  // namespace sporos
