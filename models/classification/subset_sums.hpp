// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>

/// Sums of subsets of numbers in fixed point. After the numbers have been rounded, sums are exact, so that their bits
/// do not depend on the order of additions.
namespace sporos::models::impl {

// Number of bits of the lower part of a fixed-point number. Sums of 256 such parts fit into 32 bits.
inline constexpr unsigned low_bits = 24;
inline constexpr std::uint32_t low_mask = (1u << low_bits) - 1;

/// Converts doubles to whole multiples of a unit. The unit is a power of two between 2^−55 and 2^−53 of the sum of
/// their magnitudes, so that any sum of them has fewer than 55 bits and a sign. The unit is NaN if that sum is not
/// finite.
class FixedPoint {
 public:
  FixedPoint(const double* numbers, std::int64_t count) {
    double sums[8] = {}, sum = 0;  // eight independent sums
    std::int64_t first = 0;
    for (; first + 8 <= count; first += 8) {
      for (int i = 0; i < 8; ++i) sums[i] += std::abs(numbers[first + i]);
    }
    for (std::int64_t i = first; i < count; ++i) sums[i - first] += std::abs(numbers[i]);
    for (const double of_eighth : sums) sum += of_eighth;
    int exponent = 0;
    if (!std::isfinite(sum)) {
      m_scale = 0;
      m_unit = std::numeric_limits<double>::quiet_NaN();
    } else {
      std::frexp(sum, &exponent);  // sum < 2^exponent
      const int bits = std::min(54 - exponent, 1000);
      m_scale = std::ldexp(1.0, bits);
      m_unit = std::ldexp(1.0, -bits);
    }
  }

  /// Whether the unit is a number, not NaN.
  bool is_finite() const { return m_scale > 0; }

  /// The multiple that is nearest to x, which must be finite.
  std::int64_t operator()(double x) const {
    const double scaled = x * m_scale;
    return static_cast<std::int64_t>(scaled + (scaled < 0 ? -0.5 : 0.5));
  }

  /// The number with these upper and lower parts.
  double value(std::uint32_t high, std::uint32_t low) const {
    const std::int64_t upper = static_cast<std::int32_t>(high);
    return static_cast<double>((upper << low_bits) + static_cast<std::int64_t>(low)) * m_unit;
  }

 private:
  double m_scale, m_unit;
};

// Vectors of eight numbers, in registers of any size.
typedef std::int64_t EightNumbers __attribute__((vector_size(8 * sizeof(std::int64_t))));
typedef double EightDoubles __attribute__((vector_size(8 * sizeof(double))));
typedef std::uint32_t EightWords __attribute__((vector_size(8 * sizeof(std::uint32_t))));

// The eight subsets of the numbers 0, 1 and 2: bit k of the index is set if number k is in the subset.
inline constexpr EightNumbers has_0 = {0, -1, 0, -1, 0, -1, 0, -1};
inline constexpr EightNumbers has_1 = {0, 0, -1, -1, 0, 0, -1, -1};
inline constexpr EightNumbers has_2 = {0, 0, 0, 0, -1, -1, -1, -1};

/// The subset sums of four fixed-point numbers, in upper and lower parts.
struct alignas(64) SubsetSums {
  std::uint32_t high[16], low[16];

  /// Sets the parts of the sixteen sums. Bit k of their index is set if number k is in the subset. Vectors take 0.4 of
  /// the time of loops that g++ 12 vectorizes (Emerald Rapids, AVX-512).
  void fill(const std::int64_t* four) {
    EightNumbers sums = (has_0 & four[0]) + (has_1 & four[1]) + (has_2 & four[2]);
    for (int first = 0; first < 16; first += 8, sums += four[3]) {
      const EightWords highs = __builtin_convertvector(sums >> low_bits, EightWords);
      const EightWords lows = __builtin_convertvector(sums & low_mask, EightWords);
      std::memcpy(high + first, &highs, sizeof highs);
      std::memcpy(low + first, &lows, sizeof lows);
    }
  }
};

/// Sets tables[t] to the subset sums of numbers 4 t to 4 t + 3, for t = 0, …, `size` − 1. Numbers at index `count` and
/// up count as zeros.
inline void fill_subset_sums(const FixedPoint& fixed, const double* numbers, std::int64_t count, SubsetSums* tables,
                             std::int64_t size) {
  constexpr std::int64_t chunk = 32;
  if (!fixed.is_finite()) count = 0;
  for (std::int64_t t = 0; t < size; t += chunk / 4) {
    const std::int64_t used = std::clamp<std::int64_t>(count - 4 * t, 0, chunk);
    std::int64_t multiples[chunk] = {};
    for (std::int64_t i = 0; i < used; ++i) multiples[i] = fixed(numbers[4 * t + i]);
    for (std::int64_t k = 0; k < std::min(chunk / 4, size - t); ++k) tables[t + k].fill(multiples + 4 * k);
  }
}

/// The subset sums of all elements of a vector. Copies share the sums.
class VectorSubsetSums {
 public:
  VectorSubsetSums(const double* numbers, std::int64_t count)
      : m_fixed(numbers, count), m_tables(new SubsetSums[static_cast<std::size_t>((count + 31) / 32 * 8)]) {
    fill_subset_sums(m_fixed, numbers, count, m_tables.get(), (count + 31) / 32 * 8);
  }

  const FixedPoint& fixed() const { return m_fixed; }
  /// The tables, eight for every 32 numbers.
  const SubsetSums* tables() const { return m_tables.get(); }

 private:
  FixedPoint m_fixed;
  std::shared_ptr<SubsetSums[]> m_tables;
};

}  // namespace sporos::models::impl
