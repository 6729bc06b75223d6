// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime_names.hpp"

#include <sporos/runtime/backend/backend.hpp>

#include <span>
#include <string>

namespace sporos::apps {

/// `sporos calibrate` with these arguments; returns the exit status.
int calibrate_command(std::span<const std::string> arguments, Backend& backend);

}  // namespace sporos::apps
