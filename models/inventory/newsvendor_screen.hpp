// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/execution/warp_collectives.hpp>
#include <sporos/core/linear_algebra/reserve.hpp>
#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/core/random/sample_range.hpp>
#include <sporos/models/inventory/drawn_ranks.hpp>
#include <sporos/models/inventory/newsvendor_kernels.hpp>
#include <sporos/models/inventory/newsvendor_sample.hpp>
#include <sporos/models/inventory/ordered_demands.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

/// Screening of a newsvendor's products, with which Frank–Wolfe's iterations run on a few products only: the problem's
/// part in optimizers/frank_wolfe/screening.hpp (concept ProblemScreen).
///
/// ∂_j f̂ = k_j − v_j + (h_j + v_j) F̂_j(x_j) increases with x_j, depends on no other coordinate, and is at least k_j −
/// v_j. During a window, x_j shrinks by at most Π(1 − γ); it does not grow unless a step goes towards product j. Hence
/// one pass that counts the demands below both ends bounds all derivatives from below, and from above all except those
/// of the few products towards which a step goes.
namespace sporos::models {

namespace impl {

/// Unit prices of a product, which determine its derivative.
struct NewsvendorPrices {
  double cost, price, holding;

  /// ∂_j f̂ is `first`, plus `slope` for each demand of the sample that is at most x_j.
  struct Line {
    double first, slope;
  };

  /// Coefficients for samples of `size` replications.
  KOKKOS_FORCEINLINE_FUNCTION Line line(std::int64_t size) const {
    return {cost - price, (holding + price) * (1 / static_cast<double>(size))};
  }
};

/// Unit prices and demand of a product.
template <class Demand>
struct ProductTerms {
  NewsvendorPrices prices;
  Demand demand;
};

}  // namespace impl

/// Data of a newsvendor for the kernels of a screening; see ProblemScreen.
template <class ExecutionSpace, class Demand>
struct NewsvendorScreenData {
  static constexpr bool sums_holdings = false;        ///< see ProblemScreen
  static constexpr std::int64_t longest_window = 32;  ///< see ProblemScreen

  // One thread stores the interval in which its count holds. Lanes that count together would have to agree on one.
  /// Whether a column stores an interval of x_j and not the demands.
  static constexpr bool keeps_interval = runs_on_host<ExecutionSpace>;
  static constexpr std::size_t pairs_at_once = runs_on_host<ExecutionSpace> ? 16 : 1;  ///< see ProblemScreen
  static constexpr std::int64_t of_demands = 5;  ///< offset of the demands in a column

  impl::NewsvendorTerms<ExecutionSpace, Demand> terms;  ///< costs and demands of the products
  /// pre-generated draws on a host, pre-generated demands on a device
  std::conditional_t<keeps_interval, impl::DrawnRanks, impl::DrawnDemands> buffered = {};
  std::int32_t room_of_columns = 0;  ///< capacity of a column for pre-generated demands

  /// See ProblemScreen.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t room() const { return 0; }
  /// See ProblemScreen: only the products towards which a step goes can exceed their upper bounds.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t witnesses(std::int64_t iterations) const { return iterations; }
  /// See ProblemScreen. The first three rows are an interval first <= x_j < second and the derivative in it. On a
  /// device, where lanes count together, two rows with the coefficients of a Line follow. After these, each demand has
  /// two rows: the stock at or above which it is certainly counted, and the stock up to which it is certainly not.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t rows(std::int64_t size) const {
    return keeps_interval ? 3 : of_demands + 2 * size;
  }

  /// ∂_j f̂ if `count` of the sample's demands are at most x_j.
  KOKKOS_FORCEINLINE_FUNCTION double derivative(std::int64_t j, std::int64_t count, std::int64_t size) const {
    return terms.derivative(j, static_cast<double>(count) / static_cast<double>(size));
  }

