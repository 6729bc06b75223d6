// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../optimizer.hpp"

#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/optimizers/frank_wolfe/frank_wolfe.hpp>

#include <optional>

namespace sporos::apps::impl {

/// Runs Frank–Wolfe on a problem that knows its exact objective.
template <class Problem, class Region>
OptimizationOutcome run_frank_wolfe(Problem& problem, Region region, const OptimizationRun& run) {
  const auto& [options, state, goes_on, callback] = run;
  auto result = goes_on ? frank_wolfe(problem, region, state, options, callback)
                        : frank_wolfe(problem, region, state.solution, options, callback);
  using Space = typename Problem::execution_space;
  const double exact = problem.exact_objective(to_device<Space>(result.solution));
  return {std::move(result), exact, std::nullopt};
}

}  // namespace sporos::apps::impl
