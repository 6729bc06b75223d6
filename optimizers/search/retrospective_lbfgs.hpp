// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/search.hpp>

#include <cstdint>

namespace sporos {

/// Options of L-BFGS over growing samples. Lengths are in units of each coordinate's scale, max(1, |start|).
struct RetrospectiveLbfgsOptions {
  std::int64_t replications = 64;  ///< Number of replications in the first stage's sample; rounded up to whole batches.
  double growth = 2;               ///< Growth factor of the sample from stage to stage; 1 for a single stage.
  double tolerance = 0.1;    ///< A stage ends if the remaining gain is at most this fraction of the sample's own error.
  double step = 0.2;         ///< Length of the first step: its largest coordinate.
  double largest_step = 10;  ///< Maximum length of any step: its largest coordinate.
  std::int64_t pairs = 10;   ///< Number of stored correction pairs.
  std::int64_t trials = 8;   ///< Maximum number of points that a line search tries.
};

/// Throws std::invalid_argument if an option is out of range.
void check(const RetrospectiveLbfgsOptions& options);

/// Retrospective approximation (Chen, Schmeiser 2001; Pasupathy: Oper. Res. 58, 2010). A stage minimizes the mean f_N
/// of N replications, the same at all points, by projected L-BFGS. The next stage starts at its result, with a sample
/// that contains the previous one and is `growth` times as large, until the budget is used up. A stage ends if
///
///     gᵀHg ≤ tolerance · Σ_b (g_b − g)ᵀH(g_b − g) / (B(B − 1)),
///
/// where g is the gradient of f_N, g_b that of one of the B = 8 batches of its replications, and H the approximate
/// inverse Hessian. The sum estimates the value of the left side at the minimum of the true objective. A stage also
/// ends if no step along −Hg or −g decreases f_N.
///
/// Coordinates that their derivatives press against a bound are held. Coordinates that a step along their own
/// derivative takes to a bound take that step. H applies to the others (Bertsekas 1982). The step follows the
/// projection arc within the bounds and backtracks until f_N decreases sufficiently (Armijo); an infinite mean counts
/// as no decrease. All coordinates must be real; gradients are required.
Search retrospective_lbfgs(SearchRun& run, RetrospectiveLbfgsOptions options);

}  // namespace sporos
