// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

namespace sporos {

/// Largest number of steps of a replication that models of Sporos accept. At a few nanoseconds each, these steps take
/// about ten days, in which no launch ends; a longer replication is endless for practical purposes.
inline constexpr std::int64_t max_steps = 100'000'000'000'000;

/// A time later than every event. It is finite, so that differences and products of times are numbers.
inline constexpr double never = 1e300;

/// Throws std::invalid_argument if the number of steps `value` is not between 1 and max_steps.
inline void check_steps(std::string_view name, std::int64_t value) {
  check_positive_integer(name, value);
  if (value <= max_steps) return;
  impl::refuse_parameter(name, std::to_string(value),
                         "at most " + std::to_string(max_steps) + ", because more take days for each replication");
}

/// Throws std::invalid_argument if the expected number of steps `steps` is larger than max_steps.
inline void check_expected_steps(std::string_view name, double steps) {
  impl::check_parameter(steps <= static_cast<double>(max_steps), name, steps,
                        "at most " + std::to_string(max_steps) + ", because more take days for each replication");
}

/// Throws std::invalid_argument if the rate `value` is not positive, or if its reciprocal, the mean time between two
/// events, is not finite.
inline void check_rate(std::string_view name, double value) {
  check_positive(name, value);
  impl::check_parameter(std::isfinite(1 / value), name, value, "a positive number whose reciprocal is finite");
}

}  // namespace sporos
