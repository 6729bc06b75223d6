// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/across_lanes.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/core/random/sample_range.hpp>
#include <sporos/models/inventory/newsvendor_kernels.hpp>
#include <sporos/models/inventory/newsvendor_sample.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

/// How Frank–Wolfe's iterations over a newsvendor's products come to be run on a few of them: the problem's part in
/// optimizers/frank_wolfe/screening.hpp (concept ProblemScreen).
///
/// ∂_j f̂ = k_j − v_j + (h_j + v_j) F̂_j(x_j) grows with x_j alone, and is at least k_j − v_j. During a window x_j
/// shrinks by Π(1 − γ) at most, and where no step goes towards product j it does not grow: so one pass that counts the
/// demands below both ends brackets every derivative from below, and those of all products from above but of the few
/// towards which a step goes.
namespace sporos::models {

/// A newsvendor's data in the kernels of a screening; see ProblemScreen.
template <class ExecutionSpace, class Demand>
struct NewsvendorScreenData {
  static constexpr bool sums_holdings = false;        ///< see ProblemScreen
  static constexpr std::int64_t longest_window = 32;  ///< see ProblemScreen

  static constexpr bool keeps_interval = runs_on_host<ExecutionSpace>;  ///< of x_j, instead of the demands
  static constexpr std::size_t pairs_at_once = runs_on_host<ExecutionSpace> ? 16 : 1;  ///< see ProblemScreen

  impl::NewsvendorTerms<ExecutionSpace, Demand> terms;  ///< what the products cost, and their demands

  /// See ProblemScreen.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t room() const { return 0; }
  /// See ProblemScreen: as many products as steps go towards rise above their upper bounds.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t witnesses(std::int64_t iterations) const { return iterations; }
  /// See ProblemScreen: where each demand is sure to be counted, and up to where it is sure not to be.
  /// On a host, where quantiles are dear, instead what is known of the derivative: it stays for low <= x_j < high.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t rows(std::int64_t size) const { return keeps_interval ? 3 : 2 * size; }

  /// ∂_j f̂ where this many of the sample's demands are at most x_j.
  KOKKOS_FORCEINLINE_FUNCTION double derivative(std::int64_t j, std::int64_t count, std::int64_t size) const {
    return terms.derivative(j, static_cast<double>(count) / static_cast<double>(size));
  }

  /// See ProblemScreen. Pairs has two elements, each with a lower and an upper bound.
  template <class Start, class Pair>
  KOKKOS_FUNCTION void bracket(const Start& start, std::int64_t pair, const Kokkos::Array<bool, 2>& wanted,
                               Pair& bounds) const {
    std::int64_t low[2] = {0, 0}, high[2] = {0, 0};
    for (int k = 0; k < 2; ++k) {
      if (!wanted[k]) continue;
      const double x = start.x[2 * pair + k];
      const Demand& demand = terms.demand(2 * pair + k);
      if (start.iterations == 1) {
        low[k] = high[k] = uniforms_up_to(demand.cdf(x));
      } else {
        low[k] = uniforms_up_to(demand.cdf_bounds(x * start.shrinkage).low);
        high[k] = uniforms_up_to(demand.cdf_bounds(x).high);
      }
    }
    // Counts of both ends in one word.
    constexpr std::uint64_t above_count = std::uint64_t{1} << 32;
    std::uint64_t counts[2] = {0, 0};
    const SampleRange& sample = start.sample;
    for (std::int64_t s = sporos::impl::lane_index(); s < sample.size; s += sporos::impl::lane_count()) {
      const auto replication = sample.first + static_cast<std::uint64_t>(s);
      const auto words = Philox4x32::block({sample.seed, replication, 0}, static_cast<std::uint64_t>(pair));
      for (int k = 0; k < 2; ++k) {
        const auto rank = static_cast<std::int64_t>(words[k] >> 12);
        counts[k] += (rank < low[k] ? 1 : 0) + (rank < high[k] ? above_count : 0);
      }
    }
    for (int k = 0; k < 2; ++k) {
      if (!wanted[k]) continue;
      const std::uint64_t count = sporos::impl::sum_of_lanes(counts[k]);
      bounds[k].lower = derivative(2 * pair + k, static_cast<std::int64_t>(count % above_count), sample.size);
      bounds[k].upper = derivative(2 * pair + k, static_cast<std::int64_t>(count / above_count), sample.size);
    }
  }

