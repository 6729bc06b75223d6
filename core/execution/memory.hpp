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

/// How much memory there is, asked before it is taken, so that what would not fit is refused in time.
namespace sporos {

/// Thrown before an allocation that would not fit.
class OutOfMemory : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A memory, in bytes.
struct MemoryAmount {
  std::uint64_t total = std::numeric_limits<std::uint64_t>::max();  ///< all of it
  std::uint64_t free = std::numeric_limits<std::uint64_t>::max();   ///< what could be allocated now
};

/// What is to be stored: `count` things of one size.
struct MemoryNeed {
  std::string what;      ///< in the plural: "features"
  std::int64_t count;    ///< how many things
  std::string things;    ///< in the plural: "rows"
  double bytes_of_each;  ///< of one thing
};

/// The environment variable that bounds, in bytes, what counts as free: for a device shared with others, and for tests.
inline constexpr auto memory_limit_variable = "SPOROS_MEMORY_LIMIT";

namespace impl {

/// What the environment allows. Throws std::invalid_argument where the variable holds no number.
std::uint64_t memory_limit();

/// Of the host, as Linux tells it: what is available counts as free, for files in memory make room. Elsewhere without
/// bounds.
MemoryAmount host_memory();

/// Whether a need is large enough to be checked.
bool is_worth_a_look(const MemoryNeed& need);

/// Throws OutOfMemory where the need is larger than the `free` bytes of `place`.
void check_need(const MemoryNeed& need, std::uint64_t free, std::string_view place);

}  // namespace impl

/// The memory of `MemorySpace` as it is now: that of the host, or of the device that Kokkos was initialized with. Of
/// spaces that Sporos does not know, without bounds.
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

/// A number of bytes for people, to four digits: "12.29 GiB".
std::string bytes_text(double bytes);

/// Throws OutOfMemory where the need is larger than what is free in `MemorySpace`; it says how many would fit. A need
/// of less than a mebibyte is taken to fit: to ask would take longer than most that is done with so little.
template <class MemorySpace>
void check_memory(const MemoryNeed& need) {
  if (!impl::is_worth_a_look(need)) return;
  const bool on_host = Kokkos::SpaceAccessibility<Kokkos::HostSpace, MemorySpace>::accessible;
  impl::check_need(need, memory_of<MemorySpace>().free, on_host ? "the host" : "the device");
}

}  // namespace sporos
