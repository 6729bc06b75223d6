// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/optimization/run.hpp>

#include <sporos/models/inventory/newsvendor_case.hpp>

namespace sporos::runtime {

/// A newsvendor whose quantities are to be chosen.
struct NewsvendorTask {
  models::NewsvendorCase instance;

  /// Optimizes it. Throws std::invalid_argument where frank_wolfe does.
  using Runner = OptimizationOutcome(const NewsvendorTask&, const OptimizationRun&);
};

}  // namespace sporos::runtime
