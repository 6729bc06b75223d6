// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

/// Refusals of regions that are empty, unbounded or of no dimension, for the host.
namespace sporos::impl {

[[noreturn]] inline void refuse_region(std::string_view name, const std::string& value, std::string_view expected) {
  throw std::invalid_argument(std::string(name).append(" is ").append(value).append(", expected ").append(expected));
}

/// Coordinates are named from 0.
[[noreturn]] inline void refuse_coordinate(std::string_view name, std::size_t index, double value,
                                           std::string_view expected) {
  refuse_region(std::string(name).append(" in coordinate ").append(std::to_string(index)), std::to_string(value),
                expected);
}

inline void check_dimension(std::int64_t dimension) {
  if (dimension < 1) refuse_region("dimension of the region", std::to_string(dimension), "at least 1");
}

inline void check_non_negative(std::string_view name, double value) {
  if (!(std::isfinite(value) && value >= 0)) {
    refuse_region(name, std::to_string(value), "a finite number of at least 0");
  }
}

/// By how much a size is beyond its limit, as a share of the limit, or of 1 where that is 0.
inline double beyond(double size, double limit) { return size > limit ? (size - limit) / (limit > 0 ? limit : 1) : 0; }

}  // namespace sporos::impl
