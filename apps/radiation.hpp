// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime_names.hpp"

#include <sporos/runtime/backend/backend.hpp>

#include <span>
#include <string>
#include <string_view>

namespace sporos::apps {

/// `sporos simulate radiation` with these arguments; returns the exit status.
int radiation_command(std::span<const std::string> arguments, Backend& backend);

}  // namespace sporos::apps
