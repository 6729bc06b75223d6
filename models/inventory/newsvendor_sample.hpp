// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/random/block_in_lanes.hpp>
#include <sporos/core/random/philox.hpp>
#include <sporos/core/random/sample_range.hpp>
#include <sporos/core/random/stream.hpp>
#include <sporos/core/random/uniform.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace sporos::models {

/// Number of the 2^52 values of open_uniform that are at most p: 0 for p <= 0, 2^52 for p >= 1. Hence
/// `open_uniform(bits) <= p` is `bits >> 12 < uniforms_up_to(p)`, a comparison of integers.
KOKKOS_FORCEINLINE_FUNCTION std::int64_t uniforms_up_to(double p) {
  if (!(p > 0.0)) return 0;
  return p < 1.0 ? (static_cast<std::int64_t>(p * 0x1p53) + 1) / 2 : std::int64_t{1} << 52;
}

/// Uniform of a rank k from 0 to 2^52 − 1, in the order of the values of open_uniform: (2k + 1) / 2^53.
KOKKOS_FORCEINLINE_FUNCTION double uniform_of_rank(std::int64_t rank) {
  return open_uniform(static_cast<std::uint64_t>(rank) << 12);
}

/// Number of a product's uniforms below a threshold, and its two neighbours. Uniforms are given by their ranks; see
/// uniform_of_rank.
struct UniformsAround {
  std::int64_t count = 0;                      ///< number of uniforms below the threshold
  std::int64_t below = -1;                     ///< largest rank below the threshold; −1 if there is none
  std::int64_t above = std::int64_t{1} << 52;  ///< smallest other rank; 2^52 if there is none
};

/// The uniforms that generate a sample of demands. Replication r under a seed has one demand of every product. Product
/// j's demand comes from word j mod 2 of Philox4x32::block(Stream{seed, r, 0}, ⌊j/2⌋).
///
/// A demand is at most x if its uniform is at most the distribution function at x, so counting demands requires no
/// quantiles. Nothing is stored. Counts use integers only, so they are the same on every backend.
struct NewsvendorSample {
  SampleRange range;  ///< replications of the sample

  /// Draw of `product` in the sample's replication `i`, from 0 to `range.size` − 1.
  KOKKOS_FORCEINLINE_FUNCTION double uniform(std::int64_t product, std::int64_t i) const {
    return open_uniform(bits(product, i));
  }

