// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/linear_algebra/ordered_sum.hpp>
#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/core/linear_algebra/vector_operations.hpp>
#include <sporos/core/random/sample_range.hpp>
#include <sporos/models/inventory/newsvendor_case.hpp>
#include <sporos/models/inventory/newsvendor_kernels.hpp>
#include <sporos/models/inventory/newsvendor_prices.hpp>
#include <sporos/models/inventory/newsvendor_sample.hpp>
#include <sporos/models/inventory/newsvendor_screen.hpp>
#include <sporos/models/inventory/product_demand.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace sporos::models {

/// Multi-product newsvendor of He et al. (2024), A preliminary study on accelerating simulation optimization with GPU
/// implementation, section 3.2, as a problem for stochastic optimizers:
///
///     f(x) = Σ_j k_j x_j + h_j E(x_j − D_j)⁺ + v_j E(D_j − x_j)⁺,   f_j'(x) = k_j − v_j + (h_j + v_j) P(D_j <= x_j),
///
/// with expectation and probability over a sample of demands (NewsvendorSample), or exact. `Demand` is NormalDemand or
/// AnyDemand. The sample is regenerated when needed and never stored: memory is some 100 bytes per product.
///
/// Gradients, exact gradients and objectives are bitwise identical on every backend with any number of threads. Vectors
/// lie in the memory space of `ExecutionSpace` and have dimension() elements.
template <class ExecutionSpace, class Demand = NormalDemand>
class Newsvendor {
 public:
  /// Execution space of the kernels.
  using execution_space = ExecutionSpace;

  /// Takes no resources. Throws std::invalid_argument in the same cases as `products.check()`, also if a demand is not
  /// of kind `Demand`.
  Newsvendor(const ExecutionSpace& space, const NewsvendorProducts& products);

  /// Also takes the resources, which sample_bound() requires. Throws the same exceptions as newsvendor_prices, which
  /// computes their prices.
  Newsvendor(const ExecutionSpace& space, const NewsvendorCase& newsvendor);

  /// Instance of the execution space on which the kernels run.
  const ExecutionSpace& execution() const { return m_space; }

  /// Number of products.
  std::int64_t dimension() const { return static_cast<std::int64_t>(m_derivative.extent(0)); }

  /// Makes `sample` the sample of objective() and gradient(). Throws std::invalid_argument if it is empty.
  void draw(const SampleRange& sample);

  /// Returns the sample's objective at x. Draws the whole sample and blocks.
  double objective(const ConstVector<ExecutionSpace>& x);

  /// Writes the sample's gradient at x to g; at a demand it is the right-hand derivative.
  ///
  /// The derivative of a product is constant while its quantity stays between two neighbouring demands. This interval
  /// is stored for each product, and the demands are counted again only for products whose x has left it. After small
  /// steps of x, a gradient is thus one pass over five vectors. The result is bitwise identical to that of counting all
  /// demands.
  void gradient(const ConstVector<ExecutionSpace>& x, const Vector<ExecutionSpace>& g);

  /// Returns a lower bound of the sample's objective over the resources: min over y >= 0 of f̂(y) + λᵀ(A y − C), with
  /// the prices λ of newsvendor_prices. Writes the minimizer to y. The bound is −∞ if there are no resources or an
  /// order is unbounded. Passes over the sample some six times, draws it once, and blocks.
  double sample_bound(const Vector<ExecutionSpace>& y);

  /// Returns f(x) and blocks. Near a minimum, the error is some 1e-14 of Σ_j v_j E D_j.
  double exact_objective(const ConstVector<ExecutionSpace>& x);

  /// Writes g = ∇f(x), the right-hand derivative if a demand is discrete.
  void exact_gradient(const ConstVector<ExecutionSpace>& x, const Vector<ExecutionSpace>& g);

  /// Screening of products for Frank–Wolfe, for repetitions that run side by side. It is valid as long as this object
  /// lives.
  std::optional<NewsvendorScreen<ExecutionSpace, Demand>> screen(std::int64_t) const {
    return NewsvendorScreen<ExecutionSpace, Demand>(m_terms);
  }

 private:
  // Products per task: on a host, a loop in vector registers; on a device, one per thread.
  static constexpr std::size_t block_size = runs_on_host<ExecutionSpace> ? 32 : 1;

  impl::ProductPolicy<ExecutionSpace> products() const { return {m_space, 0, dimension()}; }
  impl::ProductPolicy<ExecutionSpace> blocks() const {
    constexpr auto size = static_cast<std::int64_t>(block_size);
    return {m_space, 0, (dimension() + size - 1) / size};
  }

