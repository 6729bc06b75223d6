// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// Data farming: a response over a design of factors, and the effect of each factor on it.
namespace sporos {

/// Returns a nearly orthogonal Latin hypercube of `points` points: each factor takes each level (i + ½) / points once.
/// It is the one of 2000 random designs whose columns have the smallest largest absolute correlation. The result has a
/// row per point, with values in [0, 1].
std::vector<std::vector<double>> nearly_orthogonal_design(std::size_t points, std::size_t factors, std::uint64_t seed);

/// Largest absolute correlation between two factors of a design; 0 for one factor.
double largest_correlation(std::span<const std::vector<double>> design);

/// Main effect of a factor: the response at its high end minus that at its low end, by a linear model of all factors.
struct MainEffect {
  double effect;      ///< estimate, by least squares
  double half_width;  ///< half-width by Student's t, for normal residuals; NaN without degrees of freedom
};

/// Estimates the main effects of a design's factors on a response, given at each of its points. @throws
/// std::invalid_argument if there are no more points than factors, or if columns are linearly dependent.
std::vector<MainEffect> main_effects(std::span<const std::vector<double>> design, std::span<const double> responses,
                                     double confidence);

}  // namespace sporos
