// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace sporos::runtime {

/// The value of one parameter of any model; a text names a file, and an empty one the model's built-in data.
using ParameterValue = std::variant<double, std::int64_t, std::string>;

/// The values of all parameters of a model, in the model's order: a design point.
using ParameterValues = std::vector<ParameterValue>;

}  // namespace sporos::runtime
