// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/simulation/model_description.hpp>

#include <sporos/optimizers/search/search_region.hpp>
#include <sporos/procedures/decision.hpp>

#include <span>
#include <string>

namespace sporos::runtime {

/// The constraint that a user wrote, "2 * x + y <= 10": two expressions over parameters with <=, >= or = between them,
/// linear in those that `decisions` name; all others have the values of `values`. Throws std::invalid_argument for what
/// is no such text, and where no decision stands in it.
LinearConstraint constraint_of(const std::string& text, const ModelDescription& model, const ParameterValues& values,
                               std::span<const Decision> decisions);

}  // namespace sporos::runtime
