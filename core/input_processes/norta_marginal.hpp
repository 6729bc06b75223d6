// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/linear_algebra/square_matrix.hpp>

#include <functional>
#include <span>
#include <vector>

namespace sporos {

/// The least and the greatest correlation that two variates can have.
struct CorrelationRange {
  double low;   ///< at least −1
  double high;  ///< at most 1
};

/// The correlation of q₁(Φ(Z₁)) and q₂(Φ(Z₂)) as a function of that of the standard normal Z₁ and Z₂, for monotone
/// quantile functions q: Σ aₖ bₖ ρᵏ with the coefficients of both in Hermite's polynomials (Mehler's formula). Compiled
/// once, for the host.
///
/// 128 terms, from quantiles at 2^14 points; what they leave to correlations of ±1 is spread over 4096 powers as jumps
/// of the quantile functions would. Errors, as measured: 1e-6 where quantile functions are smooth, 1e-3 for counts.
class NortaMarginal {
 public:
  /// Of the quantile function, u in (0, 1). Throws std::invalid_argument where it gives what is not finite, gives a
  /// constant, or where more than 1 % of the variance lies in values with a probability below 2e-9.
  explicit NortaMarginal(const std::function<double(double)>& quantile);

  /// E q.
  double mean() const { return m_mean; }
  /// The standard deviation of q.
  double deviation() const { return m_deviation; }

  /// The correlation with `other` where the normals have the correlation `normal`, in [−1, 1].
  double correlation_with(const NortaMarginal& other, double normal) const;
  /// What it can be.
  CorrelationRange range_with(const NortaMarginal& other) const;
  /// The correlation of the normals with which that with `other` is `wanted`, by bisection. Throws
  /// std::invalid_argument where no correlation gives it.
  double normal_correlation_with(const NortaMarginal& other, double wanted) const;

 private:
  std::vector<double> powers_with(const NortaMarginal& other) const;  // of ρ, from the first on

  std::vector<double> m_standardized;  // at points −c, …, c, symmetric
  std::vector<double> m_coefficients;  // of Hermite's polynomials from the first on
  double m_mean, m_deviation;
};

/// The correlations of standard normal numbers with which variates of the marginals have the `correlations`. Throws
/// std::invalid_argument where the matrix is no correlation matrix, where a pair cannot have its correlation, which
/// it names with what is possible, or where no normal vector has all of them together.
SquareMatrix normal_correlations(std::span<const NortaMarginal> marginals, const SquareMatrix& correlations);

}  // namespace sporos
