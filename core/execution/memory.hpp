// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
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
inline std::uint64_t memory_limit() {
  std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();
  const char* const text = std::getenv(memory_limit_variable);
  if (text == nullptr) return limit;
  const std::string_view given(text);
  const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), limit);
  if (error == std::errc() && end == given.data() + given.size()) return limit;
  throw std::invalid_argument(
      std::string(memory_limit_variable).append(" is '").append(given).append("', expected a number of bytes"));
}

/// Of the host, as Linux tells it: what is available counts as free, for files in memory make room. Elsewhere without
/// bounds.
inline MemoryAmount host_memory() {
  MemoryAmount memory;
  std::ifstream file("/proc/meminfo");
  std::string unit;
  std::uint64_t kibibytes = 0;
  for (std::string name; file >> name >> kibibytes && std::getline(file, unit);) {
    if (name == "MemTotal:") memory.total = kibibytes << 10;
    if (name == "MemAvailable:") memory.free = kibibytes << 10;
  }
  return memory;
}

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
inline std::string bytes_text(double bytes) {
  int unit = 0;
  for (; bytes >= 1024 && unit < 6; ++unit) bytes /= 1024;
  char text[32];
  constexpr const char* units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::snprintf(text, sizeof(text), "%.4g %s", bytes, units[unit]);
  return text;
}

/// Throws OutOfMemory where the need is larger than what is free in `MemorySpace`; it says how many would fit. A need
/// of less than a mebibyte is taken to fit: to ask would take longer than most that is done with so little.
template <class MemorySpace>
void check_memory(const MemoryNeed& need) {
  constexpr double worth_a_look = 1 << 20;
  const double bytes = static_cast<double>(need.count) * need.bytes_of_each;
  if (bytes < worth_a_look) return;
  const auto free = static_cast<double>(memory_of<MemorySpace>().free);
  if (bytes <= free) return;
  const bool on_host = Kokkos::SpaceAccessibility<Kokkos::HostSpace, MemorySpace>::accessible;
  const auto fitting = static_cast<std::int64_t>(std::floor(free / need.bytes_of_each));
  throw OutOfMemory(std::string("the ")
                        .append(need.what)
                        .append(" of ")
                        .append(std::to_string(need.count))
                        .append(" ")
                        .append(need.things)
                        .append(" need ")
                        .append(bytes_text(bytes))
                        .append(on_host ? ", the host has " : ", the device has ")
                        .append(bytes_text(free))
                        .append(" free: at most ")
                        .append(std::to_string(fitting))
                        .append(" ")
                        .append(need.things)
                        .append(" would fit"));
}

}  // namespace sporos
