// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime_names.hpp"

#include <sporos/runtime/backend/backend.hpp>
#include <sporos/runtime/backend/processes.hpp>

#include <string>
#include <vector>

namespace sporos::apps {

/// Does what `arguments` (without the program's name) ask for and returns the exit status: 0; 1 for a failure under
/// way; 2 for bad input, output that cannot be written and a precision or gap that was not reached; 128 + signal where
/// a signal ended the run. Whatever is not 0 comes with one line on standard error. Processes that were begun together
/// do it together, which `session` sees to, and the first reports.
int run_command_line(const std::vector<std::string>& arguments, ProcessSession& session, Backend& backend);

}  // namespace sporos::apps
