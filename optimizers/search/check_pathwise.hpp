// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/sampled_problem.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace sporos {

/// Options of a check of pathwise derivatives.
struct PathwiseCheckOptions {
  std::int64_t replications = 1000;  ///< Number of replications at each point.
  double error_probability = 1e-3;   ///< Probability that unbiased derivatives are reported as biased.
  double step = 1e-2;                ///< Step h of the differences, in units of max(1, |x|) of the coordinate.
  std::uint64_t seed = 1;            ///< Seed of the random numbers.
};

/// A coordinate by which the mean pathwise derivative differs from the derivative of the mean.
struct BiasedDerivative {
  std::size_t coordinate;  ///< Index of the coordinate.
  double pathwise;         ///< Mean of the pathwise derivatives.
  double difference;       ///< Mean of the differences.
  double distance;         ///< Distance between the two means, in standard errors.
};

/// Tests whether the mean of a problem's pathwise derivatives at x is the derivative of its mean. For each coordinate
/// it compares the derivative of each replication with the difference (8 (f(x + h/2) − f(x − h/2)) − (f(x + h) − f(x −
/// h))) / 6h, whose own error is of the order h⁴. The test is Student's, with the error probability divided among the
/// coordinates (Bonferroni). If objectives jump between x − h and x + h, the differences include the jumps, but the
/// derivatives do not. Returns the worst coordinate, or nothing if all pass. A bias that is small compared with the
/// standard error is not detected.
///
/// Coordinates closer to a bound than h are tested at a point that far inside it.
/// @throws std::invalid_argument if an option is out of range or bounds are less than 2h apart.
std::optional<BiasedDerivative> check_pathwise(SampledProblem& problem, std::vector<double> x,
                                               const PathwiseCheckOptions& options);

/// Two coordinates by which the mean second derivative of a quantity differs from the second derivative of its mean.
struct BiasedCurvature {
  std::size_t quantity;    ///< Index of the quantity.
  std::size_t coordinate;  ///< Index of the first coordinate.
  std::size_t along;       ///< Index of the second coordinate.
  double pathwise;         ///< Mean of the pathwise second derivatives.
  double difference;       ///< Mean of the differences of first derivatives.
  double distance;         ///< Distance between the two means, in standard errors.
};

/// Same test for second derivatives, by all pairs of coordinates and for each quantity on which the objective depends.
/// They are compared with differences of first derivatives, which must themselves pass check_pathwise. If paths have
/// kinks, as for a queue or a longest path, first derivatives jump between x − h and x + h. The differences include
/// these jumps, but the second derivatives do not. @throws std::invalid_argument in the same cases as check_pathwise,
/// also if the problem has no curvature.
std::optional<BiasedCurvature> check_curvature(SampledProblem& problem, std::vector<double> x,
                                               const PathwiseCheckOptions& options);

}  // namespace sporos
