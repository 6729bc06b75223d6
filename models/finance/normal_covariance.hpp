// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/format.hpp>
#include <sporos/core/linear_algebra/cholesky.hpp>
#include <sporos/models/finance/normal_returns.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sporos::models {

/// Thrown if a matrix is not a covariance matrix.
class CovarianceError : public std::invalid_argument {
 public:
  /// `row` and `column` count from 0; the message counts from 1.
  CovarianceError(std::size_t row, std::size_t column, double value, const std::string& expected)
      : std::invalid_argument(
            fmt::format("covariance in row {}, column {} is {}, expected {}", row + 1, column + 1, value, expected)),
        m_row(row),
        m_column(column),
        m_problem(fmt::format("is {}, expected {}", value, expected)) {}

  /// Row of the offending entry, from 0.
  std::size_t row() const { return m_row; }
  /// Column of the offending entry, from 0.
  std::size_t column() const { return m_column; }
  /// The message without its subject.
  const std::string& problem() const { return m_problem; }

 private:
  std::size_t m_row, m_column;
  std::string m_problem;
};

namespace impl {

inline void check_covariance(std::span<const double> covariance, std::size_t d) {
  if (covariance.size() != d * d) {
    throw std::invalid_argument(fmt::format("number of covariances is {}, expected {} for {} asset{}",
                                            covariance.size(), d * d, d, d == 1 ? "" : "s"));
  }
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const double below = covariance[i * d + j], above = covariance[j * d + i];
      if (!std::isfinite(below)) throw CovarianceError(i, j, below, "a finite number");
      if (!std::isfinite(above)) throw CovarianceError(j, i, above, "a finite number");
      constexpr double rounding = 1e-12;
      if (std::abs(below - above) <= rounding * std::max(std::abs(below), std::abs(above))) continue;
      throw CovarianceError(i, j, below, fmt::format("{}, as on the other side of the diagonal", above));
    }
    if (covariance[i * d + i] < 0) throw CovarianceError(i, i, covariance[i * d + i], "a variance of at least 0");
  }
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      constexpr double rounding = 1e-9;
      const double entry = covariance[i * d + j];
      const double variance = covariance[i * d + i], other = covariance[j * d + j];
      const double most = std::sqrt(variance) * std::sqrt(other);
      if (std::abs(entry) <= most * (1 + rounding)) continue;
      throw CovarianceError(
          i, j, entry,
          fmt::format("a number from {0:.6g} to {1:.6g} with the variances {2} and {3}, as in a positive semidefinite "
                      "matrix; if it is a correlation, multiply it by both standard deviations",
                      -most, most, other, variance));
    }
  }
}

}  // namespace impl

/// Whether a covariance looks like a matrix of correlations: all variances are 1, and some other entry is not 0.
inline bool is_like_correlations(std::span<const double> covariance, std::size_t d) {
  bool has_others = false;
  for (std::size_t i = 0; i < d; ++i) {
    if (covariance[i * d + i] != 1) return false;
    for (std::size_t j = 0; j < i; ++j) has_others = has_others || covariance[i * d + j] != 0;
  }
  return has_others;
}

/// Note that reports print if `is_like_correlations` holds.
inline constexpr auto note_of_correlations =
    "all variances are 1, as in a correlation matrix: if it is one, multiply each entry by both standard "
    "deviations";

/// Normally distributed returns with the d × d covariance Σ, given row by row. The loadings of the common factors are
/// the columns of the Cholesky factor of Σ, without the columns that vanish if Σ is singular. Takes d³ / 3 steps.
///
/// Throws std::invalid_argument if the sizes do not match. Throws CovarianceError if Σ is not finite, not symmetric or
/// not positive semidefinite, each beyond rounding.
inline NormalReturns normal_with_covariance(std::vector<double> means, std::span<const double> covariance) {
  const std::size_t d = means.size();
  impl::check_covariance(covariance, d);
  const double rounding = 8.0 * static_cast<double>(d) * std::numeric_limits<double>::epsilon();
  CholeskyFactor factor = cholesky_factor(covariance, d, rounding, rounding);
  if (factor.unexplained) {
    const auto [i, j] = *factor.unexplained;
    throw CovarianceError(i, j, covariance[i * d + j], "a value that makes the matrix positive semidefinite");
  }
  NormalReturns returns{std::move(means), std::vector<double>(d, 0.0), std::move(factor.columns)};
  returns.check();
  return returns;
}

}  // namespace sporos::models
