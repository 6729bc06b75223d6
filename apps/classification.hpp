// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backend.hpp"

#include <span>
#include <string>

namespace sporos::apps {

/// As the command line has it.
inline constexpr auto classification_name = "classification";
/// What is minimized.
inline constexpr auto classification_title =
    "logistic classification: minimizes the mean loss over rows of a data file";

/// `sporos optimize classification` with these arguments; returns the exit status.
int classification_command(std::span<const std::string> arguments, Backend& backend);

}  // namespace sporos::apps
