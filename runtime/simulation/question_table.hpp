// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/simulation/report.hpp>

#include <string>

namespace sporos::runtime {

/// A line for each quantile of each response at each design point.
std::string quantiles_table(const Report& report);

/// The means with control variates, of a report that has them.
std::string controls_table(const Report& report);

/// The probabilities that were asked for, of a report that has them.
std::string probabilities_table(const Report& report);

/// A line for each bin of each histogram, of a report that has them.
std::string histograms_table(const Report& report);

/// A line for each response with its correlations with all, of a report that has covariances.
std::string correlations_table(const Report& report);

/// A line for each point of each density, of a report that has them.
std::string densities_table(const Report& report);

/// A line for each design point: whether it keeps the requirements, and what it costs.
std::string requirements_table(const Report& report);

/// Whether there are design points that have failed, or make no model.
bool has_points_without_results(const Report& report);

/// A line for each of the first of these.
std::string without_results_text(const Report& report);

}  // namespace sporos::runtime
