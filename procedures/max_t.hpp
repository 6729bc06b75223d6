// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/linear_algebra/square_matrix.hpp>

#include <cstddef>
#include <optional>
#include <span>

namespace sporos {

/// An estimate, or the difference of two estimates: the first minus the second.
struct Contrast {
  std::size_t first;                    ///< index of the first estimate
  std::optional<std::size_t> second{};  ///< index of the estimate that is subtracted, if any
};

/// Returns the confidence that each Student interval of `contrasts` of normal estimates needs for all intervals to hold
/// simultaneously with `confidence`, in (0, 1). The joint distribution is that of T_i = Z_i / S: Z is normal with the
/// estimates' `covariance`, scaled to variances of 1, and S² is an independent χ² divided by its `degrees_of_freedom`.
/// The quantile of max |T_i| replaces Student's (Hothorn, Bretz and Westfall, Biometrical Journal 50, 2008, section 3).
/// The more the estimates are correlated, the narrower the intervals are compared with Bonferroni's; for all
/// differences of independent estimates with equal variance they are Tukey's. If `covariance` is itself estimated, this
/// holds in the limit of many observations.
///
/// The function uses 2^16 directions of Z, from Philox, and the closed-form distribution of its length. The probability
/// that all intervals hold has a standard error below √(confidence (1 − confidence)) / 256, 9e-4 at 95 %, and is exact
/// for a single contrast. Contrasts without variance are left out. All differences of 100 estimates take two seconds.
/// @throws std::invalid_argument for a covariance that is not positive semidefinite, or not finite.
double max_t_confidence(const SquareMatrix& covariance, std::span<const Contrast> contrasts, double degrees_of_freedom,
                        double confidence);

}  // namespace sporos
