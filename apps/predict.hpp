// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <span>
#include <string>

namespace sporos::apps {

/// `sporos predict` with these arguments; returns the exit status.
int predict_command(std::span<const std::string> arguments);

}  // namespace sporos::apps
