// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>

namespace sporos::apps {

/// Writes `message` as one line on standard error. If there are several processes, only the first one writes.
void complain(std::string_view message);

/// Writes a message about a failure as one line on standard error. If only one process fails, it also writes the line,
/// whatever its rank.
void complain_of_failure(std::string_view message);

/// Clears the progress line that another thread may have written to the terminal.
void clear_status_line();

/// Whether a message has been written on standard error, or left to the first process.
bool has_complained();

}  // namespace sporos::apps
