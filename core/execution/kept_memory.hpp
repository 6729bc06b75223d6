// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/execution_space.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace sporos {

namespace impl {

/// Blocks of memory of an execution space that nobody uses at present. The size of a block is a power of two. All
/// functions may be called by several threads at a time.
template <class ExecutionSpace>
class FreeBlocks {
 public:
  using Block = Kokkos::View<std::byte*, ExecutionSpace>;

  static constexpr std::size_t largest = std::size_t{256} << 20;  ///< bytes of the largest block that is kept
  static constexpr std::size_t most = std::size_t{512} << 20;     ///< bytes of all blocks that are kept
  static constexpr std::size_t smallest = std::size_t{256};       ///< bytes of the smallest block

  /// Returns a block of at least `bytes` bytes: one that was given back, or else a new one with this label.
  Block take(std::size_t bytes, const char* label) {
    const std::size_t size = bytes > largest ? bytes : std::max(std::bit_ceil(bytes), smallest);
    const std::lock_guard lock(m_mutex);
    if (auto& blocks = m_blocks[size]; !blocks.empty()) {
      const Block block = blocks.back();
      blocks.pop_back();
      m_bytes -= size;
      return block;
    }
    return Block(Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string(label)), size);
  }

  /// Keeps a block that take() has returned and that nobody uses any more, if it is not too large.
  void give_back(Block block) {
    const std::lock_guard lock(m_mutex);
    const std::size_t size = block.size();
    if (size > largest || m_bytes + size > most) return;
    m_bytes += size;
    m_blocks[size].push_back(std::move(block));
  }

  /// Frees all blocks.
  void clear() {
    const std::lock_guard lock(m_mutex);
    m_blocks.clear();
    m_bytes = 0;
  }

  /// Bytes of all blocks.
  std::size_t bytes() const { return m_bytes; }

 private:
  std::mutex m_mutex;
  std::map<std::size_t, std::vector<Block>> m_blocks;  // by their size
  std::size_t m_bytes = 0;
};

/// The free blocks of this process. Kokkos::finalize frees them.
template <class ExecutionSpace>
FreeBlocks<ExecutionSpace>& free_blocks() {
  static auto* const blocks = [] {
    auto* const all = new FreeBlocks<ExecutionSpace>;  // never destroyed: the last user may be a static object
    Kokkos::push_finalize_hook([all] { all->clear(); });
    return all;
  }();
  return *blocks;
}

}  // namespace impl

/// Frees the memory that objects of KeptMemory have left for the next ones. Call it if a program that also runs
/// experiments on a device needs the device's memory. Kokkos::finalize does the same.
template <class ExecutionSpace>
void free_kept_memory() {
  impl::free_blocks<ExecutionSpace>().clear();
}

/// Memory of an execution space for temporary values. On a device, memory that is no longer used is kept for the next
/// object of this class, up to 512 MiB in a process, because an H200 takes 0.1 ms to allocate and free memory, which is
/// longer than many launches. Copies of an object share its memory.
template <class ExecutionSpace>
class KeptMemory {
 public:
  /// Returns memory for `count` values, which are not initialized. They are lost at the next call, and when the last
  /// copy of this object is destroyed; work on `space` may still use them. Tools see new memory under `label`.
  template <class Value>
  Value* provide(const ExecutionSpace& space, std::int64_t count, const char* label) {
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(Value);
    if (m_block == nullptr || m_block->size() < bytes) {
      m_block.reset();
      m_block = new_block(space, bytes, label);
    }
    return reinterpret_cast<Value*>(m_block->data());
  }

 private:
  using Block = typename impl::FreeBlocks<ExecutionSpace>::Block;

  static std::shared_ptr<const Block> new_block([[maybe_unused]] const ExecutionSpace& space, std::size_t bytes,
                                                const char* label) {
    if constexpr (runs_on_host<ExecutionSpace>) {
      return std::make_shared<const Block>(Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string(label)), bytes);
    } else {
      auto& blocks = impl::free_blocks<ExecutionSpace>();
      return {new Block(blocks.take(bytes, label)), [&blocks, space](const Block* block) {
                space.fence();
                blocks.give_back(*block);
                delete block;
              }};
    }
  }

  std::shared_ptr<const Block> m_block;
};

}  // namespace sporos
