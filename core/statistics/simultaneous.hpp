// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

/// Confidence levels of single intervals that hold simultaneously (family-wise confidence).
namespace sporos {

/// The confidence of each of `count` >= 1 intervals that hold simultaneously with a confidence of at least
/// `confidence`, in (0, 1), however they depend on each other (Bonferroni): 1 − (1 − confidence) / count.
double bonferroni_confidence(double confidence, std::int64_t count);

/// The confidence of each of `count` independent intervals that hold simultaneously with `confidence` (Šidák (1967), J.
/// Amer. Statist. Assoc. 62): confidence^(1 / count).
double sidak_confidence(double confidence, std::int64_t count);

/// The distribution function of the studentized range: the probability that the range of `groups` >= 2 independent
/// standard normals, divided by the square root of an independent χ² over its `degrees_of_freedom` > 0, is at most
/// `range`. Computed by quadrature, to 1e-9.
double studentized_range_probability(double range, std::int64_t groups, double degrees_of_freedom);

/// The quantile of the studentized range at `confidence`, in (0, 1), to a relative error of 1e-8. Intervals for all
/// differences of `groups` independent means hold simultaneously with `confidence` if each has a half-width of
/// quantile / √2 standard errors (Tukey (1953), The problem of multiple comparisons).
double studentized_range(double confidence, std::int64_t groups, double degrees_of_freedom);

}  // namespace sporos
