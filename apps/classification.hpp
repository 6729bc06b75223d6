// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime_names.hpp"

#include <sporos/runtime/backend/backend.hpp>

#include <span>
#include <string>

namespace sporos::apps {

/// `sporos optimize classification` with these arguments; returns the exit status.
int classification_command(std::span<const std::string> arguments, Backend& backend);

}  // namespace sporos::apps
