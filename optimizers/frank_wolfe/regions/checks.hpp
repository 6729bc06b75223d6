// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// Refusals of regions that are empty, unbounded or of no dimension, for the host.
namespace sporos::impl {

/// Coordinates are named from 0.
[[noreturn]] inline void refuse_coordinate(std::string_view name, std::size_t index, double value,
                                           std::string_view expected) {
  refuse_parameter(std::string(name).append(" in coordinate ").append(std::to_string(index)), number_text(value),
                   expected);
}

inline void check_dimension(std::int64_t dimension) {
  if (dimension < 1) refuse_parameter("dimension of the region", std::to_string(dimension), "at least 1");
}

/// By how much a size is beyond its limit, as a share of the limit, or of 1 where that is 0.
inline double beyond(double size, double limit) { return size > limit ? (size - limit) / (limit > 0 ? limit : 1) : 0; }

}  // namespace sporos::impl
