// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <variant>
#include <vector>

namespace sporos::runtime {

/// Value of one parameter of a model. A string is the name of a file; an empty string selects the model's built-in
/// data.
using ParameterValue = std::variant<double, std::int64_t, std::string>;

/// Values of all parameters of a model, in the model's order: a design point.
using ParameterValues = std::vector<ParameterValue>;

/// Returns the value as a double; NaN for the name of a file.
inline double number_of(const ParameterValue& value) {
  if (const auto* real = std::get_if<double>(&value)) return *real;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace sporos::runtime
