// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/checks.hpp>
#include <sporos/optimizers/quasi_newton/result.hpp>

#include <cstdint>
#include <vector>

namespace sporos::impl {

/// Returns a state with only a point.
inline QuasiNewtonState start_at(const std::vector<double>& point) {
  QuasiNewtonState state;
  state.solution = point;
  return state;
}

/// Throws std::invalid_argument if a run cannot start from `state`. Pairs are checked when they are restored.
inline void check_start(const QuasiNewtonState& state, std::int64_t dimension) {
  check_start_point(state.solution, dimension);
  check_parameter(state.iteration >= 0, "iteration of the start", state.iteration, "at least 0");
  if (!state.sum.empty()) check_dimension("sum of iterates", static_cast<std::int64_t>(state.sum.size()), dimension);
  if (!state.average.empty()) {
    check_dimension("average of iterates", static_cast<std::int64_t>(state.average.size()), dimension);
  }
}

}  // namespace sporos::impl
