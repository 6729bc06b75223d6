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

/// The option that asks for control variates.
OptionEntry control_variates_entry();

/// Throws std::invalid_argument where the model names no controls, or where a precision decides when an experiment
/// ends.
void check_controls(const ModelDescription& model, const Plan& plan);

/// Whether the options ask for control variates. Throws as check_controls does, and where they are asked for beside
/// what looks at all responses of replications.
bool wants_controls(const OptionTable& options, const ModelDescription& model, const Plan& plan);

/// The option that asks for conditional Monte Carlo.
OptionEntry conditional_entry();

/// Whether the options ask for conditional expectations in the place of responses. Throws std::invalid_argument where
/// the model knows none, and where they are asked for beside what looks at responses of replications.
bool wants_conditional(const OptionTable& options, const ModelDescription& model);

/// The means with controls at each point of the design of an experiment whose last responses are the model's controls,
/// and which has all covariances; takes the controls out of `points`, and the covariances where `keeps_covariances` is
/// not set. Throws as controlled_means does.
std::vector<ControlledPoint> take_controls(std::vector<PointResult>& points, const ModelDescription& model,
                                           std::span<const ParameterValues> design, double confidence,
                                           bool keeps_covariances);

/// A sentence for each control that is left out somewhere.
std::vector<std::string> control_notes(std::span<const ControlledPoint> points);

}  // namespace sporos::runtime
