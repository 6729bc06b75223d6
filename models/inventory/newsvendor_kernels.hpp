// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/models/inventory/newsvendor_sample.hpp>
#include <sporos/models/inventory/product_demand.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

/// Kernels of Newsvendor.
namespace sporos::models::impl {

template <class ExecutionSpace>
using ProductPolicy = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;

/// Parameters of all products; see newsvendor.hpp for the formulas.
template <class ExecutionSpace, class Demand>
struct NewsvendorTerms {
  ConstVector<ExecutionSpace> cost, holding, price, mean;
  Kokkos::View<const Demand*, typename ExecutionSpace::memory_space> demand;

  KOKKOS_FORCEINLINE_FUNCTION double derivative(std::int64_t j, double probability) const {
    return (cost(j) - price(j)) + (holding(j) + price(j)) * probability;
  }
  /// Part of the objective, given the expectations of (x − D)⁺ and (D − x)⁺.
  KOKKOS_FORCEINLINE_FUNCTION double value(std::int64_t j, double x, double over, double under) const {
    return cost(j) * x + holding(j) * over + price(j) * under;
  }
};

/// Interval low <= x < high in which a count of demands is constant. It is narrower by `slack` than the interval
/// between the neighbouring demands. `slack` exceeds the rounding errors of quantile and cdf, so counting within the
/// interval gives exactly the same number.
struct CountInterval {
  double low, high;
};

template <class Demand>
KOKKOS_FORCEINLINE_FUNCTION CountInterval count_interval(const UniformsAround& found, const Demand& demand) {
  constexpr double slack = 0x1p-36, smallest = 0x1p-1022;
  // Selections instead of branches allow loops over products to be vectorized.
  const bool is_below = found.below >= 0, is_above = found.above < std::int64_t{1} << 52;
  const double u = uniform_of_rank(is_below ? found.below : 0) * (1.0 + slack);
  const double v = uniform_of_rank(is_above ? found.above : 0) * (1.0 - slack);
  const bool is_inside = u < 1.0 - 0x1p-53;
  const double low = demand.quantile(is_inside ? u : 0.5), high = demand.quantile(v);
  const double low_room = slack * (math::impl::absolute(low) + demand.size()) + smallest;
  const double high_room = slack * (math::impl::absolute(high) + demand.size()) + smallest;
  return {is_below ? (is_inside ? low + low_room : math::impl::infinity) : -math::impl::infinity,
          is_above ? high - high_room : math::impl::infinity};
}

/// Writes g and updates the stored derivatives, one block of products at a time.
template <class ExecutionSpace, class Demand, std::size_t block_size>
struct NewsvendorGradient {
  NewsvendorTerms<ExecutionSpace, Demand> terms;
  NewsvendorSample sample;
  bool is_fresh;  ///< whether no interval of the sample is stored yet
  ConstVector<ExecutionSpace> x;
  Vector<ExecutionSpace> low, high, derivative, g;

  KOKKOS_FUNCTION void operator()(std::int64_t block) const {
    const std::int64_t first = block * static_cast<std::int64_t>(block_size);
    const std::int64_t left = static_cast<std::int64_t>(x.extent(0)) - first;
    const std::int64_t end = first + (left < static_cast<std::int64_t>(block_size) ? left : block_size);
    // If more than a third of the products must be counted, vectorized counting of all is faster.
    const std::int64_t outside = is_fresh ? end - first : count_outside(first, end);
    if (block_size > 1 && 3 * outside > static_cast<std::int64_t>(block_size)) {
      count_all(first, end);
    } else if (outside > 0) {
      for (std::int64_t j = first; j < end; ++j) {
        if (is_fresh || is_outside(j)) keep(j, sample.around(j, terms.demand(j).cdf(x(j))));
      }
    }
    for (std::int64_t j = first; j < end; ++j) g(j) = derivative(j);
  }

  KOKKOS_FORCEINLINE_FUNCTION bool is_outside(std::int64_t j) const { return !(x(j) >= low(j) && x(j) < high(j)); }

  KOKKOS_FORCEINLINE_FUNCTION std::int64_t count_outside(std::int64_t first, std::int64_t end) const {
    std::int64_t outside = 0;
    for (std::int64_t j = first; j < end; ++j) outside += is_outside(j) ? 1 : 0;
    return outside;
  }

  KOKKOS_FORCEINLINE_FUNCTION void keep(std::int64_t j, const UniformsAround& found) const {
    const CountInterval interval = count_interval(found, terms.demand(j));
    low(j) = interval.low;
    high(j) = interval.high;
    derivative(j) = terms.derivative(j, static_cast<double>(found.count) / static_cast<double>(sample.range.size));
  }

