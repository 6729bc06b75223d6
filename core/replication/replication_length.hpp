// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

namespace sporos {

/// The longest replication that a model of Sporos takes on, in steps of some nanoseconds each: ten days or so, in which
/// no launch ends. Beyond it a replication is endless for all purposes.
inline constexpr std::int64_t most_steps = 100'000'000'000'000;

/// From 1 to most_steps.
inline void check_steps(std::string_view name, std::int64_t value) {
  check_positive_integer(name, value);
  if (value <= most_steps) return;
  impl::refuse_parameter(name, std::to_string(value),
                         "at most " + std::to_string(most_steps) + ", which take a replication days");
}

/// Of steps that are expected: at most as many.
inline void check_expected_steps(std::string_view name, double steps) {
  impl::check_parameter(steps <= static_cast<double>(most_steps), name, steps,
                        "at most " + std::to_string(most_steps) + ", which take a replication days");
}

/// Positive, and so that its reciprocal, the mean time between two events, is finite, too.
inline void check_rate(std::string_view name, double value) {
  check_positive(name, value);
  impl::check_parameter(std::isfinite(1 / value), name, value, "a positive number whose reciprocal is finite");
}

}  // namespace sporos
