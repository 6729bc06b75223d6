// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/replication_storage.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace sporos {

/// Arrays that a model takes from its memory. Pass it to the model in place of a ReplicationStorage, to copy the memory
/// of a replication between a device, where elements of 32 replications are interleaved, and a host.
class StorageParts {
 public:
  /// Records an array of `count` elements.
  template <class T>
  KOKKOS_FUNCTION StoredArray<T> take(std::int64_t count) {
    if (m_count == max_parts) Kokkos::abort("Sporos: a model takes too many arrays from its memory\n");
    m_parts[m_count++] = {m_measured.bytes(), count, static_cast<std::int64_t>(sizeof(T))};
    return m_measured.take<T>(count);
  }

  /// Returns `array`, because the memory to be copied is never in scratch memory.
  template <class T>
  KOKKOS_FUNCTION ScratchArray<T> in_scratch(StoredArray<T> array, std::int64_t) {
    return array;
  }

  /// Number of bytes of a replication.
  std::int64_t bytes() const { return m_measured.bytes(); }

  /// Copies the elements of lane `lane` from `block`, which interleaves those of `lanes` replications, to `memory`.
  void copy_from(const std::byte* block, std::int64_t lanes, std::int64_t lane, std::byte* memory) const {
    for_each_element(lanes, lane, [&](std::int64_t in_block, std::int64_t in_memory, std::int64_t bytes) {
      std::memcpy(memory + in_memory, block + in_block, static_cast<std::size_t>(bytes));
    });
  }

  /// Copies the elements of a replication from `memory` to lane `lane` of `block`.
  void copy_to(std::byte* block, std::int64_t lanes, std::int64_t lane, const std::byte* memory) const {
    for_each_element(lanes, lane, [&](std::int64_t in_block, std::int64_t in_memory, std::int64_t bytes) {
      std::memcpy(block + in_block, memory + in_memory, static_cast<std::size_t>(bytes));
    });
  }

 private:
  static constexpr int max_parts = 64;
  struct Part {
    std::int64_t first, count, bytes_of_element;
  };

  // Calls `copy` with the place of each element in a block, its place in the memory of one replication, and its size.
  template <class Copy>
  void for_each_element(std::int64_t lanes, std::int64_t lane, const Copy& copy) const {
    for (int part = 0; part < m_count; ++part) {
      const auto& [first, count, bytes] = m_parts[part];
      if (lanes == 1) {
        copy(first, first, count * bytes);
        continue;
      }
      for (std::int64_t i = 0; i < count; ++i)
        copy(first * lanes + (i * lanes + lane) * bytes, first + i * bytes, bytes);
    }
  }

  ReplicationStorage m_measured;
  int m_count = 0;
  Kokkos::Array<Part, max_parts> m_parts = {};
};

}  // namespace sporos