  KOKKOS_FUNCTION void count_all(std::int64_t first, std::int64_t end) const {
    Kokkos::Array<double, block_size> p = {};
    Kokkos::Array<UniformsAround, block_size> found;
    for (std::int64_t j = first; j < end; ++j) p[static_cast<std::size_t>(j - first)] = terms.demand(j).cdf(x(j));
    sample.around(first, p, found);
    for (std::int64_t j = first; j < end; ++j) keep(j, found[static_cast<std::size_t>(j - first)]);
  }
};

/// Computes each product's part of the sample's objective, with demands in the order of the replications, one block of
/// products at a time.
template <class ExecutionSpace, class Demand, std::size_t block_size>
struct NewsvendorSampleCost {
  NewsvendorTerms<ExecutionSpace, Demand> terms;
  NewsvendorSample sample;
  ConstVector<ExecutionSpace> x;
  Vector<ExecutionSpace> values;

  KOKKOS_FUNCTION void operator()(std::int64_t block) const {
    const std::int64_t first = block * static_cast<std::int64_t>(block_size);
    const auto left = static_cast<std::size_t>(static_cast<std::int64_t>(x.extent(0)) - first);
    const std::size_t count = left < block_size ? left : block_size;
    Kokkos::Array<Demand, block_size> demand;
    Kokkos::Array<double, block_size> quantity = {}, over = {}, under = {}, u;
    for (std::size_t j = 0; j < block_size; ++j) {
      const std::int64_t product = first + static_cast<std::int64_t>(j < count ? j : 0);
      demand[j] = terms.demand(product);
      quantity[j] = x(product);
    }
    for (std::int64_t i = 0; i < sample.range.size; ++i) {
      sample.uniforms(first, i, u);
      for (std::size_t j = 0; j < block_size; ++j) {
        const double surplus = quantity[j] - demand[j].quantile(u[j]);
        over[j] += surplus > 0.0 ? surplus : 0.0;
        under[j] += surplus > 0.0 ? 0.0 : -surplus;
      }
    }
    const auto n = static_cast<double>(sample.range.size);
    for (std::size_t j = 0; j < count; ++j) {
      const std::int64_t product = first + static_cast<std::int64_t>(j);
      values(product) = terms.value(product, quantity[j], over[j] / n, under[j] / n);
    }
  }
};

/// Writes to y the minimizer over y >= 0 of each product's part of the sample's objective with an additional cost
/// `charge` per unit. It is infinite if that part decreases without bound.
template <class ExecutionSpace, class Demand>
struct NewsvendorSampleBest {
  NewsvendorTerms<ExecutionSpace, Demand> terms;
  NewsvendorSample sample;
  ConstVector<ExecutionSpace> charge;
  Vector<ExecutionSpace> y;

  KOKKOS_FUNCTION void operator()(std::int64_t j) const {
    const double gain = terms.price(j) - terms.cost(j) - charge(j);
    const double rank = gain / (terms.holding(j) + terms.price(j)) * static_cast<double>(sample.range.size);
    y(j) = 0;
    if (!(rank > 0)) return;
    const auto below = static_cast<std::int64_t>(rank);
    const std::int64_t m = static_cast<double>(below) < rank ? below + 1 : below;
    const double best = m > sample.range.size ? math::impl::infinity
                                              : terms.demand(j).quantile(uniform_of_rank(sample.order_statistic(j, m)));
    if (best > 0) y(j) = best;
  }
};

/// Computes each product's part of the exact objective.
template <class ExecutionSpace, class Demand>
struct NewsvendorExactCost {
  NewsvendorTerms<ExecutionSpace, Demand> terms;
  ConstVector<ExecutionSpace> x;
  Vector<ExecutionSpace> values;

  KOKKOS_FUNCTION void operator()(std::int64_t j) const {
    const double over = terms.demand(j).cdf_integral(x(j));  // E(D − x)⁺ = E(x − D)⁺ + E D − x
    values(j) = terms.value(j, x(j), over, over + (terms.mean(j) - x(j)));
  }
};

/// Computes each product's exact derivative.
template <class ExecutionSpace, class Demand>
struct NewsvendorExactDerivative {
  NewsvendorTerms<ExecutionSpace, Demand> terms;
  ConstVector<ExecutionSpace> x;
  Vector<ExecutionSpace> g;

  KOKKOS_FUNCTION void operator()(std::int64_t j) const { g(j) = terms.derivative(j, terms.demand(j).cdf(x(j))); }
};

}  // namespace sporos::models::impl
