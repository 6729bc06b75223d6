// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "failure.hpp"

#include <sporos/runtime/backend/backend.hpp>

#include <sporos/core/execution/execution_settings.hpp>

#include <string>

namespace sporos::apps {

/// Starts the backend, and sets the device that messages about later failures name.
inline void start_backend(runtime::Backend& backend, const ExecutionSettings& settings) {
  backend.start(settings);
  set_failing_device(backend.device() + " (" + std::string(backend.name()) + ")");
}

}  // namespace sporos::apps
