// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/simulation/model_description.hpp>

#include <sporos/optimizers/search/search_region.hpp>
#include <sporos/procedures/decision.hpp>

#include <span>
#include <string>

namespace sporos::runtime {

/// Parses a constraint on decision variables such as "2 * x + y <= 10": two expressions over parameters with <=, >= or
/// = between them, linear in the parameters that `decisions` name. All other parameters have the values of `values`.
/// Throws std::invalid_argument if `text` is not such a constraint or contains no decision variable.
LinearConstraint constraint_of(const std::string& text, const ModelDescription& model, const ParameterValues& values,
                               std::span<const Decision> decisions);

}  // namespace sporos::runtime
