// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

/// Checks of a distribution's or a model's parameters, for the host, before anything runs. Each throws
/// std::invalid_argument with a sentence such as "service rate is -1, expected a positive finite number".
namespace sporos {

namespace impl {

/// The shortest decimal number that reads back as `value`.
inline std::string number_text(double value) {
  std::array<char, 32> text;
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

[[noreturn]] inline void refuse_parameter(std::string_view name, std::string_view value, std::string_view expected) {
  throw std::invalid_argument(std::string(name).append(" is ").append(value).append(", expected ").append(expected));
}

inline void check_parameter(bool good, std::string_view name, double value, std::string_view expected) {
  if (!good) refuse_parameter(name, number_text(value), expected);
}

inline void check_whole(std::string_view name, double value, double least, double most) {
  check_parameter(value >= least && value <= most && std::floor(value) == value, name, value,
                  "a whole number from " + number_text(least) + " to " + number_text(most));
}

}  // namespace impl

/// Neither infinite nor NaN.
inline void check_finite(std::string_view name, double value) {
  impl::check_parameter(std::isfinite(value), name, value, "a finite number");
}

/// Above 0 and finite.
inline void check_positive(std::string_view name, double value) {
  impl::check_parameter(std::isfinite(value) && value > 0.0, name, value, "a positive finite number");
}

/// At least 0 and finite.
inline void check_non_negative(std::string_view name, double value) {
  impl::check_parameter(std::isfinite(value) && value >= 0.0, name, value, "a finite number of at least 0");
}

/// Of an event that may be impossible or certain: [0, 1].
inline void check_probability(std::string_view name, double value) {
  impl::check_parameter(value >= 0.0 && value <= 1.0, name, value, "a probability in [0, 1]");
}

/// Of an event that can happen: (0, 1].
inline void check_positive_probability(std::string_view name, double value) {
  impl::check_parameter(value > 0.0 && value <= 1.0, name, value, "a probability in (0, 1]");
}

/// At least 1.
inline void check_positive_integer(std::string_view name, std::int64_t value) {
  if (value <= 0) impl::refuse_parameter(name, std::to_string(value), "a positive integer");
}

/// low < high, both finite.
inline void check_below(std::string_view low_name, double low, std::string_view high_name, double high) {
  check_finite(low_name, low);
  check_finite(high_name, high);
  impl::check_parameter(low < high, low_name, low,
                        std::string("a number below ").append(high_name).append(", ") + impl::number_text(high));
}

/// low <= high, both finite.
inline void check_not_above(std::string_view low_name, double low, std::string_view high_name, double high) {
  check_finite(low_name, low);
  check_finite(high_name, high);
  impl::check_parameter(low <= high, low_name, low,
                        std::string("a number not above ").append(high_name).append(", ") + impl::number_text(high));
}

}  // namespace sporos
