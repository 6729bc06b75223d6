// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/replication/plan.hpp>
#include <sporos/core/replication/result.hpp>
#include <sporos/procedures/point_differences.hpp>

#include <vector>

namespace sporos {

/// Half-widths with which the intervals of all responses at all design points hold simultaneously.
struct SimultaneousIntervals {
  Simultaneous method;                           ///< method for the responses at a design point
  std::vector<std::vector<double>> half_widths;  ///< half-widths by design point and response
};

/// Returns intervals of `result` that hold simultaneously with the plan's confidence. Design points are combined by
/// Bonferroni, or by Šidák if they are independent. The responses at one design point are combined by `method`; max_t
/// requires their covariances. A response that is certain to be constant is not counted.
SimultaneousIntervals simultaneous_intervals(Simultaneous method, const Plan& plan, const ExperimentResult& result);

}  // namespace sporos
