// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/backend.hpp>
#include <sporos/runtime/options/option_parser.hpp>

#include <sporos/core/execution/execution_settings.hpp>

namespace sporos::runtime {

/// The help of the option --device, which every command has that computes on the backend.
inline constexpr auto device_help =
    "CUDA: compute on that GPU, by its number in `sporos info`; usually the first that CUDA can see";

/// What the options --threads and --device ask for. Throws std::invalid_argument for what `backend` does not have;
/// whether the machine has that GPU is seen when the backend is started.
ExecutionSettings execution_settings(const OptionText& threads, const OptionText& device, const Backend& backend);

}  // namespace sporos::runtime
