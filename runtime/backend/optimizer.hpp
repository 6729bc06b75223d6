// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/frank_wolfe/options.hpp>
#include <sporos/optimizers/frank_wolfe/result.hpp>

#include <functional>
#include <optional>

namespace sporos::runtime {

struct PortfolioTask;
struct NewsvendorTask;
struct ClassificationTask;
struct ClassificationRun;
struct ClassificationOutcome;

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

/// Optimizes on the backend for which this program is built. Each is compiled alone, in runners/. Throw
/// std::invalid_argument where frank_wolfe or the region do.
OptimizationOutcome optimized(const PortfolioTask& task, const OptimizationRun& run);
/// The same for a newsvendor.
OptimizationOutcome optimized(const NewsvendorTask& task, const OptimizationRun& run);
/// Learns a classification, as above. Throws std::invalid_argument where sqn or lbfgs do.
ClassificationOutcome optimized(const ClassificationTask& task, const ClassificationRun& run);

}  // namespace sporos::runtime
