// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

/// Quantiles of distributions that intervals and tests need. Compiled once: they are Boost.Math's.
namespace sporos {

/// The quantile of Student's t distribution that a two-sided interval of confidence `confidence`, in (0, 1), needs with
/// `observations` observations, at least two. Throws std::invalid_argument for a confidence that was rounded to 1, as
/// one of intervals that hold together may be.
double student_t(double confidence, std::int64_t observations);

/// That of a one-sided bound; 0 for a confidence of at most 1/2, below which the bound would lie on the other side.
double one_sided_student_t(double confidence, std::int64_t observations);

/// The quantile of Student's t distribution at `probability`, in (0, 1], with `degrees_of_freedom` > 0, which need not
/// be whole; 1 is taken for 1 - 2^-54, which rounds to it.
double student_t_quantile(double probability, double degrees_of_freedom);

/// The quantile of the normal distribution that a two-sided interval of confidence `confidence`, in (0, 1), needs.
double normal_z(double confidence);

}  // namespace sporos
