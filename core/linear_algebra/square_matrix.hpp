// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

/// Small systems of equations in host memory.
///
/// They are factorized here and in cholesky.hpp alone, by Boost.uBLAS, in an order of operations that no processor
/// changes: inputs of replications depend on them, which have the same bits everywhere. A LAPACK does not promise that.
/// uBLAS has no Cholesky factorization, and nothing here needs a third library for it.
namespace sporos {

/// A small square matrix in host memory, row by row.
class SquareMatrix {
 public:
  /// `size` rows and columns of zeros.
  explicit SquareMatrix(std::size_t size) : m_size(size), m_entries(size * size) {}

  /// Rows, and columns.
  std::size_t size() const { return m_size; }

  /// An entry, from 0.
  double& operator()(std::size_t row, std::size_t column) { return m_entries[row * m_size + column]; }
  /// The same.
  double operator()(std::size_t row, std::size_t column) const { return m_entries[row * m_size + column]; }

  /// All entries, row by row.
  const std::vector<double>& entries() const { return m_entries; }

 private:
  std::size_t m_size;
  std::vector<double> m_entries;
};

/// The pivots of elimination without exchanges of rows. That is for matrices that need none: symmetric positive
/// definite ones, and those whose diagonals dominate. Pivots after one of 0 mean nothing.
std::vector<double> pivots_of(const SquareMatrix& matrix);

/// The x with `matrix` x = `right`, by elimination with exchanges of rows; NaN if the matrix is singular.
std::vector<double> solution_of(const SquareMatrix& matrix, std::vector<double> right);

/// The inverse of a symmetric matrix; none where it is not positive definite, or nearly so: where a direction is known
/// to 8 digits from others.
std::optional<SquareMatrix> inverse_of_definite(const SquareMatrix& matrix);

}  // namespace sporos
