// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "simulate_options.hpp"

#include <string>
#include <vector>

namespace sporos::apps {

/// The design points that the options describe, each checked: every row of the design file (or every point of the saved
/// run, or the usual values) with every combination of the values that the parameters' options give, the last of these
/// changing fastest. Throws std::invalid_argument, naming option, or file, line and column, for what makes no design.
std::vector<ParameterValues> design_from(const SimulateOptions& options);

}  // namespace sporos::apps
