// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/replication/result.hpp>
#include <sporos/core/sampling/sampling.hpp>

#include <span>
#include <string>
#include <vector>

namespace sporos::runtime {

/// Returns a note for each response that has an interval from too few observations for their skewness, at one or more
/// of the points (see observations_for_skewness). `confidence` is that of the intervals.
std::vector<std::string> interval_notes(std::span<const PointResult> points, double confidence);

/// Returns a note if `sampling` is biased: intervals do not include the bias (see is_unbiased).
std::vector<std::string> bias_notes(Sampling sampling);

}  // namespace sporos::runtime
