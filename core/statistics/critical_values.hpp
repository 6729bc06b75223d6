// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

/// Quantiles of distributions that intervals and tests need. Compiled once: they are Boost.Math's.
namespace sporos {

/// The quantile of Student's t distribution that a two-sided interval of confidence `confidence`, in (0, 1), needs with
/// `observations` observations, at least two.
double student_t(double confidence, std::int64_t observations);

/// The quantile of the normal distribution that a two-sided interval of confidence `confidence`, in (0, 1), needs.
double normal_z(double confidence);

}  // namespace sporos