  /// See ProblemScreen. `bounds` has two elements, each with a lower and an upper bound.
  template <class Start, class Pair>
  KOKKOS_FUNCTION void bracket(const Start& start, std::int64_t pair, const Kokkos::Array<bool, 2>& wanted,
                               Pair& bounds) const {
    namespace across = sporos::impl;
    std::int64_t low[2] = {0, 0}, high[2] = {0, 0};
    const auto end_of = [&](bool is_second, bool is_high) {
      const std::int64_t last = static_cast<std::int64_t>(terms.cost.extent(0)) - 1, second = 2 * pair + 1;
      const std::int64_t j = is_second && second <= last ? second : 2 * pair;
      const double x = start.x[j];
      const Demand& demand = terms.demand(j);
      if (start.iterations == 1) return uniforms_up_to(demand.cdf(x));
      const CdfBounds bounds_of_cdf = demand.cdf_bounds(is_high ? x : x * start.shrinkage);
      return uniforms_up_to(is_high ? bounds_of_cdf.high : bounds_of_cdf.low);
    };
    if (across::lane_count() == 1) {
      for (int k = 0; k < 2; ++k) {
        if (!wanted[k]) continue;
        low[k] = end_of(k == 1, false);
        high[k] = end_of(k == 1, true);
      }
    } else {  // some lanes compute each of the four ends
      const std::int64_t end = end_of(across::lane_index() % 2 == 1, across::lane_index() / 2 % 2 == 1);
      for (int k = 0; k < 2; ++k) {
        low[k] = across::shuffle(end, k);
        high[k] = across::shuffle(end, 2 + k);
      }
    }
    std::int64_t low_counts[2] = {0, 0}, high_counts[2] = {0, 0};
    const SampleRange& sample = start.sample;
    for (std::int64_t first = 0; first < sample.size; first += across::lane_count()) {
      const std::int64_t s = first + across::lane_index();
      const auto replication = sample.first + static_cast<std::uint64_t>(s);
      const auto words = Philox4x32::block({sample.seed, replication, 0}, static_cast<std::uint64_t>(pair));
      for (int k = 0; k < 2; ++k) {
        const auto rank = static_cast<std::int64_t>(words[k] >> 12);
        low_counts[k] += across::popcount(across::ballot(s < sample.size && rank < low[k]));
        high_counts[k] += across::popcount(across::ballot(s < sample.size && rank < high[k]));
      }
    }
    for (int k = 0; k < 2; ++k) {
      if (!wanted[k]) continue;
      bounds[k].lower = derivative(2 * pair + k, low_counts[k], sample.size);
      bounds[k].upper = derivative(2 * pair + k, high_counts[k], sample.size);
    }
  }

  /// See ProblemScreen. Vectorized; products that are not wanted get bounds, too.
  template <class Start, std::size_t pair_count, class Bounds>
  KOKKOS_FUNCTION void bracket(const Start& start, const Kokkos::Array<std::int64_t, pair_count>& pairs,
                               std::int64_t place, Bounds& bounds) const {
    constexpr std::size_t products = 2 * pair_count;
    const auto last = static_cast<std::int64_t>(terms.cost.extent(0)) - 1;
    std::int64_t product[products];
    double x[products];
    Demand demand[products];
    for (std::size_t i = 0; i < products; ++i) {
      const std::int64_t j = 2 * pairs[i / 2] + static_cast<std::int64_t>(i % 2);
      product[i] = j < last ? j : last;
      x[i] = start.x[product[i]];
      demand[i] = terms.demand(product[i]);
    }
    Kokkos::Array<double, products> low, high;
    if (start.iterations == 1) {
      for (std::size_t i = 0; i < products; ++i) low[i] = high[i] = demand[i].cdf(x[i]);
    } else {
      for (std::size_t i = 0; i < products; ++i) low[i] = demand[i].cdf_bounds(least_stock(start, x[i])).low;
      for (std::size_t i = 0; i < products; ++i) high[i] = demand[i].cdf_bounds(x[i]).high;
    }
    Kokkos::Array<std::int64_t, products> least, largest;
    if (buffered.ranks == nullptr || !buffered.count(start, place, low, high, least, largest)) {
      NewsvendorSample{start.sample}.count(pairs, low, high, least, largest);
    }
    for (std::size_t i = 0; i < products; ++i) {
      bounds[i].lower = derivative(product[i], least[i], start.sample.size);
      bounds[i].upper = derivative(product[i], largest[i], start.sample.size);
    }
  }

  /// See ProblemScreen.
  template <bool is_buffered>
  KOKKOS_FORCEINLINE_FUNCTION auto terms_of(std::int64_t j) const {
    const impl::NewsvendorPrices prices{terms.cost(j), terms.price(j), terms.holding(j)};
    if constexpr (is_buffered) {
      return prices;
    } else {
      return impl::ProductTerms<Demand>{prices, terms.demand(j)};
    }
  }

