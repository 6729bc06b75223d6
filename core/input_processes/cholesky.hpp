// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/linear_algebra/cholesky.hpp>
#include <sporos/core/linear_algebra/square_matrix.hpp>

#include <cstddef>
#include <string>

namespace sporos {

namespace impl {

/// Cholesky factor: the lower triangular L with L Lᵀ = `matrix`. Throws std::invalid_argument if the matrix is not
/// symmetric or not positive definite, to 1e-12 of its diagonal. `name` is the name of the matrix in messages.
inline SquareMatrix definite_factor(const SquareMatrix& matrix, const std::string& name) {
  constexpr double rounding = 1e-12;
  const std::size_t n = matrix.size();
  const auto element = [&](std::size_t i, std::size_t j) {
    return name + "[" + std::to_string(i) + "][" + std::to_string(j) + "]";
  };
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      check_finite(element(i, j), matrix(i, j));
      check_parameter(
          matrix(i, j) == matrix(j, i), element(i, j), matrix(i, j),
          "the value of " + element(j, i) + ", " + number_text(matrix(j, i)) + ": the matrix must be symmetric");
    }
  }
  const CholeskyFactor found = cholesky_factor(matrix.entries(), n, rounding, rounding);
  SquareMatrix factor(n);
  for (std::size_t k = 0; k < found.pivots.size(); ++k) {
    for (std::size_t i = k; i < n; ++i) factor(i, k) = found.columns[k * n + i];
  }
  if (found.pivots.size() < n) {
    std::size_t row = 0;
    while (row < found.pivots.size() && found.pivots[row] == row) ++row;
    if (found.unexplained) {  // either a pivot is too small, or a later one is negative
      const auto [late, column] = *found.unexplained;
      row = found.left[column] > rounding * matrix(column, column) ? late : column;
    }
    check_parameter(false, "pivot of " + element(row, row) + " in the Cholesky factorization", found.left[row],
                    "a positive number: the matrix must be positive definite");
  }
  return factor;
}

}  // namespace impl

}  // namespace sporos
