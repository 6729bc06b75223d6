// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/results/result_document.hpp>
#include <sporos/runtime/simulation/report.hpp>

namespace sporos::runtime {

/// Adds the tables, settings and notes of everything that was requested in addition to means: control variates,
/// correlations, quantiles, probabilities, histograms, densities, requirements, and comparisons of design points.
void add_answers(const Report& report, ResultDocument& result);

/// Returns the design points that may be the best, the most probable one first. `report.best` must be set.
ResultFact best_finding(const Report& report);

}  // namespace sporos::runtime
