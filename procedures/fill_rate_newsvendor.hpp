// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/models/inventory/newsvendor_fill_rates.hpp>
#include <sporos/models/inventory/newsvendor_kernels.hpp>
#include <sporos/optimizers/search/sampled_problem.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sporos {

namespace impl {

/// Cost and weighted lost sales of a replication, for one part of the products per work item. A row of `totals` holds
/// the cost, then the weighted losses.
template <class ExecutionSpace, class Demand>
struct FillRateTotals {
  using Table = Kokkos::View<double**, Kokkos::LayoutRight, typename ExecutionSpace::memory_space>;

  static constexpr std::int64_t part_size = 1024;  ///< products of a work item, a multiple of block_size
  static constexpr std::size_t block_size = 32;    ///< products that form one partial sum, on every backend

  models::impl::NewsvendorTerms<ExecutionSpace, Demand> terms;
  models::NewsvendorSample sample;
  ConstVector<ExecutionSpace> x;
  typename Table::const_type weights;  ///< weight of constraint i and product j
  Table totals;                        ///< row p · n + r holds part p in replication r

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    const std::int64_t n = sample.range.size, first = item / n * part_size, r = item % n;
    const auto count = static_cast<std::int64_t>(x.extent(0));
    const std::int64_t end = first + part_size < count ? first + part_size : count;
    for (std::size_t i = 0; i < totals.extent(1); ++i) totals(item, i) = 0;
    for (std::int64_t block = first; block < end; block += static_cast<std::int64_t>(block_size))
      add(item, block, r, end - block < static_cast<std::int64_t>(block_size) ? end - block : block_size);
  }

 private:
  KOKKOS_FUNCTION void add(std::int64_t item, std::int64_t first, std::int64_t r, std::int64_t count) const {
    Kokkos::Array<double, block_size> u, under;
    sample.uniforms(first, r, u);
    double cost = 0;
    for (std::int64_t k = 0; k < count; ++k) {
      const std::int64_t j = first + k;
      const double surplus = x(j) - terms.demand(j).quantile(u[static_cast<std::size_t>(k)]);
      under[static_cast<std::size_t>(k)] = surplus < 0 ? -surplus : 0;
      cost += terms.value(j, x(j), surplus > 0 ? surplus : 0, surplus < 0 ? -surplus : 0);
    }
    totals(item, 0) += cost;
    for (std::size_t i = 0; i < weights.extent(0); ++i) {
      double lost = 0;
      for (std::int64_t k = 0; k < count; ++k) lost += weights(i, first + k) * under[static_cast<std::size_t>(k)];
      totals(item, i + 1) += lost;
    }
  }
};

/// Share of replications in which each product's demand exceeds its quantity, for one block of products per work item.
template <class ExecutionSpace, class Demand, std::size_t block_size>
struct StockOutShares {
  models::impl::NewsvendorTerms<ExecutionSpace, Demand> terms;
  models::NewsvendorSample sample;
  ConstVector<ExecutionSpace> x;
  Vector<ExecutionSpace> shares;

  KOKKOS_FUNCTION void operator()(std::int64_t block) const {
    const std::int64_t first = block * static_cast<std::int64_t>(block_size);
    const auto left = static_cast<std::size_t>(static_cast<std::int64_t>(x.extent(0)) - first);
    const std::size_t count = left < block_size ? left : block_size;
    Kokkos::Array<double, block_size> p = {};
    Kokkos::Array<std::int64_t, block_size> met = {};
    for (std::size_t k = 0; k < count; ++k) p[k] = cdf(first + static_cast<std::int64_t>(k));
    if constexpr (block_size == 1) {
      met[0] = sample.count(first, p[0]);
    } else {
      sample.count(first, p, met);
    }
    for (std::size_t k = 0; k < count; ++k)
      shares(first + static_cast<std::int64_t>(k)) =
          1 - static_cast<double>(met[k]) / static_cast<double>(sample.range.size);
  }

  KOKKOS_FUNCTION double cdf(std::int64_t j) const { return terms.demand(j).cdf(x(j)); }
};

}  // namespace impl

