// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Checks, on the host, that refuse regions that are empty, unbounded or of dimension 0.
namespace sporos::impl {

/// Throws std::invalid_argument for a coordinate; indices in the message start at 0.
[[noreturn]] inline void refuse_coordinate(std::string_view name, std::size_t index, double value,
                                           std::string_view expected) {
  refuse_parameter(std::string(name).append(" in coordinate ").append(std::to_string(index)), number_text(value),
                   expected);
}

inline void check_dimension(std::int64_t dimension) {
  if (dimension < 1) refuse_parameter("dimension of the region", std::to_string(dimension), "at least 1");
}

/// Throws std::invalid_argument unless each coordinate has one finite low bound and one finite high bound that is at
/// least as large.
inline void check_bounds(const std::vector<double>& low, const std::vector<double>& high) {
  check_dimension(static_cast<std::int64_t>(low.size()));
  if (high.size() != low.size()) {
    refuse_parameter("number of upper bounds", std::to_string(high.size()),
                     std::string("that of lower bounds, ").append(std::to_string(low.size())));
  }
  for (std::size_t i = 0; i < low.size(); ++i) {
    if (!std::isfinite(low[i])) refuse_coordinate("lower bound", i, low[i], "a finite number");
    if (!(std::isfinite(high[i]) && high[i] >= low[i])) {
      refuse_coordinate("upper bound", i, high[i],
                        std::string("a finite number of at least the lower bound, ") + number_text(low[i]));
    }
  }
}

/// Excess of a size over its limit, relative to the limit, or to 1 if the limit is 0.
inline double beyond(double size, double limit) { return size > limit ? (size - limit) / (limit > 0 ? limit : 1) : 0; }

}  // namespace sporos::impl
