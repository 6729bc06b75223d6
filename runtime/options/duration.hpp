// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/format.hpp>

#include <chrono>
#include <cstdint>
#include <string>

namespace sporos::runtime {

/// Clock that measures the time of runs.
using Clock = std::chrono::steady_clock;

/// Returns the seconds that have passed since `start`.
inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Formats a duration for users: 0.53 s, 42 s, 3 min 5 s, 2 h 10 min.
inline std::string duration_text(double seconds) {
  constexpr double few_seconds = 10, minute = 60, hour = 3600;
  if (seconds < few_seconds) return fmt::format("{:.2g} s", seconds);
  if (seconds < minute) return fmt::format("{:.0f} s", seconds);
  const auto whole = static_cast<std::int64_t>(seconds < 1e15 ? seconds : 1e15);
  if (seconds < hour) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace sporos::runtime
