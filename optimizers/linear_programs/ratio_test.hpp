// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/linear_programs/basis.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace sporos::impl {

inline constexpr double tie_tolerance = 1e-12;   // for values, relative to the largest limit
inline constexpr double pivot_tolerance = 1e-9;  // for pivots, relative to the direction's largest entry

// Selects the column that leaves if several reach 0 together.
struct TieRule {
  bool is_bland;            // lowest index instead of largest pivot
  std::int64_t artificial;  // index of the artificial column, which leaves before all others
};

// Whether the column of `row` leaves in preference to that of `other`.
inline bool leaves_before(const Basis& basis, std::size_t row, std::size_t other, const std::vector<double>& direction,
                          const TieRule& rule) {
  const std::int64_t index = basis.columns()[row].index;
  const std::int64_t other_index = basis.columns()[other].index;
  if (index == rule.artificial || other_index == rule.artificial) return index == rule.artificial;
  if (rule.is_bland || direction[row] == direction[other]) return index < other_index;
  return direction[row] > direction[other];
}

// Longest step along a direction until the first basic column reaches 0, ties included; infinite if none does.
inline double longest_step(const Basis& basis, const std::vector<double>& direction, double min_pivot) {
  const double tie = tie_tolerance * basis.limit_scale();
  double step = std::numeric_limits<double>::infinity();
  for (std::size_t row = 0; row < basis.rows(); ++row) {
    if (direction[row] <= min_pivot) continue;
    step = std::min(step, (std::max(basis.values()[row], 0.0) + tie) / direction[row]);
  }
  return step;
}

// Row whose column reaches 0 first if the basic columns decrease along `direction`; rows() if none does.
inline std::size_t leaving_row(const Basis& basis, const std::vector<double>& direction, const TieRule& rule) {
  const double min_pivot = pivot_tolerance * largest_size(direction);
  const double step = longest_step(basis, direction, min_pivot);
  std::size_t best = basis.rows();
  for (std::size_t row = 0; row < basis.rows(); ++row) {
    if (direction[row] <= min_pivot || basis.values()[row] > step * direction[row]) continue;
    if (best == basis.rows() || leaves_before(basis, row, best, direction, rule)) best = row;
  }
  return best;
}

}  // namespace sporos::impl
