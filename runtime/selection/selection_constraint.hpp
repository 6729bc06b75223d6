// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/simulation/model_description.hpp>

#include <sporos/procedures/ranking_and_selection/system_grid.hpp>
#include <sporos/procedures/ranking_and_selection/systems.hpp>

#include <string>

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

}  // namespace sporos::runtime
