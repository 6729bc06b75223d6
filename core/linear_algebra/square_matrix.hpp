// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

/// Small systems of equations in host memory.
///
/// Only this file and cholesky.hpp factorize them. The order of operations does not depend on the processor, because
/// input variables of replications depend on these factors and must have the same bits everywhere. A LAPACK does not
/// guarantee that. This file uses Boost.uBLAS, which has no Cholesky factorization; a third library is not worth adding
/// for it.
namespace sporos {

/// A small square matrix in host memory, row by row.
class SquareMatrix {
 public:
  /// Creates a matrix of `size` rows and columns of zeros.
  explicit SquareMatrix(std::size_t size) : m_size(size), m_entries(size * size) {}

  /// Number of rows, which is also the number of columns.
  std::size_t size() const { return m_size; }

  /// Entry at `row` and `column`, which count from 0.
  double& operator()(std::size_t row, std::size_t column) { return m_entries[row * m_size + column]; }
  /// Entry at `row` and `column`, which count from 0.
  double operator()(std::size_t row, std::size_t column) const { return m_entries[row * m_size + column]; }

  /// All entries, row by row.
  const std::vector<double>& entries() const { return m_entries; }

 private:
  std::size_t m_size;
  std::vector<double> m_entries;
};

/// The pivots of Gaussian elimination without row exchanges. `matrix` must not need exchanges: it is symmetric positive
/// definite or diagonally dominant. Pivots after a pivot of 0 have no meaning.
std::vector<double> pivots_of(const SquareMatrix& matrix);

/// The solution x of `matrix` x = `right`, by Gaussian elimination with row exchanges. All its elements are NaN if the
/// matrix is singular.
std::vector<double> solution_of(const SquareMatrix& matrix, std::vector<double> right);

/// The inverse of a symmetric matrix; empty if the matrix is not positive definite. The result is also empty if the
/// matrix is nearly singular, that is if one direction is determined by others to 8 digits.
std::optional<SquareMatrix> inverse_of_definite(const SquareMatrix& matrix);

}  // namespace sporos
