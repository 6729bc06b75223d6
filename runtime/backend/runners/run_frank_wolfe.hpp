// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/optimization/in_segments.hpp>
#include <sporos/runtime/optimization/tasks.hpp>

#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/optimizers/frank_wolfe/frank_wolfe.hpp>

#include <optional>
#include <utility>

namespace sporos::runtime::impl {

/// Runs Frank–Wolfe on a problem that provides its exact objective.
template <class Problem, class Region>
OptimizationOutcome run_frank_wolfe(Problem& problem, Region region, const OptimizationRun& run) {
  bool goes_on = run.goes_on;
  auto result = optimized_in_segments(
      processes_of(problem), run.state, run.options, run.callback, run.keep,
      [&](const FrankWolfeState& state, const FrankWolfeOptions& options, const FrankWolfeCallback& callback) {
        const bool begins = !std::exchange(goes_on, true);
        return begins ? frank_wolfe(problem, region, state.solution, options, callback)
                      : frank_wolfe(problem, region, state, options, callback);
      });
  const double exact = problem.exact_objective(to_device<typename Problem::execution_space>(result.solution));
  return {std::move(result), exact, std::nullopt};
}

}  // namespace sporos::runtime::impl
