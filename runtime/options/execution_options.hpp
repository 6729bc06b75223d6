// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/backend.hpp>
#include <sporos/runtime/options/option_table.hpp>

#include <sporos/core/execution/execution_settings.hpp>

#include <string>
#include <vector>

namespace sporos::runtime {

/// The options --threads and --device, which every command has that computes on the backend; `help` tells of the
/// first.
std::vector<OptionEntry> execution_options(const std::string& help);

/// The option --output, where `help` says nothing else.
OptionEntry output_option(const std::string& help = "write there, all or nothing, instead of to standard output");

/// What the options --threads and --device ask for. Throws std::invalid_argument for what `backend` does not have;
/// whether the machine has that GPU is seen when the backend is started.
ExecutionSettings execution_settings(const OptionText& threads, const OptionText& device, const Backend& backend);

/// The same of a command's options.
ExecutionSettings execution_settings(const OptionTable& options, const Backend& backend);

}  // namespace sporos::runtime
