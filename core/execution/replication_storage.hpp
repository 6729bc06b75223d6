// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/execution/lane.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace sporos {

namespace impl {

KOKKOS_FORCEINLINE_FUNCTION constexpr std::int64_t round_up(std::int64_t number, std::int64_t multiple_of) {
  return (number + multiple_of - 1) / multiple_of * multiple_of;
}

}  // namespace impl

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
  template <class>
  friend class ScratchArray;

  T* m_first = nullptr;
};

/// Array of a replication that is in scratch memory if that has room, otherwise in its ReplicationStorage.
template <class T>
class ScratchArray {
 public:
  ScratchArray() = default;
  /// The elements of an array in a ReplicationStorage.
  KOKKOS_FORCEINLINE_FUNCTION ScratchArray(StoredArray<T> array)
      : m_first(array.m_first), m_stride(impl::lane_count()) {}
  /// Adjacent elements in scratch memory.
  KOKKOS_FORCEINLINE_FUNCTION explicit ScratchArray(T* first) : m_first(first), m_stride(1) {}

  /// Element `i`.
  KOKKOS_FORCEINLINE_FUNCTION T& operator[](int i) const {
    // On a host, the stride is always 1.
    SPOROS_IF_ON_DEVICE((return m_first[i * m_stride];))
    SPOROS_IF_ON_HOST((return m_first[i];))
  }

 private:
  T* m_first = nullptr;
  int m_stride = 1;
};

/// Memory of one replication whose size depends on the parameters of its model. Take arrays from it in a fixed order.
///
/// On a device, 32 neighbouring replications share a block of memory. Their elements of equal index are adjacent, so
/// that lanes that access the same index of an array access adjacent memory. An element itself is contiguous, so that
/// a lane that accesses several members of it reads few cache lines. On a host, each replication has its own block.
///
/// A replication on a device can also have a small part of the multiprocessor's own memory (Kokkos: scratch memory of
/// level 0), for the arrays that it changes most often; see `in_scratch`. On a host there is none.
///
/// A storage without memory measures: take the arrays on the host, then call `bytes` and `scratch_bytes`.
class ReplicationStorage {
 public:
  /// The memory starts at a multiple of this number of bytes.
  static constexpr std::int64_t alignment = 64;
  /// Largest number of bytes in scratch memory. More would leave too little to the cache: on an H200, 704 bytes take
  /// 1.09 times as long as 576.
  static constexpr std::int64_t max_scratch_bytes = 576;
  /// Alignment in scratch memory.
  static constexpr std::int64_t scratch_alignment = 16;

  ReplicationStorage() = default;
  /// The part of lane `lane` in a block, which starts at a multiple of 64 bytes.
  KOKKOS_FORCEINLINE_FUNCTION ReplicationStorage(std::byte* block, int lane) : m_block(block), m_lane(lane) {}
  /// Returns this storage with scratch memory, which must have room for the model's scratch_bytes(). Null means none.
  KOKKOS_FORCEINLINE_FUNCTION ReplicationStorage with_scratch(std::byte* scratch) const {
    ReplicationStorage storage = *this;
    storage.m_scratch = scratch;
    return storage;
  }

  /// Takes an array of `count` elements.
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION StoredArray<T> take(std::int64_t count) {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= alignment);
    const std::int64_t first = m_used;
    m_used += impl::round_up(count * static_cast<std::int64_t>(sizeof(T)), alignment);
    if (!m_block) return {};
    return StoredArray<T>(reinterpret_cast<T*>(m_block + first * impl::lane_count()) + m_lane);
  }

  /// Takes `count` elements in scratch memory. If it has no room for them, returns `array`, which must have as many.
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION ScratchArray<T> in_scratch(StoredArray<T> array, std::int64_t count) {
    static_assert(alignof(T) <= scratch_alignment);
    const int first = m_scratch_used;
    const std::int64_t bytes = impl::round_up(count * static_cast<std::int64_t>(sizeof(T)), scratch_alignment);
    if (first + bytes > max_scratch_bytes) return array;
    m_scratch_used += static_cast<int>(bytes);
    if (!m_scratch) return array;
    return ScratchArray<T>(reinterpret_cast<T*>(m_scratch + first));
  }

  /// Number of bytes that have been taken.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t bytes() const { return m_used; }
  /// Number of bytes that have been taken in scratch memory.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t scratch_bytes() const { return m_scratch_used; }

 private:
  std::byte* m_block = nullptr;
  std::byte* m_scratch = nullptr;
  int m_lane = 0;
  int m_scratch_used = 0;
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
