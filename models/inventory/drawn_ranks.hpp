// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/pack.hpp>
#include <sporos/core/random/block_in_lanes.hpp>
#include <sporos/core/random/philox.hpp>
#include <sporos/core/random/sample_range.hpp>
#include <sporos/core/random/stream.hpp>
#include <sporos/models/inventory/newsvendor_sample.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

/// Samples of demands that one host thread draws while another runs the iterations of earlier samples.
namespace sporos::models::impl {

/// Upper 31 of the 52 bits of the ranks of a newsvendor's uniforms (see uniform_of_rank), for several samples. Few
/// ranks need more bits to be compared with a threshold, and twice as many fit into a vector register.
struct DrawnRanks {
  static constexpr int dropped_bits = 21;
  static constexpr std::int64_t places_at_once = 32;  ///< the length of a row is a multiple of it
  static_assert(places_at_once % (2 * Pack::lanes) == 0);

  std::int32_t* ranks = nullptr;  ///< by repetition, part, replication, place; null if no samples are drawn
  std::int64_t parts = 0;         ///< number of samples per repetition
  std::int64_t rows = 0;          ///< maximum number of replications of a sample
  std::int64_t places = 0;        ///< length of a row: the products in the order in which looks visit them, padded

  /// Length of a row for this many pairs of products.
  static std::int64_t places_of(std::int64_t pairs) {
    return (2 * pairs + places_at_once - 1) / places_at_once * places_at_once;
  }
  /// Upper bits of the rank of a draw.
  KOKKOS_FORCEINLINE_FUNCTION static std::int32_t upper_bits_of(std::uint64_t draw) {
    return static_cast<std::int32_t>(draw >> (12 + dropped_bits));
  }
  /// Ranks of a repetition's sample; that of replication s at a place is at s `places` + place.
  KOKKOS_FORCEINLINE_FUNCTION std::int32_t* of(std::int64_t repetition, std::int64_t part) const {
    return ranks + (repetition * parts + part) * rows * places;
  }

  /// Writes to low_counts[i] and high_counts[i] how many uniforms of the product at `place` + i are at most low[i] and
  /// high[i]. Returns false if a rank has the upper bits of its threshold, so that counts may be wrong.
  template <class Start, std::size_t products>
  KOKKOS_FUNCTION bool count(const Start& start, std::int64_t place, const Kokkos::Array<double, products>& low,
                             const Kokkos::Array<double, products>& high,
                             Kokkos::Array<std::int64_t, products>& low_counts,
                             Kokkos::Array<std::int64_t, products>& high_counts) const {
    std::int32_t low_end[products], high_end[products];
    std::int32_t of_low[products] = {}, of_high[products] = {}, near[products] = {};
    for (std::size_t i = 0; i < products; ++i) low_end[i] = upper_bits(low[i]);
    for (std::size_t i = 0; i < products; ++i) high_end[i] = upper_bits(high[i]);
    const std::int32_t* row = of(start.repetition, start.part) + place;
    for (std::int64_t s = 0; s < start.sample.size; ++s, row += places) {
      for (std::size_t i = 0; i < products; ++i) of_low[i] += row[i] < low_end[i];
      for (std::size_t i = 0; i < products; ++i) of_high[i] += row[i] < high_end[i];
      for (std::size_t i = 0; i < products; ++i) near[i] |= (row[i] == low_end[i]) | (row[i] == high_end[i]);
    }
    std::int32_t any_near = 0;
    for (std::size_t i = 0; i < products; ++i) any_near |= near[i];
    for (std::size_t i = 0; i < products; ++i) low_counts[i] = of_low[i];
    for (std::size_t i = 0; i < products; ++i) high_counts[i] = of_high[i];
    return any_near == 0;
  }

  /// Number of uniforms of the product at `place` that are at most p, and bounds for the neighbours of p: at least the
  /// one below and at most the one above. No value if a rank has the upper bits of the threshold.
  template <class Start>
  KOKKOS_FUNCTION std::optional<UniformsAround> around(const Start& start, std::int64_t place, double p) const {
    const std::int32_t* const of_product = of(start.repetition, start.part) + place;
    return around(start.sample.size, p, [&](std::int64_t first, std::int64_t count, std::int32_t* some) {
      for (std::int64_t i = 0; i < count; ++i) some[i] = of_product[(first + i) * places];
    });
  }

