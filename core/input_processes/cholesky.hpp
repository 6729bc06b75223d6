// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/linear_algebra/square_matrix.hpp>

#include <cmath>
#include <cstddef>
#include <string>

namespace sporos {

namespace impl {

/// The lower triangle L with L Lᵀ = `matrix` (Cholesky). Throws std::invalid_argument for a matrix that is not
/// symmetric or not positive definite, to 1e-12 of its diagonal; `name` is what it is called.
inline SquareMatrix cholesky_factor(const SquareMatrix& matrix, const std::string& name) {
  const std::size_t n = matrix.size();
  SquareMatrix factor(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const std::string element = name + "[" + std::to_string(i) + "][" + std::to_string(j) + "]";
      check_finite(element, matrix(i, j));
      check_parameter(matrix(i, j) == matrix(j, i), element, matrix(i, j),
                      "the same as across the diagonal, " + number_text(matrix(j, i)));
      double rest = matrix(i, j);
      for (std::size_t k = 0; k < j; ++k) rest -= factor(i, k) * factor(j, k);
      if (i == j) {
        check_parameter(rest > 1e-12 * std::abs(matrix(i, i)), "what the rows before leave of " + element, rest,
                        "a positive number: the matrix is positive definite");
        factor(i, i) = std::sqrt(rest);
      } else {
        factor(i, j) = rest / factor(j, j);
      }
    }
  }
  return factor;
}

}  // namespace impl

}  // namespace sporos
