// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/option_table.hpp>
#include <sporos/runtime/simulation/model_description.hpp>

#include <sporos/core/replication/plan.hpp>
#include <sporos/core/replication/result.hpp>
#include <sporos/procedures/controlled_means.hpp>

#include <span>
#include <string>
#include <vector>

namespace sporos::runtime {

/// The option --control-variates.
OptionEntry control_variates_entry();

/// Throws std::invalid_argument if the model names no controls, or if a precision decides when the experiment ends.
void check_controls(const ModelDescription& model, const Plan& plan);

/// Whether --control-variates is given. If so, throws std::invalid_argument in the same cases as check_controls, also
/// if an option that uses the responses of single replications is also given.
bool wants_controls(const OptionTable& options, const ModelDescription& model, const Plan& plan);

/// The option --conditional.
OptionEntry conditional_entry();

/// Whether --conditional is given: conditional expectations replace the responses. If so, throws std::invalid_argument
/// if the model offers none, or if an option that uses the responses of single replications or --control-variates is
/// also given.
bool wants_conditional(const OptionTable& options, const ModelDescription& model);

/// Returns the means with controls at each design point. In `points`, the last responses are the model's controls, and
/// all covariances are present. Removes the controls from `points`, and also the covariances if `keeps_covariances` is
/// false. Throws the same exceptions as controlled_means.
std::vector<ControlledPoint> take_controls(std::vector<PointResult>& points, const ModelDescription& model,
                                           std::span<const ParameterValues> design, double confidence,
                                           bool keeps_covariances);

/// Returns a sentence for each control that is not used at some design point.
std::vector<std::string> control_notes(std::span<const ControlledPoint> points);

}  // namespace sporos::runtime