  /// Does what `around` does for product j of a sample that is not drawn yet.
  KOKKOS_FUNCTION static std::optional<UniformsAround> around_undrawn(const SampleRange& sample, std::int64_t j,
                                                                      double p) {
    return around(sample.size, p, [&](std::int64_t first, std::int64_t count, std::int32_t* some) {
      alignas(Pack) std::uint64_t draws[2][at_once];
      const Stream stream{sample.seed, sample.first + static_cast<std::uint64_t>(first), 0};
      sporos::impl::write_block_across<Philox4x32>(stream, static_cast<std::uint64_t>(j / 2), count,
                                                   {draws[0], draws[1]});
      for (std::int64_t i = 0; i < count; ++i) some[i] = upper_bits_of(draws[j % 2][i]);
    });
  }

 private:
  static constexpr int at_once = 32;  // g++ vectorizes loops of a fixed length

  // Looks for the neighbours of p among the `size` ranks of a product, of which `write` writes the upper bits, some at
  // a time.
  template <class Write>
  KOKKOS_FORCEINLINE_FUNCTION static std::optional<UniformsAround> around(std::int64_t size, double p,
                                                                          const Write& write) {
    constexpr std::int32_t none_below = -1, none_above = 0x7fffffff;
    const std::int32_t end = upper_bits(p);
    std::int32_t count = 0, near = 0, below = none_below, above = none_above;
    for (std::int64_t first = 0; first < size; first += at_once) {
      std::int32_t some[at_once];
      for (std::int32_t& rank : some) rank = none_above;
      write(first, std::min<std::int64_t>(at_once, size - first), some);
      for (const std::int32_t rank : some) count += rank < end ? 1 : 0;
      for (const std::int32_t rank : some) near |= rank == end ? 1 : 0;
      for (const std::int32_t rank : some) below = std::max(below, rank < end ? rank : none_below);
      for (const std::int32_t rank : some) above = std::min(above, rank < end ? none_above : rank);
    }
    if (near != 0) return std::nullopt;
    UniformsAround found;
    found.count = count;
    if (count > 0) found.below = ((std::int64_t{below} + 1) << dropped_bits) - 1;
    if (count < size) found.above = std::int64_t{above} << dropped_bits;
    return found;
  }

  // Upper bits of the number of ranks whose uniforms are at most p.
  KOKKOS_FORCEINLINE_FUNCTION static std::int32_t upper_bits(double p) {
    constexpr std::int64_t largest = 0x7fffffff;
    const std::int64_t upper = uniforms_up_to(p) >> dropped_bits;
    return static_cast<std::int32_t>(upper < largest ? upper : largest);
  }
};

/// Draws the samples of a repetition.
template <class Ahead>
struct RankDrawing {
  Ahead samples;  ///< samples to draw: a BufferedSamples
  DrawnRanks into;

  KOKKOS_FUNCTION void operator()(std::int64_t repetition) const {
    for (std::int64_t first = 0; first < into.places / 2; first += lanes) draw(repetition, first);
  }

 private:
  static constexpr std::int64_t lanes = Pack::lanes;

  // Draws pairs `first` to `first` + lanes − 1 in all samples. Places after the last pair get the ranks of the first.
  KOKKOS_FORCEINLINE_FUNCTION void draw(std::int64_t repetition, std::int64_t first) const {
    alignas(Pack) std::uint64_t blocks[lanes], words[2 * lanes];
    for (std::int64_t i = 0; i < lanes; ++i) {
      blocks[i] = static_cast<std::uint64_t>(samples.order[first + i < samples.pairs ? first + i : 0]);
    }
    for (std::int64_t part = 0; part < samples.parts; ++part) {
      const SampleRange sample = samples.sample_of(repetition, part);
      std::int32_t* row = into.of(repetition, part) + 2 * first;
      for (std::int64_t s = 0; s < sample.size; ++s, row += into.places) {
        const Stream stream{sample.seed, sample.first + static_cast<std::uint64_t>(s), 0};
        sporos::impl::blocks_in_lanes<Philox4x32>(stream, blocks, words);
        std::int32_t ranks[2 * lanes];
        for (std::int64_t i = 0; i < lanes; ++i) {
          ranks[2 * i] = DrawnRanks::upper_bits_of(words[i]);
          ranks[2 * i + 1] = DrawnRanks::upper_bits_of(words[lanes + i]);
        }
        std::memcpy(row, ranks, sizeof ranks);
      }
    }
  }
};

}  // namespace sporos::models::impl
