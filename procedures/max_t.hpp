// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/linear_algebra/square_matrix.hpp>

#include <cstddef>
#include <optional>
#include <span>

namespace sporos {

/// An estimate, or the difference of two: the first one less the second one.
struct Contrast {
  std::size_t first;                    ///< its index
  std::optional<std::size_t> second{};  ///< what is subtracted; nothing where it is one estimate alone
};

/// The confidence of each of the Student intervals of `contrasts` of normal estimates, with which all hold together
/// with `confidence`, in (0, 1): their joint distribution is that of T_i = Z_i / S, Z normal with the estimates'
/// `covariance`, scaled to variances of 1, and S² an independent χ² over its `degrees_of_freedom`; the quantile of
/// max |T_i| takes the place of Student's (Hothorn, Bretz and Westfall, Biometrical Journal 50, 2008, section 3). The
/// more estimates are correlated, the narrower are the intervals beside Bonferroni's; for independent ones of equal
/// variance all differences have Tukey's. Where `covariance` is itself estimated, that is so in the limit of many
/// observations.
///
/// By 2^16 directions of Z, from Philox, with the distribution of its length in closed form: the probability that all
/// hold errs by a standard error below √(confidence (1 − confidence)) / 256, 9e-4 at 95 %, and by nothing for a single
/// contrast. Contrasts without variance are left out. Takes two seconds for all differences of 100 estimates.
/// @throws std::invalid_argument for a covariance that is not positive semidefinite, or not finite.
double max_t_confidence(const SquareMatrix& covariance, std::span<const Contrast> contrasts, double degrees_of_freedom,
                        double confidence);

}  // namespace sporos
