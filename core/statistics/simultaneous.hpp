// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

/// With which confidence single intervals are made that are to hold all together.
namespace sporos {

/// The confidence of each of `count` >= 1 intervals all of which hold together with at least `confidence`, in (0, 1),
/// however they depend on each other (Bonferroni): 1 − (1 − confidence) / count.
double bonferroni_confidence(double confidence, std::int64_t count);

/// The same of intervals that are independent (Šidák, J. Amer. Statist. Assoc. 62, 1967): confidence^(1 / count).
double sidak_confidence(double confidence, std::int64_t count);

/// The probability that the range of `groups` >= 2 independent standard normals, divided by the square root of an
/// independent χ² over its `degrees_of_freedom` > 0, is at most `range`: the distribution of the studentized range, by
/// quadrature, to 1e-9.
double studentized_range_probability(double range, std::int64_t groups, double degrees_of_freedom);

/// Its quantile at `confidence`, in (0, 1), to 1e-8 of itself. All differences of `groups` independent means have
/// intervals that hold together with `confidence` where each has a half-width of quantile / √2 standard errors (Tukey,
/// The problem of multiple comparisons, 1953).
double studentized_range(double confidence, std::int64_t groups, double degrees_of_freedom);

}  // namespace sporos