  /// See ProblemScreen.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t buffered_pairs() const { return buffered.products / 2; }

  /// See ProblemScreen.
  template <class Start, class Bounds>
  KOKKOS_FUNCTION void bracket_buffered(const Start& start, std::int64_t place, std::int64_t j,
                                        const impl::NewsvendorPrices& prices, double x, Bounds& bounds) const {
    const auto [first, slope] = prices.line(start.sample.size);
    auto [least, most] = buffered.count(start, place, start.iterations == 1 ? x : x * start.shrinkage, x);
    if (start.iterations == 1 && least != most) least = most = count_reached(start.sample, j, x);
    bounds.lower = first + slope * static_cast<double>(least);
    bounds.upper = first + slope * static_cast<double>(most);
  }

  /// See ProblemScreen: a thread's memory accesses take as long as drawing 60 replications for its lanes.
  KOKKOS_FORCEINLINE_FUNCTION bool draws_by_lanes(std::int64_t pairs_of_thread, std::int64_t size) const {
    return size / 2 < 60 * (pairs_of_thread - 1);
  }

  /// See ProblemScreen. Two lanes share the products of a pair, and each draws every other replication for both.
  template <class Start, class Bounds>
  KOKKOS_FUNCTION void bracket_by_lanes(const Start& start, std::int64_t j, const impl::ProductTerms<Demand>& of,
                                        double x, Bounds& bounds) const {
    namespace across = sporos::impl;
    std::int64_t low = 0, high = 0;
    if (start.iterations == 1) {
      low = high = uniforms_up_to(of.demand.cdf(x));
    } else {
      low = uniforms_up_to(of.demand.cdf_bounds(x * start.shrinkage).low);
      high = uniforms_up_to(of.demand.cdf_bounds(x).high);
    }
    const bool is_first = across::lane_index() % 2 == 0;
    const std::int64_t other_low = across::shuffle_xor(low, 1), other_high = across::shuffle_xor(high, 1);
    const std::int64_t lows[2] = {is_first ? low : other_low, is_first ? other_low : low};
    const std::int64_t highs[2] = {is_first ? high : other_high, is_first ? other_high : high};
    int least[2] = {0, 0}, most[2] = {0, 0};
    const SampleRange& sample = start.sample;
    const int size = static_cast<int>(sample.size);
    for (int s = is_first ? 0 : 1; s < size; s += 2) {
      const auto replication = sample.first + static_cast<std::uint64_t>(s);
      const auto words = Philox4x32::block({sample.seed, replication, 0}, static_cast<std::uint64_t>(j / 2));
      for (int k = 0; k < 2; ++k) {
        const auto rank = static_cast<std::int64_t>(words[k] >> 12);
        least[k] += rank < lows[k] ? 1 : 0;
        most[k] += rank < highs[k] ? 1 : 0;
      }
    }
    across::sync_warp();
    const int least_here = is_first ? least[0] : least[1], most_here = is_first ? most[0] : most[1];
    const int least_there = is_first ? least[1] : least[0], most_there = is_first ? most[1] : most[0];
    const auto [first, slope] = of.prices.line(sample.size);
    bounds.lower = first + slope * (least_here + across::shuffle_xor(least_there, 1));
    bounds.upper = first + slope * (most_here + across::shuffle_xor(most_there, 1));
  }

  /// See ProblemScreen.
  template <class Start, class Candidate>
  KOKKOS_FUNCTION void load(const Start& start, const Candidate& of) const {
    const SampleRange& sample = start.sample;
    if constexpr (keeps_interval) {
      // A derivative with equal bounds is constant from the smallest stock of the window up to x. Other intervals are
      // empty at first.
      const bool is_known = of.partial == of.partial;
      of.column[0] = is_known ? least_stock(start, of.x) : 0;
      of.column[of.stride] = is_known ? math::impl::from_bits(math::impl::to_bits(of.x) + 1) : -1;
      of.column[2 * of.stride] = of.partial;
    } else {
      const NewsvendorSample drawn{sample};
      const std::int64_t j = of.coordinate;
      const Demand& demand = terms.demand(j);
      if (sporos::impl::lane_index() == 0) {
        const auto [first, slope] = terms_of<true>(j).line(sample.size);
        of.column[3 * of.stride] = first;
        of.column[4 * of.stride] = slope;
      }
      for (std::int64_t s = sporos::impl::lane_index(); s < sample.size; s += sporos::impl::lane_count()) {
        const std::int64_t rank = drawn.rank(j, s);
        const impl::CountInterval interval = impl::count_interval({0, rank, rank}, demand);
        of.column[(of_demands + 2 * s) * of.stride] = interval.low;
        of.column[(of_demands + 2 * s + 1) * of.stride] = interval.high;
      }
      sporos::impl::sync_warp();
      recount(of, 0, sample);
    }
  }

