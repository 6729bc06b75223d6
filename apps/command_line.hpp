// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime_names.hpp"

#include <sporos/runtime/backend/backend.hpp>
#include <sporos/runtime/backend/processes.hpp>

#include <string>
#include <vector>

namespace sporos::apps {

/// Runs the command that `arguments` (without the program's name) request. Returns 0 for success, and 1 if the command
/// fails while it runs. Returns 2 for bad input, for output that cannot be written, and for a precision or gap that was
/// not reached. Returns 128 + signal if a signal ended the run. Any status but 0 comes with one line on standard error.
/// Processes that were started together share the work, as `session` arranges, and the first one reports.
int run_command_line(const std::vector<std::string>& arguments, ProcessSession& session, Backend& backend);

}  // namespace sporos::apps