  /// See ProblemScreen. Vector code; also products that are not wanted get bounds.
  template <class Start, std::size_t pair_count, class Bounds>
  KOKKOS_FUNCTION void bracket(const Start& start, const Kokkos::Array<std::int64_t, pair_count>& pairs,
                               const Kokkos::Array<bool, 2 * pair_count>&, Bounds& bounds) const {
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
      for (std::size_t i = 0; i < products; ++i) low[i] = demand[i].cdf_bounds(x[i] * start.shrinkage).low;
      for (std::size_t i = 0; i < products; ++i) high[i] = demand[i].cdf_bounds(x[i]).high;
    }
    Kokkos::Array<std::int64_t, products> least, largest;
    NewsvendorSample{start.sample}.count(pairs, low, high, least, largest);
    for (std::size_t i = 0; i < products; ++i) {
      bounds[i].lower = derivative(product[i], least[i], start.sample.size);
      bounds[i].upper = derivative(product[i], largest[i], start.sample.size);
    }
  }

  /// See ProblemScreen.
  KOKKOS_FUNCTION void load(const SampleRange& sample, std::int64_t j, double* column, std::int64_t stride) const {
    if constexpr (keeps_interval) {
      column[0] = 0;
      column[stride] = -1;  // at first empty
      return;
    }
    const NewsvendorSample drawn{sample};
    const Demand& demand = terms.demand(j);
    for (std::int64_t s = sporos::impl::lane_index(); s < sample.size; s += sporos::impl::lane_count()) {
      const std::int64_t rank = drawn.rank(j, s);
      const impl::CountInterval interval = impl::count_interval({0, rank, rank}, demand);
      column[2 * s * stride] = interval.low;
      column[(2 * s + 1) * stride] = interval.high;
    }
  }

  /// See ProblemScreen: nothing but the coordinates moves.
  KOKKOS_FUNCTION void open(std::int64_t, double*, std::int64_t) const {}

  /// See ProblemScreen: the demands at most x_j are counted among the candidate's, and drawn anew where x_j is too near
  /// to one of them.
  template <class Candidate>
  KOKKOS_FUNCTION double partial(const Candidate& of, const SampleRange& sample, const double*) const {
    if constexpr (keeps_interval) {
      if (of.column[0] <= of.x && of.x < of.column[of.stride]) return of.column[2 * of.stride];
      const Demand& demand = terms.demand(of.coordinate);
      const UniformsAround found = NewsvendorSample{sample}.around(of.coordinate, demand.cdf(of.x));
      const impl::CountInterval interval = impl::count_interval(found, demand);
      of.column[0] = interval.low;
      of.column[of.stride] = interval.high;
      return of.column[2 * of.stride] = derivative(of.coordinate, found.count, sample.size);
    }
    std::int64_t surely = 0, possibly = 0;
    for (std::int64_t s = 0; s < sample.size; ++s) {
      surely += of.column[2 * s * of.stride] <= of.x ? 1 : 0;
      possibly += of.x < of.column[(2 * s + 1) * of.stride] ? 0 : 1;
    }
    if (surely != possibly)
      surely = NewsvendorSample{sample}.count(of.coordinate, terms.demand(of.coordinate).cdf(of.x));
    const double share = 1.0 / static_cast<double>(sample.size);
    return terms.derivative(of.coordinate, static_cast<double>(surely) * share);
  }

  /// See ProblemScreen.
  template <class Candidate>
  KOKKOS_FUNCTION void move(const Candidate&, std::int64_t, double, double, double*) const {}
};

/// A newsvendor's part in screening (concept ProblemScreen), for repetitions with seeds of their own.
template <class ExecutionSpace, class Demand>
class NewsvendorScreen {
 public:
  using execution_space = ExecutionSpace;  ///< where it runs

  /// Of a newsvendor with these terms.
  explicit NewsvendorScreen(const impl::NewsvendorTerms<ExecutionSpace, Demand>& terms) : m_data{terms} {}

  /// See ProblemScreen.
  void resize(std::int64_t) {}

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
};

}  // namespace sporos::models