  ExecutionSpace m_space;
  ProductDemands<Demand, typename ExecutionSpace::memory_space> m_demands;
  impl::NewsvendorTerms<ExecutionSpace, Demand> m_terms;
  NewsvendorSample m_sample;
  bool m_is_fresh = true;  // no intervals are stored for this sample
  Vector<ExecutionSpace> m_low, m_high, m_derivative;
  Vector<ExecutionSpace> m_values;  // per product, for objectives
  Vector<ExecutionSpace> m_charge;  // Aᵀλ; empty without resources
  double m_priced_capacity = 0;     // λᵀC
};

template <class ExecutionSpace, class Demand>
Newsvendor<ExecutionSpace, Demand>::Newsvendor(const ExecutionSpace& space, const NewsvendorProducts& products)
    : m_space(space), m_demands((products.check(), products.demand)), m_sample{{}} {
  using MemorySpace = typename ExecutionSpace::memory_space;
  std::vector<double> means;
  means.reserve(products.demand.size());
  for (const auto& demand : products.demand) means.push_back(demand.mean());
  const auto moved = [](const std::string& name, const std::vector<double>& numbers) {
    return sporos::impl::table_view<MemorySpace>("sporos::newsvendor::" + name, numbers);
  };
  m_terms = {moved("cost", products.cost), moved("holding", products.holding), moved("price", products.price),
             moved("mean", means), m_demands.view()};
  const auto vector = [&](const std::string& name) {
    return Vector<ExecutionSpace>(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::newsvendor::" + name),
                                  products.cost.size());
  };
  m_low = vector("low");
  m_high = vector("high");
  m_derivative = vector("derivative");
  m_values = vector("values");
  m_sample.range.size = 1;
}

template <class ExecutionSpace, class Demand>
Newsvendor<ExecutionSpace, Demand>::Newsvendor(const ExecutionSpace& space, const NewsvendorCase& newsvendor)
    : Newsvendor(space, newsvendor.products) {
  if (newsvendor.resources.size() == 0) return;
  const std::vector<double> prices = newsvendor_prices(newsvendor);
  m_charge = to_device<ExecutionSpace>(m_space, impl::charges_of(newsvendor, prices));
  m_priced_capacity = std::inner_product(prices.begin(), prices.end(), newsvendor.resources.capacity.begin(), 0.0);
}

template <class ExecutionSpace, class Demand>
double Newsvendor<ExecutionSpace, Demand>::sample_bound(const Vector<ExecutionSpace>& y) {
  constexpr double none = -math::impl::infinity;
  if (m_charge.extent(0) == 0) return none;
  Kokkos::parallel_for("sporos::newsvendor::sample_bound", products(),
                       impl::NewsvendorSampleBest<ExecutionSpace, Demand>{m_terms, m_sample, m_charge, y});
  const double bound = objective(y) + dot<ExecutionSpace>(m_space, m_charge, y) - m_priced_capacity;
  return bound < math::impl::infinity ? bound : none;
}

template <class ExecutionSpace, class Demand>
void Newsvendor<ExecutionSpace, Demand>::draw(const SampleRange& sample) {
  check_positive_integer("sample size", sample.size);
  m_sample.range = sample;
  m_is_fresh = true;
}

template <class ExecutionSpace, class Demand>
void Newsvendor<ExecutionSpace, Demand>::gradient(const ConstVector<ExecutionSpace>& x,
                                                  const Vector<ExecutionSpace>& g) {
  using Pass = impl::NewsvendorGradient<ExecutionSpace, Demand, block_size>;
  Kokkos::parallel_for("sporos::newsvendor::gradient", blocks(),
                       Pass{m_terms, m_sample, m_is_fresh, x, m_low, m_high, m_derivative, g});
  m_is_fresh = false;
}

template <class ExecutionSpace, class Demand>
double Newsvendor<ExecutionSpace, Demand>::objective(const ConstVector<ExecutionSpace>& x) {
  using Pass = impl::NewsvendorSampleCost<ExecutionSpace, Demand, block_size>;
  Kokkos::parallel_for("sporos::newsvendor::objective", blocks(), Pass{m_terms, m_sample, x, m_values});
  return ordered_sum<ExecutionSpace>(m_space, m_values);
}

template <class ExecutionSpace, class Demand>
double Newsvendor<ExecutionSpace, Demand>::exact_objective(const ConstVector<ExecutionSpace>& x) {
  Kokkos::parallel_for("sporos::newsvendor::exact_objective", products(),
                       impl::NewsvendorExactCost<ExecutionSpace, Demand>{m_terms, x, m_values});
  return ordered_sum<ExecutionSpace>(m_space, m_values);
}

template <class ExecutionSpace, class Demand>
void Newsvendor<ExecutionSpace, Demand>::exact_gradient(const ConstVector<ExecutionSpace>& x,
                                                        const Vector<ExecutionSpace>& g) {
  Kokkos::parallel_for("sporos::newsvendor::exact_gradient", products(),
                       impl::NewsvendorExactDerivative<ExecutionSpace, Demand>{m_terms, x, g});
}

}  // namespace sporos::models
