// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/backend.hpp>
#include <sporos/runtime/options/option_table.hpp>

#include <sporos/core/execution/execution_settings.hpp>

#include <string>
#include <vector>

namespace sporos::runtime {

/// The options --threads and --device of all commands that compute on the backend. `help` is the help of --threads.
std::vector<OptionEntry> execution_options(const std::string& help);

/// The option --output.
OptionEntry output_option(const std::string& help = "write to FILE, all or nothing, instead of standard output");

/// Returns the settings that the options --threads and --device request. Throws std::invalid_argument if `backend` does
/// not support them. Whether the machine has that GPU is checked when the backend is started.
ExecutionSettings execution_settings(const OptionText& threads, const OptionText& device, const Backend& backend);

/// Returns the settings that a command's options --threads and --device request.
ExecutionSettings execution_settings(const OptionTable& options, const Backend& backend);

}  // namespace sporos::runtime
