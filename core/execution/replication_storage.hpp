// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/lane.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace sporos {

/// Array in a ReplicationStorage, of at most 2^26 elements. It does not own its elements, which are uninitialized at
/// first.
template <class T>
class StoredArray {
 public:
  StoredArray() = default;
  /// An array whose first element is `first`.
  KOKKOS_FORCEINLINE_FUNCTION explicit StoredArray(T* first) : m_first(first) {}

  /// Element `i`.
  KOKKOS_FORCEINLINE_FUNCTION T& operator[](int i) const { return m_first[i * impl::lane_count()]; }

 private:
  T* m_first = nullptr;
};

/// Memory of one replication whose size depends on the parameters of its model. Take arrays from it in a fixed order.
///
/// On a device, 32 neighbouring replications share a block of memory. Their elements of equal index are adjacent, so
/// that lanes that access the same index of an array access adjacent memory. An element itself is contiguous, so that
/// a lane that accesses several members of it reads few cache lines. On a host, each replication has its own block.
///
/// A storage without memory measures: take the arrays on the host, then call `bytes`.
class ReplicationStorage {
 public:
  /// The memory starts at a multiple of this number of bytes.
  static constexpr std::int64_t alignment = 64;

  ReplicationStorage() = default;
  /// The part of lane `lane` in a block, which starts at a multiple of 64 bytes.
  KOKKOS_FORCEINLINE_FUNCTION ReplicationStorage(std::byte* block, int lane) : m_block(block), m_lane(lane) {}

  /// Takes an array of `count` elements.
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION StoredArray<T> take(std::int64_t count) {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= alignment);
    const std::int64_t first = m_used;
    m_used += (count * static_cast<std::int64_t>(sizeof(T)) + alignment - 1) / alignment * alignment;
    if (!m_block) return {};
    return StoredArray<T>(reinterpret_cast<T*>(m_block + first * impl::lane_count()) + m_lane);
  }

  /// Number of bytes that have been taken.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t bytes() const { return m_used; }

 private:
  std::byte* m_block = nullptr;
  int m_lane = 0;
  std::int64_t m_used = 0;
};

/// Inputs of a replication that hold its memory: inputs.storage().
template <class Inputs>
concept HoldsStorage = requires(const Inputs& inputs) {
  { inputs.storage() } -> std::same_as<ReplicationStorage>;
};

/// Memory of one replication on the host, for code that calls a model without a launch.
class HostStorage {
 public:
  /// Allocates `bytes` bytes.
  explicit HostStorage(std::int64_t bytes)
      : m_lines(static_cast<std::size_t>((bytes + ReplicationStorage::alignment - 1) / ReplicationStorage::alignment)) {
  }

  /// The storage, which is valid as long as this object lives.
  ReplicationStorage storage() { return {reinterpret_cast<std::byte*>(m_lines.data()), 0}; }

 private:
  struct alignas(ReplicationStorage::alignment) CacheLine {
    std::byte bytes[ReplicationStorage::alignment];
  };
  std::vector<CacheLine> m_lines;
};

}  // namespace sporos
