// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/quasi_newton/correction_pairs.hpp>

#include <cstddef>
#include <vector>

namespace sporos::test {

using Number = long double;  // more precise than the results that are compared with it
using Matrix = std::vector<std::vector<Number>>;

inline Number inner_product(const std::vector<double>& a, const std::vector<double>& b) {
  Number sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<Number>(a[i]) * static_cast<Number>(b[i]);
  return sum;
}

// Returns A (I − ρ b aᵀ) for square matrices.
inline Matrix times_projection(const Matrix& matrix, Number rho, const std::vector<double>& b,
                               const std::vector<double>& a) {
  Matrix result = matrix;
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    Number along = 0;
    for (std::size_t k = 0; k < b.size(); ++k) along += matrix[i][k] * static_cast<Number>(b[k]);
    for (std::size_t j = 0; j < a.size(); ++j) result[i][j] -= rho * along * static_cast<Number>(a[j]);
  }
  return result;
}

inline Matrix transposed(const Matrix& matrix) {
  Matrix result = matrix;
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    for (std::size_t j = 0; j < matrix.size(); ++j) result[j][i] = matrix[i][j];
  }
  return result;
}

// H by Algorithm 4 of He et al. (2024), A preliminary study on accelerating simulation optimization with GPU
// implementation, as printed there: the explicit matrix, from the oldest pair to the newest.
inline Matrix explicit_matrix(const std::vector<CorrectionPair>& pairs, std::size_t dimension) {
  Matrix matrix(dimension, std::vector<Number>(dimension));
  const CorrectionPair& newest = pairs.back();
  const Number scale = inner_product(newest.s, newest.y) / inner_product(newest.y, newest.y);
  for (std::size_t i = 0; i < dimension; ++i) matrix[i][i] = scale;
  for (const auto& [s, y] : pairs) {
    const Number rho = 1 / inner_product(y, s);
    matrix = times_projection(matrix, rho, y, s);                          // H (I − ρ y sᵀ)
    matrix = transposed(times_projection(transposed(matrix), rho, y, s));  // (I − ρ s yᵀ) H …
    for (std::size_t i = 0; i < dimension; ++i) {
      for (std::size_t j = 0; j < dimension; ++j) {
        matrix[i][j] += rho * static_cast<Number>(s[i]) * static_cast<Number>(s[j]);
      }
    }
  }
  return matrix;
}

inline std::vector<double> times(const Matrix& matrix, const std::vector<double>& vector) {
  std::vector<double> result;
  for (const auto& row : matrix) {
    Number sum = 0;
    for (std::size_t j = 0; j < row.size(); ++j) sum += row[j] * static_cast<Number>(vector[j]);
    result.push_back(static_cast<double>(sum));
  }
  return result;
}

}  // namespace sporos::test
