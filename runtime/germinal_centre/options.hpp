// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/usage.hpp>

#include <span>
#include <string>

namespace sporos::runtime {

/// Reads the arguments behind `sporos simulate germinal-centre`. Throws Help where that is asked for,
/// std::invalid_argument for what is no option and where no case is named; values are looked at later.
Arguments parse_germinal_centre_options(std::span<const std::string> arguments);

}  // namespace sporos::runtime
