// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/backend.hpp>
#include <sporos/runtime/results/output.hpp>

#include <sporos/core/execution/execution_settings.hpp>

#include <string>

namespace sporos::runtime {

/// Returns the version, devices and build options of this program as JSON. `backend` must have been started.
std::string info_json(const Backend& backend);

/// Starts the backend with these settings and returns version, devices and build options in that format. If the backend
/// cannot start, the result states the reason.
std::string info_text(Backend& backend, const ExecutionSettings& settings, Format format);

}  // namespace sporos::runtime
