// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

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

/// Demands of products in order, by which a device counts those up to a stock: in five steps for 25 demands.
namespace sporos::models::impl {

/// Where the demand of a rank is sure to be counted, and up to where it is sure not to be.
template <class Demand>
KOKKOS_FORCEINLINE_FUNCTION CountInterval interval_of(std::int64_t rank, const Demand& demand) {
  return count_interval({0, rank, rank}, demand);
}

/// The same, but in the tails by a quantile in float.
KOKKOS_FORCEINLINE_FUNCTION CountInterval interval_of(std::int64_t rank, const NormalDemand& demand) {
  const auto z = static_cast<double>(approximate_normal(static_cast<std::uint64_t>(rank) << 12));
  const double size = math::impl::absolute(z);
  if (size > 3.5) return count_interval({0, rank, rank}, demand);
  const double middle = demand.mean + demand.deviation * z;
  const double room = 2 * approximate_normal_error * (1 + size) * demand.deviation + 0x1p-35 * demand.size();
  return {middle + room, middle - room};
}

/// Where a stock, rounded to float, is sure to reach a demand, and up to where it is sure not to.
struct alignas(8) DemandEnds {
  float counted, uncounted;
};

/// Those of the demand of `product` in replication s of a sample.
template <class Demand>
KOKKOS_FUNCTION DemandEnds ends_of(const SampleRange& sample, std::int64_t product, std::int64_t s,
                                   const Demand& demand) {
  const CountInterval interval = interval_of(NewsvendorSample{sample}.rank(product, s), demand);
  // More than a stock and an end err by, together, as floats.
  const auto error = [](double end) { return 0x1p-22 * math::impl::absolute(end) + 0x1p-126; };
  return {static_cast<float>(interval.low + error(interval.low)),
          static_cast<float>(interval.high - error(interval.high))};
}

/// How many demands are sure to be at most a stock, and how many may be.
struct DemandCounts {
  std::int64_t surely, possibly;
};

/// The demands of many products in several samples. Of `warp_lanes` products, neighbours in the order in which they are
/// looked at, the demands of one replication lie side by side.
struct DrawnDemands {
  static constexpr int lanes = sporos::impl::warp_lanes;

  DemandEnds* ends = nullptr;            ///< of each repetition, part, group of products, replication, product
  const std::int64_t* places = nullptr;  ///< of pairs of products in that order
  std::int32_t parts = 0, products = 0;  ///< of the latter those that come first
  std::int32_t replications = 0;         ///< of a part, at most

  /// Groups of products.
  KOKKOS_FORCEINLINE_FUNCTION std::int32_t groups() const { return (products + lanes - 1) / lanes; }
  /// The demands of the product at `place`, replication s's at s `lanes`.
  KOKKOS_FORCEINLINE_FUNCTION DemandEnds* of(std::int64_t repetition, std::int64_t part, std::int64_t place) const {
    const std::int64_t group = (repetition * parts + part) * groups() + place / lanes;
    return ends + group * replications * lanes + place % lanes;
  }
  /// Where product j comes in the order.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t place_of(std::int64_t j) const { return 2 * places[j / 2] + j % 2; }

  /// Of the product at `place`, those up to `low` that are sure to be, and those up to `high` that may be.
  template <class Start>
  KOKKOS_FUNCTION DemandCounts count(const Start& start, std::int64_t place, double low, double high) const {
    constexpr int at_once = 16;  // loads
    const DemandEnds* const from = of(start.repetition, start.part, place);
    const auto size = static_cast<int>(start.sample.size);
    const auto from_here = static_cast<float>(low), up_to_here = static_cast<float>(high);
    int surely = 0, possibly = 0;
    for (int first = 0; first < size; first += at_once) {
      DemandEnds some[at_once];
      for (int s = 0; s < at_once; ++s) some[s] = from[(first + s < size ? first + s : first) * lanes];
      for (int s = 0; s < at_once; ++s) {
        surely += first + s < size && some[s].counted <= from_here ? 1 : 0;
        possibly += first + s < size && !(up_to_here < some[s].uncounted) ? 1 : 0;
      }
    }
    return {surely, possibly};
  }
};

/// Draws them, one of each group after the other.
template <class ExecutionSpace, class Demand, class Ahead>
struct DemandDrawing {
  NewsvendorTerms<ExecutionSpace, Demand> terms;
  Ahead ahead;  ///< what is to be drawn: a SamplesAhead
  DrawnDemands into;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const std::int64_t places = std::int64_t{into.groups()} * DrawnDemands::lanes;
    const std::int64_t place = i % places, part = i / places % into.parts, repetition = i / places / into.parts;
    const std::int64_t j = place < into.products ? 2 * ahead.order[place / 2] + place % 2 : -1;
    if (j < 0 || j >= static_cast<std::int64_t>(terms.cost.extent(0))) return;
    const SampleRange sample = ahead.sample_of(repetition, part);
    const Demand demand = terms.demand(j);
    DemandEnds* const to = into.of(repetition, part, place);
    for (std::int64_t s = 0; s < sample.size; ++s) to[s * DrawnDemands::lanes] = ends_of(sample, j, s, demand);
  }
};

/// The demands of a product in a sample, in order, for the lanes of a thread.
struct OrderedDemands {
  float* ends;  ///< `room` of either kind, each in order, infinity behind the last
  int room;     ///< a power of two above the sample's size, from 32 on

  /// The room for samples of that size.
  KOKKOS_FORCEINLINE_FUNCTION static int room_of(std::int64_t size) {
    int room = 32;
    while (room <= size) room *= 2;
    return room;
  }

  /// The demands that are sure to be at most x.
  KOKKOS_FORCEINLINE_FUNCTION int surely_up_to(double x) const {
    return sporos::impl::count_up_to(ends, room, static_cast<float>(x));
  }
  /// Whether of the demands exactly the first `count`, as surely_up_to finds them, are at most x.
  KOKKOS_FORCEINLINE_FUNCTION bool are_all_up_to(double x, int count) const {
    return !(ends[room + count] <= static_cast<float>(x));
  }

  /// Puts `size` demands in order, `ends_of(s)` for each of them.
  template <class EndsOf>
  KOKKOS_FUNCTION void fill(std::int64_t size, const EndsOf& ends_of) const {
    for (int s = sporos::impl::lane_index(); s < room; s += sporos::impl::lane_count()) {
      constexpr float infinity = __builtin_huge_valf();
      DemandEnds found = s < size ? ends_of(s) : DemandEnds{infinity, infinity};
      if (room == sporos::impl::lane_count()) {
        found = {sporos::impl::sorted_by_lanes(found.counted), sporos::impl::sorted_by_lanes(found.uncounted)};
      }
      ends[s] = found.counted;
      ends[room + s] = found.uncounted;
    }
    sporos::impl::sync_warp();
    if (room != sporos::impl::lane_count()) sporos::impl::sort_by_lanes(ends, 2, room);
  }
};

}  // namespace sporos::models::impl
