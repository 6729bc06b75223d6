// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/choice.hpp>
#include <sporos/optimizers/checks.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace sporos {

/// By how much a simplex is reflected, expanded, contracted and shrunk.
enum class NelderMeadCoefficients {
  original,  ///< 1, 2, 1/2, 1/2 (Nelder and Mead 1965)
  adaptive   ///< 1, 1 + 2/n, 3/4 − 1/(2n), 1 − 1/n in n > 1 dimensions (Gao and Han 2012)
};

/// Names of the coefficients.
template <>
struct ChoiceNames<NelderMeadCoefficients> {
  static constexpr std::string_view what = "Nelder-Mead coefficients";  ///< what is chosen
  /// name and value of each
  static constexpr auto values = std::to_array<NamedValue<NelderMeadCoefficients>>(
      {{"original", NelderMeadCoefficients::original}, {"adaptive", NelderMeadCoefficients::adaptive}});
};

/// Where the coordinates of a point may lie. A bound may be infinite.
struct Bounds {
  std::vector<double> lower;  ///< of each coordinate
  std::vector<double> upper;  ///< of each coordinate, above the lower one
};

/// Everything about a run of nelder_mead that is neither objective nor start. Only `time_limit` lets the machine decide
/// the result.
struct NelderMeadOptions {
  /// Coefficients of the moves.
  NelderMeadCoefficients coefficients = NelderMeadCoefficients::original;
  /// The largest distance in any coordinate between the best and any other vertex with which a simplex has converged;
  /// what rounding leaves of one, a few units in the last place of the best vertex, is small enough in any case, and a
  /// simplex that shrinks to it has converged whatever its values. Infinity asks for nothing.
  double size_tolerance = 1e-8;
  /// The largest difference between the values at the worst and the best vertex, which must hold too; rounding and
  /// infinity as above.
  double value_tolerance = 1e-8;
  /// Evaluations of a simplex after which it begins no further iteration.
  std::int64_t evaluations = 100'000;
  /// Iterations of a simplex after which it begins no further one.
  std::int64_t iterations = std::numeric_limits<std::int64_t>::max();
  /// Most restarts: a simplex that has converged is replaced by one of the first one's steps along the axes, their
  /// signs changed each time, around its best vertex, until that brings no more than `least_gain`.
  std::int64_t restarts = 0;
  /// How much the best value must fall from one convergence to the next for another restart.
  double least_gain = 1e-8;
  /// Most oriented restarts (Kelley 1999): where an iteration lowers the mean of the vertices' values by less than the
  /// simplex gradient promises, the simplex is replaced by a small one along the axes, towards where that gradient
  /// falls.
  std::int64_t oriented_restarts = 0;
  /// For an objective with noise: after each iteration whose number is a multiple of it, and after new vertices of a
  /// start or restart, the best vertex is evaluated again. A vertex has the mean of its evaluations as value. 0 for
  /// never.
  std::int64_t reevaluation_interval = 0;
  /// Seconds after which no further round of steps is begun.
  double time_limit = std::numeric_limits<double>::infinity();
  /// Bounds of the coordinates: none, one for all starts, or one for each. See BoundedObjective.
  std::vector<Bounds> bounds = {};
};

/// Throws std::invalid_argument, naming option, value and what was expected, for bounds that are no bounds of a point
/// of `dimension` coordinates.
inline void check(const Bounds& bounds, std::size_t dimension) {
  using impl::check_dimension;
  check_dimension("lower bounds", static_cast<std::int64_t>(bounds.lower.size()), static_cast<std::int64_t>(dimension));
  check_dimension("upper bounds", static_cast<std::int64_t>(bounds.upper.size()), static_cast<std::int64_t>(dimension));
  for (std::size_t i = 0; i < dimension; ++i) {
    const auto name = std::string("lower bound of coordinate ").append(std::to_string(i));
    const auto expected = std::string("a number below the upper one, ").append(impl::number_text(bounds.upper[i]));
    impl::check_parameter(bounds.lower[i] < bounds.upper[i], name, bounds.lower[i], expected);
  }
}

/// The same for options that cannot be carried out. Bounds are checked with the starts.
inline void check(const NelderMeadOptions& options) {
  using impl::check_parameter;
  check_parameter(options.size_tolerance >= 0, "size tolerance", options.size_tolerance, "a number of at least 0");
  check_parameter(options.value_tolerance >= 0, "value tolerance", options.value_tolerance, "a number of at least 0");
  check_parameter(options.evaluations >= 1, "number of evaluations", options.evaluations, "at least 1");
  check_parameter(options.iterations >= 0, "number of iterations", options.iterations, "at least 0");
  check_parameter(options.restarts >= 0, "number of restarts", options.restarts, "at least 0");
  check_parameter(options.least_gain >= 0, "least gain of a restart", options.least_gain, "a number of at least 0");
  check_parameter(options.oriented_restarts >= 0, "number of oriented restarts", options.oriented_restarts,
                  "at least 0");
  check_parameter(options.reevaluation_interval >= 0, "re-evaluation interval", options.reevaluation_interval,
                  "a number of iterations, or 0 for never");
  check_parameter(options.time_limit > 0, "time limit", options.time_limit, "a positive number of seconds");
}

}  // namespace sporos
