// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/bits.hpp>
#include <sporos/optimizers/quasi_newton/options.hpp>
#include <sporos/optimizers/quasi_newton/result.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>

namespace sporos::impl {

/// The products sᵀs, sᵀy and yᵀy of a pair.
struct PairNumbers {
  double ss = 0, sy = 0, yy = 0;
};

/// Decision on a correction pair. If the pair is damped, share_of_y · y + share_of_s · s is stored instead of y.
struct PairVerdict {
  bool is_stored = false, is_damped = false;
  double share_of_y = 1, share_of_s = 0;

  /// Coordinate of the y that is stored.
  KOKKOS_FUNCTION double y(double of_s, double of_y) const {
    return is_damped ? share_of_y * of_y + share_of_s * of_s : of_y;
  }
  KOKKOS_FUNCTION void count_in(CorrectionPairCounts& counts) const {
    counts.stored += is_stored;
    counts.damped += is_stored && is_damped;
    counts.skipped += !is_stored;
  }
};

/// Decides whether the options store, damp or skip a pair.
KOKKOS_INLINE_FUNCTION PairVerdict judged(const PairNumbers& of, const CorrectionPairOptions& options) {
  using math::impl::is_finite;
  const double largest = std::sqrt(of.ss) * std::sqrt(of.yy);  // upper bound of sᵀy
  PairVerdict verdict;
  verdict.is_damped = options.damp_below > 0 && of.sy < options.damp_below * largest;
  verdict.is_stored = is_finite(largest) && largest > 0 && is_finite(of.sy) &&
                      (verdict.is_damped || of.sy > options.skip_up_to * largest);
  if (verdict.is_damped) {
    verdict.share_of_y = (1 - options.damp_below) * largest / (largest - of.sy);
    verdict.share_of_s = (1 - verdict.share_of_y) * std::sqrt(of.yy / of.ss);
  }
  return verdict;
}

}  // namespace sporos::impl
