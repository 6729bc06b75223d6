// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

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

 private:
  std::size_t m_size;
  std::vector<double> m_entries;
};

/// The inverse of a symmetric matrix, by Boost.uBLAS; none where it is not positive definite, or nearly so: where a
/// direction is known to 8 digits from others.
std::optional<SquareMatrix> inverse_of_definite(const SquareMatrix& matrix);

}  // namespace sporos
