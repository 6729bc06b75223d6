// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/replication/plan.hpp>
#include <sporos/core/replication/result.hpp>
#include <sporos/procedures/point_differences.hpp>

#include <vector>

namespace sporos {

/// Half-widths with which the intervals of all responses at all design points hold together.
struct SimultaneousIntervals {
  Simultaneous method;                           ///< of responses at a design point
  std::vector<std::vector<double>> half_widths;  ///< by design point and response
};

/// Intervals of `result` that all hold with the plan's confidence. Over design points by Bonferroni, and by Šidák where
/// they are independent; of the responses at one as `method` says, for which max_t needs the covariances. A response
/// that is constant for certain counts as none.
SimultaneousIntervals simultaneous_intervals(Simultaneous method, const Plan& plan, const ExperimentResult& result);

}  // namespace sporos
