// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime_names.hpp"

#include <sporos/runtime/backend/backend.hpp>
#include <sporos/runtime/simulation/options.hpp>
#include <sporos/runtime/steady_state/request.hpp>

namespace sporos::apps {

/// Carries out `sporos simulate MODEL --steady-state`. The exit status.
int estimate_steady_state(const SteadyStateRequest& request, const SimulateOptions& options, Backend& backend);

}  // namespace sporos::apps