  /// See ProblemScreen: only the coordinates move.
  KOKKOS_FUNCTION void open(std::int64_t, double*, std::int64_t) const {}

  /// See ProblemScreen: the stored derivative, recomputed if x_j has left the interval.
  template <class Start, class Candidate>
  KOKKOS_FUNCTION double partial_in_interval(const Start& start, const Candidate& of) const requires keeps_interval {
    if (of.column[0] <= of.x && of.x < of.column[of.stride]) return of.column[2 * of.stride];
    const Demand& demand = terms.demand(of.coordinate);
    const double p = demand.cdf(of.x);
    std::optional<UniformsAround> found = buffered.ranks != nullptr
                                              ? buffered.around(start, of.place, p)
                                              : impl::DrawnRanks::around_undrawn(start.sample, of.coordinate, p);
    if (!found) found = NewsvendorSample{start.sample}.around(of.coordinate, p);
    const impl::CountInterval interval = impl::count_interval(*found, demand);
    of.column[0] = interval.low;
    of.column[of.stride] = interval.high;
    return of.column[2 * of.stride] = derivative(of.coordinate, found->count, start.sample.size);
  }

  /// See ProblemScreen: the stored derivative, recomputed if x_j has left the interval.
  template <class Candidate>
  KOKKOS_FUNCTION double partial(const Candidate& of, const SampleRange& sample, const double*) const
      requires(!keeps_interval) {
    namespace across = sporos::impl;
    const bool is_one = of.column != nullptr;
    const bool is_known = !is_one || (of.column[0] <= of.x && of.x < of.column[of.stride]);
    SPOROS_NOT_UNROLLED
    for (std::uint32_t left = across::ballot(!is_known); left != 0; left &= left - 1) {
      recount(of, across::first_bit(left), sample);
    }
    return is_one ? of.column[2 * of.stride] : 0.0;
  }

