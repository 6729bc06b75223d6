// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/sampled_problem.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace sporos {

/// Of a check of pathwise derivatives.
struct PathwiseCheckOptions {
  std::int64_t replications = 1000;  ///< at a point
  double error_probability = 1e-3;   ///< that unbiased derivatives are taken for biased ones
  double step = 1e-2;                ///< h of differences, in units of max(1, |x|) of the coordinate
  std::uint64_t seed = 1;            ///< names the random numbers
};

/// A coordinate by which the mean pathwise derivative is not the derivative of the mean.
struct BiasedDerivative {
  std::size_t coordinate;  ///< its place
  double pathwise;         ///< mean of the derivatives
  double difference;       ///< mean of the differences
  double distance;         ///< of the two, in standard errors
};

/// Whether the mean of a problem's pathwise derivatives at x is the derivative of its mean, as far as so many
/// replications tell: by each coordinate the replications' derivatives are compared, one by one, with their differences
/// (8 (f(x + h/2) − f(x − h/2)) − (f(x + h) − f(x − h))) / 6h, whose own error is of the order h⁴. Student's test, with
/// the error probability shared among the coordinates (Bonferroni); where objectives jump between x − h and x + h,
/// differences see the jumps and derivatives do not. The worst coordinate, or nothing where all pass. A bias that is
/// small beside the standard error of so many replications is not found.
///
/// Coordinates closer to a bound than h are compared at a point that far inside it. @throws std::invalid_argument for
/// options out of range and where bounds are not 2h apart.
std::optional<BiasedDerivative> check_pathwise(SampledProblem& problem, std::vector<double> x,
                                               const PathwiseCheckOptions& options);

/// Two coordinates by which the mean second derivative of a quantity is not the second derivative of its mean.
struct BiasedCurvature {
  std::size_t quantity;    ///< its place
  std::size_t coordinate;  ///< by which
  std::size_t along;       ///< and by which
  double pathwise;         ///< mean of the second derivatives
  double difference;       ///< mean of the differences of first ones
  double distance;         ///< of the two, in standard errors
};

/// The same for second derivatives, by all pairs of coordinates and of each quantity that the objective is a function
/// of: they are compared with such differences of first derivatives, which must themselves pass check_pathwise. Where
/// paths have kinks, as those of a queue or a longest path, first derivatives jump between x − h and x + h; differences
/// see the jumps and second derivatives do not. @throws std::invalid_argument as check_pathwise, and for a problem
/// without curvature.
std::optional<BiasedCurvature> check_curvature(SampledProblem& problem, std::vector<double> x,
                                               const PathwiseCheckOptions& options);

}  // namespace sporos