/// The newsvendor of many products (models/inventory/newsvendor.hpp) with required fill rates, as a problem for solvers
/// with constraints on means. Its quantities are the cost of a replication and its weighted lost sales; the mean lost
/// sales of constraint i must be at most max_lost()[i]. One launch over the demands of a sample computes all values,
/// and another counts demands for the derivatives. Demands are drawn again where they are needed and never stored.
/// Memory is 8 bytes per weight, in addition to the samples, which hold a derivative for each quantity and product.
///
/// The problem is convex. If demands are continuous, derivatives of means are the means of derivatives. `Demand` is
/// NormalDemand or AnyDemand. Results are bitwise identical on every backend with any number of threads.
template <class ExecutionSpace, class Demand = models::NormalDemand>
class FillRateNewsvendor final : public SampledProblem {
 public:
  /// Throws std::invalid_argument if the `check()` of either argument does, or if a demand is not of kind `Demand`.
  FillRateNewsvendor(const ExecutionSpace& space, const models::NewsvendorProducts& products,
                     const models::NewsvendorFillRates& rates);

  std::span<const DecisionRange> bounds() const override { return m_bounds; }
  bool has_gradient() const override { return true; }
  std::size_t quantities() const override { return 1 + m_max_lost.size(); }
  std::size_t constraints_on_means() const override { return m_max_lost.size(); }

  /// Simulates each sample separately. @throws std::invalid_argument for single replications with derivatives.
  std::vector<SampleMoments> simulate(std::span<const Sample> samples) override {
    std::vector<SampleMoments> found;
    for (const Sample& sample : samples) found.push_back(of(sample));
    return found;
  }

  double objective(std::span<const double>, std::span<const double> means, std::span<double> by_coordinates,
                   std::span<double> by_means) const override {
    return mean_of(0, means, by_coordinates, by_means);
  }
  double constraint_on_means(std::size_t j, std::span<const double>, std::span<const double> means,
                             std::span<double> by_coordinates, std::span<double> by_means) const override {
    return mean_of(1 + j, means, by_coordinates, by_means) - m_max_lost[j];
  }

 private:
  static double mean_of(std::size_t quantity, std::span<const double> means, std::span<double> by_coordinates,
                        std::span<double> by_means) {
    for (double& slope : by_coordinates) slope = 0;
    for (std::size_t i = 0; i < by_means.size(); ++i) by_means[i] = i == quantity ? 1 : 0;
    return means[quantity];
  }

  // Products per work item of the counting kernel: on a host one loop in vector registers, on a device one thread per
  // product.
  static constexpr std::size_t block_size = runs_on_host<ExecutionSpace> ? 32 : 1;
  using Totals = impl::FillRateTotals<ExecutionSpace, Demand>;
  using Policy = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;

  SampleMoments of(const Sample& sample);
  std::vector<double> totals_of(const Sample& sample, const ConstVector<ExecutionSpace>& x);
  std::vector<double> slopes_of(const Sample& sample, const ConstVector<ExecutionSpace>& x);
  static models::NewsvendorSample range_of(const Sample& sample) {
    return {{sample.seed, static_cast<std::uint64_t>(sample.first), sample.count}};
  }

  ExecutionSpace m_space;
  models::NewsvendorProducts m_products;
  models::NewsvendorFillRates m_rates;
  models::ProductDemands<Demand, typename ExecutionSpace::memory_space> m_demands;
  models::impl::NewsvendorTerms<ExecutionSpace, Demand> m_terms;
  typename Totals::Table m_weights, m_totals;
  std::vector<double> m_max_lost;
  std::vector<DecisionRange> m_bounds;
};

template <class ExecutionSpace, class Demand>
FillRateNewsvendor<ExecutionSpace, Demand>::FillRateNewsvendor(const ExecutionSpace& space,
                                                               const models::NewsvendorProducts& products,
                                                               const models::NewsvendorFillRates& rates)
    : m_space(space),
      m_products((products.check(), rates.check(products.size()), products)),
      m_rates(rates),
      m_demands(products.demand),
      m_max_lost(rates.max_lost(products)),
      m_bounds(products.cost.size(), {0, std::numeric_limits<double>::infinity()}) {
  using MemorySpace = typename ExecutionSpace::memory_space;
  const auto moved = [](const std::string& name, const std::vector<double>& numbers) {
    return impl::table_view<MemorySpace>("sporos::fill_rate_newsvendor::" + name, numbers);
  };
  std::vector<double> means;
  for (const auto& demand : products.demand) means.push_back(demand.mean());
  m_terms = {moved("cost", products.cost), moved("holding", products.holding), moved("price", products.price),
             moved("mean", means), m_demands.view()};
  m_weights = typename Totals::Table(Kokkos::view_alloc(space, "sporos::fill_rate_newsvendor::weights"),
                                     rates.least.size(), products.cost.size());
  const auto host = Kokkos::create_mirror_view(m_weights);
  for (std::size_t i = 0; i < rates.weights.size(); ++i)
    host(i / products.cost.size(), i % products.cost.size()) = rates.weights[i];
  copy_elements(m_weights, host);
}

