// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/search.hpp>

#include <cstdint>

namespace sporos {

/// Of L-BFGS over samples that grow. Lengths are in units of each coordinate's scale, max(1, |start|).
struct RetrospectiveLbfgsOptions {
  std::int64_t replications = 64;  ///< in the first stage's sample; rounded up to whole batches
  double growth = 2;               ///< factor of the sample from stage to stage; 1 for one stage alone
  double tolerance = 0.1;          ///< a stage ends where what is left to gain is this part of the sample's own error
  double step = 0.2;               ///< the first one's greatest coordinate
  double greatest_step = 10;       ///< the same of any step
  std::int64_t pairs = 10;         ///< correction pairs that are kept
  std::int64_t trials = 8;         ///< points that a line search tries
};

/// Throws std::invalid_argument for options out of range.
void check(const RetrospectiveLbfgsOptions& options);

/// Retrospective approximation (Chen, Schmeiser 2001; Pasupathy: Oper. Res. 58, 2010): a stage minimizes the mean f_N
/// of N replications, the same ones at all points, by projected L-BFGS; the next one begins where it ended, with a
/// sample that contains it and is `growth` times as large, until the budget is used up. A stage ends where
///
///     gᵀHg ≤ tolerance · Σ_b (g_b − g)ᵀH(g_b − g) / (B(B − 1)),
///
/// g being the gradient of f_N, g_b that of one of the B = 8 batches that its replications are divided into, H the
/// approximate inverse Hessian: the right side estimates what the left one is at the minimum of the objective itself.
/// It also ends where no step along −Hg and along −g lowers f_N.
///
/// Coordinates at a bound that their derivatives press them against are held; those that a step along their own
/// derivative takes there, take it; H acts on the others (Bertsekas 1982). The step then goes along the arc of
/// projections within the bounds, backwards until f_N falls enough (Armijo); where the mean is infinite it has not
/// fallen. The coordinates are real, the problem gives gradients.
Search retrospective_lbfgs(SearchRun& run, RetrospectiveLbfgsOptions options);

}  // namespace sporos
