// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// Data farming: a response over a design of factors, and what each factor does to it.
namespace sporos {

/// A Latin hypercube of so many points, each level (i + ½) / points of a factor once: of 2000 that are drawn at random
/// that whose columns' greatest absolute correlation is least (a nearly orthogonal one). Row by row, in [0, 1].
std::vector<std::vector<double>> nearly_orthogonal_design(std::size_t points, std::size_t factors, std::uint64_t seed);

/// The greatest absolute correlation between two factors of a design; 0 of one factor.
double greatest_correlation(std::span<const std::vector<double>> design);

/// What a factor does: the response at its high end less that at its low end, by a linear model of all factors.
struct MainEffect {
  double effect;      ///< estimate, by least squares
  double half_width;  ///< of its interval by Student's t, for residuals that are normal; NaN without degrees of freedom
};

/// The main effects of a design's factors on one response at each of its points. @throws std::invalid_argument where
/// points are not more than factors, or columns depend on each other.
std::vector<MainEffect> main_effects(std::span<const std::vector<double>> design, std::span<const double> responses,
                                     double confidence);

}  // namespace sporos
