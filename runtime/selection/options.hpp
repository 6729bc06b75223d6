// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/usage.hpp>
#include <sporos/runtime/selection/selection_constraint.hpp>
#include <sporos/runtime/simulation/model_description.hpp>

#include <sporos/procedures/ranking_and_selection/selection_procedures.hpp>
#include <sporos/procedures/ranking_and_selection/system_grid.hpp>
#include <sporos/procedures/ranking_and_selection/systems.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sporos::runtime {

/// The model that the arguments behind `sporos select` begin with. Throws Help where that is asked for instead, and
/// std::invalid_argument where there is no such model, or it has no parameters that are numbers alone.
const ModelDescription& selected_model(std::span<const std::string> arguments);

/// `sporos select` with a model.
Usage select_usage(const ModelDescription& model);

/// What `sporos select` is told.
struct SelectionRequest {
  const ModelDescription* model;                      ///< of all systems
  ParameterValues values;                             ///< of the parameters that are the same in all of them
  SystemGrid grid;                                    ///< how the others differ
  SystemResponse which;                               ///< by which systems are compared
  std::string response;                               ///< its name, or the expression that takes its place
  const SelectionProcedure* procedure;                ///< that selects
  SelectionOptions options;                           ///< for it
  double time_limit;                                  ///< seconds
  std::vector<SelectionConstraint> constraints = {};  ///< that systems are to meet
  std::vector<std::string> notes = {};                ///< what people should know of how a file was read
  std::uint64_t data = 0;                             ///< checksum of the systems that a file lists
};

/// What the options ask for. Throws std::invalid_argument, naming the option.
SelectionRequest selection_request(const ModelDescription& model, const OptionTable& options);

}  // namespace sporos::runtime