template <class ExecutionSpace, class Demand>
SampleMoments FillRateNewsvendor<ExecutionSpace, Demand>::of(const Sample& sample) {
  if (sample.has_gradient && sample.has_values)
    throw std::invalid_argument("a sample requests both single replications and derivatives, expected one of them");
  const std::size_t k = quantities(), n = static_cast<std::size_t>(sample.count);
  const Vector<ExecutionSpace> x = to_device<ExecutionSpace>(m_space, sample.x);
  std::vector<double> totals = totals_of(sample, x);  // quantity by quantity
  SampleMoments found{sample.count, std::vector<double>(k), std::vector<double>(k * k), {}, {}};
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t r = 0; r < n; ++r) found.means[i] += totals[i * n + r] / static_cast<double>(n);
  }
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t l = 0; l <= i; ++l) {
      double sum = 0;
      for (std::size_t r = 0; r < n; ++r)
        sum += (totals[i * n + r] - found.means[i]) * (totals[l * n + r] - found.means[l]);
      found.products[i * k + l] = found.products[l * k + i] = sum;
    }
  }
  if (sample.has_values) found.values = std::move(totals);
  if (sample.has_gradient) found.slopes = slopes_of(sample, x);
  return found;
}

template <class ExecutionSpace, class Demand>
std::vector<double> FillRateNewsvendor<ExecutionSpace, Demand>::totals_of(const Sample& sample,
                                                                          const ConstVector<ExecutionSpace>& x) {
  const auto n = static_cast<std::size_t>(sample.count), k = quantities();
  const std::size_t parts = (m_bounds.size() + Totals::part_size - 1) / Totals::part_size;
  if (m_totals.extent(0) < parts * n) {
    m_totals = typename Totals::Table(
        Kokkos::view_alloc(m_space, Kokkos::WithoutInitializing, "sporos::fill_rate_newsvendor::totals"), parts * n, k);
  }
  Kokkos::parallel_for("sporos::fill_rate_newsvendor::totals", Policy(m_space, 0, static_cast<std::int64_t>(parts * n)),
                       Totals{m_terms, range_of(sample), x, m_weights, m_totals});
  const auto host = Kokkos::create_mirror_view(m_totals);
  copy_elements(m_space, host, m_totals);
  m_space.fence();
  std::vector<double> totals(k * n);
  for (std::size_t item = 0; item < parts * n; ++item) {
    for (std::size_t i = 0; i < k; ++i) totals[i * n + item % n] += host(item, i);
  }
  return totals;
}

// Derivatives: k − v + (h + v) P(D <= x) for the cost (k cost, v price, h holding), −w P(D > x) for the sales lost with
// weights w.
template <class ExecutionSpace, class Demand>
std::vector<double> FillRateNewsvendor<ExecutionSpace, Demand>::slopes_of(const Sample& sample,
                                                                          const ConstVector<ExecutionSpace>& x) {
  const std::size_t count = m_bounds.size(), m = m_max_lost.size();
  const Vector<ExecutionSpace> shares(
      Kokkos::view_alloc(m_space, Kokkos::WithoutInitializing, "sporos::fill_rate_newsvendor::shares"), count);
  const std::size_t blocks = (count + block_size - 1) / block_size;
  Kokkos::parallel_for("sporos::fill_rate_newsvendor::shares", Policy(m_space, 0, static_cast<std::int64_t>(blocks)),
                       impl::StockOutShares<ExecutionSpace, Demand, block_size>{m_terms, range_of(sample), x, shares});
  const std::vector<double> above = to_host<ExecutionSpace>(m_space, shares);
  std::vector<double> slopes((1 + m) * count);
  const auto& [cost, holding, price, demand] = m_products;
  for (std::size_t j = 0; j < count; ++j) slopes[j] = cost[j] - price[j] + (holding[j] + price[j]) * (1 - above[j]);
  for (std::size_t i = 0; i < m; ++i) {
    const double* const weights = m_rates.weights.data() + i * count;
    for (std::size_t j = 0; j < count; ++j) slopes[(1 + i) * count + j] = -weights[j] * above[j];
  }
  return slopes;
}

}  // namespace sporos
