// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cmath>
#include <cstdint>

namespace sporos::impl {

/// The root mean square of some lengths.
class MeanSize {
 public:
  /// Takes one more.
  void add(double length) {
    ++m_count;
    m_square += (length * length - m_square) / static_cast<double>(m_count);
  }

  /// Of those so far; 0 where there are none.
  double operator()() const { return std::sqrt(m_square); }

 private:
  std::int64_t m_count = 0;
  double m_square = 0;
};

}  // namespace sporos::impl
