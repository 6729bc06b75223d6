// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/models/inventory/newsvendor_case.hpp>
#include <sporos/models/inventory/newsvendor_prices.hpp>
#include <sporos/models/inventory/product_demand.hpp>

#include <boost/math/tools/roots.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sporos::models {

/// Minimum of f over {x >= 0} without resources, on the host: x_j = F_j⁻¹((v_j − k_j) / (h_j + v_j))⁺, the quantile of
/// the critical ratio (Arrow, Harris and Marschak, 1951). For an empirical demand, the quantile is interpolated
/// linearly between observations. @throws std::invalid_argument in the same cases as `products.check()`, also if k_j +
/// h_j <= 0 for a product, because its order would be unbounded.
inline std::vector<double> newsvendor_quantiles(const NewsvendorProducts& products);

/// Solution of a newsvendor with one budget.
struct NewsvendorOptimum {
  std::vector<double> quantities;  ///< x
  double multiplier;               ///< λ >= 0, saving per additional unit of the budget; 0 if it does not bind
};

/// Minimum of f over {x >= 0, Σ a_j x_j <= C} for the one resource of `newsvendor`, on the host, by its KKT conditions
/// (Hadley and Whitin, 1963): x_j(λ) = F_j⁻¹((v_j − k_j − λ a_j) / (h_j + v_j))⁺, and λ = 0 or Σ a_j x_j(λ) = C. λ is
/// the root of a decreasing function, found to the last bits.
///
/// If demands are discrete, Σ a_j x_j(λ) jumps, and possibly no λ meets the budget exactly. The result is then the
/// convex combination of the quantities on both sides of the jump that meets the budget. All of these minimize the
/// Lagrangian and hence f.
///
/// @throws std::invalid_argument in the same cases as the `check()` of products and resources. Also throws it if there
/// is not exactly one resource, if that is not a budget (is_budget), or if k_j + h_j <= 0 for a product, because its
/// order would be unbounded at λ = 0.
inline NewsvendorOptimum newsvendor_optimum(const NewsvendorCase& newsvendor);

namespace impl {

inline void check_bounded(const NewsvendorProducts& products) {
  for (std::size_t j = 0; j < products.cost.size(); ++j) {
    const double sum = products.cost[j] + products.holding[j];
    if (sum > 0) continue;
    sporos::impl::check_parameter(false, sporos::impl::element_name("cost + holding", j), sum, "a number above 0");
  }
}

/// Quantities x(λ) and their use of the budget.
class QuantitiesAt {
 public:
  explicit QuantitiesAt(const NewsvendorCase& newsvendor)
      : m_newsvendor(newsvendor), m_demands(newsvendor.products.demand) {}

  std::vector<double> operator()(double multiplier) const {
    std::vector<double> x(m_newsvendor.resources.amounts.size());
    for (std::size_t j = 0; j < x.size(); ++j) {
      const auto& [cost, holding, price, unused] = m_newsvendor.products;
      const double gain = price[j] - cost[j] - multiplier * m_newsvendor.resources.amounts[j];
      x[j] = critical_quantile(gain, holding[j], price[j], m_demands.view()(j));
    }
    return x;
  }

  double use(const std::vector<double>& x) const {
    double sum = 0;
    for (std::size_t j = 0; j < x.size(); ++j) sum += m_newsvendor.resources.amounts[j] * x[j];
    return sum;
  }

  /// Smallest multiplier above which every order is 0.
  double largest_multiplier() const {
    double largest = 0;
    for (std::size_t j = 0; j < m_newsvendor.resources.amounts.size(); ++j) {
      const auto& [cost, holding, price, unused] = m_newsvendor.products;
      largest = std::max(largest, (price[j] - cost[j]) / m_newsvendor.resources.amounts[j]);
    }
    return largest;
  }

 private:
  const NewsvendorCase& m_newsvendor;
  ProductDemands<AnyDemand, Kokkos::HostSpace> m_demands;
};

}  // namespace impl

inline std::vector<double> newsvendor_quantiles(const NewsvendorProducts& products) {
  products.check();
  impl::check_bounded(products);
  const ProductDemands<AnyDemand, Kokkos::HostSpace> demands(products.demand);
  std::vector<double> x(products.cost.size());
  for (std::size_t j = 0; j < x.size(); ++j) {
    const double gain = products.price[j] - products.cost[j];
    x[j] = impl::critical_quantile(gain, products.holding[j], products.price[j], demands.view()(j));
  }
  return x;
}

inline NewsvendorOptimum newsvendor_optimum(const NewsvendorCase& newsvendor) {
  newsvendor.products.check();
  newsvendor.resources.check(newsvendor.products.size());
  if (newsvendor.resources.size() != 1) {
    sporos::impl::refuse_parameter("number of resources", std::to_string(newsvendor.resources.size()), "1");
  }
  if (!is_budget(newsvendor.resources)) {
    sporos::impl::refuse_parameter("resource", "not a budget", "positive amounts and an upper bound of at least 0");
  }
  impl::check_bounded(newsvendor.products);
  const impl::QuantitiesAt quantities(newsvendor);
  const double capacity = newsvendor.resources.capacity[0];
  auto x = quantities(0.0);
  if (quantities.use(x) <= capacity) return {x, 0.0};
  const auto excess = [&](double multiplier) { return quantities.use(quantities(multiplier)) - capacity; };
  std::uintmax_t steps = 200;
  const double most = quantities.largest_multiplier();
  const auto [low, high] =
      boost::math::tools::bisect(excess, 0.0, most, boost::math::tools::eps_tolerance<double>(53), steps);
  // At a jump, low and high use different parts of the budget; elsewhere the uses differ only by rounding.
  x = quantities(low);
  const auto less = quantities(high);
  const double more_use = quantities.use(x), less_use = quantities.use(less);
  const double share = more_use > less_use ? (capacity - less_use) / (more_use - less_use) : 0.0;
  for (std::size_t j = 0; j < x.size(); ++j) x[j] = less[j] + std::clamp(share, 0.0, 1.0) * (x[j] - less[j]);
  return {x, low + (high - low) / 2};
}

}  // namespace sporos::models
