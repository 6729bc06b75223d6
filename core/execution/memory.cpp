// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/execution/memory.hpp>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace sporos {

namespace impl {

std::uint64_t memory_limit() {
  std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();
  const char* const text = std::getenv(memory_limit_variable);
  if (text == nullptr) return limit;
  const std::string_view given(text);
  const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), limit);
  if (error == std::errc() && end == given.data() + given.size()) return limit;
  throw std::invalid_argument(
      std::string(memory_limit_variable).append(" is '").append(given).append("', expected a number of bytes"));
}

MemoryAmount host_memory() {
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

bool is_worth_a_look(const MemoryNeed& need) {
  constexpr double worth_a_look = 1 << 20;
  return static_cast<double>(need.count) * need.bytes_of_each >= worth_a_look;
}

void check_need(const MemoryNeed& need, std::uint64_t free, std::string_view place) {
  const double bytes = static_cast<double>(need.count) * need.bytes_of_each, there = static_cast<double>(free);
  if (bytes <= there) return;
  throw OutOfMemory(std::string("the ")
                        .append(need.what)
                        .append(" of ")
                        .append(std::to_string(need.count))
                        .append(" ")
                        .append(need.things)
                        .append(" need ")
                        .append(bytes_text(bytes))
                        .append(", ")
                        .append(place)
                        .append(" has ")
                        .append(bytes_text(there))
                        .append(" free: at most ")
                        .append(std::to_string(static_cast<std::int64_t>(std::min(there / need.bytes_of_each, 1e18))))
                        .append(" ")
                        .append(need.things)
                        .append(" would fit"));
}

}  // namespace impl

std::string bytes_text(double bytes) {
  int unit = 0;
  for (; bytes >= 1024 && unit < 6; ++unit) bytes /= 1024;
  char text[32];
  constexpr const char* units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::snprintf(text, sizeof(text), "%.4g %s", bytes, units[unit]);
  return text;
}

}  // namespace sporos