  /// Rank of that draw.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t rank(std::int64_t product, std::int64_t i) const {
    return static_cast<std::int64_t>(bits(product, i) >> 12);
  }

  /// Writes to u[j] the draw of product `first` + j in replication `i`. `first` and the number of products are even, or
  /// there is one product.
  template <std::size_t products>
  KOKKOS_FORCEINLINE_FUNCTION void uniforms(std::int64_t first, std::int64_t i,
                                            Kokkos::Array<double, products>& u) const {
    std::int64_t found[products];
    ranks(first, i, found);
    for (std::size_t j = 0; j < products; ++j) u[j] = uniform_of_rank(found[j]);
  }

  /// Number of uniforms of `product` that are at most p.
  KOKKOS_FUNCTION std::int64_t count(std::int64_t product, double p) const;

  /// Number of uniforms of `product` that are at most p, and the neighbours of p.
  KOKKOS_FUNCTION UniformsAround around(std::int64_t product, double p) const;

  /// The m-th smallest rank of `product`, for m from 1 to the sample's size. Takes some five passes over its uniforms.
  KOKKOS_FUNCTION std::int64_t order_statistic(std::int64_t product, std::int64_t m) const;

  /// Writes to counts[i] the number of uniforms of product `first` + i that are at most p[i]. `first` and the number of
  /// products are even. Vectorized on a host, with two draws per Philox block.
  template <std::size_t products>
  KOKKOS_FUNCTION void count(std::int64_t first, const Kokkos::Array<double, products>& p,
                             Kokkos::Array<std::int64_t, products>& counts) const;

  /// Counts for two thresholds of each product, for arbitrary pairs of products: p[2k] and q[2k] belong to product 2
  /// `pairs`[k], p[2k + 1] and q[2k + 1] to the product after it.
  template <std::size_t pair_count>
  KOKKOS_FUNCTION void count(const Kokkos::Array<std::int64_t, pair_count>& pairs,
                             const Kokkos::Array<double, 2 * pair_count>& p,
                             const Kokkos::Array<double, 2 * pair_count>& q,
                             Kokkos::Array<std::int64_t, 2 * pair_count>& p_counts,
                             Kokkos::Array<std::int64_t, 2 * pair_count>& q_counts) const;

  /// Does what `around` does for many products. `first` and the number of products are even.
  template <std::size_t products>
  KOKKOS_FUNCTION void around(std::int64_t first, const Kokkos::Array<double, products>& p,
                              Kokkos::Array<UniformsAround, products>& found) const;

 private:
  KOKKOS_FORCEINLINE_FUNCTION Stream stream(std::int64_t i) const {
    return {range.seed, range.first + static_cast<std::uint64_t>(i), 0};
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t bits(std::int64_t product, std::int64_t i) const {
    const auto words = Philox4x32::block(stream(i), static_cast<std::uint64_t>(product / 2));
    return product % 2 == 0 ? words[0] : words[1];
  }
  // Writes the draws of blocks in an order for vector registers: both draws of Pack::lanes blocks, then of the next. An
  // iteration with 100 products takes 0.57 of the time with AVX2, and 0.97 with AVX-512 (bench_frank_wolfe).
  template <std::size_t count>
  KOKKOS_FORCEINLINE_FUNCTION static void words_of(const Stream& of, const std::uint64_t (&blocks)[count],
                                                   std::uint64_t (&words)[2 * count]) {
    static_assert(count % Pack::lanes == 0);
    for (std::size_t k = 0; k < count; k += Pack::lanes) {
      sporos::impl::blocks_in_lanes<Philox4x32>(of, blocks + k, words + 2 * k);
    }
  }
  // Place of word i of `words_of` in the order of products.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr std::size_t place_of_word(std::size_t i) {
    constexpr std::size_t lanes = Pack::lanes;
    return i / (2 * lanes) * (2 * lanes) + 2 * (i % lanes) + i / lanes % 2;
  }
  template <std::size_t products>
  KOKKOS_FORCEINLINE_FUNCTION void ranks(std::int64_t first, std::int64_t i, std::int64_t (&found)[products]) const {
    static_assert(products == 1 || products % 2 == 0);
    if constexpr (products == 1) {
      found[0] = rank(first, i);
    } else {
      std::uint64_t words[products];
      sporos::impl::write_blocks<Philox4x32>(stream(i), static_cast<std::uint64_t>(first / 2), products / 2, words);
      for (std::size_t j = 0; j < products; ++j) found[j] = static_cast<std::int64_t>(words[j] >> 12);
    }
  }
};

KOKKOS_INLINE_FUNCTION std::int64_t NewsvendorSample::count(std::int64_t product, double p) const {
  const std::int64_t end = uniforms_up_to(p);
  std::int64_t found = 0;
  for (std::int64_t i = 0; i < range.size; ++i) found += rank(product, i) < end ? 1 : 0;
  return found;
}

KOKKOS_INLINE_FUNCTION UniformsAround NewsvendorSample::around(std::int64_t product, double p) const {
  const std::int64_t end = uniforms_up_to(p);
  const UniformsAround none;
  std::int64_t count = 0, below = none.below, above = none.above;
  for (std::int64_t i = 0; i < range.size; ++i) {
    const std::int64_t found = rank(product, i);
    const std::int64_t lower = found < end ? found : none.below, upper = found < end ? none.above : found;
    count += found < end ? 1 : 0;
    below = below < lower ? lower : below;
    above = above < upper ? above : upper;
  }
  return {count, below, above};
}

KOKKOS_INLINE_FUNCTION std::int64_t NewsvendorSample::order_statistic(std::int64_t product, std::int64_t m) const {
  double low = 0, high = 1;
  std::int64_t of_low = 0, of_high = range.size;
  UniformsAround found;
  constexpr int max_passes = 100;  // more than equal uniforms require
  for (int pass = 0; pass < max_passes; ++pass) {
    const double share = (static_cast<double>(m - of_low) - 0.5) / static_cast<double>(of_high - of_low);
    const double p = low + (high - low) * share;
    found = around(product, p);
    if (found.count == m - 1) return found.above;
    if (found.count == m) break;
    (found.count < m ? low : high) = p;
    (found.count < m ? of_low : of_high) = found.count;
  }
  return found.below;
}

