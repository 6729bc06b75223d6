// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/device_code.hpp>
#include <sporos/core/math/bits.hpp>
#include <sporos/core/random/stream.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos {

namespace impl {

/// A keyed bijection of {0 … length − 1}, where length is slightly larger than `size`: a generalized Feistel network
/// (Black and Rogaway (2002), Ciphers with arbitrary finite domains, CT-RSA) on pairs (row, column), with
/// number = row · 2^k + column. The rounds alternately add a keyed hash of the row to the column, and one of the column
/// to the row.
///
/// 2^k lies between √(size/2) and √(2 size). Therefore both halves are below 2^17, splitting a number takes no
/// division, and less than a fraction √(2/size) of the numbers lies outside {0 … size − 1}. Because 2^k is even, odd
/// permutations occur too.
class FeistelNetwork {
 public:
  FeistelNetwork() = default;
  /// The network for `size` from 1 to 2^31. `rounds` must be even.
  KOKKOS_FUNCTION FeistelNetwork(std::uint32_t size, std::uint64_t key, int rounds)
      : m_multiplier(static_cast<std::uint32_t>(key)),
        m_increment(static_cast<std::uint32_t>(key >> 32)),
        m_column_bits(column_bits(size)),
        m_rows(((size - 1) >> m_column_bits) + 1),
        m_rounds(rounds) {}

  /// Sets images[j] to the image of numbers[j] for `count` numbers, without data-dependent branches. Numbers beyond the
  /// network's length have meaningless images.
  ///
  /// Loops over numbers lie inside the loop over rounds, so that compilers vectorize them (g++ 12, AVX-512, blocks
  /// of 64: 0.9 ns a number for 8 rounds, compared with 15 ns for a single number).
  template <int count>
  KOKKOS_FORCEINLINE_FUNCTION void permute(const std::uint32_t* numbers, std::uint32_t* images) const {
    const std::uint32_t bits = m_column_bits, last_column = (std::uint32_t{1} << bits) - 1, rows = m_rows;
    std::uint32_t row[count], column[count];
    for (int j = 0; j < count; ++j) {
      row[j] = numbers[j] >> bits;
      column[j] = numbers[j] & last_column;
    }
    std::uint32_t a = m_multiplier, b = m_increment;
    for (int round = 0; round < m_rounds; round += 2) {
      for (int j = 0; j < count; ++j) column[j] = (column[j] + (hash(row[j], a, b) >> (32 - bits))) & last_column;
      next_round(a, b);
      for (int j = 0; j < count; ++j) row[j] = sum_modulo(row[j], scale(hash(column[j], a, b), rows), rows);
      next_round(a, b);
    }
    for (int j = 0; j < count; ++j) images[j] = row[j] << bits | column[j];
  }

  /// Replaces numbers[j] by its image under the network with key keys[j] instead of this one's, for j < count <= most.
  template <unsigned most>
  KOKKOS_FORCEINLINE_FUNCTION void permute_each(const std::uint64_t* keys, unsigned count,
                                                std::uint32_t* numbers) const {
    const std::uint32_t bits = m_column_bits, last_column = (std::uint32_t{1} << bits) - 1, rows = m_rows;
    std::uint32_t row[most], column[most], a[most], b[most];
    for (unsigned j = 0; j < count; ++j) {
      row[j] = numbers[j] >> bits;
      column[j] = numbers[j] & last_column;
      a[j] = static_cast<std::uint32_t>(keys[j]);
      b[j] = static_cast<std::uint32_t>(keys[j] >> 32);
    }
    for (int round = 0; round < m_rounds; round += 2) {
      for (unsigned j = 0; j < count; ++j) {
        column[j] = (column[j] + (hash(row[j], a[j], b[j]) >> (32 - bits))) & last_column;
        next_round(a[j], b[j]);
        row[j] = sum_modulo(row[j], scale(hash(column[j], a[j], b[j]), rows), rows);
        next_round(a[j], b[j]);
      }
    }
    for (unsigned j = 0; j < count; ++j) numbers[j] = row[j] << bits | column[j];
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t column_bits(std::uint32_t size) {
    std::uint32_t bits = 1;
    while (std::uint64_t{2} << (2 * bits) <= size) ++bits;
    return bits;
  }

  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t hash(std::uint32_t half, std::uint32_t a, std::uint32_t b) {
    std::uint32_t x = half * (a | 1) + b;
    x ^= x >> 15;
    return x * 0x2c1b3c6du;
  }

  // Weyl sequences with the fractions of the golden ratio and of sqrt(3), as in Philox.
  KOKKOS_FORCEINLINE_FUNCTION static void next_round(std::uint32_t& a, std::uint32_t& b) {
    a += 0x9e3779b9u;
    b += 0xbb67ae85u;
  }

  // Returns n · bits / 2^32, rounded down.
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t scale(std::uint32_t bits, std::uint32_t n) {
    return static_cast<std::uint32_t>(std::uint64_t{bits} * n >> 32);
  }

  // Returns (x + y) mod n for x, y < n. If x + y < n, the difference wraps around to a value larger than the sum.
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t sum_modulo(std::uint32_t x, std::uint32_t y, std::uint32_t n) {
    const std::uint32_t sum = x + y, less = sum - n;
    return sum < less ? sum : less;
  }

  std::uint32_t m_multiplier = 0, m_increment = 0, m_column_bits = 1, m_rows = 1;
  int m_rounds = 0;
};

}  // namespace impl

/// A permutation of {0 … size − 1} that is selected by a key and computed without an array: the image of any number
/// takes O(1). For one (size, key) it is identical on every backend. It shuffles; it does not encrypt.
///
/// A Feistel network permutes slightly more numbers than `size`. An image outside the range goes through the network
/// again until it is inside (cycle walking). The result is one-to-one, and over random keys every permutation is
/// equally likely.
class KeyedPermutation {
 public:
  static constexpr std::uint32_t block = 64;  ///< numbers that `fill` computes together

