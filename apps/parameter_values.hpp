// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

namespace sporos::apps {

/// The value of one parameter of any model.
using ParameterValue = std::variant<double, std::int64_t>;

/// The values of all parameters of a model, in the model's order: a design point.
using ParameterValues = std::vector<ParameterValue>;

}  // namespace sporos::apps
