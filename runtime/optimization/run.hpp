// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/frank_wolfe/options.hpp>
#include <sporos/optimizers/frank_wolfe/result.hpp>

#include <functional>
#include <optional>

namespace sporos::runtime {

/// How a problem is to be optimized.
struct OptimizationRun {
  FrankWolfeOptions options;
  FrankWolfeState state;        ///< to go on from, or only its solution to start at
  bool goes_on;                 ///< which of the two
  FrankWolfeCallback callback;  ///< shown every point of the trajectory
  /// Is given the state where the callback has made a pause, after which the run goes on.
  std::function<void(const FrankWolfeState&)> keep;
};

/// What came of it.
struct OptimizationOutcome {
  FrankWolfeResult result;
  double exact_objective;         ///< f at the solution, without sampling
  std::optional<double> optimum;  ///< its least value, where theory knows it
};

}  // namespace sporos::runtime
