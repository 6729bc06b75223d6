// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cmath>
#include <cstdint>

namespace sporos::impl {

/// Root mean square of lengths in which length k has a weight of about k³. So lengths far from the solution, which may
/// be of another order of magnitude, lose their influence.
class MeanSize {
 public:
  /// Adds a length.
  void add(double length) {
    ++m_count;
    m_square += (length * length - m_square) * 4 / static_cast<double>(m_count + 3);
  }

  /// Root mean square so far; 0 if there are no lengths.
  double operator()() const { return std::sqrt(m_square); }

 private:
  std::int64_t m_count = 0;
  double m_square = 0;
};

}  // namespace sporos::impl
