// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// Checks of a distribution's or a model's parameters, for the host, before anything runs. Each throws
/// std::invalid_argument with a sentence such as "service rate is -1, expected a positive finite number".
namespace sporos {

namespace impl {

/// The shortest decimal number that reads back as `value`.
std::string number_text(double value);

[[noreturn]] void refuse_parameter(std::string_view name, std::string_view value, std::string_view expected);

void check_parameter(bool good, std::string_view name, double value, std::string_view expected);

void check_whole(std::string_view name, double value, double least, double most);

}  // namespace impl

/// Neither infinite nor NaN.
void check_finite(std::string_view name, double value);

/// Above 0 and finite.
void check_positive(std::string_view name, double value);

/// At least 0 and finite.
void check_non_negative(std::string_view name, double value);

/// Of an event that may be impossible or certain: [0, 1].
void check_probability(std::string_view name, double value);

/// Of an event that can happen: (0, 1].
void check_positive_probability(std::string_view name, double value);

/// At least 1.
void check_positive_integer(std::string_view name, std::int64_t value);

/// low < high, both finite.
void check_below(std::string_view low_name, double low, std::string_view high_name, double high);

/// low <= high, both finite.
void check_not_above(std::string_view low_name, double low, std::string_view high_name, double high);

}  // namespace sporos