  /// The permutation of {0}.
  KeyedPermutation() = default;
  /// The permutation of {0 … size − 1} that belongs to `key`, any 64-bit number; size is from 1 to 2^31.
  KOKKOS_FUNCTION KeyedPermutation(std::uint32_t size, std::uint64_t key)
      : m_network(size, mix_bits(key), rounds(size)), m_size(size) {}

  /// Number of elements that are permuted.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t size() const { return m_size; }

  /// The image of `i`, in [0, size).
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t operator()(std::uint32_t i) const {
    do m_network.permute<1>(&i, &i);
    while (i >= m_size);
    return i;
  }

  /// Sets images[j] to the image of first + j for j < count. Requires first + count <= size.
  KOKKOS_INLINE_FUNCTION void fill(std::uint32_t first, std::uint32_t count, std::uint32_t* images) const {
    while (!impl::on_device() && count > few) {
      const std::uint32_t length = count < block ? count : block;
      fill_block(first, length, images);
      first += length;
      images += length;
      count -= length;
    }
    for (std::uint32_t j = 0; j < count; ++j) images[j] = (*this)(first + j);
  }

  /// Replaces numbers[j] by its image under the permutation of {0 … size − 1} for keys[j], for j < count. Both arrays
  /// have in_registers(count) elements; those after the first `count` may have any value.
  ///
  /// For hosts and up to `block` numbers. A vector register of 16 numbers takes 85 ns, a single number 15 ns (g++ 12,
  /// AVX-512).
  KOKKOS_FORCEINLINE_FUNCTION static void permute_each(std::uint32_t size, const std::uint64_t* keys,
                                                       std::uint32_t count, std::uint32_t* numbers) {
    const std::uint32_t whole = in_registers(count);
    std::uint64_t mixed[block];
    for (std::uint32_t j = 0; j < whole; ++j) mixed[j] = mix_bits(keys[j]);
    impl::FeistelNetwork(size, 0, rounds(size)).permute_each<block>(mixed, whole, numbers);
    for (std::uint32_t j = 0; j < count; ++j) {
      if (numbers[j] >= size) numbers[j] = KeyedPermutation(size, keys[j])(numbers[j]);
    }
  }

  /// Like permute_each, for any number of elements.
  KOKKOS_FORCEINLINE_FUNCTION static void permute_all(std::uint32_t size, const std::uint64_t* keys,
                                                      std::uint32_t count, std::uint32_t* numbers) {
    for (std::uint32_t i = 0; i < count; i += block) {
      const std::uint32_t length = count - i < block ? count - i : block;
      permute_each(size, keys + i, length, numbers + i);
    }
  }

  /// `count`, at most `block`, rounded up to whole vector registers of a host. Loops over numbers should run this far,
  /// because the remainder loop would otherwise take as long as a register.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr std::uint32_t in_registers(std::uint32_t count) {
    return (count + 15) / 16 * 16;
  }

 private:
  // Number of single evaluations that take as long as a block in vector registers.
  static constexpr std::uint32_t few = 4;

  KOKKOS_FORCEINLINE_FUNCTION void fill_block(std::uint32_t first, std::uint32_t count, std::uint32_t* images) const {
    std::uint32_t all[block];
    for (std::uint32_t j = 0; j < block; ++j) all[j] = first + j;
    m_network.permute<block>(all, all);
    for (std::uint32_t j = 0; j < count; ++j) images[j] = all[j];
    std::uint32_t outside = 0;
    for (std::uint32_t j = 0; j < count; ++j) outside += images[j] >= m_size;
    for (std::uint32_t j = 0; outside > 0; ++j) {
      if (images[j] < m_size) continue;
      images[j] = (*this)(images[j]);
      --outside;
    }
  }

  // Number of rounds after which every permutation is equally likely. With ideal hashes, the distribution of the images
  // of two numbers (of three and four up to size 64, of all of them up to size 8) was computed exactly, from the worst
  // start: two rounds divide its chi-square distance from uniform by the square of the smaller of rows and columns. The
  // numbers below keep that distance under 10^-7 for every size, too little for 10^7 shuffles to show: all permutations
  // of 8 numbers and pairs of images at 16 sizes from 9 to 257 passed chi-square tests on that many. The hashes are as
  // good as ideal ones: 6 rounds at size 3 and 8 at size 17 were rejected, as they would be with ideal hashes; 12 and
  // 10 were not.
  KOKKOS_FORCEINLINE_FUNCTION static int rounds(std::uint32_t size) {
    return size >= 1024 ? 8 : size >= 256 ? 10 : size >= 64 ? 12 : size > 16 ? 16 : size > 8 ? 22 : 40;
  }

  impl::FeistelNetwork m_network;
  std::uint32_t m_size = 1;
};

}  // namespace sporos
