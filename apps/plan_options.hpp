// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "simulate_options.hpp"

#include <sporos/core/replication/plan.hpp>

#include <cstdint>

namespace sporos::apps {

/// The most replications of a design point for a precision, where the options do not say.
inline constexpr std::int64_t usual_ceiling = 1'000'000;

/// The plan that the options make, where `base` holds what they leave open. Throws std::invalid_argument, naming
/// option, value and what was expected, for a plan that cannot be carried out.
Plan plan_from(const PlanOptions& options, const Plan& base);

}  // namespace sporos::apps