  /// See ProblemScreen: the coefficients of a Line, then OrderedDemands.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t buffered_rows(std::int64_t size) const {
    return of_ordered + impl::OrderedDemands::room_of(size);
  }

  /// See ProblemScreen.
  template <class Start, class Candidate>
  KOKKOS_FUNCTION void draw(const Start& start, const Candidate& of) const requires(!keeps_interval) {
    if (of.place < buffered.products) return;
    const Demand demand = terms.demand(of.coordinate);
    demands_in(of.column).fill(start.sample.size,
                               [&](int s) { return impl::ends_of(start.sample, of.coordinate, s, demand); });
  }

  /// See ProblemScreen.
  template <class Start, class Candidate>
  KOKKOS_FORCEINLINE_FUNCTION void load_buffered(const Start& start, const Candidate& a, const Candidate& b) const
      requires(!keeps_interval) {
    const std::int64_t size = start.sample.size;
    const auto of_a = terms_of<true>(a.coordinate).line(size), of_b = terms_of<true>(b.coordinate).line(size);
    const impl::OrderedDemands into_a = demands_in(a.column), into_b = demands_in(b.column);
    const impl::DemandEnds *from_a = into_a.ends, *from_b = into_b.ends;
    if (a.place < buffered.products) from_a = buffered.of(start.repetition, start.part, a.place);
    if (b.place < buffered.products) from_b = buffered.of(start.repetition, start.part, b.place);
    impl::fill_in_order(into_a, from_a, stride_of(a), into_b, from_b, stride_of(b), size);
    a.column[0] = of_a.first;
    a.column[1] = of_a.slope;
    b.column[0] = of_b.first;
    b.column[1] = of_b.slope;
  }

  /// See ProblemScreen.
  KOKKOS_FORCEINLINE_FUNCTION impl::ReachedDemands reached(double* column, double x) const requires(!keeps_interval) {
    return demands_in(column).reached(x);
  }

  /// See ProblemScreen.
  KOKKOS_FORCEINLINE_FUNCTION impl::ReachedDemands reached(double* column, double x, int surely) const
      requires(!keeps_interval) {
    return demands_in(column).reached(x, surely);
  }

  /// See ProblemScreen.
  KOKKOS_FORCEINLINE_FUNCTION static std::int32_t place_of(double x) { return impl::upper_half(x); }

  /// See ProblemScreen: draws all demands again.
  KOKKOS_FORCEINLINE_FUNCTION int count_reached(const SampleRange& sample, std::int64_t j, double x) const {
    return count_up_to(sample, j, terms.demand(j), x);
  }

  /// See ProblemScreen.
  KOKKOS_FORCEINLINE_FUNCTION static double partial_of(const double* column, int count) {
    return column[0] + column[1] * count;
  }

  /// See ProblemScreen.
  template <class Candidate>
  KOKKOS_FUNCTION void move(const Candidate&, std::int64_t, double, double, double*) const {}

 private:
  // A lower bound, whatever the rounding errors, for the stock to which x shrinks before the window's last iteration.
  template <class Start>
  KOKKOS_FORCEINLINE_FUNCTION static double least_stock(const Start& start, double x) {
    return x * (start.shrinkage * (1 - 0x1p-40));
  }

  static constexpr int of_ordered = 2;  // offset of the demands in a column

  // Stride between the demands of a candidate, which are pre-generated or in its column.
  template <class Candidate>
  KOKKOS_FORCEINLINE_FUNCTION int stride_of(const Candidate& of) const {
    return of.place < buffered.products ? impl::DrawnDemands::lanes : 1;
  }

  KOKKOS_FORCEINLINE_FUNCTION impl::OrderedDemands demands_in(double* column) const {
    return {reinterpret_cast<impl::DemandEnds*>(column + of_ordered), room_of_columns};
  }

  // All lanes process the candidate of `lane`: they count the demands that are at most x_j, and draw them again if x_j
  // is too near to one of them. The ends of the stored interval are upper halves of doubles, rounded inwards.
  template <class Candidate>
  KOKKOS_FUNCTION void recount(const Candidate& own, int lane, const SampleRange& sample) const {
    namespace across = sporos::impl;
    const double x = across::shuffle(own.x, lane);
    const auto* const column =
        reinterpret_cast<const double*>(across::shuffle(reinterpret_cast<std::uintptr_t>(own.column), lane));
    const int size = static_cast<int>(sample.size), stride = static_cast<int>(own.stride);
    int surely = 0, possibly = 0;
    std::uint32_t below = 0, above = ~std::uint32_t{0};
    SPOROS_NOT_UNROLLED
    for (int first = 0; first < size; first += across::lane_count()) {
      const int s = first + across::lane_index();
      const double* const ends = column + (of_demands + 2 * (s < size ? s : 0)) * stride;
      const double counted = ends[0], uncounted = ends[stride];
      const bool is_counted = counted <= x, is_possible = !(x < uncounted);
      surely += across::popcount(across::ballot(s < size && is_counted));
      possibly += across::popcount(across::ballot(s < size && is_possible));
      const auto lower = static_cast<std::uint32_t>(math::impl::ordered_bits(counted) >> 32);
      const auto upper = static_cast<std::uint32_t>(math::impl::ordered_bits(uncounted) >> 32);
      if (is_counted && lower > below) below = lower;
      if (!is_possible && upper < above) above = upper;
    }
    below = ~across::warp_min(~below);
    above = across::warp_min(above);
    const bool is_near = surely != possibly;
    if (is_near) surely = count_reached(sample, across::shuffle(own.coordinate, lane), x);
    if (across::lane_index() != lane) return;
    constexpr double infinity = math::impl::infinity;
    const double low = below == 0 ? -infinity : math::impl::from_ordered_bits((std::uint64_t{below} + 1) << 32);
    const double high = ~above == 0 ? infinity : math::impl::from_ordered_bits(std::uint64_t{above} << 32);
    own.column[0] = is_near ? 0 : low;
    own.column[stride] = is_near ? -1 : high;
    own.column[2 * stride] = own.column[3 * stride] + own.column[4 * stride] * surely;
  }

  // Not inlined, since it is rare and long. Arguments are passed by value: a kernel whose functor has its address taken
  // copies it to each thread's memory, which costs 13 µs per launch for 512 bytes.
  SPOROS_NOINLINE KOKKOS_FUNCTION static int count_up_to(SampleRange sample, std::int64_t j, Demand demand, double x) {
    return static_cast<int>(NewsvendorSample{sample}.count(j, demand.cdf(x)));
  }
};

