// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/sampling/faure_table.hpp>
#include <sporos/core/sampling/scrambled_digits.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// Faure's sequence (Faure (1982), Discrépance de suites associées à un système de numération (en dimension s), Acta
/// Arithmetica 41). Let x_c be the digits of j in base p, the least significant one first. Digit r after the radix
/// point of coordinate d of point j is the sum over c >= r of C(c, r) d^(c − r) x_c, modulo p. Coordinate 0 is the
/// radical inverse. Of each p^k points that follow a multiple of p^k, each elementary box of volume p^−k holds one, in
/// up to p dimensions.
namespace sporos {

/// The digits of a point, from which the coordinate in any dimension is computed.
class FaurePoint {
 public:
  /// Point `point` of the sequence with the given faure_table.
  KOKKOS_INLINE_FUNCTION FaurePoint(const std::uint32_t* table, std::uint32_t point)
      : m_base(table[0]), m_digits(table[1]), m_binomials(table + 2) {
    for (std::uint32_t c = 0; c < m_digits; ++c) {
      m_digit[c] = point % m_base;
      point /= m_base;
    }
  }

  /// The coordinate in one dimension. If `key` is not 0, its digits are scrambled by `key`.
  KOKKOS_INLINE_FUNCTION ScaledCoordinate coordinate(std::uint64_t dimension, std::uint64_t key) const {
    std::uint64_t power[max_digits];  // powers of the dimension modulo the base
    power[0] = 1;
    for (std::uint32_t c = 1; c < m_digits; ++c) power[c] = power[c - 1] * dimension % m_base;
    ScaledCoordinate coordinate{0, 1};
    for (std::uint32_t r = 0; r < m_digits; ++r) {
      std::uint64_t digit = 0;  // less than 32 p³
      for (std::uint32_t c = r; c < m_digits; ++c) digit += m_binomials[r * m_digits + c] * power[c - r] * m_digit[c];
      if (key != 0) {
        const impl::DigitScrambling scrambling(m_base, key, r + 1);
        digit = scrambling.a * (digit % m_base) + scrambling.c;
      }
      coordinate.value = coordinate.value * m_base + digit % m_base;
      coordinate.scale *= m_base;
    }
    return coordinate;
  }

 private:
  static constexpr unsigned max_digits = 32;  // for points below 2^32 in base 2

  std::uint32_t m_base, m_digits;
  const std::uint32_t* m_binomials;
  std::uint64_t m_digit[max_digits];
};

}  // namespace sporos
