// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/results/result_document.hpp>
#include <sporos/runtime/simulation/report.hpp>

namespace sporos::runtime {

/// Adds the tables, settings and notes of what was asked beside means: control variates, correlations, quantiles,
/// probabilities, histograms, densities, requirements, and comparisons of design points.
void add_answers(const Report& report, ResultDocument& result);

/// The design points that may be the best, the likeliest first, of a report that has them.
ResultFact best_finding(const Report& report);

}  // namespace sporos::runtime
