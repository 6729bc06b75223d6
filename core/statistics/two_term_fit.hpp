// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>

/// Models that are sums of two terms, such as models of run times, and their fit to measurements.
namespace sporos {

/// A measured value that the model predicts as first · x + second · y.
struct TwoTermValue {
  double x;      ///< factor of the first coefficient
  double y;      ///< factor of the second coefficient
  double value;  ///< positive
};

/// The model's coefficients, neither of them negative.
struct TwoTermFit {
  double first = 0;   ///< coefficient of x
  double second = 0;  ///< coefficient of y
  double error = 0;   ///< root mean square of the relative errors
};

namespace impl {

inline double relative_error(const TwoTermFit& fit, std::span<const TwoTermValue> values) {
  double squares = 0;
  for (const auto& [x, y, value] : values) {
    const double error = (fit.first * x + fit.second * y) / value - 1;
    squares += error * error;
  }
  return std::sqrt(squares / static_cast<double>(values.size()));
}

inline void check_two_term_values(std::span<const TwoTermValue> values) {
  if (values.size() < 2) {
    throw std::invalid_argument(std::string("number of measured values is ")
                                    .append(std::to_string(values.size()))
                                    .append(", expected at least 2"));
  }
  for (const auto& [x, y, value] : values) {
    if (value > 0 && std::isfinite(value)) continue;
    throw std::invalid_argument(
        std::string("measured value is ").append(std::to_string(value)).append(", expected a finite positive number"));
  }
}

}  // namespace impl

/// Returns the nonnegative coefficients that minimize the sum of squared relative errors, so that a time of
/// microseconds counts as much as one of seconds. Throws std::invalid_argument for fewer than two values, or for a
/// value that is not positive and finite.
inline TwoTermFit fit_two_terms(std::span<const TwoTermValue> values) {
  impl::check_two_term_values(values);
  double aa = 0, ab = 0, bb = 0, a = 0, b = 0;
  for (const auto& [x, y, value] : values) {
    const double u = x / value, v = y / value;
    aa += u * u;
    ab += u * v;
    bb += v * v;
    a += u;
    b += v;
  }
  TwoTermFit best;
  best.error = std::numeric_limits<double>::infinity();
  const auto consider = [&](double first, double second) {
    if (!(first >= 0 && second >= 0 && std::isfinite(first) && std::isfinite(second))) return;
    TwoTermFit fit{first, second};
    fit.error = impl::relative_error(fit, values);
    if (fit.error < best.error) best = fit;
  };
  consider(aa > 0 ? a / aa : 0, 0);  // considers the edges of the feasible region, then its interior
  consider(0, bb > 0 ? b / bb : 0);
  const double determinant = aa * bb - ab * ab;
  constexpr double rounding = 1e-12;
  if (determinant > rounding * aa * bb) consider((a * bb - b * ab) / determinant, (b * aa - a * ab) / determinant);
  return best;
}

}  // namespace sporos
