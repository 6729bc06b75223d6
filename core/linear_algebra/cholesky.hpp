// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace sporos {

/// The factor L, with L Lᵀ = Σ, of a symmetric positive semidefinite matrix Σ of d rows (Cholesky). A column vanishes,
/// and is left out, where earlier ones explain its row.
struct CholeskyFactor {
  /// An entry of Σ that no columns explain.
  struct Entry {
    std::size_t row;     ///< from 0
    std::size_t column;  ///< at most the row
  };

  std::vector<double> columns;       ///< one after the other, d numbers each
  std::vector<std::size_t> pivots;   ///< of each column its first row, at which it is positive
  std::vector<double> left;          ///< what the columns before leave of each entry of the diagonal
  std::optional<Entry> unexplained;  ///< the first entry that shows that Σ is not semidefinite, beyond rounding
};

/// Factorizes the lower triangle of `matrix`, d × d numbers row by row. A column vanishes where at most `rounding`, as
/// a share, is left of its entry of the diagonal. Ends at the first entry that is unexplained beyond `tolerance`, as a
/// share. Each entry's terms are subtracted one by one, in the order of the columns, so that the bits are the same on
/// each machine. Takes d³ / 3 steps.
inline CholeskyFactor cholesky_factor(std::span<const double> matrix, std::size_t d, double rounding,
                                      double tolerance) {
  const auto entry = [&](std::size_t i, std::size_t j) { return matrix[i * d + j]; };
  CholeskyFactor factor{{}, {}, std::vector<double>(d), {}};
  for (std::size_t j = 0; j < d; ++j) factor.left[j] = entry(j, j);
  for (std::size_t j = 0; j < d; ++j) {
    std::vector<double> column(d, 0.0);
    for (std::size_t i = j + 1; i < d; ++i) column[i] = entry(i, j);
    for (std::size_t k = 0; k < factor.columns.size(); k += d) {
      const double* const before = &factor.columns[k];
      for (std::size_t i = j + 1; i < d; ++i) column[i] -= before[i] * before[j];
    }
    const bool varies = factor.left[j] > rounding * entry(j, j);
    const double root = varies ? std::sqrt(factor.left[j]) : 0.0;
    for (std::size_t i = j + 1; i < d; ++i) {
      bool is_explained = false;
      if (varies) {
        column[i] /= root;
        factor.left[i] -= column[i] * column[i];
        is_explained = factor.left[i] >= -tolerance * entry(i, i);
      } else {
        is_explained = std::abs(column[i]) <= std::sqrt(tolerance * entry(i, i) * entry(j, j));
      }
      if (!is_explained) {
        factor.unexplained = {i, j};
        return factor;
      }
    }
    if (!varies) continue;
    column[j] = root;
    factor.columns.insert(factor.columns.end(), column.begin(), column.end());
    factor.pivots.push_back(j);
  }
  return factor;
}

}  // namespace sporos
