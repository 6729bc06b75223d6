// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/execution/sort_lanes.hpp>
#include <sporos/core/execution/warp_collectives.hpp>
#include <sporos/core/math/bits.hpp>
#include <sporos/core/random/sample_range.hpp>
#include <sporos/core/random/standard_normals.hpp>
#include <sporos/models/inventory/newsvendor_kernels.hpp>
#include <sporos/models/inventory/newsvendor_sample.hpp>
#include <sporos/models/inventory/product_demand.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// Sorted demands of products, with which a device counts the demands up to a stock.
namespace sporos::models::impl {

/// Bounds for the demand of a rank: the stock at or above which it is certainly counted, and the stock up to which it
/// is certainly not.
template <class Demand>
KOKKOS_FORCEINLINE_FUNCTION CountInterval interval_of(std::int64_t rank, const Demand& demand) {
  return count_interval({0, rank, rank}, demand);
}

/// Bounds for a normal demand; the quantile is computed in float except in the tails.
KOKKOS_FORCEINLINE_FUNCTION CountInterval interval_of(std::int64_t rank, const NormalDemand& demand) {
  const auto z = static_cast<double>(approximate_normal(static_cast<std::uint64_t>(rank) << 12));
  const double size = math::impl::absolute(z);
  if (size > 3.5) return count_interval({0, rank, rank}, demand);
  const double middle = demand.mean + demand.deviation * z;
  const double room = 2 * approximate_normal_error * (1 + size) * demand.deviation + 0x1p-35 * demand.size();
  return {middle + room, middle - room};
}

/// Upper half of a double: sign, exponent and 20 bits of the mantissa. As an integer it has the order of the
/// non-negative doubles, and negative doubles give smaller integers.
KOKKOS_FORCEINLINE_FUNCTION std::int32_t upper_half(double x) {
  return static_cast<std::int32_t>(math::impl::to_bits(x) >> 32);
}

/// Upper halves of the stocks at or above which a demand is certainly reached, and up to which it is certainly not.
/// Halves of 32 bits need half the memory of doubles and are compared faster.
struct alignas(8) DemandEnds {
  std::int32_t counted = 0x7fffffff, uncounted = 0x7fffffff;  ///< the initial values stand for no demand
};

/// Ends of the demand of `product` in replication s of a sample.
template <class Demand>
KOKKOS_FUNCTION DemandEnds ends_of(const SampleRange& sample, std::int64_t product, std::int64_t s,
                                   const Demand& demand) {
  const CountInterval interval = interval_of(NewsvendorSample{sample}.rank(product, s), demand);
  return {upper_half(interval.low) + 1, upper_half(interval.high)};
}

/// Number of demands that are certainly at most a stock, and number that may be.
struct DemandCounts {
  int surely, possibly;
};

/// Demands of many products in several samples. For groups of `warp_lanes` products, neighbours in the order in which
/// the screening visits them, the demands of one replication are contiguous.
struct DrawnDemands {
  static constexpr int lanes = sporos::impl::warp_lanes;
  static constexpr int at_once = 16;  ///< number of demands that a lane loads at a time

  DemandEnds* ends = nullptr;            ///< by repetition, part, group of products, row, product
  std::int32_t parts = 0, products = 0;  ///< number of parts; number of products, the first ones in their order
  std::int32_t rows = 0;                 ///< per part: the replications, padded with no demands

  /// Number of rows for samples of `size` replications.
  KOKKOS_FORCEINLINE_FUNCTION static int rows_of(std::int64_t size) {
    return (static_cast<int>(size) + at_once - 1) / at_once * at_once;
  }
  /// Number of groups of products.
  KOKKOS_FORCEINLINE_FUNCTION std::int32_t groups() const { return (products + lanes - 1) / lanes; }
  /// Demands of the product at `place`; that of replication s is at s `lanes`.
  KOKKOS_FORCEINLINE_FUNCTION DemandEnds* of(std::int64_t repetition, std::int64_t part, std::int64_t place) const {
    const auto at = static_cast<std::uint32_t>(place), of_part = static_cast<std::uint32_t>(lanes * groups() * rows);
    return ends + (repetition * parts + part) * of_part + at / lanes * (rows * lanes) + at % lanes;
  }

