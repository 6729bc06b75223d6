// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backend.hpp"

#include <span>
#include <string>
#include <string_view>

namespace sporos::apps {

/// What stands behind `sporos simulate` for germinal centres, and what it is for, in lists.
inline constexpr std::string_view germinal_centre_name = "germinal-centre",
                                  germinal_centre_title =
                                      "cells in tissues joined by blood and lymph, from a case file";

/// `sporos simulate germinal-centre` with these arguments; returns the exit status.
int germinal_centre_command(std::span<const std::string> arguments, Backend& backend);

}  // namespace sporos::apps