template <std::size_t products>
KOKKOS_FUNCTION void NewsvendorSample::count(std::int64_t first, const Kokkos::Array<double, products>& p,
                                             Kokkos::Array<std::int64_t, products>& counts) const {
  std::int64_t end[products], count[products] = {}, found[products];
  for (std::size_t j = 0; j < products; ++j) end[j] = uniforms_up_to(p[j]);
  for (std::int64_t i = 0; i < range.size; ++i) {
    ranks(first, i, found);
    for (std::size_t j = 0; j < products; ++j) count[j] += found[j] < end[j] ? 1 : 0;
  }
  for (std::size_t j = 0; j < products; ++j) counts[j] = count[j];
}

template <std::size_t pair_count>
KOKKOS_FUNCTION void NewsvendorSample::count(const Kokkos::Array<std::int64_t, pair_count>& pairs,
                                             const Kokkos::Array<double, 2 * pair_count>& p,
                                             const Kokkos::Array<double, 2 * pair_count>& q,
                                             Kokkos::Array<std::int64_t, 2 * pair_count>& p_counts,
                                             Kokkos::Array<std::int64_t, 2 * pair_count>& q_counts) const {
  constexpr std::size_t products = 2 * pair_count;
  std::uint64_t blocks[pair_count], words[products];
  std::int64_t p_end[products], q_end[products], p_count[products] = {}, q_count[products] = {};
  for (std::size_t k = 0; k < pair_count; ++k) blocks[k] = static_cast<std::uint64_t>(pairs[k]);
  for (std::size_t i = 0; i < products; ++i) p_end[i] = uniforms_up_to(p[place_of_word(i)]);
  for (std::size_t i = 0; i < products; ++i) q_end[i] = uniforms_up_to(q[place_of_word(i)]);
  for (std::int64_t r = 0; r < range.size; ++r) {
    words_of(stream(r), blocks, words);
    for (std::size_t i = 0; i < products; ++i) p_count[i] += static_cast<std::int64_t>(words[i] >> 12) < p_end[i];
    for (std::size_t i = 0; i < products; ++i) q_count[i] += static_cast<std::int64_t>(words[i] >> 12) < q_end[i];
  }
  for (std::size_t i = 0; i < products; ++i) p_counts[place_of_word(i)] = p_count[i];
  for (std::size_t i = 0; i < products; ++i) q_counts[place_of_word(i)] = q_count[i];
}

template <std::size_t products>
KOKKOS_FUNCTION void NewsvendorSample::around(std::int64_t first, const Kokkos::Array<double, products>& p,
                                              Kokkos::Array<UniformsAround, products>& found) const {
  const UniformsAround none;
  std::int64_t end[products], count[products] = {}, below[products], above[products], rank_of[products];
  for (std::size_t j = 0; j < products; ++j) {
    end[j] = uniforms_up_to(p[j]);
    below[j] = none.below;
    above[j] = none.above;
  }
  for (std::int64_t i = 0; i < range.size; ++i) {
    ranks(first, i, rank_of);
    // g++ vectorizes this form only: selections by masks, and one loop per result.
    for (std::size_t j = 0; j < products; ++j) count[j] += rank_of[j] < end[j] ? 1 : 0;
    for (std::size_t j = 0; j < products; ++j) {
      const std::int64_t lower = rank_of[j] | -static_cast<std::int64_t>(rank_of[j] >= end[j]);
      below[j] = below[j] > lower ? below[j] : lower;
    }
    for (std::size_t j = 0; j < products; ++j) {
      const std::int64_t upper = rank_of[j] | static_cast<std::int64_t>(rank_of[j] < end[j]) << 52;
      above[j] = above[j] < upper ? above[j] : upper;
    }
  }
  for (std::size_t j = 0; j < products; ++j) found[j] = {count[j], below[j], above[j]};
}

}  // namespace sporos::models
