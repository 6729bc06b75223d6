// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

/// Functions that query the free memory before an allocation, so that a request that does not fit is refused in time.
namespace sporos {

/// Thrown before an allocation that would not fit.
class OutOfMemory : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Size of a memory, in bytes.
struct MemoryAmount {
  std::uint64_t total = std::numeric_limits<std::uint64_t>::max();  ///< the whole memory
  std::uint64_t free = std::numeric_limits<std::uint64_t>::max();   ///< memory that could be allocated now
};

/// Memory that an allocation needs: `count` items of one size.
struct MemoryNeed {
  std::string what;      ///< the items, in the plural: "features"
  std::int64_t count;    ///< number of items
  std::string things;    ///< name of the items, in the plural: "rows"
  double bytes_of_each;  ///< bytes of one item
};

/// Environment variable that limits the free memory, in bytes: for a device shared with others, and for tests.
inline constexpr auto memory_limit_variable = "SPOROS_MEMORY_LIMIT";

namespace impl {

/// Limit that the environment variable sets. Throws std::invalid_argument if the variable is not a number.
std::uint64_t memory_limit();

/// Memory of the host from /proc/meminfo. MemAvailable counts as free, since Linux can drop cached files. On other
/// systems both numbers are unlimited.
MemoryAmount host_memory();

/// Whether a need is large enough to be checked.
bool is_worth_a_look(const MemoryNeed& need);

/// Throws OutOfMemory if the need is larger than the `free` bytes of `place`.
void check_need(const MemoryNeed& need, std::uint64_t free, std::string_view place);

}  // namespace impl

/// Current size of the memory of `MemorySpace`: the host, or the device that Kokkos was initialized with. Other memory
/// spaces count as unlimited.
template <class MemorySpace>
MemoryAmount memory_of() {
  MemoryAmount memory;
  if constexpr (std::is_same_v<MemorySpace, Kokkos::HostSpace>) memory = impl::host_memory();
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same_v<MemorySpace, Kokkos::CudaSpace>) {
    std::size_t free = 0, total = 0;
    if (cudaMemGetInfo(&free, &total) == cudaSuccess) memory = {total, free};
  }
#endif
  memory.free = std::min(memory.free, impl::memory_limit());
  return memory;
}

/// Number of bytes for display, to four digits: "12.29 GiB".
std::string bytes_text(double bytes);

/// Throws OutOfMemory if the need is larger than the free memory in `MemorySpace`; the message says how many items
/// would fit. A need of less than one mebibyte is not checked: the query would take longer than most work on it.
template <class MemorySpace>
void check_memory(const MemoryNeed& need) {
  if (!impl::is_worth_a_look(need)) return;
  const bool on_host = Kokkos::SpaceAccessibility<Kokkos::HostSpace, MemorySpace>::accessible;
  impl::check_need(need, memory_of<MemorySpace>().free, on_host ? "the host" : "the device");
}

}  // namespace sporos
