// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/distribution_choice.hpp>

#include <string>
#include <string_view>

namespace sporos::runtime {

/// The distribution that `text` describes, as parse_distribution does, but no table of values. Throws
/// std::invalid_argument, which begins as `complaint` does ("--draw is 'x=normal(0)'").
DistributionChoice distribution_of(const std::string& text, std::string_view complaint);

/// The value of `distribution`, which is no table, below which a share u of it lies, 0 < u < 1.
double quantile_of(const DistributionChoice& distribution, double u);

}  // namespace sporos::runtime
