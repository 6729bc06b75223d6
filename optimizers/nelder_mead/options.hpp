// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/choice.hpp>
#include <sporos/optimizers/checks.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace sporos {

/// Coefficients of reflection, expansion, contraction and shrinkage.
enum class NelderMeadCoefficients {
  original,  ///< 1, 2, 1/2, 1/2 (Nelder and Mead 1965).
  adaptive   ///< 1, 1 + 2/n, 3/4 − 1/(2n), 1 − 1/n in n > 1 dimensions (Gao and Han 2012).
};

/// Names of the coefficients.
template <>
struct ChoiceNames<NelderMeadCoefficients> {
  static constexpr std::string_view what = "Nelder-Mead coefficients";  ///< Noun for the choice in messages.
  /// Pairs of name and value.
  static constexpr auto values = std::to_array<NamedValue<NelderMeadCoefficients>>(
      {{"original", NelderMeadCoefficients::original}, {"adaptive", NelderMeadCoefficients::adaptive}});
};

/// Bounds of the coordinates of a point; they may be infinite.
struct Bounds {
  std::vector<double> lower;  ///< Lower bound of each coordinate.
  std::vector<double> upper;  ///< Upper bound of each coordinate, above the lower bound.
};

/// All options of nelder_mead other than objective and start. Only `time_limit` makes the result depend on the machine.
struct NelderMeadOptions {
  /// Coefficients of the moves.
  NelderMeadCoefficients coefficients = NelderMeadCoefficients::original;
  /// Convergence requires that the largest distance in any coordinate between the best and any other vertex is at most
  /// this value. Infinity disables the criterion. A distance of a few units in the last place of the best vertex, which
  /// is due to rounding, always satisfies it. A simplex that shrinks to that size has converged whatever its values.
  double size_tolerance = 1e-8;
  /// Convergence also requires that the difference between the values at the worst and the best vertex is at most this
  /// value. Rounding and infinity are treated as for `size_tolerance`.
  double value_tolerance = 1e-8;
  /// Number of evaluations of a simplex after which it starts no further iteration.
  std::int64_t evaluations = 100'000;
  /// Number of iterations of a simplex after which it starts no further one.
  std::int64_t iterations = std::numeric_limits<std::int64_t>::max();
  /// Maximum number of restarts. A converged simplex is replaced by one around its best vertex, with the first
  /// simplex's steps along the axes and their signs changed each time. Restarts end if one gains at most `min_gain`.
  std::int64_t restarts = 0;
  /// Decrease of the best value from one convergence to the next that is required for another restart.
  double min_gain = 1e-8;
  /// Maximum number of oriented restarts (Kelley 1999). If an iteration decreases the mean of the vertices' values by
  /// less than the simplex gradient predicts, a small simplex along the axes replaces it, oriented downhill.
  std::int64_t oriented_restarts = 0;
  /// Interval, in iterations, at which the best vertex is evaluated again, for noisy objectives; 0 disables it. The
  /// best vertex is also evaluated again after new vertices of a start or restart. The value of a vertex is the mean of
  /// its evaluations.
  std::int64_t reevaluation_interval = 0;
  /// Time in seconds after which no further round of steps starts.
  double time_limit = std::numeric_limits<double>::infinity();
  /// Bounds of the coordinates: none, one for all starts, or one for each (see BoundedObjective).
  std::vector<Bounds> bounds = {};
};

/// Throws std::invalid_argument, with a message that states the option, its value and the expected range, if the bounds
/// are not valid for a point of `dimension` coordinates.
inline void check(const Bounds& bounds, std::size_t dimension) {
  using impl::check_dimension;
  check_dimension("lower bounds", static_cast<std::int64_t>(bounds.lower.size()), static_cast<std::int64_t>(dimension));
  check_dimension("upper bounds", static_cast<std::int64_t>(bounds.upper.size()), static_cast<std::int64_t>(dimension));
  for (std::size_t i = 0; i < dimension; ++i) {
    const auto name = std::string("lower bound of coordinate ").append(std::to_string(i));
    const auto expected = std::string("a number below the upper bound, ").append(impl::number_text(bounds.upper[i]));
    impl::check_parameter(bounds.lower[i] < bounds.upper[i], name, bounds.lower[i], expected);
  }
}

/// Throws std::invalid_argument if an option is out of range. Bounds are checked with the starts.
inline void check(const NelderMeadOptions& options) {
  using impl::check_parameter;
  check_parameter(options.size_tolerance >= 0, "size tolerance", options.size_tolerance, "a number of at least 0");
  check_parameter(options.value_tolerance >= 0, "value tolerance", options.value_tolerance, "a number of at least 0");
  check_parameter(options.evaluations >= 1, "number of evaluations", options.evaluations, "at least 1");
  check_parameter(options.iterations >= 0, "number of iterations", options.iterations, "at least 0");
  check_parameter(options.restarts >= 0, "number of restarts", options.restarts, "at least 0");
  check_parameter(options.min_gain >= 0, "minimum gain of a restart", options.min_gain, "a number of at least 0");
  check_parameter(options.oriented_restarts >= 0, "number of oriented restarts", options.oriented_restarts,
                  "at least 0");
  check_parameter(options.reevaluation_interval >= 0, "re-evaluation interval", options.reevaluation_interval,
                  "a number of iterations, or 0 for never");
  check_parameter(options.time_limit > 0, "time limit", options.time_limit, "a positive number of seconds");
}

}  // namespace sporos
