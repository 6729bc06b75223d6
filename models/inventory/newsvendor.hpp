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

/// The multi-product newsvendor of paper 004, section 3.2, as a problem for a stochastic optimizer:
///
///     f(x) = Σ_j k_j x_j + h_j E(x_j − D_j)⁺ + v_j E(D_j − x_j)⁺,   f_j'(x) = k_j − v_j + (h_j + v_j) P(D_j <= x_j),
///
/// with expectation and probability over a sample of demands, that of NewsvendorSample, or exact. `Demand` is
/// NormalDemand or AnyDemand. The sample is drawn again where it is needed and never stored: memory is some 100 bytes a
/// product.
///
/// Gradients, exact ones and objectives are the same bits on every backend with any number of threads. Vectors lie in
/// the memory of `ExecutionSpace` and have dimension() elements.
template <class ExecutionSpace, class Demand = NormalDemand>
class Newsvendor {
 public:
  /// Where it works.
  using execution_space = ExecutionSpace;

  /// Throws std::invalid_argument as `products.check()` does, or where a demand is not of the kind that `Demand` is.
  Newsvendor(const ExecutionSpace& space, const NewsvendorProducts& products);

  /// The same, that knows of the resources too: sample_bound() is near the least objective over them. Throws as
  /// newsvendor_prices does, by which it prices them.
  Newsvendor(const ExecutionSpace& space, const NewsvendorCase& newsvendor);

  /// The instance on which it works.
  const ExecutionSpace& execution() const { return m_space; }

  /// The number of products.
  std::int64_t dimension() const { return static_cast<std::int64_t>(m_derivative.extent(0)); }

  /// From now on, objective() and gradient() are those over `sample`. Throws std::invalid_argument where it is empty.
  void draw(const SampleRange& sample);

  /// The sample's objective at x. Draws the whole sample; waits for the result.
  double objective(const ConstVector<ExecutionSpace>& x);

  /// g: the sample's gradient at x; the right-hand derivative at a demand.
  ///
  /// The derivative of a product stays while its quantity stays between two neighbouring demands. That interval is kept
  /// for each product, and the product's demands are counted anew only where x left it: after small steps of x this is
  /// one pass over five vectors. The result is the same bits as that of counting all.
  void gradient(const ConstVector<ExecutionSpace>& x, const Vector<ExecutionSpace>& g);

  /// A lower bound of the sample's objective over the resources, min over y >= 0 of f̂(y) + λᵀ(A y − C) for the prices λ
  /// of newsvendor_prices, with the y where it is least; minus infinity where no resources are known or an order may
  /// grow without end. Passes over the sample some six times, and draws it once; waits.
  double sample_bound(const Vector<ExecutionSpace>& y);

  /// f(x); waits for it. Near a minimum to some 1e-14 of Σ_j v_j E D_j.
  double exact_objective(const ConstVector<ExecutionSpace>& x);

  /// g = ∇f(x), from the right where a demand is discrete.
  void exact_gradient(const ConstVector<ExecutionSpace>& x, const Vector<ExecutionSpace>& g);

  /// For Frank–Wolfe on a few products at a time, in `repetitions` repetitions side by side. Good as long as this
  /// lives.
  std::optional<NewsvendorScreen<ExecutionSpace, Demand>> screen(std::int64_t) const {
    return NewsvendorScreen<ExecutionSpace, Demand>(m_terms);
  }

 private:
  // Products of a task: on a host a loop in vector registers, on a device a thread each.
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
  bool m_is_fresh = true;  // no interval of this sample is known
  Vector<ExecutionSpace> m_low, m_high, m_derivative;
  Vector<ExecutionSpace> m_values;  // of the products, for objectives
  Vector<ExecutionSpace> m_charge;  // Aᵀλ; without extent where no resources are known
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
