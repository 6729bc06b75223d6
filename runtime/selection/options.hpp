// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/usage.hpp>
#include <sporos/runtime/simulation/model_description.hpp>

#include <sporos/procedures/ranking_and_selection/selection_procedures.hpp>
#include <sporos/procedures/ranking_and_selection/system_grid.hpp>
#include <sporos/procedures/ranking_and_selection/systems.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sporos::runtime {

/// A constraint on mean responses that systems must satisfy. People see it as a quantity compared with a limit if one
/// side is a number.
struct SelectionConstraint {
  std::string text;             ///< the constraint as the user wrote it
  std::string name;             ///< quantity that is compared with the limit
  bool is_at_least;             ///< whether the limit is a lower bound, not an upper bound
  double limit;                 ///< a number
  ResponseConstraint observed;  ///< the same constraint, as a weighted sum with an upper bound

  /// Converts an estimate of the excess over the limit to one of the compared quantity.
  SystemEstimate of_excess(SystemEstimate excess) const {
    excess.mean = limit + (is_at_least ? -excess.mean : excess.mean);
    return excess;
  }
};

/// Parses `text`, for systems of `model` whose other parameters have the values `values`. The text must be an
/// inequality between sums of responses with constant weights, without parameters that differ between systems.
/// Otherwise throws std::invalid_argument, naming --subject-to.
SelectionConstraint selection_constraint(const std::string& text, const ModelDescription& model,
                                         const ParameterValues& values, const SystemGrid& grid);

/// Returns the model with whose name the arguments after `sporos select` begin. Throws Help if they request help, and
/// std::invalid_argument if there is no such model, or its parameters cannot be varied (check_optimizable).
const ModelDescription& selected_model(std::span<const std::string> arguments);

/// Usage of `sporos select` with a model.
Usage select_usage(const ModelDescription& model);

/// A request of `sporos select`.
struct SelectionRequest {
  const ModelDescription* model;                      ///< model of all systems
  ParameterValues values;                             ///< values of the parameters that are the same in all systems
  SystemGrid grid;                                    ///< values of the parameters that differ between systems
  SystemResponse which;                               ///< response by which systems are compared
  std::string response;                               ///< name of the response, or the expression used instead
  const SelectionProcedure* procedure;                ///< selection procedure
  SelectionOptions options;                           ///< options of the procedure
  double time_limit;                                  ///< limit of time in seconds
  std::vector<SelectionConstraint> constraints = {};  ///< constraints that systems must satisfy
  std::vector<std::string> notes = {};  ///< notes for users about how a file was read, and about the model
  std::uint64_t data = 0;               ///< checksum of the systems that a file lists
};

/// Parses the options into a request. Throws std::invalid_argument, naming the option, if one is invalid.
SelectionRequest selection_request(const ModelDescription& model, const OptionTable& options);

}  // namespace sporos::runtime
