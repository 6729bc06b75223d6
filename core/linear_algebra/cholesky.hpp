// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace sporos {

/// Cholesky factor L, with L Lᵀ = Σ, of a symmetric positive semidefinite d × d matrix Σ. A column of L that is zero,
/// because the earlier columns explain its row, is not stored.
struct CholeskyFactor {
  /// Position of an entry of Σ that no columns of L can reproduce.
  struct Entry {
    std::size_t row;     ///< row index, from 0
    std::size_t column;  ///< column index, at most the row index
  };

  std::vector<double> columns;       ///< the stored columns of L, one after the other, d numbers each
  std::vector<std::size_t> pivots;   ///< for each stored column, its first nonzero row; the entry there is positive
  std::vector<double> left;          ///< each diagonal entry of Σ minus the part that the earlier columns explain
  std::optional<Entry> unexplained;  ///< first entry which shows, beyond rounding, that Σ is not semidefinite, if any
};

/// Factorizes the lower triangle of `matrix`, which holds d × d numbers row by row. A column counts as zero if the
/// unexplained share of its diagonal entry is at most `rounding`. The factorization stops at the first entry whose
/// unexplained share exceeds `tolerance`. The terms of each entry are subtracted one by one, in the order of the
/// columns, so that the factor has the same bits on every machine. The factorization takes d³ / 3 steps.
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
