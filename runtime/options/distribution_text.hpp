// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/distribution_choice.hpp>

#include <span>
#include <string>
#include <string_view>

namespace sporos::runtime {

/// Parses a distribution as parse_distribution does, except that tables of values are refused. Throws
/// std::invalid_argument, whose message begins with `complaint` ("--draw is 'x=normal(0)'").
DistributionChoice distribution_of(const std::string& text, std::string_view complaint);

/// Returns the quantile of `distribution`, which is no table, at the probability u, 0 < u < 1.
double quantile_of(const DistributionChoice& distribution, double u);

/// Replaces probabilities by such quantiles. Those of normal and lognormal distributions are computed together.
void replace_by_quantiles(const DistributionChoice& distribution, std::span<double> probabilities);

}  // namespace sporos::runtime
