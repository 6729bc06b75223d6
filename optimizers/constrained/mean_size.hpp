// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cmath>
#include <cstdint>

namespace sporos::impl {

/// The root mean square of some lengths, in which the k-th weighs about k³: those far from the solution, which may be
/// of another order, are forgotten.
class MeanSize {
 public:
  /// Takes one more.
  void add(double length) {
    ++m_count;
    m_square += (length * length - m_square) * 4 / static_cast<double>(m_count + 3);
  }

  /// Of those so far; 0 where there are none.
  double operator()() const { return std::sqrt(m_square); }

 private:
  std::int64_t m_count = 0;
  double m_square = 0;
};

}  // namespace sporos::impl
