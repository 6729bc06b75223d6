// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/simulation/model_description.hpp>

#include <sporos/procedures/ranking_and_selection/system_grid.hpp>
#include <sporos/procedures/ranking_and_selection/systems.hpp>

#include <string>

namespace sporos::runtime {

/// A constraint on mean responses that systems are to meet, and how it is shown to people: as what is compared with a
/// number, where that stands alone on a side.
struct SelectionConstraint {
  std::string text;             ///< as it was written
  std::string name;             ///< what is compared with a limit
  bool is_at_least;             ///< whether it is to be the limit at least, and not at most
  double limit;                 ///< a number
  ResponseConstraint observed;  ///< what is to be below a limit

  /// The mean of what is compared, and its variance, where it exceeds the limit so.
  SystemEstimate of_excess(SystemEstimate excess) const {
    excess.mean = limit + (is_at_least ? -excess.mean : excess.mean);
    return excess;
  }
};

/// That in `text`, of systems of `model` whose other parameters have these values. Throws std::invalid_argument, naming
/// --subject-to, where it is no inequality between sums of responses with constant weights, and where a parameter
/// stands in it that differs between systems.
SelectionConstraint selection_constraint(const std::string& text, const ModelDescription& model,
                                         const ParameterValues& values, const SystemGrid& grid);

}  // namespace sporos::runtime
