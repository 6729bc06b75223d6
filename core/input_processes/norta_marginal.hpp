// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/linear_algebra/square_matrix.hpp>

#include <functional>
#include <span>
#include <vector>

namespace sporos {

/// Smallest and largest correlation that two variates can have.
struct CorrelationRange {
  double low;   ///< at least −1
  double high;  ///< at most 1
};

/// Marginal distribution for NORTA, given by a monotone quantile function q. It computes the correlation of q₁(Φ(Z₁))
/// and q₂(Φ(Z₂)) from the correlation ρ of the standard normal Z₁ and Z₂. By Mehler's formula this is Σ aₖ bₖ ρᵏ, where
/// aₖ and bₖ are the Hermite coefficients of the two functions. Host only; compiled once.
///
/// The sum has 128 terms, from quantiles at 2^14 points. The remainder at correlations of ±1 is spread over the powers
/// up to 4096 in the proportions that jumps of the quantile functions would cause. Measured errors are 1e-6 for smooth
/// quantile functions and 1e-3 for counts.
class NortaMarginal {
 public:
  /// Takes a quantile function for u in (0, 1). Throws std::invalid_argument if its values are not finite or all equal,
  /// or if more than 1 % of the variance is in values with a probability below 2e-9.
  explicit NortaMarginal(const std::function<double(double)>& quantile);

  /// Mean E q.
  double mean() const { return m_mean; }
  /// Standard deviation of q.
  double deviation() const { return m_deviation; }

  /// Correlation with `other` if the normals have the correlation `normal`, in [−1, 1].
  double correlation_with(const NortaMarginal& other, double normal) const;
  /// Range of possible correlations with `other`.
  CorrelationRange range_with(const NortaMarginal& other) const;
  /// Correlation of the normals for which the correlation with `other` is `wanted`, by bisection. Throws
  /// std::invalid_argument if no such correlation exists.
  double normal_correlation_with(const NortaMarginal& other, double wanted) const;

 private:
  std::vector<double> powers_with(const NortaMarginal& other) const;  // coefficients of ρ, ρ², …

  std::vector<double> m_standardized;  // values at the points −c, …, c, symmetric
  std::vector<double> m_coefficients;  // Hermite coefficients, starting with the first
  double m_mean, m_deviation;
};

/// Correlations of the standard normal vector for which the variates of the marginals have the given `correlations`.
/// Throws std::invalid_argument if the matrix is not a correlation matrix, if a pair cannot have its correlation (the
/// message names the pair and its range), or if no normal vector has all these correlations together.
SquareMatrix normal_correlations(std::span<const NortaMarginal> marginals, const SquareMatrix& correlations);

}  // namespace sporos
