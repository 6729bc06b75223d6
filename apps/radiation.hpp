// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backend.hpp"

#include <span>
#include <string>
#include <string_view>

namespace sporos::apps {

/// What stands behind `sporos simulate` for radiation, and what it is for, in lists.
inline constexpr std::string_view radiation_name = "radiation",
                                  radiation_title = "photons between two plates, from a case file";

/// `sporos simulate radiation` with these arguments; returns the exit status.
int radiation_command(std::span<const std::string> arguments, Backend& backend);

}  // namespace sporos::apps
