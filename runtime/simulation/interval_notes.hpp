// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/replication/result.hpp>
#include <sporos/core/sampling/sampling.hpp>

#include <span>
#include <string>
#include <vector>

namespace sporos::runtime {

/// A note for each response of which at least one interval of that confidence comes from too few observations for their
/// skewness (see observations_for_skewness).
std::vector<std::string> interval_notes(std::span<const PointResult> points, double confidence);

/// A note where `sampling` is biased, which intervals do not include (see is_unbiased).
std::vector<std::string> bias_notes(Sampling sampling);

}  // namespace sporos::runtime
