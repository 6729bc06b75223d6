// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/simulation/options.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace sporos::runtime {

/// The design points that the options describe, each checked: every row of the design file (or every point of the saved
/// run, or the usual values) with every combination of the values that the parameters' options give, the last of these
/// changing fastest. Throws std::invalid_argument, naming option, or file, line and column, for what makes no design.
std::vector<ParameterValues> design_from(const SimulateOptions& options);

/// Whether that parameter has several values among the design points.
bool varies(const std::vector<ParameterValues>& design, std::size_t parameter);

/// A design point that makes no model.
struct SkippedPoint {
  ParameterValues values;  ///< its parameters
  std::string reason;      ///< why
};

/// The same without the points that make no model, which go to `skipped`; throws where there are no others.
std::vector<ParameterValues> possible_design_from(const SimulateOptions& options, std::vector<SkippedPoint>& skipped);

}  // namespace sporos::runtime
