// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

/// Quantiles of distributions, for confidence intervals and tests. Compiled once, because they use Boost.Math.
namespace sporos {

/// The quantile of Student's t distribution for a two-sided interval of confidence `confidence`, in (0, 1), from
/// `observations` >= 2 observations. Throws std::invalid_argument for a confidence that was rounded to 1, which can
/// happen for simultaneous intervals.
double student_t(double confidence, std::int64_t observations);

/// The quantile of Student's t distribution for a one-sided bound, or 0 for a confidence of at most 1/2, where the
/// bound would lie on the other side.
double one_sided_student_t(double confidence, std::int64_t observations);

/// The quantile of Student's t distribution at `probability`, in (0, 1], with `degrees_of_freedom` > 0, not necessarily
/// whole. A probability of 1 means 1 - 2^-54, which rounds to 1.
double student_t_quantile(double probability, double degrees_of_freedom);

/// The quantile of the normal distribution for a two-sided interval of confidence `confidence`, in (0, 1).
double normal_z(double confidence);

}  // namespace sporos
