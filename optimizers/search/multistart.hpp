// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/search.hpp>

#include <cstdint>

namespace sporos {

/// Of several starts.
struct MultistartOptions {
  std::int64_t starts = 8;   ///< with the run's own one
  double final_share = 0.1;  ///< part of the budget that is kept for the comparison of their ends
};

/// Throws std::invalid_argument for options out of range.
void check(const MultistartOptions& options);

/// Runs `solver` from the run's start and from points drawn uniformly within the bounds, side by side, each with an
/// equal part of the budget; then recommends the end with the lowest mean by all replications that are left, the same
/// ones at all ends and none that the solver has seen. Under constraints on means it is the best end by certificates
/// (best_certified), which hold together with probability 0.95. Until then it recommends what the solver does that
/// began at the run's start. Integers too, where the solver takes them. @throws std::invalid_argument where a bound is
/// infinite.
Search multistart(SearchRun& run, Solver solver, MultistartOptions options);

}  // namespace sporos
