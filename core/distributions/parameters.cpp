// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/distributions/parameters.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>

namespace sporos {

namespace impl {

std::string number_text(double value) {
  std::array<char, 32> text;
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

void refuse_parameter(std::string_view name, std::string_view value, std::string_view expected) {
  throw std::invalid_argument(std::string(name).append(" is ").append(value).append(", expected ").append(expected));
}

void check_parameter(bool good, std::string_view name, double value, std::string_view expected) {
  if (!good) refuse_parameter(name, number_text(value), expected);
}

void check_whole(std::string_view name, double value, double least, double most) {
  if (value >= least && value <= most && std::floor(value) == value) return;
  refuse_parameter(name, number_text(value), "a whole number from " + number_text(least) + " to " + number_text(most));
}

}  // namespace impl

void check_finite(std::string_view name, double value) {
  impl::check_parameter(std::isfinite(value), name, value, "a finite number");
}

void check_positive(std::string_view name, double value) {
  impl::check_parameter(std::isfinite(value) && value > 0.0, name, value, "a positive finite number");
}

void check_non_negative(std::string_view name, double value) {
  impl::check_parameter(std::isfinite(value) && value >= 0.0, name, value, "a finite number of at least 0");
}

void check_probability(std::string_view name, double value) {
  impl::check_parameter(value >= 0.0 && value <= 1.0, name, value, "a probability in [0, 1]");
}

void check_positive_probability(std::string_view name, double value) {
  impl::check_parameter(value > 0.0 && value <= 1.0, name, value, "a probability in (0, 1]");
}

void check_positive_integer(std::string_view name, std::int64_t value) {
  if (value <= 0) impl::refuse_parameter(name, std::to_string(value), "a positive integer");
}

void check_below(std::string_view low_name, double low, std::string_view high_name, double high) {
  check_finite(low_name, low);
  check_finite(high_name, high);
  if (low < high) return;
  impl::refuse_parameter(low_name, impl::number_text(low),
                         std::string("a number below ").append(high_name).append(", ") + impl::number_text(high));
}

void check_not_above(std::string_view low_name, double low, std::string_view high_name, double high) {
  check_finite(low_name, low);
  check_finite(high_name, high);
  if (low <= high) return;
  impl::refuse_parameter(low_name, impl::number_text(low),
                         std::string("a number not above ").append(high_name).append(", ") + impl::number_text(high));
}

}  // namespace sporos
