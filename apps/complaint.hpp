// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>

namespace sporos::apps {

/// Writes `message` as one line on standard error; of several processes the first does.
void complain(std::string_view message);

/// The same where something has failed: a process that fails alone is heard too, whichever it is.
void complain_of_failure(std::string_view message);

/// Clears the line of progress of another thread, which may be on the terminal.
void clear_status_line();

/// Whether any of that has happened.
bool has_complained();

}  // namespace sporos::apps
