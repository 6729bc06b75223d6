// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// Checks of the parameters of a distribution or model, on the host, before anything runs. Each check throws
/// std::invalid_argument with a sentence such as "service rate is -1, expected a positive finite number".
namespace sporos {

namespace impl {

/// Shortest decimal number that reads back as `value`.
std::string number_text(double value);

[[noreturn]] void refuse_parameter(std::string_view name, std::string_view value, std::string_view expected);

void check_parameter(bool good, std::string_view name, double value, std::string_view expected);

void check_whole(std::string_view name, double value, double least, double most);

}  // namespace impl

/// Checks that `value` is neither infinite nor NaN.
void check_finite(std::string_view name, double value);

/// Checks that `value` is above 0 and finite.
void check_positive(std::string_view name, double value);

/// Checks that `value` is at least 0 and finite.
void check_non_negative(std::string_view name, double value);

/// Checks that `value` is in [0, 1]: the probability of an event that may be impossible or certain.
void check_probability(std::string_view name, double value);

/// Checks that `value` is in (0, 1]: the probability of an event that is possible.
void check_positive_probability(std::string_view name, double value);

/// Checks that `value` is at least 1.
void check_positive_integer(std::string_view name, std::int64_t value);

/// Checks that low < high, both finite.
void check_below(std::string_view low_name, double low, std::string_view high_name, double high);

/// Checks that low <= high, both finite.
void check_not_above(std::string_view low_name, double low, std::string_view high_name, double high);

}  // namespace sporos
