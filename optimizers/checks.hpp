// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sporos::impl {

/// Overload of check_parameter for integers.
inline void check_parameter(bool good, std::string_view name, std::int64_t value, std::string_view expected) {
  if (!good) refuse_parameter(name, std::to_string(value), expected);
}

/// Throws std::invalid_argument if `size`, the dimension of `name`, differs from the problem's `dimension`.
inline void check_dimension(std::string_view name, std::int64_t size, std::int64_t dimension) {
  check_parameter(size == dimension, std::string("dimension of the ").append(name), size,
                  std::string("that of the problem, ").append(std::to_string(dimension)));
}

/// Throws std::invalid_argument if the start has the wrong dimension or a coordinate that is infinite or NaN.
inline void check_start_point(const std::vector<double>& start, std::int64_t dimension) {
  check_dimension("start", static_cast<std::int64_t>(start.size()), dimension);
  for (std::size_t i = 0; i < start.size(); ++i) {
    if (!std::isfinite(start[i])) {
      const auto name = std::string("coordinate ").append(std::to_string(i)).append(" of the start");
      refuse_parameter(name, number_text(start[i]), "a finite number");
    }
  }
}

}  // namespace sporos::impl
