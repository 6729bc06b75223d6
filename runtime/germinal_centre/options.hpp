// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/usage.hpp>

#include <span>
#include <string>

namespace sporos::runtime {

/// Reads the arguments after `sporos simulate germinal-centre`. Throws Help if help is requested, std::invalid_argument
/// for an unknown option or if no case or no --hours is given. Values of options are not checked.
Arguments parse_germinal_centre_options(std::span<const std::string> arguments);

}  // namespace sporos::runtime
