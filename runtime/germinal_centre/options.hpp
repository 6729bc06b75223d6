// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/usage.hpp>

#include <span>
#include <string>
#include <string_view>

namespace sporos::runtime {

/// What stands behind `sporos simulate` for germinal centres, and what it is for, in lists.
inline constexpr std::string_view germinal_centre_name = "germinal-centre",
                                  germinal_centre_title =
                                      "cells in tissues joined by blood and lymph, from a case file";

/// `sporos simulate germinal-centre`.
Usage germinal_centre_usage();

/// Reads the arguments behind `sporos simulate germinal-centre`. Throws Help where that is asked for,
/// std::invalid_argument for what is no option and where no case is named; values are looked at later.
Arguments parse_germinal_centre_options(std::span<const std::string> arguments);

}  // namespace sporos::runtime
