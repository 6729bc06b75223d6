// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/simulation/options.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace sporos::runtime {

/// Whether that parameter has several values among the design points.
bool varies(const std::vector<ParameterValues>& design, std::size_t parameter);

/// A design point that makes no model.
struct SkippedPoint {
  ParameterValues values;  ///< its parameters
  std::string reason;      ///< why
};

/// A design, and how it was read.
struct ReadDesign {
  std::vector<ParameterValues> points;
  std::vector<SkippedPoint> skipped;  ///< where requirements are asked; others refuse them
  std::vector<std::string> notes;     ///< what people should know of how files were read
};

/// The design points that the options describe, each checked: every row of the design file (or every point of the saved
/// run, or the usual values) with every combination of the values that the parameters' options give, the last of these
/// changing fastest. Throws std::invalid_argument, naming option, or file, line and column, for what makes no design.
ReadDesign design_from(const SimulateOptions& options);

}  // namespace sporos::runtime
