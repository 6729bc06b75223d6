// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backend.hpp"

#include <span>
#include <string>

namespace sporos::apps {

/// `sporos info` with these arguments; returns the exit status.
int info_command(std::span<const std::string> arguments, Backend& backend);

/// What it writes as JSON; `backend` has been started.
std::string info_json(const Backend& backend);

}  // namespace sporos::apps