  /// Counts the demands of the product at `place`: those that are certainly at most `low`, and those that may be at
  /// most `high`. All lanes call it together, each for its product.
  template <class Start>
  KOKKOS_FORCEINLINE_FUNCTION DemandCounts count(const Start& start, std::int64_t place, double low,
                                                 double high) const {
    const DemandEnds* from = of(start.repetition, start.part, place);
    const std::int32_t low_half = upper_half(low), high_half = upper_half(high);
    int surely = 0, possibly = 0;
    SPOROS_NOT_UNROLLED
    for (int left = rows_of(start.sample.size); left > 0; left -= at_once, from += at_once * lanes) {
      DemandEnds some[at_once];
      for (int s = 0; s < at_once; ++s) some[s] = from[s * lanes];
      sporos::impl::sync_warp();  // without it, ptxas saves registers and serializes the loads
      for (const DemandEnds& demand : some) {
        surely += demand.counted <= low_half ? 1 : 0;
        possibly += demand.uncounted <= high_half ? 1 : 0;
      }
    }
    return {surely, possibly};
  }
};

/// Generates the demands. Each index handles one product in one sample of a repetition.
template <class ExecutionSpace, class Demand, class Ahead>
struct DemandDrawing {
  NewsvendorTerms<ExecutionSpace, Demand> terms;
  Ahead buffered;  ///< samples to generate: a BufferedSamples
  DrawnDemands into;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const std::int64_t places = std::int64_t{into.groups()} * DrawnDemands::lanes;
    const std::int64_t place = i % places, part = i / places % into.parts, repetition = i / places / into.parts;
    const std::int64_t j = place < into.products ? 2 * buffered.order[place / 2] + place % 2 : -1;
    if (j < 0 || j >= static_cast<std::int64_t>(terms.cost.extent(0))) return;
    const SampleRange sample = buffered.sample_of(repetition, part);
    const Demand demand = terms.demand(j);
    DemandEnds* const to = into.of(repetition, part, place);
    for (std::int64_t s = 0; s < into.rows; ++s) {
      to[s * DrawnDemands::lanes] = s < sample.size ? ends_of(sample, j, s, demand) : DemandEnds{};
    }
  }
};

/// Bounds on the number of demands that a stock reaches.
struct ReachedDemands {
  int surely;          ///< number of demands that it certainly reaches
  std::int32_t until;  ///< smallest upper half of a stock for which that holds
  bool is_certain;     ///< whether it reaches no more
};

/// Sorted demands of a product in a sample, for the lanes of a thread. Stocks are not negative.
struct OrderedDemands {
  DemandEnds* ends;  ///< `room` elements, whose two kinds of ends are sorted separately; unused ones come last
  int room;          ///< a power of two above the sample's size, at least 32

  /// Room for samples of `size` replications.
  KOKKOS_FORCEINLINE_FUNCTION static int room_of(std::int64_t size) {
    int room = 32;
    while (room <= size) room *= 2;
    return room;
  }

  /// Number of demands that a stock reaches. All lanes call it together.
  KOKKOS_FORCEINLINE_FUNCTION ReachedDemands reached(double stock) const {
    const std::int32_t half = upper_half(stock);
    int surely = 0, possibly = 0, s = sporos::impl::lane_index();
    SPOROS_NOT_UNROLLED
    do {
      const DemandEnds here = ends[s];
      surely += sporos::impl::popcount(sporos::impl::ballot(here.counted <= half));
      possibly += sporos::impl::popcount(sporos::impl::ballot(here.uncounted <= half));
      s += sporos::impl::lane_count();
    } while (s < room);
    return {surely, reach_of(surely), surely == possibly};
  }
  /// Number of demands that a stock reaches, if it is at most `surely`. Each lane calls it for itself.
  KOKKOS_FORCEINLINE_FUNCTION ReachedDemands reached(double stock, int surely) const {
    const std::int32_t half = upper_half(stock);
    while (surely > 0 && ends[surely - 1].counted > half) --surely;
    return {surely, reach_of(surely), ends[surely].uncounted > half};
  }

  /// Smallest upper half of a stock that certainly reaches `count` demands.
  KOKKOS_FORCEINLINE_FUNCTION std::int32_t reach_of(int count) const {
    return count > 0 ? ends[count - 1].counted : -0x7fffffff;
  }

  /// Fills the list with `ends_of(s)` for `size` demands, unsorted.
  template <class EndsOf>
  KOKKOS_FUNCTION void fill(std::int64_t size, const EndsOf& ends_of) const {
    for (int s = sporos::impl::lane_index(); s < room; s += sporos::impl::lane_count()) {
      ends[s] = s < size ? ends_of(s) : DemandEnds{};
    }
    sporos::impl::sync_warp();
  }
};

/// Fills the sorted lists of two products with `size` demands each; demand s is read at s times the stride. Handling
/// two products at once hides memory latency.
KOKKOS_INLINE_FUNCTION void fill_in_order(const OrderedDemands& a, const DemandEnds* from_a, int stride_a,
                                          const OrderedDemands& b, const DemandEnds* from_b, int stride_b,
                                          std::int64_t size) {
  namespace across = sporos::impl;
  if (a.room > across::lane_count()) {
    SPOROS_NOT_UNROLLED
    for (int k = 0; k < 2; ++k) {
      const OrderedDemands& into = k == 0 ? a : b;
      into.fill(size, [&](int s) { return k == 0 ? from_a[s * stride_a] : from_b[s * stride_b]; });
      across::sort_by_lanes(&into.ends->counted, 2, into.room);
    }
    return;
  }
  const int s = across::lane_index();
  DemandEnds of_a, of_b;
  if (s < size) of_a = from_a[s * stride_a];
  if (s < size) of_b = from_b[s * stride_b];
  across::sync_warp();  // without it, ptxas saves registers and serializes the loads
  across::sort_lanes(of_a.counted, of_a.uncounted);
  across::sort_lanes(of_b.counted, of_b.uncounted);
  a.ends[s] = of_a;
  b.ends[s] = of_b;
  across::sync_warp();
}

}  // namespace sporos::models::impl