/// Screening of a newsvendor (concept ProblemScreen), for repetitions with separate seeds.
template <class ExecutionSpace, class Demand>
class NewsvendorScreen {
 public:
  using execution_space = ExecutionSpace;  ///< execution space of the kernels

  /// Screens a newsvendor with these terms.
  explicit NewsvendorScreen(const impl::NewsvendorTerms<ExecutionSpace, Demand>& terms) : m_data{terms} {}

  /// See ProblemScreen.
  void resize(std::int64_t size) {
    if constexpr (!runs_on_host<ExecutionSpace>) m_data.buffered.rows = impl::DrawnDemands::rows_of(size);
    m_data.room_of_columns = impl::OrderedDemands::room_of(size);
  }

  /// See ProblemScreen.
  std::int64_t buffered_bytes(std::int64_t size) const {
    return std::int64_t{2 * sizeof(impl::DemandEnds)} * impl::DrawnDemands::rows_of(size);
  }

  /// See ProblemScreen.
  template <class Ahead>
  void buffer_draws(const ExecutionSpace& space, const Ahead& buffered) {
    impl::DrawnDemands& into = m_data.buffered;
    into.parts = static_cast<std::int32_t>(buffered.parts);
    into.products = static_cast<std::int32_t>(2 * buffered.pairs);
    const std::int64_t columns = buffered.repetitions * buffered.parts * into.groups() * impl::DrawnDemands::lanes;
    reserve(m_ends, "sporos::newsvendor::drawn_demands", std::max(columns, 2 * buffered.max_pairs) * into.rows);
    into.ends = m_ends.data();
    if (columns == 0) return;
    Kokkos::parallel_for("sporos::newsvendor::draw_demands",
                         Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(space, 0, columns),
                         impl::DemandDrawing<ExecutionSpace, Demand, Ahead>{m_data.terms, buffered, into});
  }

  /// See ProblemScreen.
  std::int64_t bytes_of_draws(std::int64_t pairs, std::int64_t size) const {
    return static_cast<std::int64_t>(sizeof(std::int32_t)) * impl::DrawnRanks::places_of(pairs) * size;
  }

  /// See ProblemScreen.
  template <class Ahead>
  auto drawing_ahead(const Ahead& samples, std::int64_t size) {
    const std::int64_t places = impl::DrawnRanks::places_of(samples.pairs);
    reserve(m_ranks_ahead, "sporos::newsvendor::drawn_ranks", samples.repetitions * samples.parts * size * places);
    return impl::RankDrawing<Ahead>{samples,
                                    {samples.parts > 0 ? m_ranks_ahead.data() : nullptr, samples.parts, size, places}};
  }

  /// See ProblemScreen.
  template <class Ahead>
  void use_draws(const impl::RankDrawing<Ahead>& drawing) {
    m_data.buffered = drawing.into;
    std::swap(m_ranks, m_ranks_ahead);
  }

  /// See ProblemScreen: k_j − v_j.
  std::vector<double> floors(const std::vector<double>&, std::int64_t) const {
    std::vector<double> floors = to_host<ExecutionSpace>(m_data.terms.cost);
    const std::vector<double> prices = to_host<ExecutionSpace>(m_data.terms.price);
    for (std::size_t j = 0; j < floors.size(); ++j) floors[j] -= prices[j];
    return floors;
  }

  /// See ProblemScreen.
  const NewsvendorScreenData<ExecutionSpace, Demand>& on_device() const { return m_data; }

 private:
  NewsvendorScreenData<ExecutionSpace, Demand> m_data;
  Kokkos::View<impl::DemandEnds*, typename ExecutionSpace::memory_space> m_ends;
  // Draws of a host for this launch and for the next one.
  Kokkos::View<std::int32_t*, typename ExecutionSpace::memory_space> m_ranks, m_ranks_ahead;
};

}  // namespace sporos::models
