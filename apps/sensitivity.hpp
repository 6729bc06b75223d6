// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime_names.hpp"

#include <sporos/runtime/backend/backend.hpp>
#include <sporos/runtime/sensitivity/request.hpp>
#include <sporos/runtime/simulation/options.hpp>

namespace sporos::apps {

/// Carries out `sporos simulate MODEL --sensitivity` or `--input`. The exit status.
int analyse_sensitivity(const SensitivityRequest& request, const SimulateOptions& options, Backend& backend);

}  // namespace sporos::apps
