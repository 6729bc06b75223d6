// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime_names.hpp"

#include <sporos/runtime/array_rqmc/request.hpp>
#include <sporos/runtime/backend/backend.hpp>
#include <sporos/runtime/multilevel/request.hpp>
#include <sporos/runtime/rare_events/request.hpp>
#include <sporos/runtime/simulation/options.hpp>
#include <sporos/runtime/stratification/request.hpp>

namespace sporos::apps {

/// Carries out `sporos simulate MODEL --rare-event`. The exit status.
int estimate_rare_event(const RareEventRequest& request, const SimulateOptions& options, Backend& backend);

/// Carries out `sporos simulate MODEL --multilevel`. The exit status.
int estimate_multilevel(const MultilevelRequest& request, const SimulateOptions& options, Backend& backend);

/// Carries out `sporos simulate MODEL --stratify`. The exit status.
int estimate_from_strata(const StratifiedRequest& request, const SimulateOptions& options, Backend& backend);

/// Carries out `sporos simulate MODEL --array-rqmc`. The exit status.
int estimate_by_arrays(const ArrayRqmcRequest& request, const SimulateOptions& options, Backend& backend);

}  // namespace sporos::apps
